/** What one look at the surroundings came to. */
export interface Finding {
  readonly of: string;
  readonly ok: boolean;
  /** What is there, or what is wrong and what to do about it. */
  readonly sentence: string;
}

export function fine(of: string, sentence: string): Finding {
  return { of, ok: true, sentence };
}

export function wrong(of: string, sentence: string): Finding {
  return { of, ok: false, sentence };
}

export function lineOf({ of, ok, sentence }: Finding): string {
  return `${ok ? 'ok     ' : 'PROBLEM'}  ${of}: ${sentence}`;
}

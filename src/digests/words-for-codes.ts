/** Why a run was left out, or a digest does not run, where nothing failed. */
const words: Readonly<Record<string, string>> = {
  superseded: 'A later one took its place.',
  'by-hand': 'Somebody paused it.',
  deleted: 'It was deleted.',
  unreadable: 'I cannot make sense any more of what I kept of it.',
  stopped: 'I was stopped in the middle of it.',
  interrupted: 'I was stopped in the middle of it.',
  'owner-left': 'Its owner has left this workspace.',
  'owner-may-not-ask': 'Its owner may not ask for reports any more.',
};

/** What is kept of why something did not happen. */
export interface Why {
  readonly code: string;
  /** The sentences that were made of the error when it happened; absent where it was none. */
  readonly reason?: string;
}

/** Why something did not happen, in one or two sentences; undefined where no more is known than that it did not. */
export function wordsForWhy(code: string | undefined, reason: string | undefined): string | undefined {
  return reason ?? words[code ?? ''];
}

/** Something that cannot be as it is, said under the input that it is about. */
export interface Problem {
  /** The input's name. */
  readonly input: string;
  readonly sentence: string;
}

export function problemsWith(input: string, sentence: string): { readonly problems: readonly Problem[] } {
  return { problems: [{ input, sentence }] };
}

import type { Sentence } from './words.js';

/** What the named groups of a pattern matched. */
export type Said = Readonly<Partial<Record<string, string>>>;

/** A pattern of words, and what they say; undefined: nothing after all. `end` is the index of the word after them. */
export type Form<Meaning> = readonly [
  pattern: string,
  read: (said: Said, sentence: Sentence, end: number) => Meaning | undefined,
];

/** Returns a function that reads the words from an index by the first form that fits. */
export function readerOf<Meaning>(...rows: readonly Form<Meaning>[]) {
  const forms = rows.map(([pattern, read]) => [new RegExp(`^(?:${pattern})(?= |$)`), read] as const);
  return (sentence: Sentence, start: number) => {
    const text = sentence.textFrom(start);
    for (const [form, read] of forms) {
      const found = form.exec(text);
      const end = start + (found?.[0].split(' ').length ?? 0);
      const said = found && read(found.groups ?? {}, sentence, end);
      if (said) return { said, end };
    }
    return undefined;
  };
}

/** A pattern of one of some words. */
export function anyOf(words: Iterable<string>): string {
  return `(?:${[...words].join('|')})`;
}

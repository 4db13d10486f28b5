/** Returns what is made when it is first needed. */
export function lazily<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** The rows of a table in text: a line each, with ` | ` between its cells. */
export function rowsOf(text: string): readonly (readonly string[])[] {
  return text
    .trim()
    .split(/\s*\n\s*/)
    .map((row) => row.split(/\s+\|\s+/));
}

/** What words mean, from rows of `word, same word | meaning | other meaning`. */
export function synonymsIn(text: string): ReadonlyMap<string, readonly string[]> {
  return new Map(
    rowsOf(text).flatMap(([words = '', ...meanings]) =>
      words.split(', ').map((word) => [word, meanings] as const),
    ),
  );
}

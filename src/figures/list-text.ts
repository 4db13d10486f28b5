const separator = /[;,]/;
const nextSeparator = /[;,]/g;

/** True for a text that may be several entries of a list: it holds a semicolon or a comma. */
export function mayBeList(text: string): boolean {
  return separator.test(text);
}

/**
 * Takes apart lists that came as one text, `Sales; Finance`. Semicolons separate entries; where a text has none,
 * commas do. Entries that were seen whole in a real list of the same answer stay whole, so texts can only be split
 * once the whole answer was read.
 */
export class KnownEntries {
  private readonly known = new Set<string>();
  /** The different lengths of known entries, the longest first, by their text up to the first separator. */
  private readonly lengths = new Map<string, readonly number[]>();
  private kept = 0;

  get characters(): number {
    return this.kept;
  }

  /** Notes the entries of a real list. */
  add(entries: readonly string[]): void {
    for (const listed of entries) {
      const entry = listed.trim();
      if (!mayBeList(entry) || this.known.has(entry)) continue;
      this.known.add(entry);
      this.kept += entry.length;
      const head = headAt(entry, 0);
      const lengths = this.lengths.get(head) ?? [];
      if (lengths.includes(entry.length)) continue;
      this.lengths.set(
        head,
        [...lengths, entry.length].sort((a, b) => b - a),
      );
    }
  }

  /** The entries of a text, without blanks around them; none for a text of separators alone. */
  split(text: string): readonly string[] {
    const entries: string[] = [];
    const lastSemicolon = text.lastIndexOf(';');
    for (let start = afterBlanks(text, 0); start < text.length; ) {
      const next = text.indexOf(start <= lastSemicolon ? ';' : ',', start);
      const end = this.endOfWhole(text, start) ?? (next < 0 ? text.length : next);
      const entry = text.slice(start, end).trim();
      if (entry !== '') entries.push(entry);
      start = afterBlanks(text, end + 1);
    }
    return entries;
  }

  merge({ known }: KnownEntries): void {
    this.add([...known]);
  }

  /** The end of the longest known entry at `start`, including spaces after it. */
  private endOfWhole(text: string, start: number): number | undefined {
    if (this.known.size === 0) return undefined;
    for (const length of this.lengths.get(headAt(text, start)) ?? []) {
      if (start + length > text.length) continue;
      const end = afterBlanks(text, start + length);
      const ends = end === text.length || separator.test(text.charAt(end));
      if (ends && this.known.has(text.slice(start, start + length))) return end;
    }
    return undefined;
  }
}

/** The text from `start` to the next separator, which it includes; without a separator, to the end. */
function headAt(text: string, start: number): string {
  nextSeparator.lastIndex = start;
  const at = nextSeparator.exec(text)?.index ?? text.length;
  return text.slice(start, at + 1);
}

function afterBlanks(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charAt(at).trim() === '') at += 1;
  return at;
}

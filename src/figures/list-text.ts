const separator = /[;,]/;

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
  private longest = 0;
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
      this.longest = Math.max(this.longest, entry.length);
    }
  }

  /** The entries of a text, without blanks around them; none for a text of separators alone. */
  split(text: string): readonly string[] {
    const entries: string[] = [];
    for (let rest = text.trim(); rest !== ''; ) {
      const end = this.endOfWhole(rest) ?? endOfFirst(rest);
      const entry = rest.slice(0, end).trim();
      if (entry !== '') entries.push(entry);
      rest = rest.slice(end + 1).trim();
    }
    return entries;
  }

  merge({ known }: KnownEntries): void {
    this.add([...known]);
  }

  /** The end of the longest known entry at the start of the text, including spaces after it. */
  private endOfWhole(text: string): number | undefined {
    if (this.known.size === 0) return undefined;
    for (let length = Math.min(text.length, this.longest); length > 0; length--) {
      let end = length;
      while (end < text.length && text.charAt(end).trim() === '') end++;
      const ends = end === text.length || separator.test(text.charAt(end));
      if (ends && this.known.has(text.slice(0, length))) return end;
    }
    return undefined;
  }
}

function endOfFirst(text: string): number {
  const semicolon = text.indexOf(';');
  const end = semicolon < 0 ? text.indexOf(',') : semicolon;
  return end < 0 ? text.length : end;
}

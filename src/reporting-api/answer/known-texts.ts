const places = 2048;
/** Longer texts are rarely the same twice. */
export const longestKnown = 64;

/**
 * Turns bytes into text, and gives the same string again for the same bytes while it remembers them: records repeat
 * their departments, titles and states, and the names inside their objects.
 */
export class KnownTexts {
  private readonly texts: string[] = new Array(places).fill('');
  /** The bytes of the text at place p begin at `p * longestKnown`. */
  private readonly spelled = Buffer.alloc(places * longestKnown);
  private readonly lengths = new Uint8Array(places);

  /** @param decode makes the text of bytes that are not known yet */
  constructor(private readonly decode: (bytes: Buffer, start: number, end: number) => string) {}

  textOf(bytes: Buffer, start: number, end: number): string {
    const length = end - start;
    if (length === 0) return '';
    if (length > longestKnown) return this.decode(bytes, start, end);
    let hash = length;
    for (let i = start; i < end; i += 1) hash = (Math.imul(hash, 31) + (bytes[i] as number)) | 0;
    const place = (hash ^ (hash >>> 13)) & (places - 1);
    const from = place * longestKnown;
    const { spelled } = this;
    if (this.lengths[place] === length) {
      let i = 0;
      while (i < length && spelled[from + i] === bytes[start + i]) i += 1;
      if (i === length) return this.texts[place] as string;
    }
    const text = this.decode(bytes, start, end);
    this.texts[place] = text;
    this.lengths[place] = length;
    bytes.copy(spelled, from, start, end);
    return text;
  }
}

/** JSON as it came. */
export function spelled(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('utf8', start, end);
}

/** The text of a JSON string that is known to be valid, from the bytes between its quotes. */
export function unquoted(bytes: Buffer, start: number, end: number): string {
  const raw = bytes.toString('utf8', start, end);
  return raw.includes('\\') ? JSON.parse(`"${raw}"`) : raw;
}

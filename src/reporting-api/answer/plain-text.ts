import { copyBytes } from './copy-bytes.js';
import { Byte, hexDigit, skipBlanks, skipString } from './json.js';

/** Text under construction, as UTF-8 bytes in memory that is used again and again. */
export class PlainText {
  bytes = Buffer.alloc(4096);
  length = 0;

  /** Empties it and makes room for so many bytes. */
  restart(room: number): void {
    if (this.bytes.length < room) this.bytes = Buffer.allocUnsafe(room);
    this.length = 0;
  }

  put(byte: number): void {
    this.bytes[this.length] = byte;
    this.length += 1;
  }

  /** Bytes as they are. */
  copy(bytes: Buffer, start: number, end: number): void {
    this.length = copyBytes(this.bytes, this.length, bytes, start, end);
  }

  write(text: string): void {
    this.length += this.bytes.write(text, this.length);
  }

  /** A JSON string's text, from the bytes between its quotes. Never longer than they are. */
  unescape(bytes: Buffer, start: number, end: number): void {
    let i = start;
    while (i < end) {
      const byte = bytes[i] as number;
      if (byte !== Byte.backslash) {
        this.put(byte);
        i += 1;
      } else if (bytes[i + 1] !== 0x75) {
        this.put(shortEscapes[bytes[i + 1] as number] as number);
        i += 2;
      } else {
        const unit = codeUnit(bytes, i);
        const next =
          unit >= 0xd800 && unit < 0xdc00 && bytes[i + 6] === Byte.backslash ? codeUnit(bytes, i + 6) : 0;
        const pair = next >= 0xdc00 && next < 0xe000;
        this.putCharacter(pair ? 0x10000 + ((unit - 0xd800) << 10) + (next - 0xdc00) : unit);
        i += pair ? 12 : 6;
      }
    }
  }

  /** A valid JSON value as JSON without blanks: numbers as sent, text with no more escapes than it needs. */
  compact(bytes: Buffer, start: number, end: number): void {
    let i = skipBlanks(bytes, start);
    while (i < end) {
      if (bytes[i] === Byte.quote) {
        const behind = skipString(bytes, i + 1, end);
        this.requote(bytes, i, behind);
        i = behind;
      } else {
        this.put(bytes[i] as number);
        i += 1;
      }
      i = skipBlanks(bytes, i);
    }
  }

  /** A JSON string with its quotes. Never longer than it was sent. */
  requote(bytes: Buffer, start: number, end: number): void {
    let i = start;
    while (i < end && bytes[i] !== Byte.backslash) i += 1;
    if (i === end) this.copy(bytes, start, end);
    else this.write(JSON.stringify(JSON.parse(bytes.toString('utf8', start, end))));
  }

  /** A half of a pair of surrogates alone is no character: U+FFFD. */
  private putCharacter(sent: number): void {
    const code = sent >= 0xd800 && sent < 0xe000 ? 0xfffd : sent;
    if (code < 0x80) this.put(code);
    else if (code < 0x800) this.put(0xc0 | (code >> 6));
    else if (code < 0x10000) this.put(0xe0 | (code >> 12));
    else this.put(0xf0 | (code >> 18));
    if (code >= 0x10000) this.put(0x80 | ((code >> 12) & 0x3f));
    if (code >= 0x800) this.put(0x80 | ((code >> 6) & 0x3f));
    if (code >= 0x80) this.put(0x80 | (code & 0x3f));
  }
}

const shortEscapes = new Uint8Array(256);
for (const [letter, text] of Object.entries({
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '"': '"',
  '\\': '\\',
  '/': '/',
})) {
  shortEscapes[letter.charCodeAt(0)] = text.charCodeAt(0);
}

/** The number in `\u1234`, from its backslash; -1 for another escape. */
function codeUnit(bytes: Buffer, at: number): number {
  if (bytes[at + 1] !== 0x75) return -1;
  let unit = 0;
  for (let i = at + 2; i < at + 6; i += 1) unit = (unit << 4) | hexDigit(bytes[i] as number);
  return unit;
}

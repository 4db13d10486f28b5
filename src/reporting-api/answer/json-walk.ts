import { Byte, skipBlanks, skipString, skipValue } from './json.js';
import { Kind } from './object-reader.js';

/** What kind of value begins at a byte of valid JSON. Of text it says that it may hold anything. */
export function kindAt(bytes: Buffer, at: number): number {
  switch (bytes[at]) {
    case Byte.quote:
      return Kind.textWithBoth;
    case Byte.openBrace:
      return Kind.json;
    case Byte.openBracket:
      return Kind.list;
    case 0x74:
      return Kind.true;
    case 0x66:
      return Kind.false;
    case 0x6e:
      return Kind.null;
    default:
      return Kind.number;
  }
}

/** Walks over the entries of a valid array or the members of a valid object, one `next()` each. */
export class JsonWalk {
  /** The member's name, between its quotes. */
  nameStart = 0;
  nameEnd = 0;
  /** The value, between its quotes where it is text. */
  kind = 0;
  start = 0;
  end = 0;
  bytes: Buffer = nothing;
  private at = 0;

  /** @param start the place of the opening brace or bracket */
  enter(bytes: Buffer, start: number): void {
    this.bytes = bytes;
    this.at = start + 1;
  }

  nextEntry(): boolean {
    const at = this.nextPlace();
    if (at === 0) return false;
    this.takeValue(at);
    return true;
  }

  nextMember(): boolean {
    const at = this.nextPlace();
    if (at === 0) return false;
    const { bytes } = this;
    const behindName = skipString(bytes, at + 1, bytes.length);
    this.nameStart = at + 1;
    this.nameEnd = behindName - 1;
    this.takeValue(skipBlanks(bytes, skipBlanks(bytes, behindName) + 1));
    return true;
  }

  /** Where the next entry or member begins; 0 behind the last. */
  private nextPlace(): number {
    const at = skipBlanks(this.bytes, this.at);
    const byte = this.bytes[at];
    if (byte === Byte.closeBrace || byte === Byte.closeBracket) return 0;
    return byte === Byte.comma ? skipBlanks(this.bytes, at + 1) : at;
  }

  private takeValue(at: number): void {
    const quotes = this.bytes[at] === Byte.quote ? 1 : 0;
    this.kind = kindAt(this.bytes, at);
    this.at = skipValue(this.bytes, at, this.bytes.length, 0);
    this.start = at + quotes;
    this.end = this.at - quotes;
  }
}

const nothing = Buffer.alloc(0);

import { isUtf8 } from 'node:buffer';

/**
 * Makes chunks of bytes into chunks of well-formed UTF-8, each ending with a whole character. What is not UTF-8
 * becomes U+FFFD, as when a browser decodes it.
 */
export class WellFormedUtf8 {
  /** The first bytes of a character whose rest is in the next chunk; three at most. */
  private begun = Buffer.alloc(0);

  /** The well-formed bytes so far; often the chunk itself. */
  next(chunk: Buffer): Buffer {
    const bytes = this.begun.length > 0 ? Buffer.concat([this.begun, chunk]) : chunk;
    const cut = bytes.length - begunBytes(bytes);
    // A copy, since whoever owns the chunk may use its memory again.
    this.begun = cut < bytes.length ? Buffer.from(bytes.subarray(cut)) : noBytes;
    return wellFormed(cut < bytes.length ? bytes.subarray(0, cut) : bytes);
  }

  /** What is left when no more chunks come. */
  last(): Buffer {
    const left = wellFormed(this.begun);
    this.begun = noBytes;
    return left;
  }
}

const noBytes = Buffer.alloc(0);

function wellFormed(bytes: Buffer): Buffer {
  return isUtf8(bytes) ? bytes : Buffer.from(bytes.toString());
}

/** How many bytes at the end may be the beginning of a longer character. */
function begunBytes(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? back : 0;
    }
  }
  return 0;
}

/** Two 32-bit halves of a 64-bit hash, read after each `hashText` and `hashAscii`. */
export const lastHash = { high: 0, low: 0 };

const start = { high: 0xdeadbeef | 0, low: 0x41c6ce57 };

/** Hashes text into `hashed`, in one pass and without allocating. */
export function hashText(text: string): void {
  let { high, low } = start;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x85ebca77);
    low = Math.imul(low ^ unit, 0xc2b2ae3d);
    // Rotated, so that what stood early in the text reaches the low bits too.
    high = (high << 13) | (high >>> 19);
    low = (low << 17) | (low >>> 15);
  }
  finish(high, low, text.length);
}

/**
 * Hashes text that is all ASCII from its bytes, into the same as `hashText` does. False where a byte is not ASCII: then
 * nothing is hashed.
 */
export function hashAscii(bytes: Uint8Array, from: number, end: number, inLowerCase: boolean): boolean {
  let { high, low } = start;
  for (let i = from; i < end; i++) {
    let unit = bytes[i] as number;
    if (unit >= 0x80) return false;
    // A to Z.
    if (inLowerCase && unit >= 0x41 && unit <= 0x5a) unit |= 0x20;
    high = Math.imul(high ^ unit, 0x85ebca77);
    low = Math.imul(low ^ unit, 0xc2b2ae3d);
    high = (high << 13) | (high >>> 19);
    low = (low << 17) | (low >>> 15);
  }
  finish(high, low, end - from);
  return true;
}

function finish(high: number, low: number, length: number): void {
  lastHash.high = avalanche(high ^ Math.imul(low, 0x27d4eb2f) ^ length);
  lastHash.low = avalanche(low ^ Math.imul(high, 0x165667b1));
}

/** Spreads each bit over all of them, as MurmurHash3 ends. */
function avalanche(bits: number): number {
  let mixed = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

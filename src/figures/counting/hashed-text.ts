/** Two 32-bit halves of a 64-bit hash, read after each `hashText`. */
export const hashed = { high: 0, low: 0 };

/**
 * Hashes text into `hashed`, in one pass and without allocating.
 *
 * @param seed mixed in, so that the same text in two groups gives two hashes
 */
export function hashText(text: string, seed: number): void {
  let high = 0xdeadbeef ^ seed;
  let low = 0x41c6ce57 ^ Math.imul(seed, 0x9e3779b1);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x85ebca77);
    low = Math.imul(low ^ unit, 0xc2b2ae3d);
    // Rotated, so that what stood early in the text reaches the low bits too.
    high = (high << 13) | (high >>> 19);
    low = (low << 17) | (low >>> 15);
  }
  hashed.high = avalanche(high ^ Math.imul(low, 0x27d4eb2f) ^ text.length);
  hashed.low = avalanche(low ^ Math.imul(high, 0x165667b1));
}

/** Spreads each bit over all of them, as MurmurHash3 ends. */
function avalanche(bits: number): number {
  let mixed = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

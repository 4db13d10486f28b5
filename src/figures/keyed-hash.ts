import { lastHash } from './hash.js';

/** 128 secret bits. */
export type HashKey = readonly [number, number, number, number];

/** @param digits 32 hexadecimal digits; further ones are not used */
export function hashKeyOf(digits: string): HashKey {
  const word = (at: number) => Number.parseInt(digits.slice(at, at + 8), 16) | 0;
  return [word(0), word(8), word(16), word(24)];
}

/**
 * Replaces the last hash by SipHash-2-4 of it. Without the key, nobody can compute the hash of a known text, whatever
 * other hashes are known. So such hashes may be stored.
 */
export function rehashWith([high0, low0, high1, low1]: HashKey): void {
  const { high, low } = lastHash;
  let h0 = high0 ^ 0x736f6d65;
  let l0 = low0 ^ 0x70736575;
  let h1 = high1 ^ 0x646f7261;
  let l1 = low1 ^ 0x6e646f6d;
  let h2 = high0 ^ 0x6c796765;
  let l2 = low0 ^ 0x6e657261;
  let h3 = high1 ^ 0x74656462 ^ high;
  let l3 = low1 ^ 0x79746573 ^ low;
  let moved = 0;
  for (let round = 0; round < 8; round++) {
    if (round === 2) {
      h0 ^= high;
      l0 ^= low;
      // The last block holds the length alone: eight bytes.
      h3 ^= bytesOfHash;
    } else if (round === 4) {
      h0 ^= bytesOfHash;
      l2 ^= 0xff;
    }
    // v0 += v1; v1 <<<= 13; v1 ^= v0; v0 <<<= 32
    l0 = (l0 + l1) | 0;
    h0 = (h0 + h1 + carry(l0, l1)) | 0;
    moved = (h1 << 13) | (l1 >>> 19);
    l1 = ((l1 << 13) | (h1 >>> 19)) ^ l0;
    h1 = moved ^ h0;
    moved = h0;
    h0 = l0;
    l0 = moved;
    // v2 += v3; v3 <<<= 16; v3 ^= v2
    l2 = (l2 + l3) | 0;
    h2 = (h2 + h3 + carry(l2, l3)) | 0;
    moved = (h3 << 16) | (l3 >>> 16);
    l3 = ((l3 << 16) | (h3 >>> 16)) ^ l2;
    h3 = moved ^ h2;
    // v0 += v3; v3 <<<= 21; v3 ^= v0
    l0 = (l0 + l3) | 0;
    h0 = (h0 + h3 + carry(l0, l3)) | 0;
    moved = (h3 << 21) | (l3 >>> 11);
    l3 = ((l3 << 21) | (h3 >>> 11)) ^ l0;
    h3 = moved ^ h0;
    // v2 += v1; v1 <<<= 17; v1 ^= v2; v2 <<<= 32
    l2 = (l2 + l1) | 0;
    h2 = (h2 + h1 + carry(l2, l1)) | 0;
    moved = (h1 << 17) | (l1 >>> 15);
    l1 = ((l1 << 17) | (h1 >>> 15)) ^ l2;
    h1 = moved ^ h2;
    moved = h2;
    h2 = l2;
    l2 = moved;
  }
  lastHash.high = h0 ^ h1 ^ h2 ^ h3;
  lastHash.low = l0 ^ l1 ^ l2 ^ l3;
}

const bytesOfHash = 8 << 24;

/** 1 if the addition of `added` has gone beyond 32 bits. */
function carry(sum: number, added: number): number {
  return sum >>> 0 < added >>> 0 ? 1 : 0;
}

import { expect, test } from 'vitest';
import { lastHash } from '../../src/figures/hash.js';
import { type HashKey, hashKeyOf, rehashWith } from '../../src/figures/keyed-hash.js';

/** `openssl mac -macopt size:8 SIPHASH`: keys and texts begin with their lowest byte there, so the digits are turned. */
test.each([
  ['07060504030201000f0e0d0c0b0a0908', '0706050403020100', '93f5f5799a932462'],
  ['8899aabbccddeeff0011223344556677', '80030201efbeadde', 'c3c28e57a22e7a3e'],
  ['00000000000000000000000000000000', 'ffffffffffffffff', '8050c18b6ac9d15e'],
])('with the key %s, %s is %s', (key, hash, expected) => {
  lastHash.high = Number.parseInt(hash.slice(0, 8), 16) | 0;
  lastHash.low = Number.parseInt(hash.slice(8), 16) | 0;
  rehashWith(hashKeyOf(key));
  const digits = [lastHash.high, lastHash.low].map((half) => (half >>> 0).toString(16).padStart(8, '0'));
  expect(digits.join('')).toBe(expected);
});

test('digits beyond the key change nothing', () => {
  const key: HashKey = [1, -1, 0x7fffffff, 16];
  expect(hashKeyOf('00000001ffffffff7fffffff00000010')).toEqual(key);
  expect(hashKeyOf('00000001ffffffff7fffffff00000010abcd')).toEqual(key);
});

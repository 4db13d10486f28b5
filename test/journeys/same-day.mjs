// For comparing calls alone: loaded into the bot before anything else, so that each recording is of the same day, and
// what is random can be told from words. `AHEAD_MS` is how far its clock is from the machine's.

import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import './clock-ahead.mjs';

// IDs are ten characters of an alphabet that begins with its eight digits: the first is a digit from now on. They are
// drawn from a supply of 1,024 random bytes, of which those below 248 count.
const { randomFillSync } = crypto;
let drawn = 0;
crypto.randomFillSync = (bytes, ...rest) => {
  randomFillSync(bytes, ...rest);
  if (bytes.length !== 1024) return bytes;
  for (let n = 0; n < bytes.length; n += 1) {
    bytes[n] %= drawn % 10 === 0 ? 8 : 248;
    drawn += 1;
  }
  return bytes;
};
syncBuiltinESMExports();

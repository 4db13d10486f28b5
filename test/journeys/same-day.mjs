// For comparing calls alone: loaded into the bot before anything else, so that each recording is of the same day, and
// what is random can be told from words. `AHEAD_MS` is how far its clock is from the machine's.

import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import './clock-ahead.mjs';

// IDs are ten characters of an alphabet that begins with its eight digits: the first is a digit from now on.
const { randomInt } = crypto;
let drawn = 0;
crypto.randomInt = (limit) => {
  drawn += 1;
  return randomInt(limit === 31 && drawn % 10 === 1 ? 8 : limit);
};
syncBuiltinESMExports();

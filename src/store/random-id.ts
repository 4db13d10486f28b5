import { randomInt } from 'node:crypto';

/** Without letters and digits that people take for each other. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz';

/** A short text that nobody can guess: ten characters, almost fifty bits. */
export function randomId(): string {
  return Array.from({ length: 10 }, () => alphabet[randomInt(alphabet.length)]).join('');
}

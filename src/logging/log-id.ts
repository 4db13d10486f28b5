import { createHash, randomInt } from 'node:crypto';

/** The characters of IDs: without letters and digits that people confuse. */
const idAlphabet = '23456789abcdefghjkmnpqrstuvwxyz';

/** A random ID that no one can guess: ten characters, about 49 bits. */
export function randomId(): string {
  let id = '';
  while (id.length < 10) id += idAlphabet[randomInt(idAlphabet.length)];
  return id;
}

/** Work that another process had before, and may have begun. */
export interface TakenOver {
  /** Milliseconds since the epoch. */
  readonly arrivedAt: number;
}

/**
 * The ID of work as people see it, in messages about failures and in the log. It follows from the work's own ID, which
 * the buttons of an answer hold, and leads back to none: people pass it on.
 */
export function supportIdOf(id: string): string {
  const bytes = createHash('sha256').update(`support ${id}`).digest();
  // It begins with a digit, so that it is not taken for a word.
  const first = idAlphabet[(bytes[0] ?? 0) % 8];
  const rest = [...bytes.subarray(1, 10)].map((byte) => idAlphabet[byte % idAlphabet.length]);
  return [first, ...rest].join('');
}

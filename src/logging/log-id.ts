import { AsyncLocalStorage } from 'node:async_hooks';
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

const current = new AsyncLocalStorage<string>();

/**
 * Runs work whose log lines carry an ID: a delivery from Slack, with the request that it makes, or a run of a digest.
 * It covers all that the work awaits, such as retries.
 */
export function withLogId<Args extends unknown[], Outcome>(
  id: string,
  work: (...args: Args) => Outcome,
  ...args: Args
): Outcome {
  return current.run(id, work, ...args);
}

/** The ID of the work in progress; undefined outside of `withLogId`. */
export function currentLogId(): string | undefined {
  return current.getStore();
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

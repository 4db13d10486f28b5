import { createHash, randomInt } from 'node:crypto';
import type { LogOf } from './logger.js';

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

type WorkLog = LogOf<'info' | 'warn' | 'error'>;

/**
 * The same parts for one piece of work: a delivery from Slack, with the request that it makes, or a run of a digest. All
 * lines of their log carry its ID. (`AsyncLocalStorage` would carry it everywhere by itself, and makes all that awaits
 * slower: a tenth of an answer on Node 20.)
 */
export function partsFor<Parts extends { readonly log: WorkLog }>(
  work: string,
  parts: Parts,
): Parts & { readonly work: string } {
  const { log } = parts;
  const lines =
    (level: keyof WorkLog): WorkLog[typeof level] =>
    (details, message) =>
      log[level]({ id: work, ...details }, message);
  return { ...parts, log: { info: lines('info'), warn: lines('warn'), error: lines('error') }, work };
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

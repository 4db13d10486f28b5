import { type Logger as BoltLogger, LogLevel } from '@slack/bolt';
import type { Log } from '../../logging/logger.js';

/**
 * Our log in the shape that Slack's libraries write to. Their debug lines hold whole payloads with what people typed,
 * and are dropped.
 *
 * @param worst how their errors count; `warn` for a part that tries again by itself
 */
export function boltLog(log: Log, worst: 'warn' | 'error'): BoltLogger {
  return {
    debug: () => {},
    info: (...words) => log.debug(...lineOf(words)),
    warn: (...words) => log.warn(...lineOf(words)),
    error: (...words) => log[worst](...lineOf(words)),
    getLevel: () => LogLevel.INFO,
    setLevel: () => {},
    setName: () => {},
  };
}

function lineOf(words: readonly unknown[]): [{ err?: Error }, string] {
  const error = words.find((word) => word instanceof Error);
  const text = words.filter((word) => typeof word === 'string').join(' ');
  return [error ? { err: error } : {}, text || 'An error from Slack’s library'];
}

import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Failure, isFailure, systemCodeOf } from '../../errors/failure.js';

/** The format of `RECORD_KEY`: 32 bytes in hexadecimal digits. */
export const recordKeyFormat = /^[0-9a-f]{64}$/i;

/** The key of the record of access and of the stored hashes of people. It is in no database and in no backup. */
export interface RecordKey {
  /** Says which key it is, and nothing about it. */
  readonly id: string;
  /**
   * A hash that no one can make or try out without the key.
   *
   * @param what the purpose: equal texts have another hash for another one
   * @returns hexadecimal HMAC-SHA256
   */
  hash(what: 'event' | 'person' | 'figures', text: string): string;
}

/** @param text in `recordKeyFormat` */
export function recordKeyOf(text: string): RecordKey {
  const key = Buffer.from(text, 'hex');
  const hash = (what: string, content: string) =>
    createHmac('sha256', key).update(`${what}\n${content}`).digest('hex');
  return { id: hash('id', '').slice(0, 16), hash };
}

export function recordKeyFile(database: string): string {
  return `${existsSync(database) ? realpathSync(database) : database}.key`;
}

/**
 * Whether a process with these settings can continue a record.
 *
 * @param database the path of an SQLite file, or the address of a PostgreSQL database
 * @param recordKey `RECORD_KEY`
 * @param keyId of the newest event of the record; absent: there is none
 * @throws `record-key-unusable`
 */
export function compareRecordKey(
  database: string,
  recordKey: string | undefined,
  keyId: string | undefined,
): 'same' | 'differs' | 'missing' {
  const path = recordKeyFile(database);
  const beside = () => readable(path, () => (existsSync(path) ? keyIn(path) : undefined));
  const key = recordKey === undefined ? beside() : recordKeyOf(recordKey);
  if (!keyId || key?.id === keyId) return 'same';
  return key ? 'differs' : 'missing';
}

/**
 * The key beside an SQLite database. Makes it if there is none: processes that do so at once get the same one.
 *
 * @throws `record-key-unusable`
 */
export function recordKeyBeside(database: string): RecordKey {
  const path = recordKeyFile(database);
  return readable(path, () => {
    if (!existsSync(path)) makeKey(path);
    return keyIn(path);
  });
}

function keyIn(path: string): RecordKey {
  const text = readFileSync(path, 'utf8').trim();
  if (!recordKeyFormat.test(text))
    throw new Failure('record-key-unusable', { path, reason: 'it does not hold 64 hexadecimal digits' });
  return recordKeyOf(text);
}

function readable<Value>(path: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (isFailure(error, 'record-key-unusable')) throw error;
    const reason = `the system reports ${systemCodeOf(error)}`;
    throw new Failure('record-key-unusable', { path, reason, cause: error });
  }
}

/** A crash leaves the whole file or none. */
function makeKey(path: string): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(temporary, `${randomBytes(32).toString('hex')}\n`, {
      // Like the database, for the bot's account alone.
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
    linkSync(temporary, path);
  } catch (error) {
    // Another process was first, or the file system has no links.
    if (!existsSync(path)) {
      if (!existsSync(temporary)) throw error;
      renameSync(temporary, path);
    }
  } finally {
    rmSync(temporary, { force: true });
  }
}

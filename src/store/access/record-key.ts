import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Failure, isFailure, systemCodeOf } from '../../errors/failure.js';
import { recordKeyFormat } from '../database/location.js';
import { type RecordKey, recordKeyOf } from './event-chain.js';

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

import Sqlite, { type Database } from 'better-sqlite3';
import type { DigestSettings } from '../../src/digests/digest.js';

export interface KeptDigest {
  readonly settings: DigestSettings;
  readonly nextDue: number;
}

/** Writes digests straight into a database that Rollcall has made; their IDs are `digest0`, `digest1` and so on. */
export function fillDigests(path: string, count: number, digest: (n: number) => KeptDigest): void {
  inOneTransaction(path, (database) => {
    const insert = database.prepare(
      `INSERT INTO digests (id, channel, owner, made_by, request, schedule, skip_empty, state, next_due, revision,
        failures, made_at)
       VALUES (@id, @channel, @owner, @owner, @request, @schedule, 0, 'active', @nextDue, 1, 0, 0)`,
    );
    for (let n = 0; n < count; n += 1) {
      const { settings, nextDue } = digest(n);
      const { channel, owner, request, schedule } = settings;
      const columns = { request: JSON.stringify(request), schedule: JSON.stringify(schedule) };
      insert.run({ id: `digest${n}`, channel, owner, nextDue, ...columns });
    }
  });
}

/** Writes runs that are over straight into the ledger: each of so many digests has as many, a day apart. */
export function fillLedger(
  path: string,
  digests: number,
  runsOfEach: number,
  channel: (n: number) => string,
  newest: number,
): void {
  inOneTransaction(path, (database) => {
    const insert = database.prepare(
      `INSERT INTO digest_runs (id, digest, channel, due_at, same_as, state, attempts, missed, late, row_count,
        message_channel, message_ts, message_link, file_state, made_at, finished_at)
       VALUES (@id, @digest, @channel, @at, @sameAs, 'delivered', 1, 0, 0, 12, @channel, '1795000000.000100',
        'https://example.slack.com/archives/C000/p1795000000000100', 'none', @at, @at)`,
    );
    for (let ago = runsOfEach - 1; ago >= 0; ago -= 1) {
      const at = newest - ago * 24 * 3_600_000;
      for (let n = 0; n < digests; n += 1) {
        const [id, digest, sameAs] = [`run${n}-${ago}`, `digest${n}`, `question${n % 200}-${ago}-as-long`];
        insert.run({ id, digest, channel: channel(n), at, sameAs });
      }
    }
  });
}

function inOneTransaction(path: string, fill: (database: Database) => void): void {
  const database = new Sqlite(path);
  try {
    database.pragma('synchronous = OFF');
    database.transaction(() => fill(database))();
    database.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
}

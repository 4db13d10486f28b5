import Sqlite, { type Database } from 'better-sqlite3';
import type { DigestSettings } from '../../src/digests/digest.js';
import { openStore } from '../../src/store/store.js';

/** The workspace of every Slack that a benchmark starts. */
const workspace = 'T00LEARN01';

export interface KeptDigest {
  readonly settings: DigestSettings;
  readonly nextDue: number;
}

export function digestId(n: number): string {
  return `digest${String(n).padStart(6, '0')}`;
}

/**
 * Creates the database that the other functions fill.
 *
 * @param digest one that is sent by hand alone
 */
export async function makeDatabase(path: string, digest?: DigestSettings): Promise<void> {
  const store = await openStore(path, Date.now);
  await store.useWorkspace(workspace);
  if (digest) await store.digests.add(digest, digest.owner, undefined, Date.now());
  await store.close();
}

/** Writes digests directly into a database that Rollcall created, with the IDs of `digestId`. */
export function fillDigests(path: string, count: number, digest: (n: number) => KeptDigest): void {
  inOneTransaction(path, (database) => {
    const insert = database.prepare(
      `INSERT INTO digests (workspace, id, channel, owner, created_by, request, schedule, skip_empty, state, next_due, revision,
        failures, created_at)
       VALUES ((SELECT id FROM rollcall_workspace), @id, @channel, @owner, @owner, @request, @schedule, 0, 'active', @nextDue, 1, 0, 0)`,
    );
    for (let n = 0; n < count; n += 1) {
      const { settings, nextDue } = digest(n);
      const { channel, owner, request, schedule } = settings;
      const columns = { request: JSON.stringify(request), schedule: JSON.stringify(schedule) };
      insert.run({ id: digestId(n), channel, owner, nextDue, ...columns });
    }
  });
}

/** Writes finished runs directly into the ledger, the same number for each digest. */
export function fillLedger(
  path: string,
  digests: number,
  runsOfEach: number,
  channel: (n: number) => string,
  at: (ago: number) => number,
): void {
  inOneTransaction(path, (database) => {
    const insert = database.prepare(
      `INSERT INTO posts (workspace, id, kind, digest, channel, due_at, dedupe_key, state, attempts, row_count,
        message_channel, message_ts, message_link, created_at, finished_at)
       VALUES ((SELECT id FROM rollcall_workspace), @id, 'digest', @digest, @channel, @at, @sameAs, 'posted', 1, 12, @channel, '1795000000.000100',
        'https://example.slack.com/archives/C000/p1795000000000100', @at, @at)`,
    );
    for (let n = 0; n < digests; n += 1) {
      for (let ago = runsOfEach - 1; ago >= 0; ago -= 1) {
        const [id, digest, sameAs] = [`run${n}-${ago}`, digestId(n), `query${n % 200}-${ago}-as-long`];
        insert.run({ id, digest, channel: channel(n), at: at(ago), sameAs });
      }
    }
  });
}

function inOneTransaction(path: string, fill: (database: Database) => void): void {
  const database = new Sqlite(path);
  try {
    database.pragma('synchronous = OFF');
    database.pragma('cache_size = -400000');
    database.transaction(() => fill(database))();
    database.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
}

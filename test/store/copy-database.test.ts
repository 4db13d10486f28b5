import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeForOperator } from '../../src/cli/operator-messages.js';
import { plainRequest } from '../../src/requests/request.js';
import { copyDatabase } from '../../src/store/copy-database.js';
import { tableNames } from '../../src/store/database/schema.js';
import { joinProcesses } from '../../src/store/membership.js';
import { openStore } from '../../src/store/store.js';
import { addDigest, hour } from './digest-setup.js';
import { freshFolder, onPostgres, recordKey, sqlOn } from './fresh-folder.js';

const folder = freshFolder();
const now = () => 5;
const never = new AbortController().signal;

/** An SQLite database with rows in many tables, more than a page in one of them. */
async function filled(): Promise<string> {
  const path = folder.path('from.db');
  const store = await openStore(path, now, { recordKey });
  await store.useWorkspace('T1');
  for (const channel of ['C1', 'C2']) {
    const digest = await addDigest(store, hour, { channel });
    await store.ledger.enterNow(digest, 'key', hour);
  }
  for (let n = 0; n < 5; n += 1) {
    const request = { ...plainRequest('tracks'), range: `last-${n + 2}-days` };
    await store.requestLog.record({
      channel: 'C1',
      asker: `U${n}`,
      request,
      requestedAt: 1_795_000_000_000 + n,
    });
    await store.events.append({ kind: 'asked', at: n, person: `U${n}`, subjects: ['Zoë@example.com'] });
  }
  await store.suggestions.add(
    ['b', 'a', 'Ä', 'a"b', 'a\0c', '🙂'].map((entry) => ({ list: 'departments', entry, people: 5 })),
    1,
  );
  const seen = Array.from({ length: 1_203 }, (_, n) => ({ envelope: `${n % 7}-${n}`, seenAt: n }));
  for (let at = 0; at < seen.length; at += 300) await store.seenDeliveries.add(seen.slice(at, at + 300));
  await store.close();
  return path;
}

const schemaOf = (url: string) => new URL(url).searchParams.get('search_path');
const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

describe('a copy of a database', () => {
  it('has the same rows, works, and leaves the source as it was', async () => {
    const from = await filled();
    const to = folder.database('to.db');
    const before = hashOf(from);
    const other = folder.database('other.db');
    if (onPostgres) await sqlOn(other, `CREATE SCHEMA ${schemaOf(other)} CREATE TABLE theirs (id integer)`);
    const counts = new Map<string, number>();
    await copyDatabase({ from, to }, now, ({ table, rows }) => counts.set(table, rows), never);
    expect([...counts.keys()]).toEqual(tableNames);
    for (const [table, rows] of counts) {
      const [there] = await sqlOn<{ count: unknown }>(to, `SELECT COUNT(*) AS count FROM ${table}`);
      expect([table, Number(there?.count)]).toEqual([table, rows]);
    }
    if (onPostgres) {
      const analyzed = await sqlOn<{ table: string }>(
        to,
        `SELECT relname AS table FROM pg_stat_user_tables
          WHERE schemaname IN ('${schemaOf(to)}', '${schemaOf(other)}') AND last_analyze IS NOT NULL`,
      );
      expect(analyzed.map(({ table }) => table).sort(), 'statistics for the first queries').toEqual(
        [...tableNames].sort(),
      );
    }
    expect(counts.get('seen_deliveries')).toBe(1_203);
    expect(hashOf(from)).toBe(before);

    const store = await openStore(to, now, { recordKey });
    await store.useWorkspace('T1');
    expect(await store.events.verify(await store.events.head())).toMatchObject({ checked: 5, problems: [] });
    const entries = (await store.suggestions.find(['departments'], '', 9, 5)).map(({ entry }) => entry);
    expect(entries.map((entry) => entry.replace('\0', '\ufffd')).sort()).toEqual(
      ['a"b', 'a', 'a\ufffdc', 'b', 'Ä', '🙂'].sort(),
    );
    await store.close();
    // And back again.
    await copyDatabase({ from: to, to: folder.path('back.db') }, now, () => {}, never);
  });

  it('that was interrupted goes on, and no bot starts with it before', async () => {
    const from = await filled();
    const to = folder.database('to.db');
    const stop = new AbortController();
    const copying = copyDatabase(
      { from, to },
      now,
      ({ table }) => table === 'posts' && stop.abort(),
      stop.signal,
    );
    await expect(copying).rejects.toThrow();
    const store = await openStore(to, now, { recordKey });
    await expect(store.useWorkspace('T1')).rejects.toMatchObject({ details: { reason: 'half-copied' } });
    await store.close();
    await copyDatabase({ from, to }, now, () => {}, never);
    const whole = await openStore(to, now, { recordKey });
    await whole.useWorkspace('T1');
    await whole.close();
  });

  it('is refused into a database that holds data, from one that a bot uses, and if both differ', async () => {
    const from = await filled();
    const used = folder.database('used.db');
    const store = await openStore(used, now, { recordKey });
    await store.seenDeliveries.add([{ envelope: 'e', seenAt: 1 }]);
    await store.close();
    const refused = (to: string) =>
      copyDatabase({ from, to }, now, () => {}, never).then(() => 'It was copied.', describeForOperator);
    expect(await refused(used)).toMatch(/ is not empty\. Copy into an empty database\.$/);

    const lock = await joinProcesses(from, { onWait: () => {}, onLost: () => {} }, never);
    expect(await refused(folder.database('to.db'))).toBe(`${from} is in use. Stop Rollcall first.`);
    await lock?.leave();

    const to = folder.database('to.db');
    await (await openStore(to, now, { recordKey })).close();
    await sqlOn(
      to,
      onPostgres
        ? "CREATE RULE losing AS ON INSERT TO requests WHERE NEW.asker = 'U1' DO INSTEAD NOTHING"
        : "CREATE TRIGGER losing AFTER INSERT ON requests WHEN NEW.asker = 'U1' BEGIN DELETE FROM requests WHERE id = NEW.id; END",
    );
    expect(await refused(to)).toMatch(
      /^The table requests of .* differs from the source \(4 rows, not 5\)\./,
    );
  });

  it('that is continued after the source changed has what the source has now', async () => {
    const from = await filled();
    const to = folder.database('to.db');
    const stop = new AbortController();
    const copying = copyDatabase(
      { from, to },
      now,
      ({ table }) => table === 'posts' && stop.abort(),
      stop.signal,
    );
    await expect(copying).rejects.toThrow();
    await sqlOn(from, "UPDATE requests SET asker = 'U9' WHERE asker = 'U1'");
    await copyDatabase({ from, to }, now, () => {}, never);
    expect(await sqlOn(to, "SELECT id FROM requests WHERE asker = 'U9'")).toHaveLength(1);
  });
});

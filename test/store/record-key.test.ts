import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeForOperator } from '../../src/cli/operator-messages.js';
import { recordKeyOf } from '../../src/store/access/event-chain.js';
import { recordKeyBeside } from '../../src/store/access/record-key.js';
import { openStore } from '../../src/store/store.js';
import { freshFolder, onPostgres, recordKey } from './fresh-folder.js';

const folder = freshFolder();
const path = () => folder.path('rollcall.db');
const event = { kind: 'asked', at: 1, person: 'U1' } as const;
const alone = async () => true;

it.skipIf(onPostgres)('is made at the first start, in a file for the account alone', async () => {
  await (await openStore(path(), Date.now)).close();
  const file = folder.path('rollcall.db.key');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(/^[0-9a-f]{64}\n$/);
  const store = await openStore(path(), Date.now);
  const head = await store.events.append(event);
  await store.close();
  expect(readFileSync(file, 'utf8')).toBe(text);
  for (const end of ['', '-wal']) {
    if (!existsSync(path() + end)) continue;
    expect(readFileSync(path() + end, 'latin1')).not.toContain(text.trim());
  }
  // The setting stands for the file.
  const again = await openStore(path(), Date.now, { recordKey: text.trim() });
  expect(await again.events.verify(head)).toMatchObject({ problems: [] });
  await again.close();
});

it.skipIf(onPostgres)('is the same for processes that start at once', async () => {
  const made = await Promise.all(Array.from({ length: 20 }, async () => recordKeyBeside(path()).id));
  expect(new Set(made).size).toBe(1);
});

it.skipIf(onPostgres)('is refused with the reason where its file cannot be used', async () => {
  const file = folder.path('rollcall.db.key');
  const opening = () =>
    openStore(path(), Date.now).then(async (store) => {
      await store.close();
      return 'It opened.';
    }, describeForOperator);
  writeFileSync(file, 'abc');
  expect(await opening()).toMatch(/does not hold 64 hexadecimal digits\. Restore the file/);
  rmSync(file);
  writeFileSync(file, `${recordKey}\n`);
  chmodSync(file, 0o600);
  expect(await opening()).toBe('It opened.');
});

it('that is lost lets the record go on, and the figures before name nobody any more', async () => {
  const location = folder.database();
  const first = await openStore(location, () => 5, { recordKey });
  await first.useRecordKey(alone);
  const last = await first.events.append(event);
  const of = {
    run: { kind: 'digest', id: 'd1' },
    asker: 'U1',
    request: { report: 'tracks', filters: [] },
    scope: { rows: 'all', smallestGroup: 1, namesPeople: true, onlyDirect: false },
  } as never;
  await first.lastFigures.save(of, { overdue: 1 }, 1);
  await first.close();
  const second = await openStore(location, () => 6, { recordKey: 'cd'.repeat(32) });
  await expect(second.events.append(event)).rejects.toMatchObject({ code: 'record-key-differs' });
  await expect(second.erasePerson('U1')).rejects.toMatchObject({ code: 'record-key-differs' });
  expect(await second.useRecordKey(alone)).toEqual(last);
  await second.events.append(event);
  expect(await second.events.verify()).toMatchObject({ checked: 2, ofEarlierKeys: 1, problems: [] });
  expect(await second.lastFigures.find(of)).toBeUndefined();
  const refused = await second.useRecordKey(alone).then(() => 'used', describeForOperator);
  expect(refused).toBe('used');
  await second.close();
});

it('makes hashes that differ by key and by purpose', () => {
  const [one, other] = [recordKeyOf(recordKey), recordKeyOf('cd'.repeat(32))];
  const hashes = [one, other].flatMap((key) => [
    key.id,
    ...(['event', 'person', 'figures'] as const).map((what) => key.hash(what, 'ada@example.com')),
  ]);
  expect(new Set(hashes).size).toBe(8);
  expect(one.hash('person', 'ada@example.com')).toBe(
    recordKeyOf(recordKey).hash('person', 'ada@example.com'),
  );
});

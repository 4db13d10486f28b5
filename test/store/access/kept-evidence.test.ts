import { afterEach, beforeEach, expect, it } from 'vitest';
import { deleteExpired } from '../../../src/store/cleanup.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { freshFolder, recordKey, sqlOn } from '../fresh-folder.js';

const folder = freshFolder();
const day = 24 * 3_600_000;
const start = Date.parse('2026-11-28T12:00Z');
let now = start;
let store: Store;
beforeEach(async () => {
  now = start;
  store = await openStore(folder.databaseWithTables('rollcall.db'), () => now, { recordKey });
});
afterEach(() => store.close());

const zip = 'ab'.repeat(32);

/** What the record says about a link that was taken from it before. */
async function evidenceMade() {
  const made = await store.events.append({
    kind: 'evidence-made',
    at: now,
    person: 'U1',
    place: 'D1',
    report: 'completions',
    details: { file: 'evidence.zip', manifest: 'f' },
  });
  await store.events.append({
    kind: 'evidence-zipped',
    at: now,
    report: 'completions',
    details: { of: made.seq, zip },
  });
  const link = await store.evidence.linkAt(made.seq);
  if (!link) throw new Error('The event is not there');
  return link;
}

/** A cleanup so many days after the evidence was made, with an event that is young then. */
async function cleanUpAfter(days: number) {
  now = start + days * day;
  await store.events.append({ kind: 'asked', at: now, person: 'U2' });
  await deleteExpired(store, now, 400);
}

it('keeps the hashes of evidence for ten years, and the name of nobody', async () => {
  await store.events.append({ kind: 'asked', at: now, person: 'U2' });
  const link = await evidenceMade();
  expect(await store.evidence.compare(link)).toMatchObject({ event: 'held', isAuthentic: true, zip });
  expect(await store.evidence.madeAs(zip)).toBe(2);
  for (const days of [401, 1500, 3650]) {
    await cleanUpAfter(days);
    expect(await store.evidence.compare(link)).toMatchObject({
      event: 'kept',
      isAuthentic: true,
      knowsKey: true,
      zip,
    });
    expect(await store.evidence.madeAs(zip)).toBe(2);
    expect((await store.events.verify()).problems).toEqual([]);
  }
  const kept = await sqlOn(folder.database(), 'SELECT * FROM kept_evidence ORDER BY seq');
  expect(kept.map((row) => Object.keys(row).sort())).toEqual(
    Array.from({ length: 2 }, () => ['at', 'hash', 'key_id', 'made', 'seq', 'workspace', 'zip']),
  );
  await cleanUpAfter(4100);
  expect(await store.evidence.compare(link)).toMatchObject({ event: 'missing', zip: undefined });
  expect(await store.evidence.madeAs(zip)).toBeUndefined();
  expect((await store.events.verify()).problems).toEqual([]);
});

it('finds what was changed by hand in what is kept', async () => {
  await evidenceMade();
  await cleanUpAfter(401);
  await sqlOn(folder.database(), `UPDATE kept_evidence SET zip = '${'cd'.repeat(32)}' WHERE seq = 2`);
  expect((await store.events.verify()).problems).toMatchObject([{ kind: 'kept-evidence' }]);
});

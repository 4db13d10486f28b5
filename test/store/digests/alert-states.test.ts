import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unlimitedScope } from '../../../src/access/scope.js';
import { type AlertState, newAlert } from '../../../src/digests/alert.js';
import type { Digest } from '../../../src/digests/digest.js';
import { filePostId } from '../../../src/posts/states.js';
import { plainRequest } from '../../../src/requests/request.js';
import type { AlertBasis } from '../../../src/store/digests/alert-states.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { addDigest, found, hour } from '../digest-setup.js';
import { freshFolder, recordKey, sqlOn } from '../fresh-folder.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables('rollcall.db'), Date.now, { recordKey });
});
afterEach(() => store.close());

const request = { ...plainRequest('assignments'), view: 'overdue' } as const;
const when = { kind: 'threshold', figure: 'overdue', comparison: '>', value: 50, isPercent: false } as const;
const message = { channel: 'C1', ts: '1.2' };
const why = { code: 'http_503' };

const alert = () => addDigest(store, undefined, { request, when });

function basisOf({ id, owner }: Digest, changes: Partial<AlertBasis> = {}): AlertBasis {
  return { run: { kind: 'digest', id }, asker: owner, request, scope: unlimitedScope, when, ...changes };
}

/** What an alert remembers after a run that found so many rows. */
function stateWith(rows: number): AlertState {
  return { ...newAlert, readings: [{ dueAt: rows, rows, figures: { overdue: rows } }] };
}

const knownOf = (rows: number) => Uint8Array.of(0, 255, rows);

let at = hour;

/** Enters a run that is due now, and claims it. */
async function begun(digest: Digest) {
  at += hour;
  const id = found(await store.ledger.enterNow(digest, 'a', at));
  await store.ledger.claim({ worker: 'one', now: at, leaseMs: hour, limit: 1, busyChannels: [] });
  return { id, digest: digest.id };
}

const held = (id: string) => ({ id, worker: 'one' });

/** What a run ends with that found so many rows. */
function found_(digest: Digest, rows: number, usesAcceptedDrop = false) {
  return { of: basisOf(digest), state: stateWith(rows), knownRows: knownOf(rows), usesAcceptedDrop };
}

async function checks(digest: Digest, rows: number, usesAcceptedDrop = false) {
  const run = await begun(digest);
  const checked = { why: { code: 'alert-quiet' }, rows, alert: found_(digest, rows, usesAcceptedDrop) };
  expect(await store.ledger.markSkipped(held(run.id), at, checked)).toBe(true);
  return run;
}

async function posting(digest: Digest, rows: number) {
  const run = await begun(digest);
  const facts = { rows, late: false, alert: found_(digest, rows) };
  expect(await store.ledger.markPosting(held(run.id), facts)).toBe(true);
  return run;
}

/** How many rows the last run found, as a run sees it. */
async function seenBy(run: { readonly id: string }, digest: Digest) {
  const memory = await store.alertStates.find({ id: run.id, digest: digest.id }, basisOf(digest));
  const rows = memory?.state.readings[0]?.rows;
  expect(memory?.knownRows && [...memory.knownRows]).toEqual(rows && [...knownOf(rows)]);
  const listed = (await store.alertStates.ofDigests([basisOf(digest)])).get(digest.id);
  if (run === nextRun) expect(listed?.readings[0]?.rows).toBe(rows);
  return rows;
}

const nextRun = { id: 'the next one' };

describe('what an alert remembers', () => {
  it('is what its last run found, and nothing before the first', async () => {
    const digest = await alert();
    expect(await seenBy(nextRun, digest)).toBeUndefined();
    const run = await checks(digest, 1);
    expect(await seenBy(nextRun, digest)).toBe(1);
    await checks(digest, 2);
    expect(await seenBy(nextRun, digest)).toBe(2);
    expect(await store.ledger.find(run.id)).toMatchObject({
      state: 'skipped',
      errorCode: 'alert-quiet',
      rows: 1,
    });
  });

  it.each<[string, (id: string, digest: Digest) => Promise<unknown>, told: boolean]>([
    ['is posted', (id) => store.ledger.markPosted(held(id), { message, fileFollows: false }, at), true],
    [
      'is posted, and its file follows',
      (id) => store.ledger.markPosted(held(id), { message, fileFollows: true }, at),
      true,
    ],
    ['is unconfirmed', (id) => store.ledger.markUnconfirmed(held(id), why, at), true],
    [
      'is unconfirmed because its process ended',
      () => store.ledger.reclaim({ name: 'one', expired: false }, [], at),
      true,
    ],
    [
      'is unconfirmed, and its owner says that it arrived',
      async (id) => {
        await store.ledger.markUnconfirmed(held(id), why, at);
        await store.ledger.settle(id, 'arrived', at);
      },
      true,
    ],
    ['waits for another attempt', (id) => store.ledger.release(held(id), at, why, 'attempt'), false],
    ['has failed', (id) => store.ledger.markFailed(held(id), why, at), false],
    [
      'has failed, and is tried again',
      async (id) => {
        await store.ledger.markFailed(held(id), why, at);
        await store.ledger.retry(id, at);
      },
      false,
    ],
    [
      'is left out, because the digest was paused',
      async (id, digest) => {
        await store.ledger.skipWaiting(digest.id, 'by-hand', at);
        await store.ledger.release(held(id), at, why, 'attempt');
      },
      false,
    ],
    [
      'is to be sent again',
      async (id) => {
        await store.ledger.markUnconfirmed(held(id), why, at);
        await store.ledger.settle(id, 'sent-again', at);
      },
      false,
    ],
  ])('for the next run, where a message %s', async (_, end, told) => {
    const digest = await alert();
    await checks(digest, 1);
    const run = await posting(digest, 2);
    expect(await seenBy(run, digest)).toBe(1);
    await end(run.id, digest);
    expect(await seenBy(nextRun, digest)).toBe(told ? 2 : 1);
  });

  it('is the same for a run that is made again, until its message is posted and complete', async () => {
    const digest = await alert();
    const first = await posting(digest, 1);
    expect(await seenBy(first, digest)).toBeUndefined();
    await store.ledger.release(held(first.id), at, why, 'attempt');
    expect(await seenBy(nextRun, digest)).toBeUndefined();
    await store.ledger.claim({ worker: 'one', now: at, leaseMs: hour, limit: 1, busyChannels: [] });
    await store.ledger.markPosting(held(first.id), { rows: 1, late: false, alert: found_(digest, 1) });
    await store.ledger.markPosted(held(first.id), { message, fileFollows: false }, at);

    const second = await posting(digest, 2);
    await store.ledger.markPosted(held(second.id), { message, fileFollows: true }, at);
    // Its rows follow, and are counted again if the process ends.
    expect(await seenBy(second, digest)).toBe(1);
    await store.ledger.markPosting(held(filePostId(second.id)));
    await store.ledger.markPosted(held(filePostId(second.id)), { fileFollows: false }, at);
    expect(await seenBy(nextRun, digest)).toBe(2);
    const [row] = await sqlOn(
      folder.database(),
      'SELECT run, content_before, known_rows_before FROM alert_states',
    );
    expect(row).toEqual({ run: null, content_before: null, known_rows_before: null });
  });

  it('stays where an earlier run ends after a later one', async () => {
    const digest = await alert();
    await checks(digest, 1);
    const run = await posting(digest, 2);
    await store.ledger.markUnconfirmed(held(run.id), why, at);
    await checks(digest, 3);
    await store.ledger.settle(run.id, 'sent-again', at);
    expect(await seenBy(nextRun, digest)).toBe(3);
    expect(await seenBy(run, digest)).toBe(3);
  });

  it.each<[string, (digest: Digest) => Partial<AlertBasis>]>([
    ['condition', () => ({ when: { ...when, value: 60 } })],
    ['request', () => ({ request: { ...request, view: 'due' } })],
    ['level', () => ({ scope: { ...unlimitedScope, smallestGroup: 5 } })],
    ['digest', () => ({ run: { kind: 'digest', id: 'other' } })],
  ])('is nothing for a run with another %s', async (_, changes) => {
    const digest = await alert();
    await checks(digest, 1);
    const of = basisOf(digest, changes(digest));
    expect(await store.alertStates.find({ id: 'x', digest: digest.id }, of)).toBeUndefined();
  });

  it.each<[string, Parameters<Store['digests']['change']>[2], stays: boolean]>([
    ['paused', { state: 'paused', nextDue: null }, true],
    ['moved to another channel', { channel: 'C2', nextDue: null }, true],
    ['saved as it was', { request, when, nextDue: null }, true],
    ['given other columns', { request: { ...request, columns: ['email'] }, nextDue: null }, true],
    ['given another request', { request: { ...request, view: 'due' }, nextDue: null }, false],
    [
      'given a condition on rows',
      {
        request: { ...request, conditions: [{ field: 'days_overdue', sign: '>', values: ['30'] }] },
        nextDue: null,
      },
      false,
    ],
    ['given another condition', { when: { kind: 'changed' }, nextDue: null }, false],
    ['told to post at every run', { when: null, nextDue: null }, false],
  ])('where the digest is %s', async (_, change, stays) => {
    const digest = await alert();
    await checks(digest, 1);
    expect(await store.digests.change(digest.id, 1, change)).toBe(true);
    expect((await store.alertStates.ofDigests([basisOf(digest)])).size).toBe(stays ? 1 : 0);
  });

  it('goes with its digest, once nobody can undo the deletion', async () => {
    const digest = await alert();
    const other = await alert();
    await checks(digest, 1);
    await checks(other, 2);
    await store.digests.delete(digest.id, 5);
    expect(await seenBy(nextRun, digest)).toBe(1);
    await store.deleteBefore('digests', 6, 9);
    expect(await seenBy(nextRun, digest)).toBeUndefined();
    expect(await seenBy(nextRun, other)).toBe(2);
  });

  it('goes with the digests of an erased person, and nothing of it comes back', async () => {
    const digest = await addDigest(store, undefined, { request, when, channel: 'D1' });
    const other = await addDigest(store, undefined, { request, when, owner: 'U2' });
    await checks(digest, 1);
    await checks(other, 2);
    const run = await posting(digest, 3);
    await store.erasePerson('U1');
    await store.ledger.markPosted(held(run.id), { message, fileFollows: false }, at);
    expect(await seenBy(nextRun, digest)).toBeUndefined();
    expect(await seenBy(nextRun, other)).toBe(2);
  });

  it('goes with a person whom its filter names, and with the owner of an alert in a channel', async () => {
    const email = (...entries: string[]) => ({ object: 'user_filter', member: 'email', entries });
    const about = { ...request, filters: [email('noah@example.com', 'mia@example.com')] };
    const digest = await addDigest(store, undefined, { request: about, when, owner: 'U2' });
    const owned = await addDigest(store, undefined, { request, when });
    const other = await addDigest(store, undefined, { request, when, owner: 'U2' });
    for (const [n, one] of [digest, owned, other].entries()) await checks(one, n + 1);
    await store.erasePerson('noah@example.com');
    await store.erasePerson('U1');
    const left = await sqlOn<{ digest: string }>(folder.database(), 'SELECT digest FROM alert_states');
    expect(left.map((row) => row.digest)).toEqual([other.id]);
  });
});

describe('a sudden drop', () => {
  const asked = async (digest: Digest, state: Partial<AlertState>) => {
    const run = await begun(digest);
    const alert = { of: basisOf(digest), state: { ...stateWith(1), ...state }, usesAcceptedDrop: false };
    const notification = { kind: 'alert-drop', recipients: [digest.owner] } as const;
    await store.ledger.markSkipped(held(run.id), at, {
      why: { code: 'alert-drop' },
      rows: 1,
      alert,
      notification,
    });
    return run;
  };
  const accepts = async (digest: Digest) =>
    (await store.alertStates.find({ id: 'x', digest: digest.id }, basisOf(digest)))?.acceptsDrop;

  it('is asked about in the transaction that ends the run, and accepted once', async () => {
    const digest = await alert();
    const run = await asked(digest, { askedAt: 5 });
    expect(await store.digestNotifications.ready(at, 9)).toMatchObject([
      { kind: 'alert-drop', recipient: 'U1', subject: run.id },
    ]);
    expect(await store.alertStates.acceptDrop(digest.id)).toBe(true);
    // A run that had begun before does not use it.
    await checks(digest, 2);
    expect(await accepts(digest)).toBe(true);
    await checks(digest, 3, true);
    expect(await accepts(digest)).toBe(false);
  });

  it('is not accepted where nobody was asked, or rows are back', async () => {
    const digest = await alert();
    expect(await store.alertStates.acceptDrop(digest.id)).toBe(false);
    await asked(digest, {});
    expect(await store.alertStates.acceptDrop(digest.id)).toBe(false);
    expect(await accepts(digest)).toBe(false);
  });
});

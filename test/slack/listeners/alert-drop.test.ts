import { afterEach, beforeEach, expect, it } from 'vitest';
import { unlimitedScope } from '../../../src/access/scope.js';
import { newAlert } from '../../../src/digests/alert.js';
import { plainRequest } from '../../../src/requests/request.js';
import { digestActions } from '../../../src/slack/messages/digests.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { addDigest, found } from '../../store/digest-setup.js';
import { freshFolder, recordKey } from '../../store/fresh-folder.js';
import { listeningBot, pressOf } from './listener-test-app.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables(), Date.now, { recordKey });
});
afterEach(() => store.close());

const when = { kind: 'changed' } as const;
const request = plainRequest('engagement');
const longAgo = Date.now() - 3_600_000;

/** An alert of U2 whose last run had a sudden drop. Returns the run. */
async function dropped() {
  const digest = await addDigest(store, undefined, { owner: 'U2', channel: 'C1', request, when });
  const run = found(await store.ledger.enterNow(digest, 'a', longAgo));
  await store.ledger.claim({ worker: 'w', now: longAgo, leaseMs: 9, limit: 1, busyChannels: [] });
  const of = {
    run: { kind: 'digest', id: digest.id },
    asker: 'U2',
    request,
    scope: unlimitedScope,
    when,
  } as const;
  const alert = { of, state: { ...newAlert, askedAt: longAgo }, usesAcceptedDrop: false };
  const checked = { why: { code: 'alert-drop' }, rows: 1, alert };
  await store.ledger.markSkipped({ id: run, worker: 'w' }, longAgo, checked);
  const accepts = async () => (await store.alertStates.find({ id: 'x', digest: digest.id }, of))?.acceptsDrop;
  return { run, digest, accepts };
}

async function press(action: string, run: string, user = 'U2') {
  const access = { accessOf: async () => ({ level: 'everything' }), isAdmin: async () => false };
  const bot = listeningBot({ store, changes: { access } as never });
  await bot.deliver(pressOf(action, run, { user: { id: user, team_id: 'T1', name: 'x' } }));
  return JSON.stringify(bot.calls);
}

it('It is true: the alert is judged again, and posts only what is news', async () => {
  const { run, digest, accepts } = await dropped();
  expect(await press(digestActions.dropIsTrue, run)).toContain('Noted. I check again now');
  expect(await accepts()).toBe(true);
  const runs = await store.ledger.history(digest.id, 9);
  expect(runs).toHaveLength(2);
  expect(runs.find(({ id }) => id !== run)).toMatchObject({ state: 'queued', isByHand: false });
});

it('It is true: a digest that is paused notes it for its next run', async () => {
  const { run, digest, accepts } = await dropped();
  await store.digests.change(digest.id, digest.revision, { state: 'paused', nextDue: null });
  expect(await press(digestActions.dropIsTrue, run)).toContain('Noted for the next run');
  expect(await accepts()).toBe(true);
  expect(await store.ledger.history(digest.id, 9)).toHaveLength(1);
});

it('It is true: comes too late once the alert was changed', async () => {
  const { run, digest } = await dropped();
  await store.digests.change(digest.id, digest.revision, { when: { kind: 'new-rows' }, nextDue: null });
  expect(await press(digestActions.dropIsTrue, run)).toContain('Settled already');
  expect(await store.ledger.history(digest.id, 9)).toHaveLength(1);
});

it('No: nothing changes', async () => {
  const { run, digest, accepts } = await dropped();
  expect(await press(digestActions.dropIsFalse, run)).toContain('Left out');
  expect(await accepts()).toBe(false);
  expect(await store.ledger.history(digest.id, 9)).toHaveLength(1);
});

it('is for those alone who may change the digest', async () => {
  const { run, accepts } = await dropped();
  await press(digestActions.dropIsTrue, run, 'U3');
  expect(await accepts()).toBe(false);
});

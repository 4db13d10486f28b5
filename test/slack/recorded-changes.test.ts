import { afterEach, beforeEach, expect, it } from 'vitest';
import { plainRequest } from '../../src/requests/request.js';
import { openStore, type Store } from '../../src/store/store.js';
import { addDigest } from '../store/digest-setup.js';
import { freshFolder } from '../store/fresh-folder.js';
import { listeningBot, pressOf } from './listeners/listener-test-app.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables(), Date.now);
});
afterEach(() => store.close());

/** A bot whose clock stands just after what the tests save. */
function bot() {
  const scheduler = { checkNow() {} };
  return listeningBot({ store, changes: { scheduler, clock: { now: () => 5_000 } } as never });
}

async function saved(): Promise<string> {
  const request = plainRequest('tracks');
  const made = await store.savedReports.save({ channel: 'C1', name: 'Weekly', request, createdBy: 'U1' }, 1);
  if (!made.ok) throw new Error('The name is taken');
  return made.value;
}

const events = () => store.events.oldest({}, 9);

it('records that a saved report was deleted and restored', async () => {
  const id = await saved();
  await bot().deliver(pressOf('saved_more', `delete ${id}`));
  await bot().deliver(pressOf('saved_undo', id));
  const details = { what: 'saved report', name: 'Weekly' };
  expect(await events()).toMatchObject([
    { kind: 'deleted', person: 'U1', place: 'C1', report: 'tracks', details },
    { kind: 'deleted', person: 'U1', details: { ...details, restored: true } },
  ]);
});

it('records that a digest was deleted and restored', async () => {
  const { id, channel } = await addDigest(store, 2);
  await bot().deliver(pressOf('digest_delete', id));
  await bot().deliver(pressOf('digest_undo_delete', id));
  expect(await events()).toMatchObject([
    { kind: 'deleted', person: 'U1', place: channel, details: { what: 'digest' } },
    { kind: 'deleted', person: 'U1', details: { what: 'digest', restored: true } },
  ]);
});

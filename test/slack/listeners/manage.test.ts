import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plainRequest } from '../../../src/requests/request.js';
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

const request = {
  ...plainRequest('engagement'),
  filters: [{ object: 'user_filter', member: 'last_name', entries: ['Marked'] }],
};

/** What somebody sees who presses Manage under a digest of U2 in C1. */
async function pressed(id: string, user: string, changes: object = {}) {
  const access = {
    accessOf: async () => ({ level: 'everything' }),
    isAdmin: async (one: string) => one === 'U9',
  };
  const shown = listeningBot({ store, changes: { access, ...changes } as never });
  await shown.deliver(pressOf('digest_manage', id, { user: { id: user, team_id: 'T1', name: 'x' } }));
  const all = JSON.stringify(shown.calls);
  const labels = [...all.matchAll(/"type":"button","action_id":"(\w+)","text":\{[^}]*"text":"([^"]+)"/g)];
  return { all, buttons: labels.map(([, action, label]) => `${label}: ${action}`) };
}

describe('Manage under a digest', () => {
  it.each(['U2', 'U9'])('lets %s pause it, edit it, send it again and read its history', async (user) => {
    const { id } = await addDigest(store, 5, { owner: 'U2', channel: 'C1', request });
    const { all, buttons } = await pressed(id, user);
    expect(buttons).toEqual([
      'Pause: digest_pause',
      'Edit: digest_edit',
      'Send again: digest_send_now',
      'History: digest_history',
    ]);
    expect(all).toContain('Next: ');
  });

  it('offers to resume a digest that is paused', async () => {
    const digest = await addDigest(store, 5, { owner: 'U2', channel: 'C1' });
    await store.digests.change(digest.id, digest.revision, { state: 'paused', nextDue: null });
    const { all, buttons } = await pressed(digest.id, 'U2');
    expect(buttons[0]).toBe('Resume: digest_resume');
    expect(all).toContain('Paused.');
  });

  it('lets everybody else test it and read its history, without people that they may not see', async () => {
    const { id } = await addDigest(store, 5, { owner: 'U2', channel: 'C1', request });
    const { all, buttons } = await pressed(id, 'U3', { personLevelChannels: [] });
    expect(buttons).toEqual(['Send me a test: digest_test', 'History: digest_history']);
    expect(all).not.toContain('Marked');
  });

  it('says that a deleted digest is gone', async () => {
    const { id } = await addDigest(store, 5, { owner: 'U2', channel: 'C1' });
    await store.digests.delete(id, 6);
    expect((await pressed(id, 'U2')).all).toContain('That digest no longer exists.');
    expect(found(await store.digests.find(id)).deletedAt).toBe(6);
  });
});

describe('Undo of a deleted digest', () => {
  const limit = 50;

  it.each([
    ['U2', 'You own 50 digests'],
    ['U9', 'Its owner owns 50 digests'],
  ])('tells %s that its owner has too many by now', async (user, words) => {
    const { id } = await addDigest(store, 5, { owner: 'U2', channel: 'C1' });
    await store.digests.delete(id, Date.now());
    for (let n = 0; n < limit; n += 1) await addDigest(store, 5, { owner: 'U2', channel: 'C1' });
    const access = { accessOf: async () => ({ level: 'everything' }), isAdmin: async () => user === 'U9' };
    const bot = listeningBot({ store, changes: { access } as never });
    await bot.deliver(pressOf('digest_undo_delete', id, { user: { id: user, team_id: 'T1', name: 'x' } }));
    expect(JSON.stringify(bot.calls)).toContain(words);
    expect((await store.digests.find(id))?.deletedAt).toBeDefined();
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveConversation } from '../../src/slack/context/request-context.js';
import { openStore, type Store } from '../../src/store/store.js';
import { freshFolder } from '../store/fresh-folder.js';
import { listeningBot, payloadFor } from './listeners/listener-test-app.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables(), Date.now);
});
afterEach(() => store.close());

const facts = { known: true, isMember: true, isShared: false, isArchived: false, isPrivate: false };

/** What may be posted in C1, which is not shared now. */
async function personLevelIn(personLevelChannels: '*' | readonly string[]) {
  const channels = { find: async () => facts, directWith: async () => 'D1', invalidate() {} };
  const parts = { channels, store, personLevelChannels } as never;
  return (await resolveConversation({ channel: 'C1', asker: 'U1' }, parts)).personLevel;
}

const ways = [
  ['an admin approved', [], true],
  ['PERSON_LEVEL_CHANNELS names', ['C1'], false],
  ['PERSON_LEVEL_CHANNELS allows with *', '*', false],
] as const;

describe.each(ways)('a channel that %s', (_way, configured, isApproved) => {
  beforeEach(async () => {
    if (isApproved) await store.approvals.approveChannel({ subject: 'C1', by: 'U9', at: 1 });
  });

  it('gets person-level data', async () => {
    expect(await personLevelIn(configured)).toBe('allowed');
  });

  it('loses its approval for good at Slack’s event, until an admin approves it anew', async () => {
    const bot = listeningBot({ store });
    await bot.deliver(payloadFor({ kind: 'event', name: 'channel_shared' }));
    expect(await personLevelIn(configured)).toBe('not-approved');
    await bot.deliver(payloadFor({ kind: 'event', name: 'channel_unshared' }));
    expect(await personLevelIn(configured)).toBe('not-approved');
    await store.approvals.approveChannel({ subject: 'C1', by: 'U9', at: 3 });
    expect(await personLevelIn(configured)).toBe('allowed');
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plainRequest } from '../../../src/requests/request.js';
import { valuesOf } from '../../../src/slack/forms/read-draft.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { freshFolder } from '../../store/fresh-folder.js';
import { listeningBot, shownModal, submissionOf } from './listener-test-app.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables(), Date.now);
});
afterEach(() => store.close());

const open = {
  known: true,
  isMember: true,
  isShared: false,
  isArchived: false,
  isPrivate: false,
  isReadOnly: false,
};

const request = plainRequest('tracks');
const chosen = { channel: { type: 'conversations_select', selected_conversation: 'C2' } };

/** The forms in which people choose a channel for an answer. */
const forms = {
  Share: async () => {
    const entry = { channel: 'D1', asker: 'U1', request, requestedAt: 1 };
    return shownModal('share_answer', await store.requestLog.record(entry), chosen);
  },
  'the builder': async () => {
    const draft = { values: { ...valuesOf(request), where: 'channel', channel: 'C2' } };
    return shownModal('builder', await store.builderDrafts.open('U1', draft, 1), chosen);
  },
};

const refusals = [
  ['a channel that they are not a member of', open, false, 'You are not a member of that channel.'],
  [
    'a channel whose members Slack does not tell',
    open,
    'unknown',
    'Slack did not say who is in that channel.',
  ],
  ['a read-only channel', { ...open, isReadOnly: true }, true, 'That channel is read-only.'],
  ['an archived channel', { ...open, isArchived: true }, true, 'That channel is archived.'],
  ['a channel without the bot', { ...open, isMember: false }, true, 'Type /invite @Rollcall there'],
] as const;

describe.each(Object.entries(forms))('%s', (_name, form) => {
  /** Submits the form as U1. Returns whether Slack was asked now, and what the form says. */
  async function submit(facts: object, isMember: boolean | 'unknown') {
    const looks: unknown[] = [];
    const channels = {
      directWith: async () => 'D1',
      invalidate() {},
      async find(_channel: string, fresh = false) {
        looks.push(fresh);
        return facts;
      },
    };
    const memberships = {
      invalidate() {},
      channelsOf: async () => new Set(['C2']),
      async isMember(_channel: string, _user: string, fresh = false) {
        looks.push(fresh);
        return isMember;
      },
    };
    const bot = listeningBot({ store, changes: { channels, memberships } as never });
    const { acks } = await bot.deliver(submissionOf(await form()));
    return { looks, answer: JSON.stringify(acks[0] ?? '') };
  }

  it.each(refusals)('refuses %s, with the way out', async (_what, facts, isMember, sentence) => {
    const { answer } = await submit(facts, isMember);
    expect(answer).toContain('errors');
    expect(answer).toContain(sentence);
  });

  it('takes a channel of which both are members, and asks Slack now', async () => {
    const { answer, looks } = await submit(open, true);
    expect(answer).not.toContain('errors');
    expect(looks.slice(0, 2)).toEqual([true, true]);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { actions } from '../../../src/slack/ids.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { found } from '../../store/digest-setup.js';
import { freshFolder } from '../../store/fresh-folder.js';
import { listeningBot, pressOf } from './listener-test-app.js';

const folder = freshFolder();
const start = Date.parse('2026-11-20T12:00Z');
let now = start;
let store: Store;
let bot: ReturnType<typeof listeningBot>;

beforeEach(async () => {
  now = start;
  store = await openStore(folder.path(`${Math.random()}.db`), () => now);
  bot = listeningBot({
    store,
    changes: {
      clock: { now: () => now } as never,
      access: {
        accessOf: async () => ({ level: 'everything' }),
        isAdmin: async (user: string) => user.startsWith('UADMIN'),
        admins: async () => ['UADMIN1', 'UADMIN2'],
        invalidateGroup() {},
        endGroup() {},
      } as never,
      people: {
        find: async (id) => ({ id, standing: 'member', name: `name of ${id}` }),
        invalidate() {},
      },
    },
  });
});
afterEach(() => store.close());

/** Presses a button, and returns the text of what the bot says to the person who pressed. */
async function press(action: string, value: string, user: string): Promise<string> {
  const before = bot.calls.length;
  await bot.deliver(pressOf(action, value, { user: { id: user, team_id: 'T1', name: user } }));
  return vi.waitFor(() =>
    String(found(bot.calls.slice(before).find(({ method }) => method === 'response_url')).args.text),
  );
}

const request = (channel = 'C1') => press(actions.requestApproval, channel, 'U5');
const requestsToAdmins = () =>
  bot.calls.flatMap(({ method, args }) =>
    method === 'chat.postMessage' && String(args.text).includes('asks to allow') ? [args.channel] : [],
  );

describe('requests for approval of a channel', () => {
  it('reach the admins once a day for each channel', async () => {
    expect(await request()).toBe('Request sent to the admins.');
    expect(await request()).toBe('Somebody already asked for this channel today. Try again tomorrow.');
    expect(requestsToAdmins()).toEqual(['UADMIN1', 'UADMIN2']);
    expect(await request('C2')).toBe('Request sent to the admins.');
    now += 24 * 3_600_000;
    expect(await request()).toBe('Request sent to the admins.');
    expect(requestsToAdmins()).toHaveLength(6);
  });

  it('end for all admins when one has allowed it', async () => {
    await request();
    expect(await press(actions.approve, 'C1 U5', 'UADMIN1')).toContain('is now allowed in <#C1>');
    expect(await press(actions.decline, 'C1 U5', 'UADMIN2')).toBe(
      'name of UADMIN1 decided this already: person-level data is allowed there.',
    );
    expect(await store.approvals.isChannelApproved('C1')).toBe(true);
    const told = bot.calls.filter(({ args }) => args.channel === 'U5');
    expect(told).toHaveLength(1);
  });

  it('end for all admins when one has declined it', async () => {
    await request();
    expect(await press(actions.decline, 'C1 U5', 'UADMIN1')).toContain('decided not to allow');
    expect(await press(actions.approve, 'C1 U5', 'UADMIN2')).toBe(
      'Another admin decided this already. Type /report access in that channel to change it.',
    );
    expect(await store.approvals.isChannelApproved('C1')).toBe(false);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Level } from '../../../src/access/levels.js';
import { accessActions } from '../../../src/slack/access/access-page.js';
import { readersOfChannel } from '../../../src/slack/directory/channel-readers.js';
import { noticeActions } from '../../../src/slack/messages/notices.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { found } from '../../store/digest-setup.js';
import { freshFolder } from '../../store/fresh-folder.js';
import { listeningBot, pressOf } from './listener-test-app.js';

const folder = freshFolder();
const start = Date.parse('2026-11-20T12:00Z');
let now = start;
let store: Store;
let bot: ReturnType<typeof listeningBot>;
let level: Level;

let guests = 2;
beforeEach(async () => {
  guests = 2;
  now = start;
  level = 'everything';
  store = await openStore(folder.databaseWithTables(), () => now);
  bot = listeningBot({
    store,
    changes: {
      clock: { now: () => now } as never,
      access: {
        accessOf: async () => ({ level }),
        isAdmin: async (user: string) => user.startsWith('UADMIN'),
        admins: async () => ['UADMIN1', 'UADMIN2'],
        adminNames: async () => ['Ada', 'Grace'],
        invalidateGroup() {},
        endGroup() {},
      } as never,
      personLevelChannels: [],
      readersOf: async () => ({ guests, isAtLeast: false, isOpen: true }),
      people: {
        find: async (id) => ({ id, standing: 'member', name: `name of ${id}` }),
        invalidate() {},
      },
    },
  });
});
afterEach(() => store.close());

/** Presses a button, and returns the text of what the bot says to the person who pressed. */
async function press(action: string, value: string, user: string, channel = 'C1'): Promise<string> {
  const before = bot.calls.length;
  await bot.deliver(
    pressOf(action, value, { user: { id: user, team_id: 'T1', name: user }, channel: { id: channel } }),
  );
  return vi.waitFor(() =>
    String(found(bot.calls.slice(before).find(({ method }) => method === 'response_url')).args.text),
  );
}

const request = (channel = 'C1', value = channel) =>
  press(noticeActions.requestApproval, value, 'U5', channel);
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

  it.each(['totals', 'nothing'] as const)('reach nobody where they could not help: %s', async (limited) => {
    level = limited;
    expect(await request()).toBe(
      'Your access level allows no names, so allowing it here would change nothing for you. To change your level, ask Ada or Grace.',
    );
    expect(requestsToAdmins()).toEqual([]);
  });

  it('end for all admins when one has allowed it', async () => {
    await request();
    expect(await press(accessActions.approve, 'C1 U5', 'UADMIN1')).toContain('is now allowed in <#C1>');
    expect(await press(accessActions.decline, 'C1 U5', 'UADMIN2')).toBe(
      'name of UADMIN1 decided this already: person-level data is allowed there.',
    );
    expect(await store.approvals.isChannelApproved('C1')).toBe(true);
    const told = bot.calls.filter(({ args }) => args.channel === 'U5');
    expect(told).toHaveLength(1);
  });

  it('are shown again where more guests have joined before an admin allows it', async () => {
    await request();
    const approvingValue = (call: unknown) => /"value":"(C1 U5 \d+)"/.exec(JSON.stringify(call))?.[1] ?? '';
    const [asked] = bot.calls.filter(({ args }) => args.channel === 'UADMIN1');
    expect(approvingValue(asked)).toBe('C1 U5 2');
    guests = 3;
    expect(await press(accessActions.approve, approvingValue(asked), 'UADMIN1')).toContain('asks to allow');
    const again = bot.calls.findLast(({ method }) => method === 'response_url');
    expect(JSON.stringify(again)).toContain('more guests are in that channel now');
    expect(JSON.stringify(again)).toContain('There are 3 guests in it.');
    expect(await store.approvals.isChannelApproved('C1')).toBe(false);
    guests = 1;
    expect(await press(accessActions.approve, approvingValue(again), 'UADMIN1')).toContain(
      'is now allowed in <#C1>',
    );
  });

  it('on the page of a channel are shown again too', async () => {
    guests = 4;
    expect(await press(accessActions.allowHere, 'C1 2', 'UADMIN1')).toContain('There are 4 guests in it.');
    expect(await store.approvals.isChannelApproved('C1')).toBe(false);
    expect(await press(accessActions.allowHere, 'C1 4', 'UADMIN1')).toContain('is now allowed in <#C1>');
  });

  it('end for all admins when one has declined it', async () => {
    await request();
    expect(await press(accessActions.decline, 'C1 U5', 'UADMIN1')).toContain('decided not to allow');
    expect(await press(accessActions.approve, 'C1 U5', 'UADMIN2')).toBe(
      'Another admin decided this already. Type /report access in that channel to change it.',
    );
    expect(await store.approvals.isChannelApproved('C1')).toBe(false);
  });

  it('are about the channel that the button stands in, whatever its value says', async () => {
    await request('C1', 'C_SECRET');
    const [asked] = bot.calls.filter(({ args }) => args.channel === 'UADMIN1');
    expect(JSON.stringify(asked)).toContain('<#C1>');
    expect(JSON.stringify(bot.calls)).not.toContain('C_SECRET');
    expect(await press(accessActions.approve, 'C_SECRET U5', 'UADMIN1')).toContain('decided this already');
    expect(await store.approvals.isChannelApproved('C_SECRET')).toBe(false);
  });

  it('are not made where person-level data is allowed already, or never', async () => {
    await store.approvals.approveChannel({ subject: 'C1', by: 'UADMIN1', at: now });
    expect(await request()).toBe('Person-level data is allowed here already.');
    expect(requestsToAdmins()).toEqual([]);
  });

  it('say how many guests would read it, and who may join', async () => {
    await request();
    const [asked] = bot.calls.filter(({ args }) => args.channel === 'UADMIN1');
    expect(JSON.stringify(asked)).toContain(
      'There are 2 guests in it. Everybody in this workspace may join it.',
    );
  });
});

describe('Revoke', () => {
  const revoke = (channel = 'C1') => press(accessActions.revoke, channel, 'UADMIN1', channel);

  it('ends the approval of an admin', async () => {
    await store.approvals.approveChannel({ subject: 'C1', by: 'UADMIN1', at: now });
    expect(await revoke()).toBe('Person-level data is no longer allowed in <#C1>.');
    expect(await revoke()).toBe('Person-level data is not allowed in <#C1>.');
  });

  it('says what still allows a channel that the setting names', async () => {
    (bot.parts as { personLevelChannels: unknown }).personLevelChannels = ['C1'];
    await store.approvals.approveChannel({ subject: 'C1', by: 'UADMIN1', at: now });
    const text = await revoke();
    expect(text).toContain('still allowed in <#C1>. Your approval is withdrawn, but');
    expect(text).toContain('PERSON_LEVEL_CHANNELS');
    expect(await revoke()).toContain('still allowed in <#C1>. No admin has approved it, but');
    expect(await store.approvals.isChannelApproved('C1')).toBe(false);
  });
});

describe('the readers of a channel', () => {
  const ids = (count: number) => Array.from({ length: count }, (_, index) => `U${index}`);
  interface World {
    readonly members: number;
    /** In the list of all people, which Slack returns in pages. */
    readonly people?: number;
    readonly fails?: 'members' | 'list';
  }
  /** Every tenth is a guest. */
  const readers = ({ members, people = members, fails }: World) => {
    const page = <Item>(all: readonly Item[], limit: number, cursor: string | undefined) => {
      const from = Number(cursor ?? 0);
      const next = from + limit < all.length ? String(from + limit) : '';
      return { items: all.slice(from, from + limit), response_metadata: { next_cursor: next } };
    };
    const pages = { members: 0, list: 0 };
    const client = {
      conversations: {
        async members({ limit, cursor }: { limit: number; cursor?: string }) {
          pages.members += 1;
          if (fails === 'members') throw new Error('channel_not_found');
          const { items, ...more } = page(ids(members), limit, cursor);
          return { members: items, ...more };
        },
      },
      users: {
        async list({ limit, cursor }: { limit: number; cursor?: string }) {
          pages.list += 1;
          if (fails === 'list') throw new Error('ratelimited');
          const all = ids(people).map((id, index) => ({ id, is_restricted: index % 10 === 0 }));
          const { items, ...more } = page(all, limit, cursor);
          return { members: items, ...more };
        },
      },
    };
    const channels = { find: async () => ({ known: true, isPrivate: true }) };
    const find = async (id: string) => ({
      id,
      standing: Number(id.slice(1)) % 10 === 0 ? 'guest' : 'member',
    });
    const parts = { client, channels, people: { find } };
    return { pages, counted: readersOfChannel('C1', parts as never) };
  };

  it.each<[string, World, { guests: number | undefined; isAtLeast: boolean }]>([
    ['of a small channel', { members: 31 }, { guests: 4, isAtLeast: false }],
    ['of a large channel', { members: 1500 }, { guests: 150, isAtLeast: false }],
    ['of a channel larger than what is read', { members: 20_000 }, { guests: 400, isAtLeast: true }],
    ['in a workspace larger than what is read', { members: 4500 }, { guests: 400, isAtLeast: true }],
    ['that Slack does not tell', { members: 3, fails: 'members' }, { guests: undefined, isAtLeast: true }],
    [
      'whose profiles Slack does not tell',
      { members: 300, fails: 'list' },
      { guests: undefined, isAtLeast: true },
    ],
  ])('%s are counted as far as Slack tells, in few calls', async (_what, world, expected) => {
    const { pages, counted } = readers(world);
    expect(await counted).toEqual({ ...expected, isOpen: false });
    expect(pages.members).toBeLessThanOrEqual(5);
    expect(pages.list).toBeLessThanOrEqual(10);
  });
});

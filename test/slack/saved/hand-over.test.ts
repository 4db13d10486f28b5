import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { plainRequest } from '../../../src/requests/request.js';
import { formatOffer } from '../../../src/slack/digests/hand-over.js';
import { savedActions } from '../../../src/slack/messages/saved-reports.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { found, hour } from '../../store/digest-setup.js';
import { freshFolder } from '../../store/fresh-folder.js';
import { listeningBot, pressOf, shownModal, submissionOf } from '../listeners/listener-test-app.js';

const folder = freshFolder();
const start = Date.parse('2026-11-20T12:00Z');
let now = start;
let standing = 'member';
let store: Store;
let bot: ReturnType<typeof listeningBot>;
let id: string;

beforeEach(async () => {
  now = start;
  standing = 'member';
  store = await openStore(folder.databaseWithTables(), () => now);
  bot = listeningBot({
    store,
    changes: {
      clock: { now: () => now } as never,
      access: {
        accessOf: async () => ({ level: 'everything', address: 'bob@example.com' }),
        isAdmin: async (user) => user === 'UADMIN',
        admins: async () => ['UADMIN'],
        adminNames: async () => ['An admin'],
        invalidateGroup() {},
        endGroup() {},
      },
      people: {
        find: async (user) =>
          ({ id: user, standing: user === 'UBOB' ? standing : 'member', name: user }) as never,
        invalidate() {},
      },
    },
  });
  const request = plainRequest('tracks');
  const made = await store.savedReports.save({ channel: 'C1', name: 'Weekly', request, createdBy: 'U1' }, 1);
  if (!made.ok) throw new Error('The name is taken');
  id = made.value;
});
afterEach(() => store.close());

const saved = async () => found(await store.savedReports.find(id));

/** The texts of all that the bot sent, with its recipient. */
const sent = () => bot.calls.map(({ args }) => `${args.channel}: ${args.text}`);
const isSent = (text: string) =>
  vi.waitFor(() => expect(sent()).toContainEqual(expect.stringContaining(text)));

async function handOver(to: string, by = 'U1'): Promise<void> {
  const owner = { type: 'users_select', selected_user: to };
  const user = { id: by, team_id: 'T1', name: by };
  await bot.deliver({ ...submissionOf(shownModal('hand_over_saved', id, { owner })), user });
}

async function press(action: string, value: string, user = 'UBOB'): Promise<string> {
  const before = bot.calls.length;
  await bot.deliver(pressOf(action, value, { user: { id: user, team_id: 'T1', name: user } }));
  return vi.waitFor(() => JSON.stringify(found(bot.calls[before]).args));
}

const accept = (user?: string) =>
  press(savedActions.accept, formatOffer({ id, since: start, by: 'U1' }), user);
const decline = () => press(savedActions.declineOffer, formatOffer({ id, since: start, by: 'U1' }));
const offer = async () => store.savedReports.offer(id, (await saved()).revision, 'UBOB', start);

describe('an offered saved report', () => {
  it('is announced to its new owner and its owner, who keeps it', async () => {
    await handOver('UBOB');
    await isSent('UBOB: U1 wants to hand a saved report over to you: “Weekly”');
    await isSent('U1: Waiting for UBOB to accept: “Weekly”');
    expect(await saved()).toMatchObject({ owner: 'U1', pendingOwner: { id: 'UBOB', since: start } });
    expect(await store.events.oldest({}, 9)).toEqual([]);
  });

  it('is remembered for the owner and the person who made it, until it ends', async () => {
    await handOver('UBOB', 'UADMIN');
    await isSent('U1: Waiting for UBOB to accept: “Weekly”');
    const end = start + 14 * 24 * hour;
    expect(await store.digestNotifications.ready(end - 1, 9)).toEqual([]);
    const about = { kind: 'saved-offer-ended', subject: `${id} ${start}` };
    expect(await store.digestNotifications.ready(end, 9)).toMatchObject(
      ['U1', 'UADMIN'].map((recipient) => ({ ...about, recipient })),
    );
  });

  it('is of the new owner and admins alone once it is accepted, and recorded then', async () => {
    await offer();
    expect(await accept()).toContain('You now own a saved report');
    await isSent('U1: Handed over: “Weekly”. UBOB accepted it');
    expect(await saved()).toMatchObject({ owner: 'UBOB', createdBy: 'U1', handedOverAt: start });
    expect((await saved()).pendingOwner).toBeUndefined();
    expect(await store.events.oldest({}, 9)).toMatchObject([
      { kind: 'handed-over', person: 'UBOB', subjects: ['UBOB'], details: { name: 'Weekly' } },
    ]);
    expect(await press(savedActions.more, `delete ${id}`, 'U1')).toContain('Only its owner and admins');
    expect((await saved()).deletedAt).toBeUndefined();
    await press(savedActions.more, `delete ${id}`, 'UADMIN');
    await vi.waitFor(async () => expect((await saved()).deletedAt).toBe(start));
  });

  it('stays with its owner if it is declined', async () => {
    await offer();
    expect(await decline()).toContain('Declined: “Weekly”');
    await isSent('U1: UBOB declined: “Weekly”. Its owner keeps it.');
    expect(await saved()).toMatchObject({ owner: 'U1' });
    expect(await accept()).toContain('This offer has ended');
  });

  it('cannot be accepted by an admin to whom it is not offered, or by a guest', async () => {
    await offer();
    expect(await accept('UADMIN')).toContain('This offer has ended');
    standing = 'guest';
    expect(await accept()).toContain('Guests cannot ask for reports');
    expect((await saved()).owner).toBe('U1');
  });

  it('ends after 14 days, with its deletion, and when the new owner is erased', async () => {
    await offer();
    now = start + 14 * 24 * hour;
    expect(await accept()).toContain('This offer has ended');
    now = start;
    await store.erasePerson('UBOB');
    expect(await accept()).toContain('This offer has ended');
    await offer();
    await store.savedReports.remove(id, start);
    expect(await accept()).toContain('This offer has ended');
  });

  it('is an admin’s at once if they choose themselves', async () => {
    await handOver('UADMIN', 'UADMIN');
    await isSent('UADMIN: You now own a saved report');
    await isSent('U1: Handed over: “Weekly”');
    expect((await saved()).owner).toBe('UADMIN');
  });
});

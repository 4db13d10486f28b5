import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Level } from '../../../src/access/levels.js';
import type { Digest } from '../../../src/digests/digest.js';
import { formatOffer } from '../../../src/slack/digests/hand-over.js';
import { digestActions } from '../../../src/slack/messages/digests.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { addDigest, found, hour, settings } from '../../store/digest-setup.js';
import { freshFolder } from '../../store/fresh-folder.js';
import { listeningBot, pressOf } from '../listeners/listener-test-app.js';

const folder = freshFolder();
const start = Date.parse('2026-11-20T12:00Z');
const day = 24 * hour;
let now = start;
let level: Level = 'team';
let standing = 'member';
let store: Store;
let bot: ReturnType<typeof listeningBot>;

beforeEach(async () => {
  now = start;
  level = 'team';
  standing = 'member';
  store = await openStore(folder.databaseWithTables(), () => now);
  bot = listeningBot({
    store,
    changes: {
      clock: { now: () => now } as never,
      smallestGroup: 5,
      scheduler: { checkNow() {} },
      access: {
        accessOf: async () => ({ level, address: 'bob@example.com' }),
        isAdmin: async (user) => user === 'UADMIN',
        admins: async () => ['UADMIN'],
        adminNames: async () => ['An admin'],
        invalidateGroup() {},
        endGroup() {},
      },
      people: {
        find: async (id) => ({ id, standing: id === 'UBOB' ? standing : 'member', name: id }) as never,
        invalidate() {},
      },
    },
  });
});
afterEach(() => store.close());

/** Ada's digest, offered to Bob. */
async function offered(changes = {}): Promise<Digest> {
  const { id, revision } = await addDigest(store, start + hour, changes);
  await store.digests.offer(id, revision, 'UBOB', start);
  return found(await store.digests.find(id));
}

async function press(action: string, value: string, user = 'UBOB'): Promise<string> {
  const before = bot.calls.length;
  const person = { id: user, team_id: 'T1', name: user };
  await bot.deliver(pressOf(action, value, { user: person }));
  return vi.waitFor(() => JSON.stringify(found(bot.calls[before]).args));
}

const accept = ({ id }: Digest, user?: string) =>
  press(digestActions.accept, formatOffer({ id, since: start, by: 'U1' }), user);
const ownerOf = async ({ id }: Digest) => found(await store.digests.find(id)).owner;

describe('an offered digest', () => {
  it('is of its owner until the new owner accepts, then of the new owner and admins alone', async () => {
    const digest = await offered();
    expect(await ownerOf(digest)).toBe('U1');
    expect(await accept(digest)).toContain('You now own a digest');
    const accepted = found(await store.digests.find(digest.id));
    expect(accepted).toMatchObject({ owner: 'UBOB', createdBy: 'U1', handedOverAt: start });
    expect(accepted.pendingOwner).toBeUndefined();
    expect(await press(digestActions.pause, digest.id, 'U1')).toContain('Only its owner and admins');
    expect(await press(digestActions.delete, digest.id, 'U1')).toContain('Only its owner and admins');
    expect(found(await store.digests.find(digest.id)).state).toBe('active');
    expect(await press(digestActions.pause, digest.id, 'UADMIN')).toContain('Paused: ');
    expect(await press(digestActions.resume, digest.id)).toContain('Resumed: ');
  });

  it('tells its former owner and whoever offered it', async () => {
    const digest = await offered();
    const value = formatOffer({ id: digest.id, since: start, by: 'UADMIN' });
    await press(digestActions.accept, value);
    const told = () =>
      bot.calls.flatMap(({ args }) =>
        String(args.text).startsWith('Handed over: ') ? [String(args.channel)] : [],
      );
    await vi.waitFor(() => expect(told()).toEqual(['U1', 'UADMIN']));
  });

  it('cannot be accepted by somebody else, not even an admin', async () => {
    const digest = await offered();
    expect(await accept(digest, 'UADMIN')).toContain('This offer has ended');
    expect(await ownerOf(digest)).toBe('U1');
  });

  it('cannot be accepted by a guest', async () => {
    const digest = await offered();
    standing = 'guest';
    expect(await accept(digest)).toContain('Guests cannot ask for reports');
    expect(await ownerOf(digest)).toBe('U1');
  });

  it('ends after 14 days', async () => {
    const digest = await offered();
    now = start + 14 * day;
    expect(await accept(digest)).toContain('This offer has ended');
    expect(await ownerOf(digest)).toBe('U1');
  });

  it('ends with an edit, with its deletion, and when the new owner is erased', async () => {
    const edited = await offered();
    await store.digests.change(edited.id, edited.revision, { ...settings, nextDue: start + hour });
    const deleted = await offered();
    await store.digests.delete(deleted.id, start);
    const erased = await offered();
    await store.erasePerson('UBOB');
    for (const digest of [edited, deleted, erased]) {
      expect(await accept(digest)).toContain('This offer has ended');
    }
  });

  it('is not accepted while the level of the new owner does not allow it', async () => {
    const digest = await offered({ request: { ...settings.request, file: 'csv' as const } });
    level = 'totals';
    expect(await accept(digest)).toContain(
      'Not accepted yet. Your access level allows totals only, and it has a file. Ask an admin for access first.',
    );
    expect(await ownerOf(digest)).toBe('U1');
    level = 'team';
    expect(await accept(digest)).toContain('You now own a digest');
  });

  it('is not accepted by somebody who owns 50 digests', async () => {
    for (let count = 0; count < 50; count += 1) await addDigest(store, start + hour, { owner: 'UBOB' });
    expect(await accept(await offered())).toContain('You own 50 digests, which is the limit.');
  });

  it('runs again once it is accepted, if its former owner’s level paused it', async () => {
    const { id, revision } = await addDigest(store, start + hour);
    const paused = { state: 'paused', pauseReason: 'access-refused', nextDue: null } as const;
    await store.digests.change(id, revision, paused);
    await store.digests.offer(id, revision + 1, 'UBOB', start);
    const digest = found(await store.digests.find(id));
    await accept(digest);
    expect(await store.digests.find(id)).toMatchObject({ state: 'active', owner: 'UBOB' });
  });
});

import { describe, expect, it, vi } from 'vitest';
import type { Level } from '../../../src/access/levels.js';
import type { DigestDraft } from '../../../src/digests/digest.js';
import { plainRequest, type ReportRequest } from '../../../src/requests/request.js';
import type { ListenerParts } from '../../../src/slack/answers/context.js';
import { validateDigest } from '../../../src/slack/digests/validate.js';
import { digestActions } from '../../../src/slack/messages/digests.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { addDigest, found, hour, settings } from '../../store/digest-setup.js';
import { freshFolder } from '../../store/fresh-folder.js';
import { listeningBot, pressOf } from '../listeners/listener-test-app.js';

const folder = freshFolder();
const now = Date.parse('2026-11-20T12:00Z');

const totals: ReportRequest = { ...plainRequest('assignments'), range: 'last-week' };
const withFile = { ...totals, file: 'csv' as const };
const ofOtherTeam = {
  ...totals,
  filters: [{ object: 'user_filter', member: 'manager_email', entries: ['bob@example.com'] }],
};
const ownRecords = {
  ...totals,
  filters: [{ object: 'user_filter', member: 'email', entries: ['me'] }],
};

function accessOf(level: Level, address: string | undefined = 'ada@example.com') {
  return { accessOf: async () => ({ level, address }) } as unknown as ListenerParts['access'];
}

async function withStore(then: (store: Store) => Promise<void>): Promise<void> {
  const store = await openStore(folder.databaseWithTables(), () => now);
  await then(store).finally(() => store.close());
}

describe('the preview of a digest', () => {
  const validated = (request: ReportRequest, channel: string, access: ListenerParts['access']) =>
    new Promise<Awaited<ReturnType<typeof validateDigest>>>((resolve, reject) => {
      withStore(async (store) => {
        const draft: DigestDraft = { ...settings, ...settings.schedule, request, channel };
        const changes = { access, smallestGroup: 5, personLevelChannels: ['C2'] };
        const { parts } = listeningBot({ store, changes });
        resolve(await validateDigest(draft, 'U1', parts));
      }).catch(reject);
    });

  it.each<[string, ReportRequest, string, Level, readonly string[]]>([
    ['a file at team', withFile, 'D1', 'team', ['Limited to your team.']],
    ['a file at team, in an approved channel', withFile, 'C2', 'team', ['Limited to your team.']],
    ['own records at team', ownRecords, 'D1', 'team', ['Limited to your own records.']],
    [
      'own records at totals, in a channel',
      ownRecords,
      'C2',
      'totals',
      ['Limited to your own records.', 'It goes to your direct messages.'],
    ],
    ['totals at team', totals, 'D1', 'team', ['It shows no figure about fewer than 5 people.']],
    ['everything in direct messages', withFile, 'D1', 'everything', []],
  ])('says what is limited: %s', async (_name, request, channel, level, remarks) => {
    expect(await validated(request, channel, accessOf(level))).toEqual({ ok: true, value: remarks });
  });

  it.each<[string, ReportRequest, ListenerParts['access'], string]>([
    ['a level of nothing', totals, accessOf('nothing'), 'Your access level does not allow this report.'],
    [
      'a file at totals',
      withFile,
      accessOf('totals'),
      'Your access level allows totals only, and it has a file.',
    ],
    [
      'the team of somebody else',
      ofOtherTeam,
      accessOf('team'),
      'Your access level allows only your team, and it filters by another manager.',
    ],
  ])('refuses %s with the fix', async (_name, request, access, sentence) => {
    expect(await validated(request, 'D1', access)).toEqual({
      ok: false,
      refusal: { sentence: `${sentence} Ask an admin for access, or change it.`, about: 'request' },
    });
  });
});

describe('Resume, for a digest that its owner’s level paused', () => {
  it('is refused with the fix, and works once the level is back', async () => {
    await withStore(async (store) => {
      let level: Level = 'totals';
      const access = {
        ...accessOf('totals'),
        isAdmin: async () => false,
        accessOf: async () => ({ level, address: 'ada@example.com' }),
      };
      const bot = listeningBot({
        store,
        changes: { access, scheduler: { checkNow() {} }, smallestGroup: 5 },
      });
      const { id, revision } = await addDigest(store, now + hour, { request: withFile });
      const paused = { state: 'paused', pauseReason: 'access-refused', nextDue: null } as const;
      await store.digests.change(id, revision, paused);
      const press = async () => {
        const before = bot.calls.length;
        await bot.deliver(pressOf(digestActions.resume, id));
        return vi.waitFor(() => JSON.stringify(found(bot.calls[before]).args));
      };
      expect(await press()).toContain(
        'Still paused. Your access level allows totals only, and it has a file.',
      );
      expect(await store.digests.find(id)).toMatchObject({ state: 'paused' });
      level = 'team';
      expect(await press()).toContain('Resumed: ');
      expect(await store.digests.find(id)).toMatchObject({ state: 'active' });
    });
  });
});

import { afterAll, describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../playground/slack/server/script/find.js';
import { ada, dueOnce, settings } from '../digests/test-workspace.js';
import { eventsUrl, type Mode, startHostedBot } from '../journeys/bot-process.js';
import { openSeveralBots, type SeveralBots, shared } from '../journeys/several-bots.js';
import { endEveryProcess, runBuiltRollcall } from '../process.js';
import { answer } from '../reporting-api/fault-server.js';
import { freshFolder, onPostgres, recordKey } from '../store/fresh-folder.js';

const folder = freshFolder();
afterAll(endEveryProcess);

/** Texts that a spreadsheet would run, or read as more cells than one. */
const formulas = [
  '=HYPERLINK("https://evil.example")',
  '＝1+1',
  '＋1',
  '－1+1',
  '＠SUM(A1)',
  '\n=1+1',
  '\t=1',
  'a;=1+1',
];

const rows = Array.from({ length: 12 }, (_, n) => ({
  userid: `u${n}`,
  first_name: formulas[n % formulas.length],
  last_name: `Last ${n}`,
  email: `learner${n}@example.com`,
  manager_email: 'noah@example.com',
  departments: ['Sales', '=cmd()'],
  views: n,
}));

async function openWithoutBot() {
  const bots = await openSeveralBots(folder.database(), folder.path('.'), { start: startHostedBot });
  bots.service.always(answer(JSON.stringify(rows)));
  return bots;
}

async function open(mode: Mode) {
  const bots = await openWithoutBot();
  const bot = await bots.start(
    { ROLLCALL_ADMINS: 'U00ADA0001', PERSON_LEVEL_CHANNELS: 'C00SHAREDWORK', ASK_PURPOSE: 'yes' },
    mode,
  );
  if (mode === 'http') await bots.slack.deliverTo(await eventsUrl(bot));
  return bots;
}

/** What each person sees next, once. */
function watching({ slack }: SeveralBots) {
  const seen = new Set<string>();
  const key = ({ channel, ts, text, files }: SeenMessage) => `${channel} ${ts} ${text} ${files.length}`;
  return async (place: string, wanted: (message: SeenMessage) => boolean): Promise<SeenMessage> => {
    const found = await slack.waitForMessage(place, (one) => !seen.has(key(one)) && wanted(one));
    for (const message of slack.messages(place)) seen.add(key(message));
    return found;
  };
}

const hasFile = ({ files }: SeenMessage) => files.length > 0;
const asks = ({ words }: SeenMessage) => words.includes('Say what it is for');

/** The purposes of the events of a kind, oldest first. */
async function purposesOf(
  { store }: SeveralBots,
  kind: 'exported' | 'rule-changed' | 'approved' | 'released',
): Promise<readonly unknown[]> {
  const events = await store.events.newest({ kinds: [kind] }, 50);
  return events.map(({ details }) => (details as { purpose?: unknown } | undefined)?.purpose).reverse();
}

/** Does something that opens a form, and waits for the form. */
async function opens({ slack }: SeveralBots, who: string, act: () => Promise<unknown>): Promise<void> {
  const open = new Set(
    slack
      .as(who)
      .modals()
      .map(({ id }) => id),
  );
  await act();
  await slack.as(who).waitForModal(({ id }) => !open.has(id));
}

describe.each(['socket', 'http'] as const)('a file without a purpose (%s)', (mode) => {
  it('does not leave, however it is asked for', { timeout: 180_000 }, async () => {
    const bots = await open(mode);
    const { slack } = bots;
    const next = watching(bots);
    const fileCount = () => [...slack.workspace.files.values()].length;
    const ada = slack.as('ada');
    const noah = slack.as('noah');
    const room = '#shared-work';

    // Typed: a form opens. Only its words bring the file.
    await opens(bots, 'ada', () => ada.command('/report engagement csv', room));
    expect(fileCount()).toBe(0);
    await ada.submit({ purpose: '  ' });
    expect(fileCount()).toBe(0);
    await ada.submit({ purpose: 'Audit of\nQ3 "now"' });
    const first = await next(room, hasFile);
    expect(await purposesOf(bots, 'exported')).toEqual(["Audit of Q3 'now'"]);
    const text = (await slack.fileBytes(first.files[0]?.id ?? '')).toString('utf8');
    for (const cell of [
      "'=HYPERLINK",
      "'＝1+1",
      "'＋1",
      "'－1+1",
      "'＠SUM(A1)",
      '"\'\n=1+1"',
      "'\t=1",
      '"a;=1+1"',
    ]) {
      expect(text).toContain(cell);
    }
    expect(text).toContain('"Sales; =cmd()"');

    // A press of the same person goes on with that purpose; somebody else is asked for their own.
    const summary = await slack.waitForMessage(room, ({ ts }) => ts === first.threadTs);
    await ada.click(summary, 'CSV');
    await next(room, (one) => hasFile(one) && one.ts !== first.ts);
    for (const [button, purpose] of [
      ['CSV', 'My team'],
      ['Excel', 'My team, sorted'],
    ] as const) {
      const files = fileCount();
      await opens(bots, 'noah', () => noah.click(summary, button));
      expect(fileCount()).toBe(files);
      await noah.submit({ purpose });
      await next(room, hasFile);
      expect((await purposesOf(bots, 'exported')).at(-1)).toBe(purpose);
    }

    // A mention and a direct message have no trigger: a button to the form.
    for (const [say, place] of [
      [async () => ada.message('@rollcall engagement xlsx', room), room],
      [async () => ada.message('engagement xlsx', '@ada'), '@ada'],
    ] as const) {
      const files = fileCount();
      await say();
      const offer = await next(place, asks);
      expect(fileCount()).toBe(files);
      await opens(bots, 'ada', () => ada.click(offer, 'Say what it is for'));
      await ada.submit({ purpose: 'From a button' });
      await next(place, hasFile);
      expect((await purposesOf(bots, 'exported')).at(-1)).toBe('From a button');
    }

    // A digest with a file is set with its purpose, and keeps it.
    await opens(bots, 'ada', () => ada.command('/report schedule engagement csv quarterly 1 09:00', room));
    await ada.submit({ purpose: 'Quarterly review' });
    const preview = await next(room, ({ words }) => words.includes('Confirm'));
    expect(preview.words).toContain('purpose:"Quarterly review"');

    // Typed with it, nothing is asked; and every file in the record has a purpose.
    await ada.command('/report engagement csv purpose:"Typed"', room);
    await next(room, hasFile);
    const purposes = await purposesOf(bots, 'exported');
    expect(purposes.at(-1)).toBe('Typed');
    expect(purposes.every((purpose) => typeof purpose === 'string')).toBe(true);
    expect(purposes).toHaveLength(fileCount());

    // Rules and approvals.
    await ada.command('/report access', '#learning');
    const page = await next('#learning', ({ words }) => words.includes('Set access'));
    await opens(bots, 'ada', () => ada.click(page, 'Set access'));
    await expect(ada.submit({ access_level: 'totals' })).rejects.toThrow();
    await ada.submit({ access_level: 'totals', purpose: 'Agreed with the council' });
    expect(await purposesOf(bots, 'rule-changed')).toEqual([]);
    await ada.submit();
    await expect.poll(() => purposesOf(bots, 'rule-changed')).toEqual(['Agreed with the council']);
    await opens(bots, 'ada', () => ada.click(page, 'Allow it here'));
    expect(await purposesOf(bots, 'approved')).toEqual([]);
    await ada.submit({ purpose: 'Project team' });
    await next('#learning', ({ words }) => words.includes('is now allowed'));
    expect(await purposesOf(bots, 'approved')).toEqual(['Project team']);
    await opens(bots, 'ada', () => ada.click(page, 'Allow a metadata field'));
    await expect(ada.submit({ key: 'user_metadata.cost_center' })).rejects.toThrow();
    await ada.submit({ key: 'user_metadata.cost_center', purpose: 'Cost report' });
    await expect.poll(() => purposesOf(bots, 'released')).toEqual(['Cost report']);
    await bots.close();
  });
});

describe('a digest from before purposes were asked for', () => {
  it('posts its summary without the file, and tells its owner', { timeout: 60_000 }, async () => {
    const bots = await open('socket');
    const next = watching(bots);
    const due = Date.now();
    const request = { ...settings.request, file: 'csv' } as const;
    await bots.store.digests.add({ ...dueOnce(), channel: shared, request }, ada, due, due);
    await next('#shared-work', ({ words }) => words.includes('Set up by'));
    await next('@ada', ({ words }) => words.includes('Files need a purpose now'));
    expect(bots.slack.workspace.files.size).toBe(0);
    expect(await purposesOf(bots, 'exported')).toEqual([]);
    await bots.close();
  });
});

describe('rollcall run', () => {
  it('writes no file without a purpose where runs are recorded', { timeout: 60_000 }, async () => {
    const bots = await openWithoutBot();
    const run = async (...words: readonly string[]) => {
      const environment = {
        REPORTING_BASE_URL: bots.service.url,
        REPORTING_API_TOKEN: 'a-token',
        ASK_PURPOSE: 'yes',
        ...(onPostgres
          ? { DATABASE_URL: bots.location, RECORD_KEY: recordKey }
          : { DATABASE_URL: `sqlite:${bots.location}` }),
      };
      return runBuiltRollcall(['run', 'engagement', ...words, '--csv', '-'], environment, folder.path('.'));
    };
    const refused = await run();
    expect([refused.status, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('Say what the file is for');
    const ran = await run('purpose:Audit, all of it');
    expect(ran.status).toBe(0);
    expect(ran.stdout.split('\r\n')).toHaveLength(rows.length + 2);
    expect(await purposesOf(bots, 'exported')).toEqual(['Audit, all of it']);
    await bots.close();
  });
});

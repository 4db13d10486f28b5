import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../playground/slack/server/script/find.js';
import { plainRequest } from '../../src/requests/request.js';
import { ada, dueOnce } from '../digests/test-workspace.js';
import { eventsUrl, type Mode, startHostedBot } from '../journeys/bot-process.js';
import { openSeveralBots, type SeveralBots, shared } from '../journeys/several-bots.js';
import { endEveryProcess, runBuiltRollcall } from '../process.js';
import { readWorkbook } from '../reporting-api/answer/read-workbook.js';
import { answer } from '../reporting-api/fault-server.js';
import { freshFolder } from '../store/fresh-folder.js';

const folder = freshFolder();
afterAll(endEveryProcess);

const day = 86_400_000;

/** Twelve people whom Noah manages, and Priya, who objected: she alone has her department and her training. */
function recordsFor(body: string): readonly object[] {
  const { user_filter: wanted = {} } = JSON.parse(body) as {
    readonly user_filter?: Readonly<Record<string, string>>;
  };
  const one = (id: string, first: string, email: string, department: string, title: string) => ({
    userid: id,
    first_name: first,
    last_name: `Of ${id}`,
    email,
    manager_email: 'noah@example.com',
    departments: [department],
    content: { id: `c-${title}`, title },
    content_id: `c-${title}`,
    content_title: title,
    content_type: 'course',
    assignment_status: 'not_started',
    assigned_date: new Date(Date.now() - 20 * day).toISOString(),
    due_date: new Date(Date.now() - 5 * day).toISOString(),
    is_completed: false,
    views: 3,
    sessions: 2,
    content_metadata: id === '9090' ? { secret_of_priya: 'yes' } : { shared: 'x' },
  });
  const others = Array.from({ length: 12 }, (_, n) =>
    one(`10${n}`, `Learner${n}`, `learner${n}@example.com`, 'Sales', 'GDPR basics'),
  );
  const all = [...others, one('9090', 'Priya', 'Priya@Example.com', 'Quantum lab', 'Anger management')];
  return all.filter((record) =>
    Object.entries(wanted).every(([member, entries]) => {
      const value = (record as Readonly<Record<string, unknown>>)[member];
      const values = [value].flat().map((text) => String(text).toLowerCase());
      return (
        value === undefined ||
        entries.split(',').some((entry: string) => values.includes(entry.toLowerCase()))
      );
    }),
  );
}

async function openWithoutBot() {
  const bots = await openSeveralBots(folder.database(), folder.path('.'), { start: startHostedBot });
  bots.service.always((...call) =>
    answer(JSON.stringify(recordsFor(bots.service.seen.at(-1)?.body ?? '{}')))(...call),
  );
  return bots;
}

async function open(mode: Mode, list: string) {
  const bots = await openWithoutBot();
  const bot = await bots.start(
    {
      LEFT_OUT: list,
      ROLLCALL_ADMINS: 'U00ADA0001',
      DEFAULT_ACCESS: 'team',
      SMALLEST_GROUP: '5',
      PERSON_LEVEL_CHANNELS: 'C00SHAREDWORK',
    },
    mode,
  );
  if (mode === 'http') await bots.slack.deliverTo(await eventsUrl(bot));
  return { bots, bot };
}

/** What names Priya, in any form. */
const namesPriya = /priya|9090|quantum|anger/i;

const places = ['#shared-work', '@ada', '@noah'];

async function everythingIn({ slack }: SeveralBots): Promise<string> {
  const messages = places.flatMap((place) => slack.messages(place));
  const textOf = async ({ id, name }: SeenMessage['files'][number]) => {
    const bytes = await slack.fileBytes(id);
    if (!name.endsWith('.xlsx')) return bytes.toString('utf8');
    const path = folder.path('seen.xlsx');
    writeFileSync(path, bytes);
    return JSON.stringify(readWorkbook(path));
  };
  const files = await Promise.all(messages.flatMap(({ files }) => files.map(textOf)));
  return JSON.stringify([messages.map(({ text, blocks, files }) => ({ text, blocks, files })), files]);
}

describe.each(['socket', 'http'] as const)('somebody who is left out (%s)', (mode) => {
  it('is in no total, row, title, file, digest, detail and share of others', {
    timeout: 120_000,
  }, async () => {
    const list = folder.path(`left-out-${mode}.txt`);
    writeFileSync(list, '# objected\npriya@example.com\n');
    const { bots, bot } = await open(mode, list);
    const { slack } = bots;
    const seen = new Set<string>();
    const next = async (place: string, wanted: (message: SeenMessage) => boolean) => {
      const found = await slack.waitForMessage(
        place,
        (one) => !seen.has(`${one.ts} ${one.text}`) && wanted(one),
        15_000,
      );
      for (const { ts, text } of slack.messages(place)) seen.add(`${ts} ${text}`);
      return found;
    };
    const ask = async (who: string, line: string, place: string, wanted: RegExp, from = place) => {
      await slack.as(who).command(line, from);
      return next(place, ({ words }) => wanted.test(words));
    };

    // Totals, with and without what only Priya has.
    const summary = await ask('ada', '/report assignments', '#shared-work', /GDPR basics|12 assignments/);
    expect(summary.words).toContain('Some people are left out');
    expect(summary.words).toMatch(/\b12 assignments/);
    const breakdown = await ask('ada', '/report assignments by:departments', '@ada', /by:departments/);
    expect(breakdown.words).toContain('Some people are left out');
    for (const [who, line] of [
      ['ada', '/report overdue rows'],
      ['ada', '/report overdue csv'],
      ['ada', '/report assignments xlsx'],
      ['ada', '/report assignments fields:userid,content_metadata,departments csv'],
      ['noah', '/report overdue manager_email:me rows'],
      ['noah', '/report overdue csv'],
    ] as const) {
      const message = await ask(who, line, `@${who}`, /\b12 |Left|left out/);
      expect(message.words).toContain('people are left out');
    }
    // Her own training is no title, in the channel and in direct messages.
    for (const who of ['ada', 'noah']) {
      const none = await ask(who, '/report assignments content:"management"', `@${who}`, /management/);
      expect(none.words).not.toMatch(/anger/i);
    }
    const details = () => next('#shared-work', ({ threadTs }) => threadTs === summary.ts);
    await slack.as('noah').click(summary, 'Details');
    expect((await details()).words).not.toMatch(namesPriya);
    await slack.as('ada').click(summary, 'CSV');
    await next('#shared-work', ({ files }) => files.length > 0);
    // A digest with a file, and a summary from direct messages that is shared.
    const due = Date.now();
    const request = { ...plainRequest('assignments'), file: 'csv' } as const;
    await bots.store.digests.add({ ...dueOnce(), channel: shared, request }, ada, due, due);
    const digest = await next('#shared-work', ({ words }) => words.includes('Set up by'));
    expect(digest.words).toContain('Some people are left out');
    await next('#shared-work', ({ threadTs, files }) => threadTs === digest.ts && files.length > 0);
    const direct = await ask('ada', '/report assignments today', '@ada', /assignments today/);
    await slack.as('ada').click(direct, 'Share to channel');
    await slack.as('ada').waitForModal();
    await slack.as('ada').submit({ channel: shared });
    const sharedText = (await next('#shared-work', ({ words }) => words.includes('assignments today'))).words;
    expect(sharedText).toContain('Some people are left out');
    // A question for her alone finds nothing, whoever asks.
    const nothing = await ask('ada', '/report assignments departments:"Field"', '@ada', /Field/);
    expect(nothing.words).not.toMatch(namesPriya);
    const said = await everythingIn(bots);
    expect(said).not.toMatch(namesPriya);
    expect(bot.stdout()).not.toMatch(namesPriya);

    const hers = await ask('ada', '/report assignments email:priya@example.com', '@ada', /priya/);
    expect(hers.words).not.toMatch(/anger|quantum|9090/i);
    expect(hers.text).toMatch(/No |Nothing|no assignments/);

    // Her own answers are whole, and do not speak of others.
    const own = await ask('priya', '/report assignments email:me rows', '@priya', /Anger management/);
    expect(own.words).not.toContain('left out');

    // Nobody else becomes visible while the file is broken; a new line holds.
    writeFileSync(list, 'priya@example.com\nnot an address\n');
    await bot.waitFor(/LEFT_OUT names a file that is invalid: correct line 2/);
    expect((await ask('ada', '/report assignments this-year', '@ada', /this-year/)).words).not.toMatch(
      namesPriya,
    );
    writeFileSync(list, 'priya@example.com\n100\n');
    await bot.waitFor(/LEFT_OUT has changed/);
    const changed = await ask('ada', '/report assignments this-month', '@ada', /this-month/);
    expect(changed.words).toMatch(/\b11 assignments/);
    expect(bot.stdout()).not.toMatch(/priya|not an address/i);
    await bots.close();
  });
});

describe('the command line', () => {
  it('leaves out the same people, and a list that it cannot read is an error', {
    timeout: 60_000,
  }, async () => {
    const list = folder.path('cli.txt');
    writeFileSync(list, 'priya@example.com\n');
    const bots = await openWithoutBot();
    const run = async (path: string) => {
      const csv = folder.path('rows.csv');
      const environment = {
        REPORTING_BASE_URL: bots.service.url,
        REPORTING_API_TOKEN: 'a-token',
        LEFT_OUT: path,
        DATABASE_URL: 'sqlite:none.db',
      };
      const words = ['run', 'assignments', '--csv', csv];
      const { status: code, stdout, stderr } = await runBuiltRollcall(words, environment, folder.path('.'));
      return { code, said: stdout + stderr, csv };
    };
    const { code, said, csv } = await run(list);
    expect([code, said]).toEqual([0, expect.stringContaining('people are left out')]);
    expect(readFileSync(csv, 'utf8') + said).not.toMatch(namesPriya);
    for (const [text, problem] of [
      [undefined, 'LEFT_OUT names a file that cannot be read'],
      ['ok@example.com\nPriya Raman\n', 'LEFT_OUT names a file whose line 2 is neither'],
    ] as const) {
      const path = folder.path('broken.txt');
      if (text !== undefined) writeFileSync(path, text);
      const refused = await run(path);
      expect([refused.code, refused.said]).toEqual([78, expect.stringContaining(problem)]);
      expect(refused.said).not.toMatch(namesPriya);
    }
    await bots.close();
  });
});

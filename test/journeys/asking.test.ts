import { writeFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { afterAll, describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../playground/slack/server/script/find.js';
import { allReports } from '../../src/catalogue/index.js';
import { tempFolder } from '../reporting-api/answer/read-bytes.js';
import { readWorkbook } from '../reporting-api/answer/read-workbook.js';
import { testWorkspace } from './test-workspace.js';
import { isPrivate, isSummary, newIn } from './watching.js';

const work = testWorkspace(() => ({
  environment: { PERSON_LEVEL_CHANNELS: '*', ROLLCALL_ADMINS: 'U00ADA0001' },
}));

const folder = tempFolder();
afterAll(() => folder.remove());

function ask(command: string, channel: string, until: (message: SeenMessage) => boolean, who = 'ada') {
  return newIn(work(), channel, () => work().slack.as(who).command(command, channel), until);
}

async function linesOfFile(message: SeenMessage): Promise<readonly string[]> {
  const [file] = message.files;
  if (!file) throw new Error('There is no file on that message');
  return (await work().slack.fileBytes(file.id)).toString('utf8').split('\r\n');
}

describe('asking with /report', () => {
  it('answers with one summary in the channel', async () => {
    const { slack } = work();
    const posts = slack.posts.length;
    const summary = await ask('/report engagement last-week', '#learning', isSummary('Engagement'));
    expect(summary.text).toMatch(/^Engagement last week: \d+% active \(\d+ of \d+\)/);
    expect(summary.text).toMatch(/Europe\/Berlin/);
    expect(summary.words).toContain('/report engagement last-week');
    expect(summary.words).toContain('<@U00ADA0001>');
    expect(slack.posts.length).toBe(posts + 1);
  });

  it('puts the CSV into the thread of its summary', async () => {
    const summary = await ask('/report engagement last-week csv', '#learning', isSummary('Engagement'));
    const file = await work().slack.waitForMessage(
      '#learning',
      ({ threadTs, files }) => threadTs === summary.ts && files.length > 0,
    );
    expect(file.files[0]?.name).toMatch(/^engagement_\d{4}-\d\d-\d\d_\d{4}-\d\d-\d\d\.csv$/);
    const lines = await linesOfFile(file);
    expect(lines[0]).toBe(
      '\ufeffFirst name,Last name,Email,Departments,Sessions,Views,Seconds viewed,Assignments completed,Tracks completed,Workshops attended',
    );
    expect(lines).toHaveLength(120 + 2);
    expect(lines.at(-1)).toBe('');
  });

  it('puts a workbook with the same rows into the thread with xlsx', async () => {
    const { slack } = work();
    const fileIn = async (summary: SeenMessage, kind: string) => {
      const message = await slack.waitForMessage(
        '#learning',
        ({ threadTs, files }) => threadTs === summary.ts && files.some(({ name }) => name.endsWith(kind)),
      );
      return { message, bytes: await slack.fileBytes(message.files[0]?.id ?? '') };
    };
    const summary = await ask('/report engagement last-week xlsx', '#learning', isSummary('Engagement'));
    const { message, bytes } = await fileIn(summary, '.xlsx');
    expect(message.text).toContain('Times are in Europe/Berlin.');
    const path = folder.path('answer.xlsx');
    writeFileSync(path, bytes);
    const { headings, rows } = readWorkbook(path);
    await slack.as('ada').click(summary, 'CSV');
    const csv = parse((await fileIn(summary, '.csv')).bytes, { bom: true });
    expect([headings, rows.length]).toEqual([csv[0], csv.length - 1]);
    const sessions = headings.indexOf('Sessions');
    expect(rows.map((row) => row[sessions])).toEqual(
      csv.slice(1).map((row: string[]) => ({ type: 'number', number: Number(row[sessions]) })),
    );
  });

  it('brings the file of an answer when CSV or Excel is pressed, also by somebody else', async () => {
    const { slack } = work();
    const summary = await ask(
      '/report engagement yesterday fields:email,views',
      '#learning',
      isSummary('Engagement'),
    );
    const pressed = async (who: string, button: string, name: RegExp) => {
      await slack.as(who).click(summary, button);
      return slack.waitForMessage(
        '#learning',
        ({ threadTs, files }) => threadTs === summary.ts && files.some((file) => name.test(file.name)),
      );
    };
    const csv = await pressed('noah', 'CSV', /^engagement_.*\.csv$/);
    expect((await linesOfFile(csv))[0]).toBe('\ufeffEmail,Views');
    const excel = await pressed('noah', 'Excel', /^engagement_.*\.xlsx$/);
    const path = folder.path('pressed.xlsx');
    writeFileSync(path, await slack.fileBytes(excel.files[0]?.id ?? ''));
    const { headings, rows } = readWorkbook(path);
    expect(headings).toEqual(['Email', 'Views']);
    expect(rows).toHaveLength((await linesOfFile(csv)).filter(Boolean).length - 1);
  });

  it.each(allReports.map(({ name, title }) => [name, title]))('answers %s', async (name, title) => {
    // A running month has few workshops on its first days.
    const range = name === 'workshops' ? 'last-6-months ' : '';
    const summary = await ask(`/report ${name} ${range}csv`, '#learning', isSummary(title));
    const file = await work().slack.waitForMessage(
      '#learning',
      ({ threadTs, files }) => threadTs === summary.ts && files.length > 0,
    );
    expect((await linesOfFile(file)).length).toBeGreaterThan(2);
  });

  it('cuts /report overdue to what is overdue, the most overdue first, in the file too', async () => {
    const { slack } = work();
    const command = '/report overdue fields:due_date,completed_date csv';
    const summary = await ask(command, '#learning', isSummary('Overdue'));
    const file = await slack.waitForMessage(
      '#learning',
      ({ threadTs, files }) => threadTs === summary.ts && files.length > 0,
    );
    const rows = (await linesOfFile(file)).slice(1, -1).map((line) => line.split(','));
    expect(summary.text).toContain(`Overdue assignments: ${rows.length} of `);
    expect(rows.length).toBeGreaterThan(3);
    const moments = rows.map(([due = '']) => Date.parse(due));
    expect(rows.every(([, completed]) => completed === '')).toBe(true);
    expect(moments.every((at, i) => at < Date.now() && at >= (moments[i - 1] ?? at))).toBe(true);
    expect(summary.text).toMatch(/Assigned since 1 Jan \d{4}/);
    expect(summary.text).toContain('Without suspended people');
  });

  it('keeps only the rows that meet the conditions, in the figures and in the file', async () => {
    const lines = async (command: string) => {
      const summary = await ask(`${command} csv`, '#learning', isSummary('Engagement'));
      const file = await work().slack.waitForMessage(
        '#learning',
        ({ threadTs, files }) => threadTs === summary.ts && files.length > 0,
      );
      return { summary, rows: (await linesOfFile(file)).slice(1, -1).map((line) => line.split(',')) };
    };
    const [everybody, some] = [
      await lines('/report engagement last-week fields:views,departments'),
      await lines('/report engagement last-week fields:views,departments departments:!Sales views:>0'),
    ];
    const expected = everybody.rows.filter(
      ([views, ...departments]) => Number(views) > 0 && !departments.join(',').includes('Sales'),
    );
    expect(expected.length).toBeGreaterThan(5);
    expect(expected.length).toBeLessThan(everybody.rows.length);
    expect(some.rows).toEqual(expected);
    expect(some.summary.words).toContain('Departments: not Sales');
    expect(some.summary.words).toContain('Views: above 0');
  });

  it('refuses a condition on metadata that no admin has released', async () => {
    const reply = await ask(
      '/report completions last-month content_metadata.cost_center:!X',
      '#learning',
      isPrivate,
    );
    expect(reply.text).toMatch(/no admin has released/);
  });

  it('puts the rest of an answer into its thread once, whoever presses Details', async () => {
    const { slack } = work();
    const summary = await ask('/report engagement', '#learning', isSummary('Engagement'));
    const isBelow = ({ threadTs }: SeenMessage) => threadTs === summary.ts;
    await slack.as('ada').click(summary, 'Details');
    const details = await slack.waitForMessage('#learning', isBelow);
    expect(details.visibleTo).toBeUndefined();
    expect(details.words).toMatch(/Active people/);
    expect(details.words).toMatch(/What the figures mean/);
    const pressAsNoah = async () => {
      const click = () => slack.as('noah').click(summary, 'Details');
      const told = await newIn(work(), '#learning', click, isPrivate);
      expect(told.visibleTo).toBe('U00NOAH001');
      return told.words;
    };
    // Slack has the details a moment before the database says so. They are on their way until then.
    await expect.poll(pressAsNoah, { timeout: 10_000 }).toContain('The details are in the thread.');
    expect(slack.messages('#learning').filter((one) => isBelow(one) && !one.visibleTo)).toHaveLength(1);
  });

  it('answers in the asker’s direct messages with to:me, and says so here', async () => {
    const [direct, here] = await Promise.all([
      newIn(work(), '@ada', async () => {}, isSummary('Engagement')),
      ask('/report engagement last-week to:me', '#learning', isPrivate),
    ]);
    expect(direct.text).toContain(' active (');
    expect(here.text).toContain('direct messages');
  });

  it('takes the same words in a direct message and after a mention, in the thread too', async () => {
    const { slack } = work();
    const ada = slack.as('ada');
    await newIn(
      work(),
      '@ada',
      async () => ada.message('engagement last-week', '@ada'),
      isSummary('Engagement'),
    );
    await newIn(
      work(),
      '#learning',
      async () => ada.message('@rollcall engagement last-week', '#learning'),
      isSummary('Engagement'),
    );
    const start = ada.message('How did last month go?', '#learning');
    const inThread = await newIn(
      work(),
      '#learning',
      async () => ada.message('@rollcall engagement last-month csv', '#learning', start.ts),
      isSummary('Engagement'),
    );
    expect(inThread.threadTs).toBe(start.ts);
    await slack.waitForMessage(
      '#learning',
      ({ threadTs, files }) => threadTs === start.ts && files.length > 0,
    );
  });

  it('shows help to the asker alone: examples that run when pressed, and the rest behind a button', async () => {
    const { slack } = work();
    const help = await ask('/report help', '#learning', isPrivate);
    expect(help.visibleTo).toBe('U00ADA0001');
    await newIn(work(), '#learning', () => slack.as('ada').click(help, 'Run'), isSummary('Engagement'));
    const ada = slack.as('ada');
    await ada.click(help, 'More');
    const { content } = await ada.waitForModal(({ content }) => JSON.stringify(content).includes('Ranges'));
    for (const { name } of allReports) expect(JSON.stringify(content)).toContain(name);
  });
});

describe('what is not understood', () => {
  it('is quoted to the asker alone, with the nearest valid word to press', async () => {
    const { slack } = work();
    const reply = await ask('/report engagment last-week', '#learning', isPrivate);
    expect(reply.words).toContain('engagment');
    expect(reply.words).toContain('/report engagement last-week');
    await newIn(work(), '#learning', () => slack.as('ada').click(reply, 'Run this'), isSummary('Engagement'));
  });

  it.each([
    ['/report engagement last-wek'],
    ['/report engagement department:Sales'],
    ['/report engagement departments:"Sales'],
    ['/report engagement fields:emial'],
    ['/report assessments last-week'],
    ['/report engagement 2026-02-30'],
    ['/report engagement tomorrow'],
    ['/report engagement last-week last-month'],
    ['/report <!channel> everybody'],
    ['/report engagement <@U00NOAH001>'],
    [`/report ${'x'.repeat(40_000)}`],
    [`/report engagement departments:${'Sales,'.repeat(6000)}"`],
  ])('runs nothing and posts nothing: %.60s', async (command) => {
    const { slack } = work();
    const seenByAll = () =>
      slack.messages('#learning').filter(({ visibleTo }) => visibleTo === undefined).length;
    const before = seenByAll();
    const reply = await ask(command, '#learning', isPrivate);
    await slack.settled();
    expect(reply.visibleTo).toBe('U00ADA0001');
    expect(reply.text).not.toMatch(/<[@!#]/);
    expect(seenByAll()).toBe(before);
  });
});

describe('who may not ask', () => {
  it.each([
    ['gil', '#learning', 'Guests'],
    ['sofia', '#partner-academy', 'Only members of this workspace'],
  ])('%s in %s', async (who, channel, words) => {
    const reply = await ask('/report engagement last-week', channel, isPrivate, who);
    expect(reply.words).toContain(words);
  });

  it('a guest presses no button', async () => {
    const { slack } = work();
    const summary = await ask('/report engagement', '#learning', isSummary('Engagement'));
    for (const button of ['CSV', 'Excel']) {
      const reply = await newIn(work(), '#learning', () => slack.as('gil').click(summary, button), isPrivate);
      expect(reply.words).toContain('Guests');
    }
  });
});

describe('where the bot is not a member', () => {
  it.each(['#watercooler', '#leadership'])('%s gets the summary, and the asker the file', async (channel) => {
    const { slack } = work();
    const ada = slack.as('ada');
    const before = slack.messages('@ada').length;
    const summary = await ask('/report engagement last-week csv', channel, isSummary('Engagement'));
    expect(summary.visibleTo).toBeUndefined();
    const told = await slack.waitForMessage(
      channel,
      (message) => isPrivate(message) && message.says('/invite'),
    );
    expect(told.visibleTo).toBe(ada.person.id);
    const file = await slack.waitFor(() =>
      slack
        .messages('@ada')
        .slice(before)
        .find(({ files }) => files.length > 0),
    );
    expect(file.files[0]?.name).toMatch(/^engagement_/);
  });
});

it('made no payload that Slack would refuse', () => {
  const described = ['conversations.info'];
  expect(work().slack.refusals.filter(({ method }) => !described.includes(method))).toEqual([]);
});

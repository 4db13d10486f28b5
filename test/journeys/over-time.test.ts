import { writeFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startReportingService } from '../../playground/reporting-service/reporting-service.js';
import type { SeenMessage } from '../../playground/slack/server/script/find.js';
import { tempFolder } from '../reporting-api/answer/read-bytes.js';
import { readWorkbook } from '../reporting-api/answer/read-workbook.js';
import { type Behaviour, type FaultServer, openFaultServer, status } from '../reporting-api/fault-server.js';
import { has } from './building.js';
import { savingAt } from './saving.js';
import { isDigest, schedulingAt } from './scheduling.js';
import { testWorkspace } from './test-workspace.js';
import { isPrivate, isSummary } from './watching.js';

let own: Awaited<ReturnType<typeof startReportingService>>;
let service: FaultServer;
const folder = tempFolder();
const names = folder.path('names.csv');
const namesWith = (sales: string) =>
  `departments,${sales},Verkauf\n${['Sales', 'Support', 'Engineering'].map((one) => `departments,${one},the ${one}\n`).join('')}`;
const work = testWorkspace(() => ({
  environment: { REPORTING_NAMES: names, PERSON_LEVEL_CHANNELS: '*', ROLLCALL_ADMINS: 'U00ADA0001' },
  service: async () => {
    writeFileSync(names, namesWith('Sales'));
    own = await startReportingService({ learners: 120 });
    service = await openFaultServer();
    service.always(answers);
    return { url: service.url, token: own.token };
  },
}));
afterAll(async () => {
  await service.close();
  await own.stop();
  folder.remove();
});

/** As the reference service answers. */
const answers: Behaviour = async (response) => {
  const { path, headers, body } = service.seen.at(-1) ?? { path: '', headers: {}, body: '' };
  const { authorization = '' } = headers;
  const answered = await fetch(`${own.url}${path}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body,
  });
  response.writeHead(answered.status, { 'content-type': 'application/json' });
  response.end(Buffer.from(await answered.arrayBuffer()));
};

const { as, tells, type } = savingAt(work);
const { scheduled } = schedulingAt(work);

let askedBefore = 0;
beforeEach(() => {
  askedBefore = service.seen.length;
});
const asked = () => service.seen.length - askedBefore;

const ask = (command: string, wanted: (message: SeenMessage) => boolean = isSummary('Engagement over')) =>
  tells(() => as('ada').command(command, '#learning'), '#learning', wanted);

async function fileOf(summary: SeenMessage, kind: string) {
  const message = await work().slack.waitForMessage(
    '#learning',
    ({ threadTs, files }) => threadTs === summary.ts && files.some(({ name }) => name.endsWith(kind)),
  );
  return { message, bytes: await work().slack.fileBytes(message.files[0]?.id ?? '') };
}

async function csvOf(summary: SeenMessage): Promise<readonly string[][]> {
  await as('ada').click(summary, 'CSV');
  return parse((await fileOf(summary, '.csv')).bytes, { bom: true });
}

const chartsOf = ({ ts }: SeenMessage) =>
  work()
    .slack.posts.filter((post) => post.ts === ts)
    .flatMap(({ blocks = [] }) => blocks as readonly Record<string, unknown>[])
    .filter((block) => block.type === 'data_visualization');

describe('an answer over time', () => {
  it('has a line in its message, all units in Details, and a row a unit in its file', async () => {
    const summary = await ask('/report engagement over:4w figure:active-share');
    expect(asked()).toBe(4);
    expect(summary.text).toMatch(
      /^Engagement over 4 weeks: share active \d+% in the latest week, .*, \d+% in the first/,
    );
    const [chart] = chartsOf(summary);
    expect(chart).toMatchObject({ title: 'Share active by week (%)', chart: { type: 'line' } });
    await as('ada').click(summary, 'Details');
    const details = await work().slack.waitForMessage('#learning', ({ threadTs }) => threadTs === summary.ts);
    const [headings = [], ...rows] = await csvOf(summary);
    expect(headings.slice(0, 5)).toEqual([
      'Period',
      'First day',
      'Last day',
      'Active people',
      'Share active (%)',
    ]);
    expect(rows).toHaveLength(4);
    for (const [period = '', , , active, share] of rows) {
      expect(details.words).toContain(period);
      expect(details.words).toContain(`${Math.round(Number(share))}% (${active} of `);
    }
    const line = (chart as { chart: { series: [{ data: { value: number }[] }] } }).chart.series[0].data;
    expect(line.map(({ value }) => value)).toEqual(rows.map(([, , , , share]) => Math.round(Number(share))));
  });

  it('has the same rows in a workbook, as numbers', async () => {
    const summary = await ask(
      '/report completions over:3w against:last-year xlsx',
      isSummary('Completions over'),
    );
    expect(asked()).toBe(2);
    const path = folder.path('units.xlsx');
    writeFileSync(path, (await fileOf(summary, '.xlsx')).bytes);
    const { headings, rows } = readWorkbook(path);
    const csv = await csvOf(summary);
    expect(headings).toEqual(csv[0]);
    expect(headings.filter((heading) => String(heading).startsWith('A year before'))).not.toEqual([]);
    expect(rows.map((row) => row[3])).toEqual(
      csv.slice(1).map((row) => ({ type: 'number', number: Number(row[3]) })),
    );
    expect(chartsOf(summary)).toMatchObject([{ chart: { series: [{}, { name: 'A year before' }] } }]);
  });

  it('is saved, run by its name, and gives way to a range on top', async () => {
    await type('/report save Pulse: engagement over:3w figure:sessions');
    const summary = await ask('/report pulse', isSummary('Engagement over 3 weeks'));
    expect(await csvOf(summary)).toHaveLength(1 + 3);
    const plain = await ask('/report pulse last-week', isSummary('Engagement'));
    expect(plain.text).toMatch(/^Engagement last week/);
  });

  it('comes as a digest', async () => {
    await scheduled('/report schedule engagement over:3w departments:Engineering weekly mon 09:00');
    const listed = await tells(() => as('ada').command('/report list', '#learning'));
    const digest = await tells(
      () => as('ada').click(listed, 'Send now'),
      '#learning',
      (message) => isDigest(message) && message.text.startsWith('Engagement over 3 weeks'),
    );
    expect(digest.words).toContain('Comes every Monday at 09:00');
    expect(await csvOf(digest)).toHaveLength(1 + 3);
  });

  it('says how an ordinary answer compares with the year before', async () => {
    const summary = await ask('/report engagement last-month against:last-year', isSummary('Engagement'));
    expect(asked()).toBe(2);
    expect(summary.text).toMatch(/20\d\d/);
  });

  it.each([
    ['over:8w departments:!Sales', isSummary('Engagement over 8 weeks'), ''],
    ['over:8w last_login:none', isPrivate, 'has no past, so leave out over:8w or the condition'],
    ['over:8w last-week', isPrivate, 'over:8w'],
  ])('with %s is answered, or refused with the reason', async (words, wanted, reason) => {
    const answer = await ask(`/report engagement ${words}`, wanted);
    expect(answer.words).toContain(reason);
    expect(asked()).toBe(reason === '' ? 8 : 0);
  });
});

describe('units that were read before', () => {
  const seenByAll = () =>
    work()
      .slack.messages('#learning')
      .filter((message) => !isPrivate(message));

  it('are there when the service fails half-way: the asker hears why, nothing is posted, and the next goes on', async () => {
    const before = seenByAll().length;
    service.behave(answers, answers, status(400, { message: 'no more for you' }));
    const told = await ask('/report engagement over:4w departments:Sales,Support csv', isPrivate);
    expect(told.words).toContain('no more for you');
    await work().slack.settled();
    expect(seenByAll()).toHaveLength(before);
    expect(asked()).toBe(3);
    const summary = await ask('/report engagement over:4w departments:Sales,Support');
    expect(asked()).toBe(5);
    expect(await csvOf(summary)).toHaveLength(1 + 4);
  });

  it('are asked for again after a change of the rules', async () => {
    const command = '/report engagement over:4w departments:Sales,Engineering';
    expect((await ask(command)).words).not.toContain('Earlier weeks as of');
    expect((await ask(command)).words).toContain('Earlier weeks as of');
    const page = await tells(() => as('ada').command('/report access', '#learning'));
    await as('ada').click(page, 'Set access');
    await as('ada').waitForModal(has('access_who'));
    await as('ada').choose('modal', 'Who', 'person');
    await as('ada').waitForModal(has('access_person'));
    await as('ada').submit({ access_person: 'U00NOAH001', access_level: 'totals' });
    await as('ada').waitForModal(({ content }) => content.callback_id === 'access_confirm');
    await tells(
      () => as('ada').submit(),
      '#learning',
      (message) => message.says('Saved.'),
    );
    expect((await ask(command)).words).not.toContain('Earlier weeks as of');
  });

  it('outlive a restart, but not a change of the names that the service is asked by', async () => {
    const command = '/report engagement over:4w departments:Verkauf';
    const department = () => JSON.parse(service.seen.at(-1)?.body ?? '{}').user_filter?.departments;
    await ask(command);
    expect([asked(), department()]).toEqual([4, 'Sales']);
    await work().restart();
    await ask(command);
    expect(asked()).toBe(5);
    writeFileSync(names, namesWith('Support'));
    await work().restart();
    await ask(command);
    expect([asked(), department()]).toEqual([9, 'Support']);
  });
});

it('sent no payload that Slack would refuse', () => {
  expect(work().slack.refusals).toEqual([]);
});

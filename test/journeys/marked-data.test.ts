import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { allReports } from '../../src/catalogue/index.js';
import { schedulingAt } from './scheduling.js';
import { testWorkspace } from './test-workspace.js';
import { isPrivate, newIn } from './watching.js';

/** What the service knows of people, what it says of a refusal, its token, and what a person types. */
const marks = {
  person: 'zzperson',
  refusal: 'zzrefusal',
  token: 'zztoken-of-the-service',
  typed: 'zztyped@marked.example',
};

const learners = 12;

/** A record in which every value about a person carries the mark. */
function recordOf(operation: string, index: number): object {
  const report = allReports.find((one) => one.operation === operation);
  const fields = (report?.fields ?? []).map(({ flag, kind, personLevel }) => {
    const name = `${marks.person}${index}`;
    if (kind === 'email') return [flag, `${name}@marked.example`];
    if (kind === 'metadata') return [flag, { cost_center: name }];
    if (personLevel) return [flag, kind === 'list' ? [name] : kind === 'object' ? { id: name } : name];
    if (kind === 'date') return [flag, '2026-01-05T10:00:00Z'];
    if (kind === 'number') return [flag, index];
    if (kind === 'yes-no') return [flag, index % 2 === 0];
    if (kind === 'list') return [flag, ['Sales']];
    if (kind === 'object') return [flag, { id: `thing-${index}`, title: 'Safety', reviewer: name }];
    return [flag, kind === 'status' ? 'in_progress' : 'Sales'];
  });
  return Object.fromEntries(fields);
}

let service: Server;
const work = testWorkspace(() => ({
  environment: {
    LOG_LEVEL: 'debug',
    OPERATIONS_PORT: '0',
    ROLLCALL_ADMINS: 'U00ADA0001',
    SMALLEST_GROUP: '5',
  },
  service: async () => {
    service = createServer((request, response) => {
      let body = '';
      request.on('data', (part) => {
        body += part;
      });
      request.on('end', () => {
        const operation = request.url?.split('/')[4] ?? '';
        const isRefused = body.includes('Refused');
        response.writeHead(isRefused ? 400 : 200, { 'content-type': 'application/json' });
        const records = Array.from({ length: learners }, (_, index) => recordOf(operation, index));
        const message = `${marks.refusal} ${marks.person} is unknown`;
        response.end(JSON.stringify(isRefused ? { message } : records));
      });
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    const { port } = service.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}`, token: marks.token };
  },
}));
afterAll(() => service.close());
const { say } = schedulingAt(work);

const channel = '#learning';
const as = (who: string) => work().slack.as(who);
const isAnswer = ({ words }: { readonly words: string }) =>
  words.includes('/report ') && !words.includes('Running');

/** Answers in the channel, and answers in direct messages with one line in the channel. */
const publicRequests = allReports.map(({ name }) => `/report ${name}`);
const requestsWithNames = [
  '/report engagement last-month csv',
  '/report engagement last-month fields:email,views',
  '/report assignments by:manager_email',
  '/report overdue csv',
  `/report tracks email:${marks.typed}`,
];

/** All rows of each table, as text. */
function tables(): ReadonlyMap<string, string> {
  const database = new Sqlite(join(work().folder, 'rollcall.db'), { readonly: true });
  const names = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all();
  const rows = names.map((name) => [
    String(name),
    JSON.stringify(database.prepare(`SELECT * FROM "${name}"`).all()),
  ]) as [string, string][];
  database.close();
  return new Map(rows);
}

const tablesWith = (mark: string) =>
  [...tables()].filter(([, rows]) => rows.includes(mark)).map(([name]) => name);

describe('marked people, addresses and tokens', () => {
  it('reach only those who may see them, through every door', async () => {
    const { slack } = work();
    for (const request of publicRequests) {
      await newIn(work(), channel, () => as('noah').command(request, channel), isAnswer, 10_000);
    }
    for (const request of requestsWithNames) {
      const direct = newIn(work(), '@noah', async () => {}, isAnswer, 10_000);
      await Promise.all([direct, as('noah').command(request, channel)]);
    }
    const mentioned = async () => as('noah').message('@rollcall engagement last-month', channel);
    await newIn(work(), channel, mentioned, (message) => isAnswer(message) && !isPrivate(message), 10_000);

    // CSV under an answer, and Share of one in direct messages.
    const here = await newIn(
      work(),
      channel,
      () => as('noah').command('/report engagement last-week', channel),
      isAnswer,
    );
    const hasFile = ({ files }: { readonly files: readonly unknown[] }) => files.length > 0;
    await newIn(work(), '@ada', () => as('ada').click(here, 'CSV'), hasFile, 10_000);
    const overdue = async () => as('noah').message('overdue', '@noah');
    const direct = await newIn(work(), '@noah', overdue, ({ words }) => words.includes('Share to channel'));
    await as('noah').click(direct, 'Share to channel');
    await as('noah').waitForModal();
    await newIn(work(), channel, () => as('noah').submit({ channel: 'C00LEARN01' }), isAnswer, 10_000);

    // Saved reports, run by somebody else, and digests: one that works, and one that the service refuses.
    await say(`/report save Person: tracks email:${marks.typed}`, channel, 'noah');
    await say('/report save Refused one: tracks departments:Refused', channel, 'noah');
    await say('/report Refused one', channel, 'ada');
    await say('/report list', channel, 'ada');
    const send = async (line: string, to: string) => {
      const preview = await say(`/report schedule ${line} daily 3:00`, to, 'noah');
      await as('noah').click(preview, 'Confirm');
      await slack.waitForMessage(to, (one) => one.ts === preview.ts && one.says('Scheduled.'));
      await as('noah').click(await say('/report list', to, 'noah'), 'Send now');
    };
    const post = ({ words }: { readonly words: string }) => words.includes('Set up by');
    await newIn(work(), channel, () => send('engagement last-month csv', channel), post, 12_000);
    const failed = ({ words }: { readonly words: string }) => words.includes('Not sent: ');
    const refuse = () => send('tracks departments:Refused', '#sales');
    const toOwner = await newIn(work(), '@noah', refuse, failed, 12_000);
    expect(toOwner.words).toContain(marks.refusal);
    const toOthers = await say('/report list', '#sales', 'ada');
    expect(toOthers.words).toContain('The Reporting Service did not accept this request.');
    expect(toOthers.words).not.toContain(marks.refusal);
    await say('/report access', channel, 'ada');
    await slack.settled();

    // Somebody else's refusal is never quoted, and names are in no message of the channel.
    const fromBot = slack.messages(channel).filter(({ user }) => user === 'U00ROLLCAL');
    expect(fromBot.length).toBeGreaterThan(15);
    for (const message of fromBot) {
      expect(JSON.stringify(message), message.words).not.toContain(marks.person);
      expect(JSON.stringify(message), message.words).not.toContain(marks.refusal);
      if (!isPrivate(message)) expect(JSON.stringify(message), message.words).not.toContain(marks.typed);
      if (message.visibleTo === 'U00ADA0001') expect(JSON.stringify(message)).not.toContain(marks.typed);
    }
    // The test would prove nothing if nobody had got the names.
    expect(slack.messages('@noah').some((message) => JSON.stringify(message).includes(marks.person))).toBe(
      true,
    );
    for (const name of ['@noah', '@ada', channel]) {
      const files = slack.messages(name).flatMap((message) => message.files);
      expect(JSON.stringify(files.map((file) => file.name))).not.toMatch(/zz/);
    }
    expect(slack.refusals).toEqual([]);
  }, 120_000);

  it('are in no log line, also at debug level', () => {
    const { bot, slack } = work();
    const logged = bot.stdout() + bot.stderr();
    expect(logged).toContain('The service answered');
    for (const secret of [...Object.values(marks), slack.botToken, slack.appToken]) {
      expect(logged).not.toContain(secret);
    }
  });

  it('are in no metric and no page for operators', async () => {
    const [, port] = await work().bot.waitFor(/"port":(\d+)/);
    for (const page of ['metrics', 'readyz', 'healthz']) {
      const text = await (await fetch(`http://127.0.0.1:${port}/${page}`)).text();
      for (const mark of Object.values(marks)) expect(text, page).not.toContain(mark);
    }
  });

  it('are in no table but those that may hold them', () => {
    const { slack } = work();
    // Nothing of an answer is stored. The refusal names a person, and is kept for the owner of the digest alone.
    expect(tablesWith(marks.person)).toEqual(['posts']);
    expect(tables().get('posts')?.replaceAll(`${marks.refusal} ${marks.person}`, '')).not.toContain(
      marks.person,
    );
    for (const token of [marks.token, slack.botToken, slack.appToken]) expect(tablesWith(token)).toEqual([]);
    // What people type is in requests, in what they save, and in the record of who asked what.
    const mayHoldFilters = ['requests', 'saved_reports', 'event_details', 'person_tokens'];
    expect(tablesWith(marks.typed).filter((name) => !mayHoldFilters.includes(name))).toEqual([]);
    expect(tablesWith(marks.typed)).toContain('requests');
    expect(tablesWith(marks.refusal)).toEqual(['posts']);
  });
});

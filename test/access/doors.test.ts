import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccessRule, type Level, levels } from '../../src/access/levels.js';
import { allReports, type ReportName, reportNamed } from '../../src/catalogue/index.js';
import { startCounting } from '../../src/figures/reports/count-report.js';
import { parseCommand } from '../../src/requests/parse-command.js';
import type { ReportRequest } from '../../src/requests/request.js';
import type { Query, ReportSource } from '../../src/runner/ports.js';
import { digestScheduler, type Scheduler } from '../../src/scheduler/scheduler.js';
import { recentAnswersOf } from '../../src/slack/answers/answer-run.js';
import { builderViews } from '../../src/slack/builder/view.js';
import { refusedBlocks } from '../../src/slack/delivery/post-message.js';
import { digestPoster } from '../../src/slack/digests/poster.js';
import { accessDirectory } from '../../src/slack/directory/access.js';
import type { BuilderDraft } from '../../src/slack/forms/draft.js';
import { valuesOf } from '../../src/slack/forms/read-draft.js';
import { noticeActions } from '../../src/slack/messages/notices.js';
import { fileActions } from '../../src/slack/messages/rows.js';
import { savedActions } from '../../src/slack/messages/saved-reports.js';
import { openStore, type Store } from '../../src/store/store.js';
import { realClock } from '../../src/time/clock.js';
import {
  listeningBot,
  payloadFor,
  pressOf,
  shownModal,
  submissionOf,
} from '../slack/listeners/listener-test-app.js';

/*
 * Section 7 of the contract as a table, written down a second time, against every door of the bot: all real listeners,
 * a stub of Slack, and a service that records what it is asked. Each door meets each level, question and place. Reports
 * and subjects of rules take turns; levels.test.ts and scope.test.ts have all of those.
 */

const reader = 'U1';
const ownAddress = 'ada@example.com';
const addresses: Readonly<Record<string, string>> = { U1: 'Ada@Example.com', U2: 'bob@example.com' };
const places = { direct: 'D1', approved: 'C1', other: 'C2', shared: 'C3' } as const;
type Place = keyof typeof places;
const placeNames = Object.keys(places) as Place[];

/** What is asked, as words after the name of the report. */
const questions = {
  totals: '',
  'an open filter': 'departments:Sales',
  'a file': 'csv',
  columns: 'fields:departments csv',
  'own rows': 'email:me',
  'own rows in a file': 'email:me csv',
  'somebody else': 'email:bob@example.com',
  'own team': 'manager_email:me',
  'another team': 'manager_email:bob@example.com',
  'a breakdown by person': 'by:email',
} as const;
type Question = keyof typeof questions;
const questionNames = Object.keys(questions) as Question[];
const ofWorkshops: Partial<Record<Question, string>> = { totals: '', columns: 'fields:workshop_title csv' };

const isTotals = (question: Question) => question === 'totals' || question === 'an open filter';
const wantsFile = (question: Question) => wordsOf('assignments', question).includes('csv');
const isOwn = (question: Question) => question === 'own rows' || question === 'own rows in a file';
/** Answered wholly in direct messages where names may not go. */
const namesPeople = (question: Question) =>
  isOwn(question) ||
  ['somebody else', 'own team', 'another team', 'a breakdown by person'].includes(question);

function wordsOf(report: ReportName, question: Question): string {
  const more = report === 'workshops' ? ofWorkshops[question] : questions[question];
  return `${report} ${more ?? ''}`.trim();
}

type Rows = 'all' | 'team' | 'self';
type Refusal = 'nothing' | 'totals-only' | 'other-team';

interface Expected {
  readonly rows: Rows | { readonly refused: Refusal };
  /** The channels that get the summary and the file. */
  readonly summary?: string;
  readonly file?: string;
}

interface Combination {
  readonly door: Door;
  readonly level: Level;
  readonly subject: SubjectName;
  readonly report: ReportName;
  readonly question: Question;
  readonly place: Place;
}

/** What section 7 says. */
function expected({ door, level, question, place, report }: Combination): Expected {
  const asked = door === csvOfAnother ? askedByBob(question) : question;
  const rows = rowsFor(report === 'workshops' && level === 'team' ? 'everything' : level, asked);
  if (typeof rows === 'object') return { rows };
  const here = places[place];
  const closed = place === 'other' || place === 'shared';
  const onlyDirect = (level === 'totals' && rows === 'self') || (closed && namesPeople(question));
  const file = onlyDirect || (closed && report !== 'workshops') ? places.direct : here;
  if (door === csvOfAnother) return { rows, file };
  const summary = onlyDirect ? places.direct : here;
  return { rows, summary, file: wantsFile(question) ? file : undefined };
}

/** What a question of Bob asks of his reader Ada, once CSV is pressed. */
function askedByBob(question: Question): Question {
  if (isTotals(question)) return 'a file';
  if (isOwn(question)) return 'somebody else';
  return question === 'own team' ? 'another team' : question;
}

function rowsFor(level: Level, question: Question): Expected['rows'] {
  if (level === 'nothing') return { refused: 'nothing' };
  if (level === 'everything' || isTotals(question)) return 'all';
  if (isOwn(question)) return 'self';
  if (level === 'totals') return { refused: 'totals-only' };
  return question === 'another team' ? { refused: 'other-team' } : 'team';
}

const sentences: Readonly<Record<Refusal, RegExp>> = {
  nothing: /may not ask for this report/,
  'totals-only': /totals only/,
  'other-team': /own team only/,
};

/** How a level reaches the reader. A rule of lower rank says the opposite. */
const subjects = {
  person: (level: Level) => [
    rule({ kind: 'person', id: reader }, level),
    rule({ kind: 'group', id: 'S1' }, opposite(level)),
  ],
  group: (level: Level) => [
    rule({ kind: 'group', id: 'S1' }, level),
    rule({ kind: 'everyone' }, opposite(level)),
    rule({ kind: 'person', id: 'U2' }, opposite(level)),
  ],
  everyone: (level: Level) => [
    rule({ kind: 'everyone' }, level),
    rule({ kind: 'group', id: 'S2' }, opposite(level)),
  ],
  'this report alone': (level: Level, report: ReportName) => [
    rule({ kind: 'person', id: reader }, opposite(level)),
    { ...rule({ kind: 'person', id: reader }, level), report },
  ],
} as const;
type SubjectName = keyof typeof subjects;
const subjectNames = Object.keys(subjects) as SubjectName[];

function rule(subject: AccessRule['subject'], level: Level): AccessRule {
  return { subject, level };
}

function opposite(level: Level): Level {
  return level === 'everything' || level === 'team' ? 'nothing' : 'everything';
}

let folder: string;
let store: Store<BuilderDraft>;
let scheduler: Scheduler;
let bot: ReturnType<typeof listeningBot>;
let rules: readonly AccessRule[] = [];
const queries: Query[] = [];
const files: string[] = [];
/** Requests that have ended, answered or not. */
let ended = 0;

const source: ReportSource = {
  async read(query, plan) {
    // Whether a team that has nothing to show has people at all: it has.
    if (!plan.figures && !plan.file) return { records: 1 };
    queries.push(query);
    const figures = plan.figures && startCounting(plan.figures, plan.fields).finish();
    return { records: 0, figures, file: plan.file && { path: plan.file.path, bytes: 3, columns: [] } };
  },
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-doors-'));
  store = await openStore<BuilderDraft>(join(folder, 'rollcall.db'), Date.now);
  await store.useWorkspace('T1');
  const people = {
    find: async (id: string) => ({
      id,
      standing: 'member' as const,
      zone: 'UTC',
      email: addresses[id],
      confirmedEmail: addresses[id],
    }),
    invalidate() {},
  };
  const groups: Readonly<Record<string, readonly string[]>> = { S1: ['U1'], S2: ['U2'] };
  const client = {
    usergroups: {
      users: { list: async ({ usergroup }: { usergroup: string }) => ({ users: groups[usergroup] }) },
    },
  };
  const access = accessDirectory({
    client: client as never,
    people,
    store: { accessRules: { all: async () => rules }, admins: { all: async () => [] } } as never,
    configuredAdmins: ['U9'],
    defaultAccess: 'nothing',
    groupIsGone: () => {},
    now: () => performance.now(),
  });
  const facts = { known: true, isMember: true, isArchived: false, isPrivate: false, isReadOnly: false };
  const channels = {
    find: async (id: string) => ({ ...facts, isShared: id === places.shared }),
    directWith: async () => places.direct,
    invalidate() {},
  };
  const more = {
    people,
    access,
    channels,
    source,
    personLevelChannels: [places.approved],
    smallestGroup: 5,
    clock: { ...realClock, now: () => Date.parse('2026-11-20T12:00Z') },
    refused: refusedBlocks(() => 0),
    recentAnswers: recentAnswersOf(),
    ended: () => {
      ended += 1;
    },
    share: async () => async (into: { channel: string }) => {
      files.push(into.channel);
      return { fileId: 'F1' };
    },
  };
  bot = listeningBot({ store: store as Store, changes: more as never });
  const monotonic = () => performance.now();
  const parts = { ...bot.parts, workspaceUrl: '', admins: access.admins, monotonic };
  scheduler = digestScheduler({
    ...parts,
    worker: 'a-process',
    poster: digestPoster(parts as never),
    files: { pathFor: (id: string) => join(folder, id), remove: async () => {} },
    postsPerSecond: 1000,
    channelPostIntervalMs: 0,
    pollIntervalMs: 20,
  } as never);
  scheduler.start();
});

afterAll(async () => {
  await scheduler.stop();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Asked {
  readonly words: string;
  readonly request: ReportRequest;
  readonly channel: string;
}

let count = 0;
const soon = { interval: 2 };

const inChannel = (channel: string) => ({
  channel: { id: channel, name: 'x' },
  container: { type: 'message', channel_id: channel, message_ts: '5.5' },
  message: { ts: '5.5', thread_ts: '4.4' },
  response_url: 'http://127.0.0.1:9/answers',
});

/** The answer is Bob's, so that `me` is Bob in its request. Ada presses, so that her level counts. */
const csvOfAnother = 'CSV under an answer of Bob';

/** Each way to ask. Each runs the request of the words once. */
const doors = {
  async words({ words, channel }) {
    const command = payloadFor({ kind: 'command', name: '/report' });
    await bot.deliver({ ...command, text: words, channel_id: channel } as never);
  },
  async 'a mention'({ words, channel }) {
    const isDirect = channel === places.direct;
    const payload = payloadFor({ kind: 'event', name: isDirect ? 'message' : 'app_mention' }) as {
      event: Record<string, unknown>;
    };
    const event = {
      ...payload.event,
      channel,
      text: isDirect ? words : `<@UBOT> ${words}`,
      thread_ts: undefined,
    };
    await bot.deliver({ ...payload, event } as never);
  },
  async 'the builder'({ request, channel }) {
    const kind = channel === places.direct ? ('direct' as const) : ('member' as const);
    const here = { channel, kind, mayNamePeople: true, at: bot.parts.clock.now() };
    const draft = { values: valuesOf(request), here };
    const id = await store.builderDrafts.open(reader, draft, bot.parts.clock.now());
    const { acks } = await bot.deliver(
      submissionOf(shownModal(builderViews.builder, id, {}, `V${id}`)) as never,
    );
    // A form is acknowledged before its request runs. An acknowledgement with content refuses it.
    if (acks.every((ack) => ack === undefined || ack === '')) await expect.poll(() => ended, soon).toBe(1);
  },
  async 'a saved report'({ request, channel }) {
    count += 1;
    const saved = await store.savedReports.save(
      { channel, name: `Saved ${count}`, request, createdBy: reader },
      bot.parts.clock.now(),
    );
    if (!saved.ok) throw new Error('The report was not saved');
    await bot.deliver(pressOf(savedActions.run, saved.value, inChannel(channel)) as never);
  },
  async 'the button Try again'({ request, channel }) {
    const id = await store.requestLog.record(
      { channel, asker: reader, request, requestedAt: bot.parts.clock.now() },
      'answer',
    );
    await bot.deliver(pressOf(noticeActions.again, id, inChannel(channel)) as never);
  },
  async [csvOfAnother]({ request, channel }) {
    const requestedAt = bot.parts.clock.now();
    const id = await store.requestLog.record({ channel, asker: 'U2', request, requestedAt }, 'answer');
    const held = { id, worker: null };
    await store.ledger.markPosting(held);
    const message = { channel, ts: '5.5' };
    await store.ledger.markPosted(held, { message, fileFollows: false }, requestedAt);
    await bot.deliver(pressOf(fileActions.csv, id, inChannel(channel)) as never);
  },
  async 'a digest'({ request, channel }) {
    const now = bot.parts.clock.now();
    const schedule = {
      cadence: { kind: 'daily', time: '09:00' },
      zone: 'UTC',
      firstDay: '2026-11-20',
    } as const;
    const settings = { channel, owner: reader, request, schedule, skipEmpty: false };
    const id = await store.digests.add(settings, reader, now + 86_400_000, now);
    const digest = await store.digests.find(id);
    if (!digest) throw new Error('The digest is not there');
    count += 1;
    await store.ledger.enterNow(digest, `run ${count}`, now);
    scheduler.checkNow();
    await expect
      .poll(async () => (await store.ledger.history(id, 1))[0]?.state, soon)
      .toMatch(/posted|failed/);
    const [run] = await store.ledger.history(id, 1);
    // The file and the notification of a failure follow.
    if (run?.state === 'failed')
      await expect.poll(() => JSON.stringify(bot.calls), soon).toContain('Not sent');
    else if (request.file) await expect.poll(() => files.length, soon).toBe(1);
  },
} as const satisfies Record<string, (asked: Asked) => Promise<void>>;
type Door = keyof typeof doors;
const doorNames = Object.keys(doors) as Door[];

/** Asks, and returns what reached the service and Slack. */
async function ask({ door, level, subject, report, question, place }: Combination) {
  rules = subjects[subject](level, report);
  queries.length = 0;
  files.length = 0;
  bot.calls.length = 0;
  ended = 0;
  const words = wordsOf(report, question);
  const command = parseCommand(words, { savedNames: [] });
  if (!command.ok || command.value.kind !== 'run') throw new Error(`Not a request: ${words}`);
  await doors[door]({ words, request: command.value.request, channel: places[place] });
  const messages = bot.calls.map(({ method, args }) => ({
    method,
    channel: args.channel,
    text: JSON.stringify(args),
  }));
  return { messages, queries: [...queries], files: [...files] };
}

/** The learner filter that goes to the service. */
function expectedFilter({ door, question }: Combination, rows: Rows): Readonly<Record<string, string>> {
  if (rows === 'self') return { email: ownAddress };
  const me = door === csvOfAnother ? 'bob@example.com' : ownAddress;
  const typed: Readonly<Partial<Record<Question, Record<string, string>>>> = {
    'an open filter': { departments: 'Sales' },
    'own rows': { email: me },
    'own rows in a file': { email: me },
    'somebody else': { email: 'bob@example.com' },
    'own team': { manager_email: me },
    'another team': { manager_email: 'bob@example.com' },
  };
  return { ...typed[question], ...(rows === 'team' && { manager_email: ownAddress }) };
}

async function check(combination: Combination): Promise<void> {
  const seen = await ask(combination);
  const want = expected(combination);
  const label = Object.values(combination).join(', ');
  const { title } = reportNamed(combination.report);
  // The owner of a digest knows whose records it has.
  const isReadAlone = isOwn(combination.question) && want.summary === places.direct;
  const isYours = (want.rows === 'self' || isReadAlone) && combination.door !== 'a digest';
  const name = isYours ? `Your ${title.toLowerCase()}` : title;
  const summaries = seen.messages.filter(
    ({ method, text }) => method === 'chat.postMessage' && text.includes(`"text":"${name}`),
  );
  if (typeof want.rows === 'object') {
    const { refused } = want.rows;
    expect([seen.queries, seen.files, summaries], label).toEqual([[], [], []]);
    expect(seen.messages.map(({ text }) => text).join('\n'), label).toMatch(
      combination.door === 'a digest' ? /Not sent/ : sentences[refused],
    );
    return;
  }
  expect(seen.queries.length, label).toBeGreaterThan(0);
  for (const { body } of seen.queries) {
    const filter: unknown = JSON.parse(JSON.stringify(body.user_filter ?? {}), lowerCase);
    expect(filter, label).toEqual(
      JSON.parse(JSON.stringify(expectedFilter(combination, want.rows)), lowerCase),
    );
    expect([body.email === true && body.manager_email === true, want.rows], label).not.toEqual([
      false,
      'team',
    ]);
  }
  expect(
    summaries.map(({ channel }) => channel),
    label,
  ).toEqual(want.summary ? [want.summary] : []);
  expect(seen.files, label).toEqual(want.file ? [want.file] : []);
}

const lowerCase = (_key: string, value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value);

describe.each(doorNames)('%s', (door) => {
  it.each(levels)(
    'at the level %s, for every question and place, with reports and subjects in turn',
    async (level) => {
      let turn = levels.indexOf(level) + 3 * doorNames.indexOf(door);
      for (const question of questionNames) {
        for (const place of placeNames) {
          turn += 1;
          const report = allReports[turn % allReports.length]?.name ?? 'assignments';
          const subject = subjectNames[(turn + Math.floor(turn / 12)) % subjectNames.length] ?? 'person';
          const isAsked = report !== 'workshops' || ofWorkshops[question] !== undefined;
          await check({ door, level, subject, report: isAsked ? report : 'engagement', question, place });
        }
      }
    },
    60_000,
  );
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allReports, reportNamed } from '../../src/catalogue/index.js';
import { Failure } from '../../src/errors/failure.js';
import { startCounting } from '../../src/figures/reports/count-report.js';
import { AnswerStream } from '../../src/reporting-api/answer/read-answer.js';
import {
  type DailyLookParts,
  firstLookAfterMs,
  type LookOutcome,
  lookAt,
  lookRange,
  recentLooks,
  startDailyLook,
} from '../../src/runner/daily-look.js';
import { LatestPeople } from '../../src/runner/people-index-builder.js';
import type { Query, ReadOptions, ReportSource } from '../../src/runner/ports.js';
import { openStore, type Store } from '../../src/store/store.js';
import type { Clock } from '../../src/time/clock.js';
import { freshFolder } from '../store/fresh-folder.js';

const secret = [1, 2, 3, 4] as const;

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables(), Date.now);
});
afterEach(() => store.close());

const minute = 60_000;
const hour = 60 * minute;
const start = Date.parse('2026-11-23T09:00:00Z');

async function read(report: 'assignments' | 'completions' | 'workshops', records: readonly object[]) {
  const { plan } = lookAt(reportNamed(report), { range: lookRange(start), smallestGroup: 5 });
  const reading = new AnswerStream(plan, startCounting);
  await reading.beginAnswer();
  await reading.write(Buffer.from(JSON.stringify(records)));
  await reading.endAnswer();
  return reading.finish();
}

async function peopleOf(records: readonly object[], entry: string) {
  const { values = [] } = await read('assignments', records);
  return values.find((value) => value.entry === entry)?.people;
}

describe('the query of a look', () => {
  it('asks for identifiers, titles and groups of 90 days, with user IDs and addresses, without filters', () => {
    for (const report of allReports) {
      const { query, plan } = lookAt(report, { range: lookRange(start), smallestGroup: 5 });
      expect(Object.values(query.body).filter((value) => typeof value === 'object')).toEqual([]);
      const personLevel = report.fields
        .filter((field) => field.personLevel && plan.fields.includes(field.flag))
        .map(({ flag }) => flag);
      expect(new Set(personLevel)).toEqual(new Set(report.name === 'workshops' ? [] : ['userid', 'email']));
      const days = query.range && (query.range.until - query.range.from) / 86_400;
      expect(days).toBe(report.name === 'assessments' ? undefined : 90);
    }
    const { query } = lookAt(reportNamed('assignments'), { range: lookRange(start), smallestGroup: 5 });
    expect(Object.keys(query.body).sort()).toEqual(
      [
        ...['content_id', 'content_title', 'content_type', 'departments', 'email', 'grade', 'groups'],
        ...['locations', 'org_level', 'partner', 'range_target', 'role', 'teams', 'userid'],
      ].sort(),
    );
  });
});

describe('the people of a name', () => {
  const row = (more: object) => ({
    departments: ['Sales'],
    content_id: 'c1',
    content_title: 'GDPR',
    ...more,
  });

  it('are counted once, whatever rows name them by', async () => {
    const records = [
      row({ userid: 'u1', email: 'Ada@example.com' }),
      row({ userid: 'u1' }),
      row({ email: 'ada@example.com' }),
      row({ userid: 2 }),
      row({ userid: '2', email: '' }),
      row({ userid: null, email: null }),
    ];
    expect(await peopleOf(records, 'Sales')).toBe(2);
    expect(await peopleOf([...records].reverse(), 'Sales')).toBe(2);
    expect(await peopleOf(records, 'c1')).toBe(2);
  });

  it('are one where a later row joins many keys', async () => {
    const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
    const apart = keys.flatMap((key) => [row({ userid: key }), row({ email: `${key}@example.com` })]);
    expect(await peopleOf(apart, 'Sales')).toBe(5);
    const joined = keys.map((key) => ({ userid: key, email: `${key}@example.com` }));
    // As many as are surely different among the keys that were kept.
    expect(await peopleOf([...apart, ...joined], 'Sales')).toBe(5);
    const same = keys.map((key) => ({ userid: key, email: 'one@example.com' }));
    expect(await peopleOf([...keys.map((userid) => row({ userid })), ...same], 'Sales')).toBe(1);
  });

  it('are counted in lists that come as one text too', async () => {
    const records = ['u1', 'u2', 'u3'].map((userid) => row({ userid, departments: 'Sales; Labs' }));
    expect(await peopleOf([...records, row({ userid: 'u4', departments: 'Labs' })], 'Labs')).toBe(4);
    expect(await peopleOf(records, 'Sales')).toBe(3);
  });

  it('are everybody where the report is about nobody', async () => {
    const { values } = await read('workshops', [{ workshop_id: 'w1', workshop_title: 'First aid' }]);
    expect(values).toEqual([{ list: 'workshop_id', entry: 'w1', title: 'First aid', people: 100 }]);
  });

  it('are none for malformed values, which hide no others', async () => {
    const odd = [{}, [[]], 7, true, null, '', ' ', 'x'.repeat(2_000), 'a\nb', ['', null, { id: 1 }]];
    const records = [
      ...odd.map((value) => ({ userid: value, email: value, departments: value, content_id: value })),
      ...[1, 2, 3, 4, 5].map((userid) => row({ userid })),
    ];
    expect(await peopleOf(records, 'Sales')).toBe(5);
    const nested = odd.map((content) => ({ content, userid: 'u1' }));
    expect((await read('completions', nested)).records).toBe(odd.length);
  });

  it('decide which names are passed on where there are too many, and nothing else is lost', async () => {
    const many = Array.from({ length: 100_000 }, (_, n) => ({
      content_id: `c${n}`,
      content_title: `Lesson ${n}`,
      userid: n % 4_000,
    }));
    const common = Array.from({ length: 300 }, (_, n) => ({
      content_id: `c${99_000 + (n % 60)}`,
      content_title: 'Lesson',
      userid: `p${n}`,
    }));
    const { values = [], isWhole } = await read('assignments', [...many, ...common]);
    expect(values).toHaveLength(5_000);
    expect(values.filter(({ people }) => people >= 5)).toHaveLength(60);
    expect(isWhole).toBe(false);
  });
});

/** A clock that tests move. */
function testClock() {
  let now = start;
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();
  const clock: Clock = {
    now: () => now,
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { until: now + milliseconds, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
    onJump: () => () => {},
  };
  return {
    clock,
    async forward(milliseconds: number) {
      now += milliseconds;
      for (const sleeper of [...sleepers]) {
        if (sleeper.until > now) continue;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    },
  };
}

type Answer = (query: Query, options: ReadOptions) => Promise<readonly object[]>;

function looking(answer: Answer, changes: Partial<DailyLookParts> = {}, people?: LatestPeople) {
  const asked: { query: Query; at: number }[] = [];
  const ended: [report: string, outcome: LookOutcome][] = [];
  const logged: unknown[] = [];
  const { clock, forward } = testClock();
  const source: ReportSource = {
    async read(query, plan, options) {
      asked.push({ query, at: clock.now() });
      expect(options.urgency).toBe('background');
      const records = await answer(query, options);
      const reading = new AnswerStream(plan, startCounting, undefined, people);
      await reading.beginAnswer();
      await reading.write(Buffer.from(JSON.stringify(records)));
      await reading.endAnswer();
      return reading.finish();
    },
  };
  const stop = startDailyLook({
    source,
    suggestions: store.suggestions,
    recent: recentLooks(clock.now),
    clock,
    smallestGroup: 5,
    maxRangeDays: 0,
    wasAnybodyErased: async () => false,
    log: { info: (...line) => logged.push(line), warn: (...line) => logged.push(line) },
    onEnded: (report, outcome) => ended.push([report, outcome]),
    ...changes,
  });
  void forward(firstLookAfterMs);
  const operations = () => asked.map(({ query }) => query.operation);
  return { asked, ended, logged, clock, forward, stop, operations };
}

const reports = allReports.map(({ name }) => name);

describe('the daily look', () => {
  const rows = [1, 2, 3, 4, 5].map((userid) => ({ userid, departments: ['Sales', `Only ${userid}`] }));

  it('reads each report at the start and once a day, one after the other', async () => {
    let running = 0;
    const look = looking(async () => {
      running += 1;
      expect(running).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running -= 1;
      return rows;
    });
    await expect.poll(() => look.ended).toHaveLength(6);
    expect(look.ended).toEqual(reports.map((name) => [name, 'read']));
    const known = async (minPeople: number) =>
      (await store.suggestions.all(['departments'], minPeople)).length;
    expect([await known(5), await known(1)]).toEqual([1, 6]);
    await look.forward(23 * hour);
    expect(look.asked).toHaveLength(6);
    await look.forward(hour);
    await expect.poll(() => look.asked).toHaveLength(12);
    await look.stop();
    expect(JSON.stringify(look.logged)).not.toContain('Sales');
  });

  it('leaves nothing behind that listens for its stop', async () => {
    const warnings: Error[] = [];
    const warned = (warning: Error) => warnings.push(warning);
    process.on('warning', warned);
    const look = looking(async () => rows);
    await expect.poll(() => look.ended).toHaveLength(6);
    await look.forward(24 * hour);
    await expect.poll(() => look.ended).toHaveLength(12);
    await look.stop();
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', warned);
    // Node warns of the eleventh listener.
    expect(warnings.filter(({ name }) => name === 'MaxListenersExceededWarning')).toEqual([]);
  });

  it('tries again later what the service refuses, and reads the others meanwhile', async () => {
    const look = looking(async ({ operation }) => {
      if (operation === 'track-status')
        throw new Failure('service-unreachable', { reason: 'refused', systemCode: 'ECONNREFUSED' });
      return rows;
    });
    await expect.poll(() => look.ended).toHaveLength(6);
    expect(look.ended.filter(([, outcome]) => outcome === 'failed')).toEqual([['tracks', 'failed']]);
    const tries = () => look.operations().filter((operation) => operation === 'track-status').length;
    await look.forward(14 * minute);
    expect(tries()).toBe(1);
    await look.forward(minute);
    await expect.poll(tries).toBe(2);
    await look.forward(29 * minute);
    expect(tries()).toBe(2);
    await look.forward(minute);
    await expect.poll(tries).toBe(3);
    expect(look.asked).toHaveLength(8);
    await look.stop();
  });

  it('gives way to others, and stays after the fifth time', async () => {
    const look = looking(
      ({ operation }, { onOthersWait, signal }) =>
        new Promise((resolve, reject) => {
          if (operation !== 'assignment-summary' || !onOthersWait) return resolve(rows);
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
          onOthersWait();
        }),
    );
    await expect.poll(() => look.ended).toHaveLength(6);
    expect(look.ended[0]).toEqual(['assignments', 'gave-way']);
    for (let minutes = 1; minutes <= 5; minutes += 1) {
      await look.forward(minutes * minute);
      await expect.poll(() => look.ended).toHaveLength(6 + minutes);
    }
    expect(look.ended.at(-1)).toEqual(['assignments', 'read']);
    await look.stop();
  });

  it('reads all reports again in a quarter of an hour if the people of the last look are lost', async () => {
    let lookAgain = () => {};
    const look = looking(async () => rows, {
      onLost: (again) => {
        lookAgain = again;
      },
    });
    await expect.poll(() => look.ended).toHaveLength(6);
    await look.forward(hour);
    lookAgain();
    await look.forward(14 * minute);
    expect(look.asked).toHaveLength(6);
    await look.forward(minute);
    await expect.poll(() => look.ended).toHaveLength(12);
    await look.stop();
  });

  it('collects the people of reports about learners, and says where they are too many', async () => {
    const people = new LatestPeople(secret, { people: 4, rows: 1000 });
    const look = looking(async () => rows, {}, people);
    await expect.poll(() => look.ended).toHaveLength(6);
    expect(look.asked.map(({ query }) => 'job_title' in query.body)).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(JSON.stringify(look.logged)).toContain('too-many-people');
    expect(JSON.stringify(look.logged)).not.toContain('Sales');
    await look.stop();
    const without = looking(async () => rows, { smallestGroup: 1 });
    await expect.poll(() => without.ended).toHaveLength(6);
    expect(without.asked.some(({ query }) => 'job_title' in query.body)).toBe(false);
    await without.stop();
  });

  it('asks engagement for as many days as the service answers at once', async () => {
    const look = looking(async () => rows, { maxRangeDays: 31 });
    await expect.poll(() => look.ended).toHaveLength(6);
    const days = look.asked.map(({ query: { range } }) => range && (range.until - range.from) / 86_400);
    expect(days).toEqual([90, 90, 90, undefined, 31, 90]);
    await look.stop();
  });

  it('stores no name of few people if somebody was erased meanwhile', async () => {
    const look = looking(async () => rows, { wasAnybodyErased: async () => true });
    await expect.poll(() => look.ended).toHaveLength(6);
    const known = await store.suggestions.all(['departments'], 1);
    expect(known.map(({ entry }) => entry)).toEqual(['Sales']);
    await look.stop();
  });

  it('ends at once when it is stopped', async () => {
    const look = looking(
      (_query, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        }),
    );
    await expect.poll(() => look.asked).toHaveLength(1);
    await look.stop();
    expect(look.ended).toEqual([]);
  });
});

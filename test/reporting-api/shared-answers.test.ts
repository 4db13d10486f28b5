import { existsSync, statSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Failure } from '../../src/errors/failure.js';
import type { FiguresPlan, FiguresResult } from '../../src/figures/result.js';
import { cacheFigures, type SharedAnswers, shareAnswers } from '../../src/reporting-api/shared-answers.js';
import type { Query, ReadOptions, ReadPlan, ReadResult, ReportSource } from '../../src/runner/ports.js';
import { type SimulatedTime, simulatedTime } from './simulated-clock.js';

const start = Date.parse('2026-11-20T10:00:00Z');
const minute = 60_000;
const hour = 60 * minute;

interface Sent {
  readonly query: Query;
  readonly plan: ReadPlan;
  readonly options: ReadOptions;
  answer(result?: Partial<ReadResult>): Promise<void>;
  fail(error: Error): void;
}

let time: SimulatedTime;
let wallTime: number;
let erasedAt: number;
let sent: Sent[];
let saved: string[];
let folder: string;
let shared: SharedAnswers;
let both: ReportSource;

/** A source that answers when the test says so. It writes the file that the plan wants. */
const service: ReportSource = {
  read: (query, plan, options) =>
    new Promise((resolve, reject) => {
      options.signal.addEventListener('abort', () =>
        reject(new Failure('cancelled', { cause: options.signal.reason })),
      );
      sent.push({
        query,
        plan,
        options,
        async answer(result) {
          if (plan.file) await writeFile(plan.file.path, 'rows', { flag: 'wx', mode: 0o600 });
          const file = plan.file && { path: plan.file.path, bytes: 4, columns: [] };
          resolve({ records: sent.length, file, ...result });
        },
        fail: reject,
      });
    }),
};

beforeEach(async () => {
  time = simulatedTime();
  wallTime = start;
  erasedAt = Number.NEGATIVE_INFINITY;
  sent = [];
  saved = [];
  folder = await mkdtemp(join(tmpdir(), 'rollcall-shared-'));
  const parts = {
    now: () => wallTime + time.now(),
    wasAnybodyErased: async (since: number) => erasedAt >= since,
  };
  shared = shareAnswers(service, {
    ...parts,
    clock: time,
    log: { warn: (details) => expect(details).toBeUndefined() },
    onSaved: () => saved.push('shared'),
  });
  both = cacheFigures(shared.source, { ...parts, onSaved: () => saved.push('kept') });
});

afterEach(async () => {
  await shared.close();
  await rm(folder, { recursive: true });
});

const query: Query = {
  operation: 'track-status',
  range: { from: 1_763_000_000, until: 1_763_600_000 },
  addsUp: true,
  body: { email: true, user_filter: { departments: 'Sales' }, sort_by: 'email' },
};

const figures: FiguresPlan = {
  report: 'tracks',
  states: ['completed'],
  by: 'department',
  people: false,
  figuresOnly: false,
  byAssignedDate: false,
  now: start,
  smallestGroup: 5,
  zone: 'Europe/Berlin',
  range: { from: 1_763_000_000, until: 1_763_600_000 },
  dueRange: {
    from: 1_763_000_000,
    until: 1_763_600_000,
    firstDay: '2026-11-09',
    lastDay: '2026-11-15',
  },
};

const plan: ReadPlan = {
  fields: ['email', 'manager_email', 'track_title'],
  figures,
  rows: { columns: ['email'], limit: 200 },
  dueRange: figures.dueRange,
  rowCheck: { rows: 'team', address: 'ada@example.com' },
  lists: [{ list: 'track_title', field: 'track_title' }],
  titles: [{ text: 'Fire safety', sources: [{ field: 'track_id', title: 'track_title' }] }],
};

function withFile(name: string, of: ReadPlan = plan): ReadPlan {
  const path = join(folder, name);
  return { ...of, file: { path, format: 'csv', title: 'Tracks', zone: 'Europe/Berlin', columns: [] } };
}

function read(options: Partial<ReadOptions> = {}, of: ReadPlan = plan, asked: Query = query) {
  const signal = new AbortController().signal;
  return both.read(asked, of, { urgency: 'person', asker: 'U1', signal, ...options });
}

/** Resolves when the sources have got that many queries, and would have got more. */
async function reached(queries: number): Promise<void> {
  await time.pass(1);
  expect(sent).toHaveLength(queries);
}

describe('equal queries within ten seconds', () => {
  it('are sent once, whoever asks, while the first is running and after it', async () => {
    const first = read();
    await time.pass(2000);
    const second = read({ asker: 'U2', urgency: 'digest' });
    await reached(1);
    await sent[0]?.answer();
    expect(await first).toMatchObject({ records: 1 });
    expect(await second).toEqual(await first);
    expect(await read({ asker: 'U3' })).toEqual(await first);
    expect(sent).toHaveLength(1);
    expect(saved).toEqual(['shared', 'shared']);
  });

  it('are sent each where rows are compared with those of the last run', async () => {
    const newRows = { key: [1, 2, 3, 4] } as const;
    const known = Uint8Array.of(1);
    const reads = [{ newRows }, { newRows: { ...newRows, known } }, { newRows }].map((more) =>
      read({}, { ...plan, ...more }),
    );
    await reached(3);
    for (const [place, one] of sent.entries()) {
      const rows = Uint8Array.of(place);
      await one.answer({ newRows: { rows } });
      expect((await reads[place])?.newRows?.rows).toBe(rows);
    }
    void read({}, { ...plan, newRows });
    await reached(4);
    expect(saved).toEqual([]);
  });

  it('are sent again once ten seconds have passed since the first was asked', async () => {
    const first = read();
    await time.pass(9000);
    const second = read();
    await time.pass(1001);
    const third = read();
    await reached(2);
    await sent[0]?.answer();
    await Promise.all([first, second]);
    const fourth = read();
    await reached(2);
    await sent[1]?.answer();
    expect(await third).toEqual(await fourth);
  });

  it('are sent once for longer for those who take older answers', async () => {
    const digest = { urgency: 'digest', maxSharedAgeMs: 10 * 60_000 } as const;
    const file = (name: string) => withFile(name);
    const first = read({}, file('first.csv'));
    await time.pass(5000);
    const second = read(digest, file('second.csv'));
    await reached(1);
    await sent[0]?.answer();
    await Promise.all([first, second]);
    await time.pass(9 * 60_000);
    expect(await read(digest, file('third.csv'))).toMatchObject({ records: 1 });
    expect(await readFile(join(folder, 'third.csv'), 'utf8')).toBe('rows');
    expect(sent).toHaveLength(1);
    // A person gets no answer of nine minutes ago.
    const person = read({}, file('fourth.csv'));
    await reached(2);
    await sent[1]?.answer();
    await person;
    await time.pass(10 * 60_000 + 1);
    void read(digest, file('fifth.csv'));
    await reached(3);
  });

  it('may be about moments as far apart, but of one day', async () => {
    const at = (later: number, now = start + later): readonly [ReadPlan, Query] => {
      const until = Math.floor(now / 1000);
      const range = { from: until - 365 * 86_400, until };
      return [
        { ...plan, figures: { ...figures, now, range, asOf: now - hour } },
        { ...query, range },
      ];
    };
    for (const later of [0, 9000]) void read({}, ...at(later));
    await reached(1);
    void read({}, ...at(11_000));
    await reached(2);
    // Midnight in Berlin, on both sides.
    const midnight = Date.parse('2026-11-20T23:00:00Z');
    for (const later of [-1000, 1000]) void read({}, ...at(later, midnight + later));
    await reached(4);
    const [fileOnly, asked] = [{ fields: plan.fields }, at(0)[1]];
    void read({}, fileOnly, asked);
    void read({}, fileOnly, at(2000)[1]);
    await reached(5);
  });

  it('are not equal where any part of query or plan is another', async () => {
    const changes = [...changesOf(query, 'query'), ...changesOf(withFile('a.csv'), 'plan')].filter(
      ({ path }) => !/^plan\.(file\.path|figures\.now|figures\.zone without)/.test(path),
    );
    expect(changes.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        'query.body.user_filter.departments',
        'query.range.from',
        'plan.figures.smallestGroup',
        'plan.figures.people',
        'plan.figures.dueRange.firstDay',
        'plan.dueRange without',
        'plan.dueRange.lastDay',
        'plan.rowCheck without',
        'plan.rowCheck.rows',
        'plan.rowCheck.address',
        'plan.rows.limit',
        'plan.lists.0.list',
        'plan.file.format',
      ]),
    );
    void read({}, withFile('a.csv'));
    await reached(1);
    for (const [index, { path, changed }] of changes.entries()) {
      const isQuery = path.startsWith('query');
      void read(
        {},
        isQuery ? withFile('a.csv') : (changed as ReadPlan),
        isQuery ? (changed as Query) : query,
      );
      await time.pass(0);
      expect(`${path}: ${sent.length}`).toBe(`${path}: ${index + 2}`);
      await time.pass(0);
    }
    expect(saved).toEqual([]);
  });

  it('fail together, and are sent again after that', async () => {
    const waiting = [read(), read({ asker: 'U2' })];
    await reached(1);
    const failure = new Failure('connection-lost', { afterFirstByte: true });
    sent[0]?.fail(failure);
    for (const one of waiting) await expect(one).rejects.toBe(failure);
    const again = read();
    await reached(2);
    await sent[1]?.answer();
    expect(await again).toMatchObject({ records: 2 });
  });

  it('are cancelled one by one, and the query with the last', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const waiting = [read({ signal: first.signal }), read({ signal: second.signal, asker: 'U2' })];
    await reached(1);
    first.abort('no longer wanted');
    await expect(waiting[0]).rejects.toMatchObject({ code: 'cancelled', cause: 'no longer wanted' });
    expect(sent[0]?.options.signal.aborted).toBe(false);
    second.abort('neither');
    const next = read({ asker: 'U3' });
    await expect(waiting[1]).rejects.toMatchObject({ code: 'cancelled', cause: 'neither' });
    expect(sent[0]?.options.signal.reason).toBe('neither');
    await reached(2);
    await sent[1]?.answer();
    expect(await next).toMatchObject({ records: 2 });
  });

  it('go on for those who wait where the first is cancelled', async () => {
    const first = new AbortController();
    const cancelled = read({ signal: first.signal });
    const waiting = read({ asker: 'U2' });
    await reached(1);
    first.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    await sent[0]?.answer();
    expect(await waiting).toMatchObject({ records: 1 });
  });

  it('are not begun where the reader has cancelled already', async () => {
    await expect(read({ signal: AbortSignal.abort('gone') })).rejects.toMatchObject({ cause: 'gone' });
    await reached(0);
  });

  it('are as urgent as the most urgent reader who waits', async () => {
    const person = new AbortController();
    void read({ urgency: 'digest-before' });
    await reached(1);
    const urgency = () => sent[0]?.options.urgency;
    expect(urgency()).toBe('digest-before');
    void read({ urgency: 'digest' });
    const cancelled = read({ urgency: 'person', signal: person.signal });
    await time.pass(1);
    expect(urgency()).toBe('person');
    person.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    expect(urgency()).toBe('digest');
  });

  it('tell all readers what has come, and those who come later of a long wait', async () => {
    const readers = [0, 1].map(() => ({ onRecords: vi.fn(), onWait: vi.fn() }));
    void read(readers[0]);
    await reached(1);
    sent[0]?.options.onWait?.(5 * minute);
    await time.pass(4000);
    void read(readers[1]);
    await time.pass(1);
    expect(readers[0]?.onWait.mock.calls).toEqual([[5 * minute]]);
    expect(readers[1]?.onWait.mock.calls).toEqual([[5 * minute - 4000]]);
    sent[0]?.options.onRecords?.(700);
    for (const { onRecords } of readers) expect(onRecords.mock.calls).toEqual([[700]]);
  });

  it('are sent again after an erasure, unless they are still running', async () => {
    const running = read();
    await reached(1);
    erasedAt = wallTime + time.now();
    const joined = read({ asker: 'U2' });
    await reached(1);
    await sent[0]?.answer();
    expect(await joined).toEqual(await running);
    void read({ asker: 'U3' });
    await reached(2);
  });
});

describe('the file of a shared answer', () => {
  const files = () => readdir(folder);

  it('is there for each reader, who alone deletes it', async () => {
    const waiting = [read({}, withFile('a.csv')), read({ asker: 'U2' }, withFile('b.csv'))];
    await reached(1);
    await sent[0]?.answer();
    for (const [index, name] of ['a.csv', 'b.csv'].entries()) {
      const { file } = (await waiting[index]) ?? {};
      expect(file).toEqual({ path: join(folder, name), bytes: 4, columns: [] });
      expect(await readFile(join(folder, name), 'utf8')).toBe('rows');
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    }
    await rm(join(folder, 'a.csv'));
    expect(await readFile(join(folder, 'b.csv'), 'utf8')).toBe('rows');
    await read({ asker: 'U3' }, withFile('c.csv'));
    expect(await readFile(join(folder, 'c.csv'), 'utf8')).toBe('rows');
    expect(sent).toHaveLength(1);
  });

  it('is gone ten seconds after the question, and at the end', async () => {
    const first = read({}, withFile('a.csv'));
    await reached(1);
    await sent[0]?.answer();
    await first;
    expect(await files()).toHaveLength(2);
    await time.pass(10_000);
    await vi.waitFor(async () => expect(await files()).toEqual(['a.csv']));
    const second = read({}, withFile('b.csv'));
    await reached(2);
    await sent[1]?.answer();
    await second;
    await shared.close();
    expect(await files()).toEqual(['a.csv', 'b.csv']);
  });

  it('is deleted at once where the answer took longer', async () => {
    const late = read({}, withFile('a.csv'));
    await reached(1);
    await time.pass(11_000);
    await sent[0]?.answer();
    await late;
    await vi.waitFor(async () => expect(await files()).toEqual(['a.csv']));
  });

  it('stays nowhere for a reader who cancels, or whose file exists', async () => {
    const person = new AbortController();
    const cancelled = read({ signal: person.signal }, withFile('a.csv'));
    const waiting = read({ asker: 'U2' }, withFile('b.csv'));
    await reached(1);
    person.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    await sent[0]?.answer();
    await waiting;
    const again = read({}, withFile('b.csv'));
    await expect(again).rejects.toMatchObject({ code: 'file-not-written' });
    await expect(again).rejects.toMatchObject({ details: { reason: 'EEXIST' } });
    expect(await readFile(join(folder, 'b.csv'), 'utf8')).toBe('rows');
    await shared.close();
    expect(await files()).toEqual(['b.csv']);
  });

  const otherDisk = '/dev/shm';
  it.runIf(existsSync(otherDisk) && statSync(otherDisk).dev !== statSync(tmpdir()).dev)(
    'is a copy where a second name is not possible, as on another disk',
    async () => {
      const elsewhere = await mkdtemp(join(otherDisk, 'rollcall-shared-'));
      onTestFinished(() => rm(elsewhere, { recursive: true }));
      const waiting = [
        read({}, withFile('a.csv')),
        read({}, withFile(relative(folder, join(elsewhere, 'b.csv')))),
      ];
      await reached(1);
      await sent[0]?.answer();
      await Promise.all(waiting);
      expect(await readFile(join(elsewhere, 'b.csv'), 'utf8')).toBe('rows');
      expect(await stat(join(elsewhere, 'b.csv'))).toMatchObject({ nlink: 1, mode: 0o100600 });
    },
  );

  it('can be missing for one reader, who hears of it', async () => {
    const waiting = [read({}, withFile('a.csv')), read({ asker: 'U2' }, withFile('none/b.csv'))];
    await reached(1);
    await sent[0]?.answer();
    const [one, other] = await Promise.allSettled(waiting);
    expect(one).toMatchObject({ status: 'fulfilled' });
    expect(other).toMatchObject({
      reason: { code: 'file-not-written', details: { reason: 'ENOENT' } },
    });
  });
});

describe('figures of a period before', () => {
  const before: ReadPlan = { fields: ['views'], figures: { ...figures, figuresOnly: true } };
  const result: FiguresResult = {
    report: 'tracks',
    records: 3,
    counted: 3,
    figures: [{ id: 'one', label: 'One', value: { kind: 'count', count: 7 }, compared: 'period-before' }],
    spreads: [],
    highlights: [],
    upcoming: [],
    notes: [],
    onlyRow: [{ flag: 'email', text: 'ada@example.com', personLevel: true }],
    people: { why: 'counted', rows: 1, listed: [{ name: 'Ada' }] },
  };
  const later = (now: number): ReadPlan => ({ ...before, figures: { ...figures, figuresOnly: true, now } });
  const ask = (of: ReadPlan = before, options: Partial<ReadOptions> = {}) =>
    read({ urgency: 'person-before', figuresMayBeCached: true, ...options }, of);
  const answerLast = async () => {
    await time.pass(1);
    await sent.at(-1)?.answer({ records: 3, figures: result });
  };

  it('serve for a day, and say when they were read once they are a minute old', async () => {
    const first = ask();
    await answerLast();
    expect((await first).readAt).toBeUndefined();
    const readAt = start + 1000;
    await time.pass(50_000);
    expect((await ask(later(start + 50_000))).readAt).toBeUndefined();
    await time.pass(2 * hour);
    const reused = await ask(later(start + 2 * hour), { asker: 'U2' });
    expect(reused).toMatchObject({ records: 3, readAt });
    expect(reused.figures?.figures).toEqual(result.figures);
    expect(saved).toEqual(['kept', 'kept']);
    await time.pass(22 * hour);
    void ask(later(start + 24 * hour));
    await reached(2);
  });

  it('are read again for a person who got older ones and asks for the same again', async () => {
    const first = ask();
    await answerLast();
    await first;
    await time.pass(hour);
    const mine = { asker: 'U2', askedFor: 'engagement by teams' };
    const shown = await ask(later(start + hour), mine);
    expect(shown.readAt).toBe(start + 1000);
    // Somebody else, another request, and a digest: nobody has asked for the same again.
    for (const options of [{ ...mine, asker: 'U3' }, { ...mine, askedFor: 'engagement' }, { asker: 'U2' }]) {
      expect((await ask(later(start + hour), options)).readAt).toBe(start + 1000);
    }
    const again = ask(later(start + hour), mine);
    await answerLast();
    expect((await again).readAt).toBeUndefined();
    expect(sent).toHaveLength(2);
    await time.pass(hour);
    // From then on, everybody gets the new ones.
    for (const options of [mine, { ...mine, asker: 'U3' }]) {
      const reused = await ask(later(start + 2 * hour), options);
      expect(reused.readAt).toBeGreaterThan(start + hour);
    }
    expect(sent).toHaveLength(2);
  });

  it('are kept without rows and people', async () => {
    const first = ask();
    await answerLast();
    await first;
    const { figures: kept } = await ask();
    expect(JSON.stringify(kept)).not.toMatch(/ada/i);
  });

  it.each([
    ['whose reader does not allow it', before, { figuresMayBeCached: false }],
    ['of a limited reader', { ...before, rowCheck: { rows: 'self', address: 'ada@example.com' } }, {}],
    ['counted at equal age', { ...before, figures: { ...before.figures, asOf: start } }, {}],
    ['with more than key figures', { ...before, figures: { ...before.figures, figuresOnly: false } }, {}],
    ['with people', { ...before, figures: { ...before.figures, people: true } }, {}],
    ['with rows', { ...before, rows: { columns: ['email'], limit: 1 } }, {}],
    ['with values', { ...before, lists: [] }, {}],
  ] as const)('are not kept %s', async (_name, of, options) => {
    const first = ask(of as ReadPlan, options);
    await answerLast();
    await first;
    await time.pass(11_000);
    void ask(of as ReadPlan, options);
    await reached(2);
  });

  it('serve nobody whose query or plan is another', async () => {
    const first = ask();
    await answerLast();
    await first;
    await time.pass(11_000);
    void ask({ ...before, figures: { ...figures, figuresOnly: true, smallestGroup: 1 } });
    void read({ figuresMayBeCached: true }, before, {
      ...query,
      body: { user_filter: { departments: 'IT' } },
    });
    void read({ figuresMayBeCached: true }, before, { ...query, range: { from: 1, until: 1_763_600_000 } });
    await reached(4);
  });

  it('are dropped by an erasure, also by one that a clock five minutes behind has noted', async () => {
    const first = ask();
    await answerLast();
    await first;
    await time.pass(hour);
    erasedAt = start - 4 * minute;
    void ask(later(start + hour));
    await reached(2);
  });

  it('are read again where nobody can tell whether somebody was erased', async () => {
    const source = cacheFigures(service, {
      now: () => start,
      wasAnybodyErased: () => Promise.reject(new Error('no database')),
    });
    const options: ReadOptions = {
      urgency: 'person-before',
      asker: 'U1',
      signal: new AbortController().signal,
      figuresMayBeCached: true,
    };
    const first = source.read(query, before, options);
    await answerLast();
    await first;
    void source.read(query, before, options);
    await reached(2);
  });

  it('are not even in memory after a day, also where the clock of Rollcall stands still', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let elapsed = 0;
    const began = performance.now();
    const measured = vi.spyOn(performance, 'now').mockImplementation(() => began + elapsed);
    onTestFinished(() => {
      vi.useRealTimers();
      measured.mockRestore();
    });
    const pass = async (milliseconds: number) => {
      elapsed += milliseconds;
      await vi.advanceTimersByTimeAsync(milliseconds);
    };
    const source = cacheFigures(service, { now: () => start, wasAnybodyErased: async () => false });
    const { signal } = new AbortController();
    const options: ReadOptions = { urgency: 'digest', asker: 'U1', signal, figuresMayBeCached: true };
    const first = source.read(query, before, options);
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    await sent[0]?.answer({ records: 3, figures: result });
    await first;
    await pass(23 * hour);
    await source.read(query, before, options);
    expect(sent).toHaveLength(1);
    await pass(hour + 1000);
    void source.read(query, before, options);
    await vi.waitFor(() => expect(sent).toHaveLength(2));
  });

  it('are not kept of a query that failed', async () => {
    const first = ask();
    await time.pass(1);
    sent[0]?.fail(new Failure('connection-lost', { afterFirstByte: false }));
    await expect(first).rejects.toMatchObject({ code: 'connection-lost' });
    void ask();
    await reached(2);
  });
});

interface Changed {
  readonly path: string;
  readonly changed: unknown;
}

/** The value once for each of its parts, with that part left out, and for each of its leaves, with that leaf changed. */
function changesOf(value: unknown, path: string): readonly Changed[] {
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'number') return [{ path, changed: value + 1e6 }];
    if (typeof value === 'boolean') return [{ path, changed: !value }];
    return [{ path, changed: value === 'Europe/Berlin' ? 'Europe/Paris' : `${value} too` }];
  }
  const withMember = (name: string, inner: unknown) => {
    if (!Array.isArray(value)) return { ...value, [name]: inner };
    return value.flatMap((old, index) => (String(index) === name ? (inner ?? []) : [old]));
  };
  return Object.entries(value).flatMap(([name, old]) => [
    { path: `${path}.${name} without`, changed: withMember(name, undefined) },
    ...changesOf(old, `${path}.${name}`).map(({ path: at, changed }) => ({
      path: at,
      changed: withMember(name, changed),
    })),
  ]);
}

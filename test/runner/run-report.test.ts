import { describe, expect, it, vi } from 'vitest';
import { type Scope, unlimitedScope } from '../../src/access/scope.js';
import { reportNamed } from '../../src/catalogue/index.js';
import { Failure } from '../../src/errors/failure.js';
import { startCounting } from '../../src/figures/reports/count-report.js';
import { plainRequest, type ReportRequest } from '../../src/requests/request.js';
import type { Query, ReadOptions, ReadPlan, ReportSource } from '../../src/runner/ports.js';
import type { RunOptions } from '../../src/runner/queries.js';
import { runReport, startReport } from '../../src/runner/run-report.js';
import { plainRecord } from '../reporting-api/answer/plain-record.js';

const requestedAt = Date.parse('2026-11-20T10:00:00Z');
const asker = { id: 'U1', zone: 'Europe/Berlin', email: 'ada@example.com' };

interface Asked {
  readonly question: Query;
  readonly reading: ReadPlan;
  readonly options: ReadOptions;
}

/** A source that remembers what it was asked, and answers without records. */
function rememberingSource(answer: (asked: Asked) => Promise<void> = async () => {}) {
  const asked: Asked[] = [];
  const source: ReportSource = {
    async read(question, reading, options) {
      const one = { question, reading, options };
      asked.push(one);
      await answer(one);
      return {
        records: 0,
        ...(reading.figures ? { figures: startCounting(reading.figures, reading.fields).finish() } : {}),
        ...(reading.file ? { file: { path: reading.file.path, bytes: 3, columns: [] } } : {}),
      };
    },
  };
  return { source, asked };
}

/** Rejects when the signal aborts. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

function order(request: Partial<ReportRequest>, more: Partial<RunOptions> = {}): [ReportRequest, RunOptions] {
  const options: RunOptions = {
    asker,
    requestedAt,
    scope: { ...unlimitedScope, namesPeople: false },
    urgency: 'person',
    signal: new AbortController().signal,
    ...more,
  };
  return [{ ...plainRequest('engagement'), ...request }, options];
}

describe('a run', () => {
  it('asks for the range, then for the period before with only what the figures need', async () => {
    const { source, asked } = rememberingSource();
    const result = await runReport(
      ...order({ file: 'csv' as const, columns: ['job_title', 'views'] }, { filePath: '/tmp/x' }),
      {
        source,
        weekStart: 'monday',
      },
    );
    const [main, before] = asked;
    expect(asked).toHaveLength(2);
    expect(main?.question).toMatchObject({
      operation: 'user-engagement',
      range: {
        from: Date.parse('2026-11-08T23:00:00Z') / 1000,
        until: Date.parse('2026-11-15T23:00:00Z') / 1000,
      },
    });
    expect(before?.question.range).toEqual({
      from: Date.parse('2026-11-01T23:00:00Z') / 1000,
      until: Date.parse('2026-11-08T23:00:00Z') / 1000,
    });
    expect(main?.reading.fields.slice(0, 2)).toEqual(['job_title', 'views']);
    expect(before?.reading.fields).not.toContain('job_title');
    expect(main?.reading.file?.columns.map(({ label }) => label)).toEqual(['Job title', 'Views']);
    expect(before?.reading.file).toBeUndefined();
    expect(main?.options.urgency).toBe('person');
    expect(before?.options.urgency).toBe('person-before');
    expect(result.range?.firstDay).toBe('2026-11-09');
    expect(result.before).toMatchObject({ range: { firstDay: '2026-11-02' } });
  });

  it('asks only for the columns where the file alone is wanted', async () => {
    const { source, asked } = rememberingSource();
    const result = await runReport(...order({ columns: ['views'] }, { filePath: '/tmp/x', fileOnly: true }), {
      source,
      weekStart: 'monday',
    });
    expect(asked.map(({ reading }) => reading.fields)).toEqual([['views']]);
    expect(result.figures).toBeUndefined();
  });

  it('sends filters as the service wants them, with the asker’s address for “me”', async () => {
    const { source, asked } = rememberingSource();
    const filters = [
      { object: 'user_filter', member: 'manager_email', entries: ['me', 'bo@example.com'] },
      { object: 'user_filter', member: 'departments', entries: ['Sales', 'Field Operations'] },
      { object: 'user_filter', member: 'suspended', entries: ['false'] },
    ];
    await runReport(...order({ filters }), { source, weekStart: 'monday' });
    expect(asked[0]?.question.body.user_filter).toEqual({
      manager_email: 'ada@example.com,bo@example.com',
      departments: 'Sales,Field Operations',
      suspended: 'false',
    });
  });

  it('asks for the accounts that its share is of, in both periods, and writes none of them into the file', async () => {
    const { source, asked } = rememberingSource();
    await runReport(...order({ file: 'csv' as const, columns: ['views'] }, { filePath: '/tmp/x' }), {
      source,
      weekStart: 'monday',
    });
    for (const { question, reading } of asked) {
      expect(question.body).toMatchObject({ created_at: true, suspended: true });
      expect(reading.figures?.range).toEqual(question.range);
      expect(reading.figures?.filtersSuspended).toBeUndefined();
    }
    expect(asked.map(({ reading }) => reading.file?.columns.map(({ flag }) => flag))).toEqual([
      ['views'],
      undefined,
    ]);
    const filtered = rememberingSource();
    const filters = [{ object: 'user_filter', member: 'suspended', entries: ['true'] }];
    await runReport(...order({ filters }), { source: filtered.source, weekStart: 'monday' });
    expect(filtered.asked.map(({ reading }) => reading.figures?.filtersSuspended)).toEqual([true, true]);
    for (const { question } of filtered.asked) expect(question.body).not.toHaveProperty('suspended');
  });

  it.each([
    ['assignments', {}, 'assigned_date'],
    ['assignments', { dateField: 'due_date' }, 'due_date'],
    ['completions', {}, 'completed_date'],
    ['tracks', {}, undefined],
    ['engagement', {}, undefined],
    ['workshops', {}, undefined],
  ] as const)('%s %o is about %s', async (report, more, target) => {
    const { source, asked } = rememberingSource();
    await runReport(...order({ ...plainRequest(report), ...more }), { source, weekStart: 'monday' });
    expect(asked[0]?.question.body.range_target).toBe(target);
  });

  /** In Berlin, at the time of the requests. */
  const sinceLastYear = { from: Date.parse('2024-12-31T23:00:00Z') / 1000, until: requestedAt / 1000 };

  describe('of what is overdue', () => {
    const overdue = { ...plainRequest('assignments'), view: 'overdue' as const };
    const suspended = (entry: string) => ({
      filters: [{ object: 'user_filter', member: 'suspended', entries: [entry] }],
    });
    const questionOf = async (more: Partial<ReportRequest>) => {
      const { source, asked } = rememberingSource();
      await runReport(...order({ ...overdue, ...more }), { source, weekStart: 'monday' });
      const [main] = asked;
      if (!main) throw new Error('Nothing was asked');
      return main.question;
    };

    it('looks at what was assigned since 1 January of last year, without suspended people', async () => {
      expect(await questionOf({})).toMatchObject({
        range: sinceLastYear,
        body: { range_target: 'assigned_date', user_filter: { suspended: 'false' } },
      });
    });

    it.each([
      ['suspended people where they are asked for', suspended('true'), { suspended: 'true' }],
      ['everybody where any are asked for', suspended('any'), undefined],
      [
        'with other filters, those who are not suspended',
        { filters: [{ object: 'user_filter', member: 'teams', entries: ['Blue'] }] },
        { teams: 'Blue', suspended: 'false' },
      ],
    ])('looks at %s', async (_what, more, filter) => {
      expect((await questionOf(more)).body.user_filter).toEqual(filter);
    });

    it.each<Partial<ReportRequest>>([
      { view: undefined, states: ['overdue'] },
      { view: undefined, states: ['completed', 'due-soon'] },
      { view: undefined, states: ['not-started'], dateField: 'created_at' },
      { range: 'last-week' },
      { dateField: 'due_date' },
    ])('looks at the same where the request has %j', async (more) => {
      expect(await questionOf(more)).toMatchObject({
        range: sinceLastYear,
        body: { range_target: 'assigned_date', user_filter: { suspended: 'false' } },
      });
      const { body } = await questionOf({ ...more, ...suspended('any') });
      expect(body).not.toHaveProperty('user_filter');
    });

    it('shows the range of due dates, and names that of assigned dates', async () => {
      const { source } = rememberingSource();
      const result = await runReport(...order({ ...overdue, range: 'last-week', assigned: '2025' }), {
        source,
        weekStart: 'monday',
      });
      expect(result.range).toMatchObject({ firstDay: '2026-11-09', lastDay: '2026-11-15' });
      expect(result.assigned).toMatchObject({ firstDay: '2025-01-01', lastDay: '2025-12-31' });
    });

    it('looks at the range that was asked for, by the date that was asked for', async () => {
      const range = {
        from: Date.parse('2024-12-31T23:00:00Z') / 1000,
        until: Date.parse('2025-12-31T23:00:00Z') / 1000,
      };
      expect(await questionOf({ assigned: '2025' })).toMatchObject({
        range,
        body: { range_target: 'assigned_date' },
      });
      // A day more on both sides: a due date without a time is decided on rows.
      expect(await questionOf({ range: '2025', dateField: 'due_date' })).toMatchObject({
        range: { from: range.from - 86_400, until: range.until + 86_400 },
        body: { range_target: 'due_date' },
      });
    });

    it('leaves nobody out of other reports', async () => {
      const { source, asked } = rememberingSource();
      await runReport(...order({ ...plainRequest('assignments'), ...suspended('any') }), {
        source,
        weekStart: 'monday',
      });
      expect(asked[0]?.question.body).not.toHaveProperty('user_filter');
    });
  });

  describe('of what is due', () => {
    const due = { ...plainRequest('assignments'), view: 'due' as const };
    const seconds = (date: string) => Date.parse(date) / 1000;
    const runDue = async (more: Partial<ReportRequest> = {}, options: Partial<RunOptions> = {}) => {
      const { source, asked } = rememberingSource();
      const result = await runReport(...order({ ...due, ...more }, options), {
        source,
        weekStart: 'monday',
      });
      return { result, question: asked[0]?.question };
    };

    it('queries by assigned date, and shows the range of due dates', async () => {
      const now = requestedAt / 1000;
      const { result, question } = await runDue();
      expect(question).toMatchObject({
        range: sinceLastYear,
        body: { range_target: 'assigned_date', user_filter: { suspended: 'false' } },
      });
      expect(result.range).toMatchObject({
        from: now,
        until: seconds('2026-11-26T23:00:00Z'),
        lastDay: '2026-11-26',
      });
    });

    it('takes both ranges, and the shown one of an earlier run', async () => {
      const { result, question } = await runDue({ range: 'next-week', assigned: '2025' });
      expect(question?.range).toEqual({
        from: seconds('2024-12-31T23:00:00Z'),
        until: seconds('2025-12-31T23:00:00Z'),
      });
      expect(result.range).toMatchObject({ firstDay: '2026-11-23', lastDay: '2026-11-29' });
      const again = await runDue({ assigned: '2025' }, { range: result.range });
      expect(again.result.range).toEqual(result.range);
      expect(again.question?.range).toEqual(question?.range);
    });

    it.each([
      [{ assigned: 'next-week' }, 'can only look back from now'],
      [{ range: 'since:2027' }, 'and since: ends now'],
    ])('refuses %j: %s', async (more, reason) => {
      const details = { because: expect.stringContaining(reason) };
      await expect(runDue(more)).rejects.toMatchObject({ code: 'range-refused', details });
    });
  });

  it('asks for the identifiers of titles, beside those typed, and refuses a title without one', async () => {
    const { source, asked } = rememberingSource();
    const filters = [{ object: 'entity_filter', member: 'entity_id', entries: ['e1'] }];
    const titles = [
      { option: 'content', text: 'GDPR basics', id: 'e2' },
      { option: 'track', text: 'Onboarding', id: 'e1' },
    ] as const;
    const request = { ...plainRequest('completions'), filters, titles };
    await runReport(...order(request), { source, weekStart: 'monday' });
    expect(asked[0]?.question.body.entity_filter).toEqual({ entity_id: 'e1,e2' });
    const unfound = { ...request, titles: [{ option: 'content', text: 'GDPR' }] as const };
    await expect(runReport(...order(unfound), { source, weekStart: 'monday' })).rejects.toThrow(/title/);
    expect(asked.filter(({ options }) => options.urgency === 'person')).toHaveLength(1);
  });

  it('asks for no period before where there is none', async () => {
    const { source, asked } = rememberingSource();
    const result = await runReport(...order(plainRequest('assessments')), { source, weekStart: 'monday' });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.question.range).toBeUndefined();
    expect(result.range).toBeUndefined();
    expect(result.before).toBe('none');
  });

  it('goes out without changes where the period before cannot be had', async () => {
    const { source } = rememberingSource(async ({ options }) => {
      if (options.urgency === 'person-before') throw new Error('no luck');
    });
    const result = await runReport(...order({}), { source, weekStart: 'monday' });
    expect(result.before).toBe('failed');
  });

  it.each([
    ['workshops', { range: 'next-week' }],
    ['assignments', { view: 'overdue' as const }],
    ['assignments', { dateField: 'due_date', range: '2026-11' }],
  ] as const)('asks for no period before of %s %o', async (report, more) => {
    const { source, asked } = rememberingSource();
    const result = await runReport(...order({ ...plainRequest(report), ...more }), {
      source,
      weekStart: 'monday',
    });
    expect(asked).toHaveLength(1);
    expect(result.before).toBe('none');
  });

  it.each([
    ['assignments', {}, '2026-08-22T09:00:00Z'],
    ['assignments', { range: '2026-11' }, '2026-10-20T09:00:00Z'],
    ['assignments', { range: 'this-month' }, '2026-10-20T09:00:00Z'],
    ['tracks', { dateField: 'assigned_date' }, '2026-11-13T10:00:00Z'],
    ['completions', { dateField: 'assigned_date' }, '2026-11-13T10:00:00Z'],
  ] as const)('counts the period before at equal age: %s %o', async (report, more, asOf) => {
    const { source, asked } = rememberingSource();
    await runReport(...order({ ...plainRequest(report), ...more }), { source, weekStart: 'monday' });
    const [main, before] = asked;
    expect(main?.reading.figures?.asOf).toBeUndefined();
    expect(before?.reading.figures?.asOf).toBe(Date.parse(asOf));
  });

  it.each([
    ['assignments', { dateField: 'due_date' }],
    ['completions', {}],
    ['tracks', {}],
    ['engagement', {}],
  ] as const)('counts the period before as it is now: %s %o', async (report, more) => {
    const { source, asked } = rememberingSource();
    await runReport(...order({ ...plainRequest(report), ...more }), { source, weekStart: 'monday' });
    expect(asked[1]?.reading.figures).toBeDefined();
    expect(asked[1]?.reading.figures?.asOf).toBeUndefined();
  });

  it.each([
    ['engagement', {}, true],
    ['completions', { range: '2026-10' }, true],
    ['engagement', { filters: [{ object: 'user_filter', member: 'departments', entries: ['Sales'] }] }, true],
    // The period before of a running unit ends at another moment each time.
    ['engagement', { range: 'this-month' }, false],
    ['engagement', { range: 'since:2026-11-02' }, false],
    ['completions', { dateField: 'assigned_date' }, false],
    ['assignments', {}, false],
    [
      'engagement',
      { filters: [{ object: 'user_filter', member: 'email', entries: ['bo@example.com'] }] },
      false,
    ],
    ['engagement', { filters: [{ object: 'user_filter', member: 'manager_email', entries: ['me'] }] }, false],
  ] as const)(
    'lets figures of the period before be kept if they are of all and of no age: %s %o: %s',
    async (report, more, mayBeKept) => {
      const { source, asked } = rememberingSource();
      await runReport(...order({ ...plainRequest(report), ...more }), { source, weekStart: 'monday' });
      const [main, before] = asked;
      expect(main?.options.figuresMayBeCached).toBeFalsy();
      expect(before?.options.askedFor).toEqual(expect.stringContaining(report));
      expect(before?.options.figuresMayBeCached).toBe(mayBeKept);
    },
  );

  it.each([
    // A running month: what is counted and divided ends now, however it was typed.
    ['this-month', requestedAt, '2026-11-20T10:00:00Z', 20, 20],
    ['2026-11', requestedAt, '2026-11-20T10:00:00Z', 20, 20],
    ['2026-11-01..2026-11-30', requestedAt, '2026-11-20T10:00:00Z', 20, 20],
    ['since:2026-11', requestedAt, '2026-11-20T10:00:00Z', 20, 20],
    ['2026-11-10..2026-12-24', requestedAt, '2026-11-20T10:00:00Z', 11, 11],
    ['2026-10', requestedAt, '2026-10-31T23:00:00Z', 31, 30],
    ['yesterday', requestedAt, '2026-11-19T23:00:00Z', 1, 1],
    // The month before is shorter, and over.
    ['2026-03', Date.parse('2026-03-30T10:00:00Z'), '2026-03-30T10:00:00Z', 30, 28],
    // As much time has passed, but not as many clock hours: the earlier cut is on the 11th, or still on the 9th.
    ['2026-11', Date.parse('2026-11-11T04:30:00Z'), '2026-11-11T04:30:00Z', 10, 10, 'America/New_York'],
    ['2026-03', Date.parse('2026-03-10T04:30:00Z'), '2026-03-10T04:30:00Z', 10, 10, 'America/New_York'],
  ] as const)(
    'divides by the days that have passed, in both periods: %s at %i',
    async (range, now, until, days, daysBefore, zone: string = asker.zone) => {
      const { source, asked } = rememberingSource();
      const options = { requestedAt: now, asker: { ...asker, zone } };
      await runReport(...order({ ...plainRequest('completions'), range }, options), {
        source,
        weekStart: 'monday',
      });
      const [main, before] = asked.map(({ reading }) => reading);
      expect(main?.figures?.range?.until).toBe(Date.parse(until) / 1000);
      const perDay = (plan: ReadPlan | undefined) => {
        const counted = plan?.figures && startCounting(plan.figures, plan.fields).finish();
        return counted?.figures.find(({ id }) => id === 'per-day')?.value;
      };
      expect(perDay(main)).toEqual({ kind: 'per-day', count: 0, days });
      expect(perDay(before)).toEqual({ kind: 'per-day', count: 0, days: daysBefore });
    },
  );

  it('says when the figures of the period before were read, if it was earlier', async () => {
    const { source } = rememberingSource();
    const reusing: ReportSource = {
      read: async (query, plan, options) => ({
        ...(await source.read(query, plan, options)),
        readAt: options.figuresMayBeCached ? 5 : undefined,
      }),
    };
    const { before } = await runReport(...order({}), { source: reusing, weekStart: 'monday' });
    expect(before).toMatchObject({ readAt: 5 });
  });

  it('keeps the range of an earlier answer that is asked for again', async () => {
    const { source, asked } = rememberingSource();
    const first = await runReport(...order({}), { source, weekStart: 'monday' });
    const later = {
      requestedAt: requestedAt + 30 * 86_400_000,
      ...(first.range ? { range: first.range } : {}),
    };
    await runReport(...order({}, later), { source, weekStart: 'monday' });
    expect(asked[2]?.question.range).toEqual(asked[0]?.question.range);
  });

  it('goes out without changes where the period before takes longer than 20 seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { source, asked } = rememberingSource(async ({ options: { urgency, signal } }) => {
        if (urgency === 'person-before') await aborted(signal);
      });
      const running = runReport(...order({}), { source, weekStart: 'monday' });
      await vi.advanceTimersByTimeAsync(19_999);
      expect(asked[1]?.options.signal.aborted).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect((await running).before).toBe('late');
      expect(asked[1]?.options.signal.aborted).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  it('ends with its signal, also while the period before is asked for', async () => {
    const cancel = new AbortController();
    const { source } = rememberingSource(async ({ options }) => {
      if (options.urgency !== 'person-before') return;
      cancel.abort(new Error('called off'));
      options.signal.throwIfAborted();
    });
    await expect(
      runReport(...order({}, { signal: cancel.signal }), { source, weekStart: 'monday' }),
    ).rejects.toThrow('called off');
  });

  it('refuses, before anything is asked, what cannot be asked', async () => {
    const { source, asked } = rememberingSource();
    const parts = { source, weekStart: 'monday' } as const;
    await expect(
      runReport(...order({ range: 'this-week' }, { requestedAt: Date.parse('2026-11-15T23:00:00Z') }), parts),
    ).rejects.toMatchObject({ code: 'range-refused' });
    const mine = [{ object: 'user_filter', member: 'email', entries: ['me'] }];
    const nameless = order({ filters: mine }, { asker: { id: 'U1', zone: 'UTC' } });
    await expect(runReport(...nameless, parts)).rejects.toMatchObject({ code: 'asker-has-no-address' });
    // Without the filter, the request would cover everybody.
    const aboutNobody = order({
      filters: [{ object: 'user_filter', member: 'email', entries: ['forgotten'] }],
    });
    await expect(runReport(...aboutNobody, parts)).rejects.toMatchObject({ code: 'person-erased' });
    expect(asked).toHaveLength(0);
  });
});

describe('rows in the answer', () => {
  const readingOf = async (request: Partial<ReportRequest>, more: Partial<RunOptions> = {}) => {
    const { source, asked } = rememberingSource();
    const result = await runReport(...order(request, more), { source, weekStart: 'monday' });
    return { result, main: asked[0]?.reading, before: asked[1]?.reading };
  };

  it('are those of the chosen columns, with the identifiers of their titles', async () => {
    const request = { ...plainRequest('tracks'), columns: ['track_title', 'email'] };
    const { main, before } = await readingOf(request, { rowLimit: 20 });
    expect(main?.rows).toEqual({ columns: ['track_title', 'email'], limit: 20 });
    expect(main?.fields).toEqual(expect.arrayContaining(['track_title', 'track_id', 'email']));
    expect(before?.rows).toBeUndefined();
  });

  it('have the Essentials where no columns are chosen, and names to be sorted by', async () => {
    const { main } = await readingOf({ ...plainRequest('assignments'), view: 'due' }, { rowLimit: 5 });
    expect(main?.rows?.columns).toEqual(reportNamed('assignments').essentials);
    expect(main?.fields).toEqual(expect.arrayContaining(['content_id', 'first_name', 'last_name']));
  });

  it('are none where the reader may not see rows, and cost nothing then', async () => {
    const { main, result } = await readingOf({ ...plainRequest('tracks'), showRows: true });
    expect(main?.rows).toBeUndefined();
    expect(main?.fields).not.toContain('track_id');
    expect(result.rows).toBeUndefined();
  });

  it('come with the result, and their number without them', async () => {
    const rows = { columns: [], total: 7, listed: [] };
    const source: ReportSource = { read: async () => ({ records: 9, rows }) };
    const result = await runReport(...order({}, { rowLimit: 5 }), { source, weekStart: 'monday' });
    expect(result).toMatchObject({ rows, rowCount: 9 });
  });

  it('are compared with those of the last run by what the report tells them apart by', async () => {
    const newRows = { key: [1, 2, 3, 4], known: Uint8Array.of(1) } as const;
    for (const [report, flags] of [
      ['assignments', ['content_id', 'assignment_id', 'assigned_date', 'userid', 'email']],
      ['tracks', ['track_id', 'track_completed_date', 'userid', 'email']],
      ['assessments', ['assessment_id', 'assessment_started_date', 'userid', 'email']],
      ['workshops', ['workshop_instance_id', 'workshop_start_date']],
    ] as const) {
      const { main, before } = await readingOf(plainRequest(report), { rowLimit: 10, newRows });
      expect(main?.newRows).toBe(newRows);
      expect(main?.fields).toEqual(expect.arrayContaining([...flags]));
      expect(before?.newRows).toBeUndefined();
    }
    const { main } = await readingOf(plainRequest('tracks'), { filePath: '/tmp/x', fileOnly: true, newRows });
    expect(main?.newRows).toBeUndefined();
    const found = { count: 2, rows: Uint8Array.of(2) };
    const source: ReportSource = { read: async () => ({ records: 9, newRows: found }) };
    const request = plainRequest('tracks');
    const result = await runReport(...order(request, { newRows }), { source, weekStart: 'monday' });
    expect(result.newRows).toEqual(found);
  });
});

describe('a narrowed request', () => {
  it('is counted by its states and the range of due dates, in both periods by the same plan', async () => {
    const { source, asked } = rememberingSource();
    const request = { ...plainRequest('assignments'), states: ['completed'], range: 'last-month' };
    await runReport(...order(request), { source, weekStart: 'monday' });
    expect(asked.map(({ reading }) => reading.figures?.states)).toEqual([['completed'], ['completed']]);
    expect(asked.map(({ reading }) => reading.figures?.asOf)).toEqual([
      undefined,
      Date.parse('2026-10-20T09:00:00Z'),
    ]);
    const due = rememberingSource();
    await runReport(...order({ ...plainRequest('assignments'), view: 'due', range: 'next-week' }), {
      source: due.source,
      weekStart: 'monday',
    });
    expect(due.asked.map(({ reading }) => reading.figures)).toMatchObject([
      { view: 'due', dueRange: { firstDay: '2026-11-23', lastDay: '2026-11-29' } },
    ]);
  });

  it.each([
    ['assignments', { states: ['not-completed'] }],
    ['assignments', { states: ['completed', 'overdue'] }],
    ['assignments', { view: 'due' }],
    ['tracks', { states: ['stalled'] }],
    ['workshops', { states: ['free-seats'] }],
  ] as const)('asks for no period before of a state of now: %s %o', async (report, more) => {
    const { source, asked } = rememberingSource();
    await runReport(...order({ ...plainRequest(report), ...more }), { source, weekStart: 'monday' });
    expect(asked).toHaveLength(1);
  });
});

describe('a limited scope', () => {
  const limited = (rows: 'team' | 'self'): Scope => ({ ...unlimitedScope, rows, address: 'ada@example.com' });
  const read = async (rows: 'team' | 'self', request: Partial<ReportRequest> = {}) => {
    const { source, asked } = rememberingSource();
    await runReport(...order(request, { scope: limited(rows), filePath: '/tmp/x' }), {
      source,
      weekStart: 'monday',
    });
    return asked;
  };

  it.each([
    ['team', 'manager_email'],
    ['self', 'email'],
  ] as const)(
    'puts the filter of the %s into both queries, and has every row checked',
    async (rows, member) => {
      const asked = await read(rows, {
        filters: [{ object: 'user_filter', member: 'departments', entries: ['Sales'] }],
      });
      expect(asked).toHaveLength(2);
      for (const { question, reading } of asked) {
        expect(question.body).toMatchObject({
          email: true,
          manager_email: true,
          user_filter: { departments: 'Sales', [member]: 'ada@example.com' },
        });
        expect(reading.fields).toEqual(expect.arrayContaining(['email', 'manager_email']));
        expect(reading.rowCheck).toEqual({ rows, address: 'ada@example.com' });
      }
    },
  );

  it('lets no figures of a team or a person be kept', async () => {
    for (const rows of ['team', 'self'] as const) {
      const [, before] = await read(rows);
      expect(before?.options.figuresMayBeCached).toBe(false);
    }
  });

  it('leaves the added fields out of the file', async () => {
    const [main] = await read('team', { file: 'csv' as const, columns: ['views'] });
    expect(main?.reading.file?.columns.map(({ flag }) => flag)).toEqual(['views']);
  });

  it('asks for no more than before where all rows may be read', async () => {
    const { source, asked } = rememberingSource();
    await runReport(...order({}), { source, weekStart: 'monday' });
    for (const { question, reading } of asked) {
      expect(question.body).not.toHaveProperty('manager_email');
      expect(reading.rowCheck).toBeUndefined();
    }
  });

  it('keeps nothing that forms could suggest to others', async () => {
    const values = [{ list: 'departments', entry: 'Sales', people: 7 }];
    const source: ReportSource = { read: async () => ({ records: 1, values }) };
    const run = (scope: Scope) => runReport(...order({}, { scope }), { source, weekStart: 'monday' });
    expect((await run(unlimitedScope)).values).toEqual(values);
    expect((await run(limited('team'))).values).toEqual([]);
  });

  it('protects small groups in both periods, and asks for what tells people apart', async () => {
    const { source, asked } = rememberingSource();
    const scope = { ...unlimitedScope, smallestGroup: 5 };
    await runReport(...order({ report: 'assignments' }, { scope }), { source, weekStart: 'monday' });
    expect(asked).toHaveLength(2);
    for (const { question, reading } of asked) {
      expect(reading.figures?.smallestGroup).toBe(5);
      expect(question.body).toMatchObject({ userid: true, email: true });
    }
  });

  it('has no number of rows and no changes where too few people match', async () => {
    const source: ReportSource = {
      async read(_query, { figures, fields }) {
        if (!figures) throw new Error('No figures were wanted');
        const counting = startCounting(figures, fields);
        for (const userid of ['ada', 'eve']) counting.add(plainRecord(fields, { userid, sessions: 1 }));
        return { records: 2, figures: counting.finish() };
      },
    };
    const run = (scope: Scope) => runReport(...order({}, { scope }), { source, weekStart: 'monday' });
    expect(await run(unlimitedScope)).toMatchObject({ rowCount: 2, before: { figures: { sessions: 2 } } });
    const few = await run({ ...unlimitedScope, smallestGroup: 3 });
    expect(few.rowCount).toBeUndefined();
    expect(few.before).toBe('too-few');
  });

  it('refuses the whole answer where the period before holds a row of somebody else', async () => {
    const { source } = rememberingSource(async ({ options }) => {
      if (options.urgency === 'person-before') throw new Failure('rows-outside-scope');
    });
    const run = runReport(...order({}, { scope: limited('team') }), { source, weekStart: 'monday' });
    await expect(run).rejects.toMatchObject({ code: 'rows-outside-scope' });
  });
});

describe('a run whose answer comes before the period before', () => {
  const sequential = { weekStart: 'monday' } as const;
  const parallel = { ...sequential, queriesInParallel: true };

  /** Queries end when the test says so. */
  function heldSource() {
    const held = new Map<string, { end: () => void; fail: (error: Error) => void }>();
    const { source, asked } = rememberingSource(
      ({ options: { urgency, signal } }) =>
        new Promise((resolve, reject) => {
          held.set(urgency, { end: resolve, fail: reject });
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    );
    return {
      source,
      started: () => asked.map(({ options }) => options.urgency),
      end: (urgency: ReadOptions['urgency']) => held.get(urgency)?.end(),
      fail: (urgency: ReadOptions['urgency'], error: Error) => held.get(urgency)?.fail(error),
      isStopped: (urgency: ReadOptions['urgency']) =>
        asked.find(({ options }) => options.urgency === urgency)?.options.signal.aborted,
    };
  }

  it('asks for the period before only when the answer is read, where the service takes one query at a time', async () => {
    const { source, started, end } = heldSource();
    const starting = startReport(...order({}), { source, ...sequential });
    expect(started()).toEqual(['person']);
    end('person');
    const { result, before } = await starting;
    expect(started()).toEqual(['person', 'person-before']);
    expect(result.before).toBe('not-yet');
    expect(await before.within(1)).toBeUndefined();
    end('person-before');
    expect(await before.within(1000)).toMatchObject({ range: { firstDay: '2026-11-02' } });
  });

  it('asks for both at once where the service takes several, the answer first', async () => {
    const { source, started, end } = heldSource();
    const starting = startReport(...order({}), { source, ...parallel });
    expect(started()).toEqual(['person', 'person-before']);
    end('person-before');
    end('person');
    const { before } = await starting;
    expect(await before.within(1000)).toMatchObject({ range: { firstDay: '2026-11-02' } });
    expect(started()).toHaveLength(2);
  });

  it('counts cohorts at the same age, whichever query ends first', async () => {
    const request = { ...plainRequest('assignments'), range: '2026-11' };
    const { source, asked } = rememberingSource();
    await runReport(...order(request), { source, ...parallel });
    await runReport(...order(request), { source, ...sequential });
    const [, atOnce, , afterwards] = asked;
    expect(atOnce?.reading.figures?.asOf).toBe(Date.parse('2026-10-20T09:00:00Z'));
    expect(atOnce?.reading).toEqual(afterwards?.reading);
    expect(atOnce?.question).toEqual(afterwards?.question);
  });

  it('is the same result as a run that waits', async () => {
    const { source } = rememberingSource();
    const { result, before } = await startReport(...order({}), { source, ...parallel });
    const waited = await runReport(...order({}), { source, ...sequential });
    expect({ ...result, before: await before.within(1000) }).toEqual(waited);
  });

  it('asks no more for the period before of an answer that failed', async () => {
    const { source, fail, isStopped } = heldSource();
    const starting = startReport(...order({}), { source, ...parallel });
    fail('person', new Error('no luck'));
    await expect(starting).rejects.toThrow('no luck');
    expect(isStopped('person-before')).toBe(true);
  });

  it('ends the query for the period before when it is no longer wanted', async () => {
    const { source, end, isStopped } = heldSource();
    const starting = startReport(...order({}), { source, ...sequential });
    end('person');
    const { before } = await starting;
    before.stop();
    expect(isStopped('person-before')).toBe(true);
    expect(await before.within(1000)).toBe('late');
  });

  it('has nothing to ask where there is no period before', async () => {
    const { source } = rememberingSource();
    const { before } = await startReport(...order(plainRequest('assessments')), { source, ...parallel });
    expect(await before.within(1000)).toBe('none');
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isNotReached, plainNumber } from '../../src/figures/format/values.js';
import type { FigureValue } from '../../src/figures/result.js';
import { notReached } from '../../src/figures/summary/changes.js';
import { figuresInTime } from '../../src/figures/summary/over-time.js';
import { formatTargetOf } from '../../src/figures/summary/target.js';
import { parseCommand } from '../../src/requests/parse-command.js';
import type { ReportResult } from '../../src/runner/run-report.js';
import { numberOf, ofNumber } from '../figures/naive/conditions.js';
import { now } from '../figures/random-answers.js';
import { propertyRuns } from '../property-runs.js';
import { accepted } from '../results.js';
import {
  expectedOf,
  memoryOfUnits,
  type Question,
  questions,
  questionsAbout,
  requestOf,
  run,
  serviceWith,
  spanOf,
  unitsOf,
} from './questions-in-time.js';

/*
 * Questions with conditions that are about several times: each unit of an answer over time, and the time that an answer
 * is compared with, are compared with plain rows that are filtered and counted.
 */

const saidOf = ({ figures }: ReportResult) =>
  new Map(figures?.notes.flatMap((note) => (note.kind === 'condition' ? [[note.field, note.rows]] : [])));

describe('conditions over time', () => {
  it('narrow each unit, and what is said of it, as a naive computation does', async () => {
    const seen = { shown: 0, tooFew: 0, hidden: 0, undated: 0, said: 0, together: 0 };
    await fc.assert(
      fc.asyncProperty(questions, async (question) => {
        const { unit, count, smallestGroup, isAgainstLastYear } = question;
        const request = requestOf(question, `over:${count}${unit.charAt(0)}`);
        if (!request) return;
        const { source, asked } = serviceWith(question.rows);
        const { figures } = await run(request, question, { source });
        if (!figures) throw new Error('No figures');
        if (asked.length === (isAgainstLastYear ? 2 : 1)) seen.together += 1;
        const spans = unitsOf(question);
        const units = spans.own.map((span) => expectedOf(span, question));
        const shown = units.filter(({ tooFew }) => !tooFew);
        if (shown.length === 0) {
          expect(figures).toMatchObject({ tooFew: smallestGroup, figures: [], notes: [], records: 0 });
          return;
        }
        const { overTime } = figures;
        expect(overTime?.units.map(({ range }) => [range.firstDay, range.lastDay, range.from])).toEqual(
          spans.own.map(({ first, last, from }) => [first, last, from]),
        );
        const { shown: columns } = figuresInTime(request);
        const valuesIn = ({ tooFew, isUndated, valueIn }: ReturnType<typeof expectedOf>) =>
          columns.map(({ id, compared }) => {
            if (tooFew) return [id, { kind: 'too-few' }];
            const value = valueIn(id);
            if (value?.kind === 'too-few') seen.hidden += 1;
            const isUnknown = isUndated && compared === 'equal-age' && value?.kind !== 'too-few';
            if (isUnknown) seen.undated += 1;
            return [id, isUnknown ? { kind: 'unknown' } : value];
          });
        const foundIn = (lines: readonly { readonly values: readonly FigureValue[] }[] | undefined) =>
          lines?.map(({ values }) => values.map((value, at) => [overTime?.columns[at]?.id, value]));
        expect(foundIn(overTime?.units)).toEqual(units.map(valuesIn));
        expect(foundIn(overTime?.yearBefore)).toEqual(
          isAgainstLastYear ? spans.before.map((span) => valuesIn(expectedOf(span, question))) : undefined,
        );
        expect(figures.records).toBe(shown.reduce((sum, { kept }) => sum + kept, 0));
        const unread = new Map<string, number | undefined>();
        for (const [field, rows] of shown.flatMap((one) => [...one.unread])) {
          if (rows === 0) continue;
          const before = unread.has(field) ? unread.get(field) : 0;
          unread.set(field, before === undefined || rows === undefined ? undefined : before + rows);
        }
        expect(saidOf({ figures } as ReportResult)).toEqual(unread);
        seen.shown += shown.length;
        seen.tooFew += units.length - shown.length;
        seen.said += unread.size;
      }),
      { numRuns: propertyRuns(1200) },
    );
    for (const [what, many] of Object.entries(seen)) expect([what, many > 0]).toEqual([what, true]);
  });

  it('are those of the units asked one by one, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(questions, async (asked) => {
        const question = { ...asked, isAgainstLastYear: false };
        const { kind, unit, count, smallestGroup } = question;
        const request = requestOf(question, `over:${count}${unit.charAt(0)}`);
        // Nobody can ask for a cohort as it stood.
        if (!request || kind.isCohort) return;
        const { figures } = await run(request, question);
        const found = figures?.overTime?.units.map(({ values }) => values);
        const alone: FigureValue[][] = [];
        for (const { first, last } of unitsOf(question).own) {
          const ofUnit = requestOf(question, `${first}..${last}`);
          const answer = ofUnit && (await run(ofUnit, question)).figures;
          const valueIn = (id: string) => answer?.figures.find((figure) => figure.id === id)?.value;
          alone.push(figuresInTime(request).shown.map(({ id }) => valueIn(id) ?? { kind: 'too-few' }));
        }
        if (figures?.tooFew !== undefined) expect(smallestGroup).toBeGreaterThan(1);
        const whole = found ?? alone.map((values) => values.map((): FigureValue => ({ kind: 'too-few' })));
        expect(JSON.stringify(whole)).toBe(JSON.stringify(alone));
      }),
      { numRuns: propertyRuns(400) },
    );
  });

  it('are those of kept units the next time, with the same words', async () => {
    const seen = { kept: 0, readAgain: 0 };
    await fc.assert(
      fc.asyncProperty(questions, async (question) => {
        const { kind, unit, count } = question;
        const request = requestOf(question, `over:${count}${unit.charAt(0)}`);
        if (!request || kind.report !== 'engagement') return;
        const { source, asked } = serviceWith(question.rows);
        const parts = { source, unitTotals: memoryOfUnits() };
        const first = await run(request, question, parts);
        const all = asked.splice(0).length;
        const next = await run(request, question, parts);
        seen.kept += all - asked.length;
        seen.readAgain += asked.length;
        const overTime = first.figures?.overTime;
        const readAt = asked.length < all ? now : undefined;
        expect(next.figures).toEqual({
          ...first.figures,
          ...(overTime && { overTime: { ...overTime, readAt } }),
        });
        expect(next.before).toEqual(first.before);
      }),
      { numRuns: propertyRuns(800) },
    );
    for (const [what, many] of Object.entries(seen)) expect([what, many > 0]).toEqual([what, true]);
  });

  it('say how many rows have no value in all units, also where the newest has none', async () => {
    const weeks = ['2026-11-04T10:00:00Z', '2026-11-11T10:00:00Z'];
    const [first = Number.NaN, latest = Number.NaN] = weeks.map((at) => Date.parse(at));
    const views = [
      [first, 'n/a'],
      [first, 9],
      [first, null],
      [latest, 7],
    ] as const;
    const rows = views.map(([at, value], n) => ({ at, values: { userid: `u${n}`, views: value } }));
    const question: Question = {
      ...{ kind: { words: 'engagement', report: 'engagement' }, zone: 'UTC', unit: 'week', count: 2 },
      ...{ weekStart: 'monday', state: undefined, isAgainstLastYear: false, smallestGroup: 1 },
      ...{ conditions: [ofNumber('views', 'views', ({ views }) => numberOf(views), '>', 5)], rows },
    };
    const request = requestOf(question, 'over:2w');
    expect(request && saidOf(await run(request, question))).toEqual(new Map([['Views', 2]]));
  });

  it.each([
    'assignments over:4w days_overdue:>30',
    'assignments last-month against:last-year assignment_status:!Completed',
    'tracks over:3m on:assigned_date progress:<50',
    'engagement over:2w last_login:none',
    'engagement last-week against:last-year suspended:!yes',
  ])('are refused where they change with time, and nothing is asked: %s', async (words) => {
    const command = accepted(parseCommand(words, { hasSaved: () => false } as never));
    if (command.kind !== 'run') throw new Error('Not a request');
    const { source, asked } = serviceWith([]);
    const question = { rows: [], zone: 'UTC', smallestGroup: 1, weekStart: 'monday' } as const;
    await expect(run(command.request, question, { source })).rejects.toMatchObject({
      code: 'over-time-refused',
      details: { sentence: expect.stringContaining('changes with time') },
    });
    expect(asked).toEqual([]);
  });
});

/** Ended ranges, the periods before them, and the same a year before: each with its first day and the one after it. */
const comparisons = [
  {
    words: 'yesterday',
    own: ['2026-11-19', '2026-11-20'],
    before: ['2026-11-12', '2026-11-13'],
    yearBefore: ['2025-11-20', '2025-11-21'],
  },
  {
    words: 'last-week',
    own: ['2026-11-09', '2026-11-16'],
    before: ['2026-11-02', '2026-11-09'],
    yearBefore: ['2025-11-10', '2025-11-17'],
  },
  {
    words: 'last-month',
    own: ['2026-10-01', '2026-11-01'],
    before: ['2026-09-01', '2026-10-01'],
    yearBefore: ['2025-10-01', '2025-11-01'],
  },
  {
    words: 'last-30-days',
    own: ['2026-10-21', '2026-11-20'],
    before: ['2026-09-21', '2026-10-21'],
    yearBefore: ['2025-10-22', '2025-11-21'],
  },
  {
    words: '2026-Q3',
    own: ['2026-07-01', '2026-10-01'],
    before: ['2026-04-01', '2026-07-01'],
    yearBefore: ['2025-07-01', '2025-10-01'],
  },
] as const;

const compared = fc.constantFrom(...comparisons).chain((comparison) =>
  questionsAbout((question) => {
    const days = question.isAgainstLastYear ? comparison.yearBefore : comparison.before;
    const [own, earlier] = [comparison.own, days].map(([first, end]) => spanOf(question.zone, first, end));
    if (!own || !earlier) throw new Error('There are two spans');
    // As old as the range of the question is now.
    const asOf = question.kind.isCohort ? earlier.until * 1000 + now - own.until * 1000 : undefined;
    return [own, { ...earlier, asOf }];
  }).map(({ question, spans }) => ({ question, spans, words: comparison.words })),
);

describe('conditions on a question that is compared', () => {
  it('narrow the answer, the period before and the year before as a naive computation does', async () => {
    const seen = { tooFew: 0, beforeTooFew: 0, undated: 0, compared: 0, hidden: 0 };
    await fc.assert(
      fc.asyncProperty(compared, async ({ question, spans: [own, earlier], words }) => {
        const request = requestOf({ ...question, weekStart: 'monday' }, words);
        if (!request || !own || !earlier) return;
        const { figures, before } = await run(request, { ...question, weekStart: 'monday' });
        const [expected, then] = [expectedOf(own, question), expectedOf(earlier, question)];
        const { shown: columns } = figuresInTime(request);
        expect(figures?.tooFew).toBe(expected.tooFew ? question.smallestGroup : undefined);
        if (!expected.tooFew) {
          const found = new Map(figures?.figures.map(({ id, value }) => [id, value]));
          for (const id of new Set([...found.keys(), ...columns.map((column) => column.id)])) {
            const value = expected.valueIn(id);
            if (value?.kind === 'too-few') seen.hidden += 1;
            expect([id, found.get(id) ?? { kind: 'too-few' }]).toEqual([id, value]);
          }
          expect(saidOf({ figures } as ReportResult)).toEqual(
            new Map([...expected.unread].filter(([, rows]) => rows !== 0)),
          );
        } else seen.tooFew += 1;
        if (then.tooFew || then.isUndated) {
          seen[then.tooFew ? 'beforeTooFew' : 'undated'] += 1;
          expect(before).toBe(then.tooFew ? 'too-few' : 'undated');
          return;
        }
        const numbers = Object.fromEntries(columns.flatMap(({ id }) => numbersOf(id, then.valueIn(id))));
        const records = Object.keys(numbers).length > 0 ? { records: then.kept } : {};
        seen.compared += 1;
        expect(before).toMatchObject({ range: { firstDay: earlier.first, lastDay: earlier.last } });
        expect(typeof before === 'object' && before.figures).toEqual({ ...numbers, ...records });
      }),
      { numRuns: propertyRuns(1200) },
    );
    for (const [what, many] of Object.entries(seen)) expect([what, many > 0]).toEqual([what, true]);
  });

  it('narrow the rate that a target is compared with', async () => {
    const seen = { reached: 0, missed: 0, none: 0 };
    await fc.assert(
      fc.asyncProperty(compared, async ({ question: asked, spans: [own], words }) => {
        const { kind } = asked;
        if (kind.report !== 'assignments' && kind.report !== 'tracks') return;
        const question = { ...asked, weekStart: 'monday', state: undefined } as const;
        const request = requestOf(question, `${words} target:60%@2026-12-31`);
        if (!request || !own) return;
        const result = await run(request, question);
        const expected = expectedOf(own, question);
        const said = result.figures && formatTargetOf({ ...result, figures: result.figures });
        if (expected.tooFew || expected.kept === 0) {
          seen.none += 1;
          expect(said).toBeUndefined();
          return;
        }
        const rate = expected.valueIn('completion-rate');
        if (rate?.kind !== 'rate') throw new Error('The main rate is one of all rows');
        const points = (100 * rate.part) / rate.whole - 60;
        seen[points >= 0 ? 'reached' : 'missed'] += 1;
        const [, shown] = /: (?:reached, )?(under 0\.1|[\d.]+) points?/.exec(said?.distance ?? '') ?? [];
        expect(/reached/.test(said?.distance ?? '')).toBe(points >= 0);
        if (points !== 0) expect(Math.abs(Number(shown) - Math.abs(points))).toBeLessThanOrEqual(0.5);
      }),
      { numRuns: propertyRuns(600) },
    );
    for (const [what, many] of Object.entries(seen)) expect([what, many > 0]).toEqual([what, true]);
  });
});

/** The numbers that a change is computed from. */
function numbersOf(id: string, value: FigureValue | undefined): readonly (readonly [string, number])[] {
  if (!value) return [];
  const number = isNotReached(value) ? notReached : plainNumber(value);
  if (number === undefined) return [];
  if (value.kind === 'rate')
    return [
      [id, number],
      [`${id}/of`, value.whole],
    ];
  if (value.kind === 'per-day')
    return [
      [id, number],
      [`${id}/of`, value.days],
    ];
  if (value.kind === 'average')
    return [
      [id, number],
      [`${id}/of`, value.over],
    ];
  return [[id, number]];
}

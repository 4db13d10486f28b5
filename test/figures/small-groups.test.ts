import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { summaryText as commandLineText } from '../../src/cli/summary-text.js';
import { comparableNumbers } from '../../src/figures/changes.js';
import { fieldsToCount, startCounting } from '../../src/figures/count-report.js';
import { formatTable } from '../../src/figures/format/table.js';
import type { Breakdown, FiguresPlan, FiguresResult, FigureValue } from '../../src/figures/result.js';
import { plainRequest } from '../../src/requests/request.js';
import { summaryVariants } from '../../src/slack/messages/summary.js';
import { propertyRuns } from '../property-runs.js';
import { plainRecord } from '../reporting-api/answer/plain-record.js';
import { expectGood, inputOf } from '../slack/messages/messages.js';
import { figuresOf, planFor, resultOf } from './fixed-answers.js';
import { naiveFigures, naiveLabels, shownFigures } from './naive/figures.js';
import { peopleNamed } from './naive/people.js';
import { Row } from './naive/row.js';
import { countedRows } from './naive/states.js';
import { answerTo, dueRange, now, statesOf } from './random-answers.js';

const limit = 5;

/** Plans of every report about learners, in both periods. */
const plans: fc.Arbitrary<FiguresPlan> = fc
  .record({
    report: fc.constantFrom('assignments', 'tracks', 'completions', 'assessments', 'engagement'),
    view: fc.constantFrom(undefined, 'overdue', 'due'),
    isNarrowed: fc.boolean(),
    chosen: fc.nat(),
    by: fc.constantFrom(undefined, 'teams', 'departments', 'job_title'),
    figuresOnly: fc.boolean(),
    smallestGroup: fc.integer({ min: 2, max: 7 }),
  })
  .map(
    ({ report, view, isNarrowed, chosen, by, figuresOnly, smallestGroup }): FiguresPlan => ({
      report,
      view: report === 'assignments' ? view : undefined,
      states: isNarrowed ? statesOf(report, chosen) : undefined,
      dueRange: view === 'due' ? dueRange('UTC', -10, 20) : undefined,
      by,
      people: false,
      figuresOnly: figuresOnly && by === undefined,
      now,
      smallestGroup,
      zone: 'UTC',
      range: { from: now / 1000 - 30 * 86_400, until: now / 1000 },
    }),
  );

/** An organization of few people, most of them in one small group or two. */
function organization(plan: FiguresPlan): fc.Arbitrary<readonly object[]> {
  const groups = ['Sales', 'Legal', 'Field', 'Labs', 'Support', 'Board'];
  const chosen = fc.array(fc.constantFrom(...groups), { minLength: 0, maxLength: 2 });
  const one = fc.constantFrom(...groups).map((name) => [name]);
  const learners = fc.array(fc.oneof({ weight: 5, arbitrary: one }, { weight: 1, arbitrary: chosen }), {
    minLength: 1,
    maxLength: 30,
  });
  return fc.tuple(learners, answerTo(plan)).map(([people, records]) =>
    records.map((record, i) => {
      const n = (i * 7 + records.length) % people.length;
      const own = people[n] ?? [];
      return {
        ...record,
        userid: n === 0 ? null : `u${n}`,
        email: null,
        teams: own,
        departments: own,
        job_title: own[0] ?? null,
      };
    }),
  );
}

const answers = plans.chain((plan) =>
  fc.oneof(organization(plan), answerTo(plan)).map((records) => ({ plan, records })),
);

function rowsOf(plan: FiguresPlan, records: readonly object[]): readonly Row[] {
  const fields = fieldsToCount(plan);
  return records.map((record) => new Row(fields, record));
}

/** Everybody that rows are about; rows that name nobody are about one person. */
function peopleOf(rows: readonly Row[]): number {
  return peopleNamed(rows.map((row) => row.names()));
}

/** Figures that add up amounts: narrowed, they are about the people of the counted rows. */
const amounts = ['attempts-per-person', 'time', 'sessions', 'assignments-completed', 'tracks-completed'];

/**
 * True where a row is in the denominator of a figure: it alone gives the figure something to be divided by.
 *
 * @param all the whole answer
 */
function isIn(row: Row, id: string, plan: FiguresPlan, all: readonly Row[]): boolean {
  if (amounts.includes(id)) return !plan.states || countedRows([row], plan, all).length > 0;
  const value = naiveFigures([row], plan, all)[id];
  if (value?.kind === 'rate') return value.whole > 0;
  return value?.kind === 'average' || value?.kind === 'median' ? value.over > 0 : true;
}

function isTooFew(people: number, { smallestGroup }: FiguresPlan): boolean {
  return people > 0 && people < smallestGroup;
}

/** The rows of each original group, by its label. */
function groupsOf(rows: readonly Row[], plan: FiguresPlan, by: string): ReadonlyMap<string | null, Set<Row>> {
  const labels = naiveLabels(rows, plan, by);
  const groups = new Map<string | null, Set<Row>>();
  rows.forEach((row, i) => {
    for (const label of labels[i] ?? []) groups.set(label, (groups.get(label) ?? new Set()).add(row));
  });
  return groups;
}

interface ShownLine {
  readonly rows: readonly Row[];
  readonly values: readonly FigureValue[];
  readonly joined: boolean;
}

/** The lines of a breakdown with their rows; undefined where labels do not tell which they are. */
function linesOf(rows: readonly Row[], plan: FiguresPlan, breakdown: Breakdown): ShownLine[] | undefined {
  const groups = groupsOf(rows, plan, breakdown.by);
  if ([...groups.keys()].some((label) => label !== null && label.length > 200)) return undefined;
  const shown = new Set(breakdown.rows.filter(({ joined }) => !joined).map(({ label }) => label));
  const isEmpty = (own: Iterable<Row>) =>
    (plan.view || plan.states) && countedRows([...own], plan, rows).length === 0;
  const hidden = [...groups].filter(([label]) => !shown.has(label));
  const joined = breakdown.rows.find((row) => row.joined !== undefined);
  // Large groups without anything that counts are no lines, as ever.
  const inJoined = hidden.filter(([label, own]) => {
    const columns = breakdown.columns.map(({ id }) => id);
    const small = columns.some((id) =>
      isTooFew(peopleOf([...own].filter((row) => isIn(row, id, plan, rows))), plan),
    );
    return joined && (small || !isEmpty(own)) && !shown.has(label);
  });
  const lines = breakdown.rows.map(({ label, values, joined: many }): ShownLine => {
    const own = many === undefined ? (groups.get(label) ?? new Set<Row>()) : together(inJoined);
    return { rows: rows.filter((row) => own.has(row)), values, joined: many !== undefined };
  });
  // A large group may have been taken in although nothing in it counts.
  if (joined && joined.joined !== inJoined.length) return undefined;
  return lines;
}

function together(groups: readonly (readonly [unknown, Set<Row>])[]): Set<Row> {
  return new Set(groups.flatMap(([, own]) => [...own]));
}

/** True where the unknowns' combination follows from the equations: it adds nothing to their rank. */
function isDetermined(equations: readonly (readonly number[])[], wanted: readonly number[]): boolean {
  return rankOf([...equations, wanted]) === rankOf(equations);
}

function rankOf(equations: readonly (readonly number[])[]): number {
  const rows = equations.map((equation) => [...equation]);
  let rank = 0;
  for (let column = 0; column < (rows[0]?.length ?? 0); column++) {
    const pivot = rows.findIndex((row, i) => i >= rank && Math.abs(row[column] ?? 0) > 1e-6);
    if (pivot < 0) continue;
    const [found = []] = rows.splice(pivot, 1);
    rows.splice(rank, 0, found);
    for (const row of rows.slice(rank + 1)) {
      const times = (row[column] ?? 0) / (found[column] ?? 1);
      for (let i = 0; i < row.length; i++) row[i] = (row[i] ?? 0) - times * (found[i] ?? 0);
    }
    rank++;
  }
  return rank;
}

describe('figures of any answer, where small groups are protected', () => {
  test('a figure is shown if its denominator has nobody, or enough people, and is then right', () => {
    fc.assert(
      fc.property(answers, ({ plan, records }) => {
        const rows = rowsOf(plan, records);
        const result = figuresOf(plan, records);
        if (isTooFew(peopleOf(rows), plan)) {
          expect(result).toEqual({
            report: plan.report,
            tooFew: plan.smallestGroup,
            records: 0,
            counted: 0,
            figures: [],
            spreads: [],
            highlights: [],
            upcoming: [],
            notes: [],
          });
          return;
        }
        const expected = Object.entries(shownFigures(naiveFigures(rows, plan), result, plan)).filter(
          ([id]) => !isTooFew(peopleOf(rows.filter((row) => isIn(row, id, plan, rows))), plan),
        );
        expect(Object.fromEntries(result.figures.map(({ id, value }) => [id, value]))).toEqual(
          Object.fromEntries(expected),
        );
        expect(result.onlyRow).toBeUndefined();
        expect(result.people).toBeUndefined();
      }),
      { numRuns: propertyRuns(600) },
    );
  });

  test('every line of a breakdown has enough people in every column, and the right figures', () => {
    fc.assert(
      fc.property(answers, ({ plan, records }) => {
        const rows = rowsOf(plan, records);
        const { breakdown } = figuresOf(plan, records);
        if (breakdown?.kind !== 'groups') return;
        const lines = linesOf(rows, plan, breakdown);
        fc.pre(lines !== undefined);
        for (const line of lines ?? []) {
          const expected = naiveFigures(line.rows, plan, rows);
          breakdown.columns.forEach(({ id }, i) => {
            const people = peopleOf(line.rows.filter((row) => isIn(row, id, plan, rows)));
            expect({ id, isTooFew: isTooFew(people, plan) }).toEqual({ id, isTooFew: false });
            expect({ id, value: line.values[i] }).toEqual({ id, value: expected[id] });
          });
        }
      }),
      { numRuns: propertyRuns(1200) },
    );
  });

  test('nothing about a hidden group can be computed from the total and the lines', () => {
    fc.assert(
      fc.property(answers, ({ plan, records }) => {
        const rows = rowsOf(plan, records);
        const { breakdown } = figuresOf(plan, records);
        if (breakdown?.kind !== 'groups') return;
        const lines = linesOf(rows, plan, breakdown);
        fc.pre(lines !== undefined);
        for (const { id } of breakdown.columns) {
          const counted = rows.filter((row) => isIn(row, id, plan, rows));
          const equations = [
            counted.map(() => 1),
            ...(lines ?? []).map((line) => counted.map((row) => (line.rows.includes(row) ? 1 : 0))),
          ];
          for (const [label, own] of groupsOf(rows, plan, breakdown.by)) {
            const inGroup = counted.filter((row) => own.has(row));
            if (!isTooFew(peopleOf(inGroup), plan)) continue;
            const wanted = counted.map((row) => (own.has(row) ? 1 : 0));
            expect({ id, label, found: isDetermined(equations, wanted) }).toEqual({
              id,
              label,
              found: false,
            });
          }
          // Rows that are in several lines, or in one alone, are no group, but they are about people too.
          for (const some of signaturesOf(counted, lines ?? [])) {
            if (!isTooFew(peopleOf(some), plan)) continue;
            const wanted = counted.map((row) => (some.includes(row) ? 1 : 0));
            expect({ id, found: isDetermined(equations, wanted) }).toEqual({ id, found: false });
          }
        }
      }),
      { numRuns: propertyRuns(1200) },
    );
  });

  test('tails, charts and highlights tell nothing that the lines do not', () => {
    fc.assert(
      fc.property(answers, ({ plan, records }) => {
        const rows = rowsOf(plan, records);
        const { breakdown, chart, highlights } = figuresOf(plan, records);
        if (breakdown?.kind !== 'groups') {
          expect(highlights).toEqual([]);
          return;
        }
        const labels = breakdown.rows.map(({ label }) => label ?? 'Not given');
        if (chart && !chart.title.startsWith('Spread'))
          expect(labels).toEqual(expect.arrayContaining([...chart.categories]));
        for (const { entries } of highlights)
          for (const { label } of entries)
            expect(breakdown.rows.filter(({ joined }) => !joined).map((row) => row.label)).toContain(label);
        const lines = linesOf(rows, plan, breakdown);
        fc.pre(lines !== undefined);
        const shared = rows.some((row) => (lines ?? []).filter((line) => line.rows.includes(row)).length > 1);
        for (const [place, { values }] of breakdown.tails.entries()) {
          const behind = rows.filter((row) => lines?.slice(place).some((line) => line.rows.includes(row)));
          const expected = naiveFigures(behind, plan, rows);
          breakdown.columns.forEach(({ id }, i) => {
            const value = values[i];
            if (shared) expect(value).toEqual({ kind: 'unknown' });
            else if (value?.kind !== 'unknown') expect({ id, value }).toEqual({ id, value: expected[id] });
          });
        }
      }),
      { numRuns: propertyRuns(400) },
    );
  });

  test('nothing is joined where all groups are large enough and share no rows', () => {
    fc.assert(
      fc.property(answers, ({ plan, records }) => {
        const rows = rowsOf(plan, records);
        const protectedOnes = figuresOf(plan, records);
        const free = figuresOf({ ...plan, smallestGroup: 1 }, records);
        if (free.breakdown?.kind !== 'groups' || protectedOnes.tooFew !== undefined) return;
        const groups = [...groupsOf(rows, plan, free.breakdown.by).values()].map((own) => [...own]);
        fc.pre(groups.reduce((sum, own) => sum + own.length, 0) === rows.length);
        const isSmall = groups.some((own) =>
          Object.keys(naiveFigures([], plan)).some((id) =>
            isTooFew(peopleOf(own.filter((row) => isIn(row, id, plan, rows))), plan),
          ),
        );
        fc.pre(!isSmall);
        expect(protectedOnes.breakdown).toEqual(free.breakdown);
      }),
      { numRuns: propertyRuns(1200) },
    );
  });

  test('a copy counts on as if it had never been made', () => {
    fc.assert(
      fc.property(answers, fc.nat(40), ({ plan, records }, cut) => {
        const fields = fieldsToCount(plan);
        const reader = startCounting(plan, fields);
        for (const record of records.slice(0, cut)) reader.add(plainRecord(fields, record));
        const copy = reader.copy();
        // A try that failed adds rows that the next one has again.
        for (const record of records.slice(cut)) reader.add(plainRecord(fields, record));
        for (const record of records.slice(cut)) copy.add(plainRecord(fields, record));
        expect(copy.finish()).toEqual(figuresOf(plan, records));
      }),
      { numRuns: propertyRuns(200) },
    );
  });
});

/** The rows that are in the same lines. */
function signaturesOf(rows: readonly Row[], lines: readonly ShownLine[]): readonly (readonly Row[])[] {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    const key = lines.map((line) => (line.rows.includes(row) ? 1 : 0)).join('');
    found.set(key, [...(found.get(key) ?? []), row]);
  }
  return [...found.values()];
}

const engagement = { ...planFor({ ...plainRequest('engagement'), by: 'teams' }), smallestGroup: limit };

/** So many people in each team. */
function teams(sizes: Readonly<Record<string, number>>, more: object = {}): readonly object[] {
  return Object.entries(sizes).flatMap(([team, size]) =>
    Array.from({ length: size }, (_, n) => ({ userid: `${team}${n}`, teams: [team], sessions: 1, ...more })),
  );
}

function tableOf({ breakdown }: FiguresResult): Breakdown {
  if (breakdown?.kind !== 'groups') throw new Error('There is no breakdown');
  return breakdown;
}

function labelsOf(result: FiguresResult): readonly (string | null)[] {
  return tableOf(result).rows.map(({ label }) => label);
}

describe('small groups', () => {
  test('are joined with each other where they are enough people', () => {
    const result = figuresOf(engagement, teams({ Sales: 9, Legal: 2, Board: 3, Field: 7 }));
    expect(labelsOf(result)).toEqual(['Sales', 'Field', '2 smaller groups']);
    expect(result.chart?.categories).toEqual(['Sales', 'Field', '2 smaller groups']);
  });

  test('take in the smallest other group where they are not', () => {
    expect(labelsOf(figuresOf(engagement, teams({ Sales: 9, Legal: 2, Field: 7 })))).toEqual([
      'Sales',
      '2 smaller groups',
    ]);
    expect(labelsOf(figuresOf(engagement, teams({ Sales: 9, Legal: 1, Board: 1, Field: 7 })))).toEqual([
      'Sales',
      '3 smaller groups',
    ]);
  });

  test('leave the breakdown out where there is nothing to join them with', () => {
    const result = figuresOf(engagement, teams({ Sales: 9, Legal: 2 }));
    expect(result.breakdown).toBeUndefined();
    expect(result.chart).toBeUndefined();
    expect(result.notes).toContainEqual({ kind: 'small-groups', leftOut: 'breakdown', people: limit });
    expect(result.figures).not.toEqual([]);
  });

  test('are small by each column: few who rated join a group with others who did', () => {
    const rated = { ratings: 2, ratings_average: 4 };
    const records = [
      ...teams({ Sales: 9 }, rated),
      ...teams({ Field: 7 }),
      ...teams({ Legal: 2 }, rated).map((record) => ({ ...record, teams: ['Field'] })),
      ...teams({ Labs: 8 }),
    ];
    expect(labelsOf(figuresOf(engagement, records))).toEqual(['Labs', '2 smaller groups']);
  });

  test('count distinct people of a joined line once', () => {
    const records = [
      ...teams({ Sales: 9, Legal: 4, Board: 4 }),
      { userid: 'Legal0', teams: ['Board'], sessions: 0 },
    ];
    const { rows, columns } = tableOf(figuresOf(engagement, records));
    const active = columns.findIndex(({ id }) => id === 'active-share');
    expect(rows.at(-1)?.values[active]).toEqual({ kind: 'rate', part: 8, whole: 8 });
  });

  test('who is in two groups is hidden where both minus the total is about too few people', () => {
    const both = { userid: 'x', teams: ['Sales', 'Field'], sessions: 1 };
    const records = [...teams({ Sales: 9, Field: 7, Labs: 8 }), both];
    expect(labelsOf(figuresOf(engagement, records))).toEqual(['Labs', '2 smaller groups']);
  });

  test('lines that share enough people stay, and the rest below them is not summed up', () => {
    const both = { teams: ['Sales', 'Field'], sessions: 1 };
    const records = [
      ...teams({ Sales: 9, Field: 7, Labs: 8 }),
      ...Array.from({ length: limit }, (_, n) => ({ ...both, userid: `x${n}` })),
    ];
    const { rows, tails } = tableOf(figuresOf(engagement, records));
    expect(rows.map(({ label }) => label)).toEqual(['Sales', 'Field', 'Labs']);
    expect(tails.flatMap(({ values }) => values).filter(({ kind }) => kind !== 'unknown')).toEqual([]);
    expect(formatTable(tableOf(figuresOf(engagement, records)), 1).rest).toBe('The other 2 are not shown.');
  });

  test('rows that name nobody are one person together', () => {
    const nameless = Array.from({ length: 20 }, () => ({ teams: ['Sales'], sessions: 1 }));
    expect(figuresOf(engagement, nameless).tooFew).toBe(limit);
    const others = teams({ Sales: 3 });
    expect(figuresOf(engagement, [...nameless, ...others]).tooFew).toBe(limit);
    expect(figuresOf(engagement, [...nameless, ...teams({ Sales: 4 })]).tooFew).toBeUndefined();
  });
});

const overdue = {
  ...planFor({ ...plainRequest('assignments'), view: 'overdue' as const }),
  smallestGroup: limit,
};

function assignments(size: number, late: number): readonly object[] {
  return Array.from({ length: size }, (_, n) => ({
    userid: `u${n}`,
    content_title: 'Fire safety',
    assignment_status: 'not_started',
    due_date: n < late ? '2026-10-01' : '2027-01-01',
  }));
}

describe('overdue', () => {
  test('counts people before it narrows', () => {
    const result = figuresOf(overdue, assignments(20, 2));
    const values = Object.fromEntries(result.figures.map(({ id, value }) => [id, value]));
    expect(values.overdue).toEqual({ kind: 'count', count: 2 });
    expect(values).not.toHaveProperty('days-overdue');
    expect(result.notes).toContainEqual({ kind: 'small-groups', leftOut: 'figures', people: limit });
  });

  test('shows nothing where few people match, overdue or not', () => {
    expect(figuresOf(overdue, assignments(4, 4)).tooFew).toBe(limit);
    expect(figuresOf(overdue, assignments(4, 0)).tooFew).toBe(limit);
  });

  test('says nothing of values that few of the counted rows lack', () => {
    const plan = { ...planFor({ ...plainRequest('assessments'), states: ['failed'] }), smallestGroup: limit };
    const results = (failed: number) =>
      Array.from({ length: 20 }, (_, n) => ({
        userid: `u${n}`,
        assessment_status: n < failed ? 'failed' : 'passed',
        assessment_score: n === 0 ? null : 50,
      }));
    const fields = (failed: number) =>
      figuresOf(plan, results(failed)).notes.flatMap((note) => ('of' in note ? [note.field] : []));
    expect(fields(limit)).toContain('value for score');
    expect(fields(limit - 1)).not.toContain('value for score');
  });

  test('says nothing of the only row', () => {
    expect(figuresOf(overdue, assignments(20, 1)).onlyRow).toBeUndefined();
    expect(figuresOf({ ...overdue, smallestGroup: 1 }, assignments(20, 1)).onlyRow).toBeDefined();
  });
});

test('a figure that either period leaves out has no change', () => {
  const plan: FiguresPlan = { ...engagement, by: undefined, figuresOnly: true };
  const rated = teams({ Sales: 9 }, { ratings: 1, ratings_average: 4 });
  const earlier = [...teams({ Sales: 9 }), ...teams({ Legal: 2 }, { ratings: 1, ratings_average: 1 })];
  expect(comparableNumbers(figuresOf(plan, rated), ['period-before'])).toHaveProperty('average-rating', 4);
  expect(comparableNumbers(figuresOf(plan, earlier), ['period-before'])).not.toHaveProperty('average-rating');
  expect(comparableNumbers(figuresOf(plan, teams({ Sales: 3 })), ['period-before'])).toEqual({});
});

test('spreads go with the figures that are left out', () => {
  const plan = { ...planFor(plainRequest('assessments')), smallestGroup: limit };
  const waiting = Array.from({ length: 9 }, (_, n) => ({ userid: `w${n}`, assessment_status: 'waiting' }));
  const scored = [40, 90].map((score) => ({
    userid: `s${score}`,
    assessment_status: 'passed',
    assessment_score: score,
  }));
  const result = figuresOf(plan, [...waiting, ...scored]);
  expect(result.figures.map(({ id }) => id)).toEqual(['results', 'attempts-per-person', 'waiting']);
  expect(result.spreads).toEqual([]);
  expect(result.chart).toBeUndefined();
});

test('workshops are not about people, so nothing is hidden', () => {
  const plan = { ...planFor(plainRequest('workshops')), smallestGroup: limit };
  const sessions = [{ workshop_title: 'First aid', offered_seats: 10, registered_seats: 2 }];
  expect(figuresOf(plan, sessions)).toEqual(figuresOf({ ...plan, smallestGroup: 1 }, sessions));
});

test('where too few people match, every view says so and shows no number of rows', () => {
  const request = { ...plainRequest('engagement'), by: 'teams' };
  const figures = figuresOf(engagement, teams({ Sales: 3 }));
  const result = { ...resultOf(request, []), figures, before: 'too-few' as const };
  for (const message of summaryVariants(inputOf(result))) {
    expectGood(message);
    const shown = JSON.stringify(message);
    expect(shown).toContain('fewer than 5 people match, so no figures are shown');
    expect(shown).not.toMatch(/\b[03] (?:people|rows)|Active people|no people found/);
  }
  const terminal = commandLineText(result, { withPeople: false });
  expect(terminal).toContain('fewer than 5 people match, so no figures are shown');
  expect(terminal).not.toMatch(/\b[03] (?:people|rows)/);
});

import { describe, expect, test } from 'vitest';
import { summaryText as commandLineText } from '../../src/cli/summary-text.js';
import { alignedTable, formatTable } from '../../src/figures/format/table.js';
import type { Breakdown, FiguresPlan, FiguresResult, FigureValue } from '../../src/figures/result.js';
import { comparableNumbers } from '../../src/figures/summary/changes.js';
import { plainRequest } from '../../src/requests/request.js';
import { summaryVariants } from '../../src/slack/messages/summary.js';
import { expectGood, inputOf } from '../slack/messages/messages.js';
import { figuresOf, planFor, resultOf } from './fixed-answers.js';

const limit = 5;

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

function cellsOf(result: FiguresResult, id: string): readonly FigureValue[] {
  const { columns, rows } = tableOf(result);
  const column = columns.findIndex((each) => each.id === id);
  return rows.flatMap(({ values }) => values[column] ?? []);
}

describe('small groups', () => {
  test('are joined with each other where they are enough people', () => {
    const result = figuresOf(engagement, teams({ Sales: 29, Legal: 2, Board: 3, Field: 27 }));
    expect(labelsOf(result)).toEqual(['Sales', 'Field', '2 smaller groups']);
    // Bars of shares rank their groups, and the joined line is of fewer than 20.
    expect(result.chart?.categories).toEqual(['Sales', 'Field']);
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

  test('a column about too few people in some lines joins none: these cells read "too few"', () => {
    const rated = { ratings: 2, ratings_average: 4 };
    const records = [
      ...teams({ Sales: 40 }, rated),
      ...teams({ Field: 30, Labs: 20, Support: 12, Board: 9 }),
      ...['Field', 'Labs', 'Support'].flatMap((team, i) =>
        teams({ [`${team}+`]: i + 1 }, rated).map((record) => ({ ...record, teams: [team] })),
      ),
    ];
    const result = figuresOf(engagement, records);
    expect(labelsOf(result)).toEqual(['Sales', 'Field', 'Labs', 'Support', 'Board']);
    expect(cellsOf(result, 'average-rating').map(({ kind }) => kind)).toEqual([
      'average',
      'too-few',
      'too-few',
      'too-few',
      'average',
    ]);
    expect(cellsOf(result, 'active-share').every(({ kind }) => kind === 'rate')).toBe(true);
    expect(result.notes).toContainEqual({ kind: 'small-groups', leftOut: 'cells', people: limit });
    expect(result.figures.map(({ id }) => id)).toContain('average-rating');
    const text = alignedTable(formatTable(tableOf(result), 10));
    expect(text).toMatch(/^Labs .*too few$/m);
  });

  test('hides the next smallest cell too, where one could be subtracted', () => {
    const rated = { ratings: 2, ratings_average: 4 };
    const few = teams({ 'Labs+': 2 }, rated).map((record) => ({ ...record, teams: ['Labs'] }));
    const records = [...teams({ Sales: 40, Field: 30, Support: 9 }, rated), ...teams({ Labs: 12 }), ...few];
    const kinds = cellsOf(figuresOf(engagement, records), 'average-rating').map(({ kind }) => kind);
    // In the order of the lines: Sales, Field, Labs, Support.
    expect(kinds).toEqual(['average', 'average', 'too-few', 'too-few']);
    const tails = tableOf(figuresOf(engagement, records)).tails.map(({ values }) => values.at(-1)?.kind);
    expect(tails).toEqual(['average', 'average', 'average', 'too-few']);
  });

  test('leaves a column out, with its chart and ranking, where all of its cells are hidden', () => {
    const plan = { ...planFor({ ...plainRequest('assessments'), by: 'teams' }), smallestGroup: limit };
    const status = (assessment_status: string) => ({ assessment_status, assessment_score: null });
    const records = [
      ...teams({ Sales: 20, Field: 20, Labs: 20 }, status('waiting')),
      ...teams({ 'Sales+': 9 }, status('passed')).map((record) => ({ ...record, teams: ['Sales'] })),
      ...teams({ 'Field+': 2 }, status('failed')).map((record) => ({ ...record, teams: ['Field'] })),
    ];
    const result = figuresOf(plan, records);
    expect(tableOf(result).columns.map(({ id }) => id)).not.toContain('pass-rate');
    expect(labelsOf(result)).toEqual(['Labs', 'Field', 'Sales']);
    expect(result.figures.map(({ id }) => id)).toContain('pass-rate');
    expect(result.chart).toBeUndefined();
    expect(result.notes).toContainEqual({ kind: 'small-groups', leftOut: 'columns', people: limit });
    const own = figuresOf(
      { ...plan, by: undefined },
      records.map((record) => ({ ...record, assessment_title: (record as { teams: string[] }).teams[0] })),
    );
    expect(own.highlights).toEqual([]);
  });

  describe('who is left out of the share of active people', () => {
    const suspended = (sizes: Readonly<Record<string, number>>) =>
      Object.entries(sizes).flatMap(([team, size]) =>
        teams({ [`${team}-`]: size }, { suspended: true }).map((record) => ({ ...record, teams: [team] })),
      );
    const share = (figures: FiguresResult) =>
      figures.figures.find(({ id }) => id === 'active-share')?.value.kind;
    const everybody = teams({ Sales: 40, Field: 30, Labs: 25 });

    test('a few: the share is left out with its chart, and active people stay', () => {
      const result = figuresOf(engagement, [...everybody, ...suspended({ Sales: 4 })]);
      expect(result.figures.map(({ id }) => id)).not.toContain('active-share');
      expect(result.figures).toContainEqual(
        expect.objectContaining({ id: 'active-people', value: { kind: 'count', count: 99 } }),
      );
      expect(tableOf(result).columns.map(({ id }) => id)).not.toContain('active-share');
      expect([result.chart, result.highlights]).toEqual([undefined, []]);
      expect(result.notes).toContainEqual({ kind: 'small-groups', leftOut: 'figures', people: limit });
    });

    test('a few in a line: its cell is hidden, and one more of those that leave somebody out', () => {
      const result = figuresOf(engagement, [...everybody, ...suspended({ Sales: 2, Field: 9 })]);
      expect(share(result)).toBe('rate');
      const kinds = cellsOf(result, 'active-share').map(({ kind }) => kind);
      expect(Object.fromEntries(labelsOf(result).map((label, i) => [label, kinds[i]]))).toEqual({
        Sales: 'too-few',
        Field: 'too-few',
        Labs: 'rate',
      });
      expect(cellsOf(result, 'active-people').every(({ kind }) => kind === 'count')).toBe(true);
    });

    test('nobody, or enough: nothing is hidden', () => {
      expect(share(figuresOf(engagement, everybody))).toBe('rate');
      const result = figuresOf(engagement, [...everybody, ...suspended({ Sales: 5, Field: 9 })]);
      expect(cellsOf(result, 'active-share').map(({ kind }) => kind)).toEqual(['rate', 'rate', 'rate']);
    });

    test.each(['suspended', 'suspended_on', 'created_at'])(
      'no share where lines by %s would tell them apart',
      (by) => {
        const records = [...everybody, ...suspended({ Sales: 9 })].map((record, n) => ({
          ...record,
          suspended_on: 'suspended' in record ? '2026-01-01' : null,
          created_at: n % 2 === 0 ? '2025-01-01' : '2026-01-01',
        }));
        expect(share(figuresOf({ ...engagement, by }, records))).toBeUndefined();
        expect(share(figuresOf({ ...engagement, by, smallestGroup: 1 }, records))).toBe('rate');
      },
    );

    test('a few in the period before: no change', () => {
      const plan: FiguresPlan = { ...engagement, by: undefined, figuresOnly: true };
      const numbers = (records: readonly object[]) =>
        comparableNumbers(figuresOf(plan, records), ['period-before']);
      expect(numbers([...everybody, ...suspended({ Sales: 5 })])).toHaveProperty('active-share', 100);
      expect(numbers([...everybody, ...suspended({ Sales: 4 })])).not.toHaveProperty('active-share');
    });
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

  test('count each row in the line of its first value, and say so', () => {
    const both = { teams: ['Sales', 'Field'], sessions: 1 };
    const records = [
      ...teams({ Sales: 9, Field: 7, Labs: 8 }),
      ...Array.from({ length: limit }, (_, n) => ({ ...both, userid: `x${n}` })),
      ...Array.from({ length: limit }, (_, n) => ({ ...both, teams: [], userid: `y${n}` })),
    ];
    const result = figuresOf(engagement, records);
    const { severalCount } = tableOf(result);
    expect(
      Object.fromEntries(labelsOf(result).map((label, i) => [label, cellsOf(result, 'sessions')[i]])),
    ).toEqual({
      Sales: { kind: 'count', count: 9 + limit },
      Field: { kind: 'count', count: 7 },
      Labs: { kind: 'count', count: 8 },
      null: { kind: 'count', count: limit },
    });
    expect(severalCount).toBe('in-the-first');
    expect(formatTable(tableOf(result), 1).rest).toMatch(/^The other 3 together: .*Sessions 20/);
    expect(tableOf(figuresOf({ ...engagement, smallestGroup: 1 }, records)).severalCount).toBe('in-each');
  });

  test('a line joins others where its filter finds a few people more', () => {
    const both = { userid: 'x', teams: ['Sales', 'Field'], sessions: 1 };
    const records = [...teams({ Sales: 9, Field: 7, Labs: 8 }), both];
    expect(labelsOf(figuresOf(engagement, records))).toEqual(['Sales', '2 smaller groups']);
    const enough = Array.from({ length: limit }, (_, n) => ({ ...both, userid: `x${n}` }));
    expect(labelsOf(figuresOf(engagement, [...records, ...enough]))).toEqual(['Sales', 'Labs', 'Field']);
  });

  test('lines that share people do not show how many they have', () => {
    const moved = Array.from({ length: 2 }, (_, n) => ({
      userid: `Sales${n}`,
      teams: ['Field'],
      sessions: 1,
    }));
    const result = figuresOf(engagement, [...teams({ Sales: 9, Field: 7, Labs: 8 }), ...moved]);
    expect(labelsOf(result)).toEqual(['Labs', 'Field', 'Sales']);
    expect(cellsOf(result, 'active-share').map(({ kind }) => kind)).toEqual(['rate', 'unknown', 'unknown']);
    expect(cellsOf(result, 'sessions').map(({ kind }) => kind)).toEqual(['count', 'count', 'count']);
    expect(result.notes).toContainEqual({ kind: 'small-groups', leftOut: 'shared-people', people: limit });
    expect(result.chart).toBeUndefined();
  });

  test('three people whose rows name them in three ways do not pass for six', () => {
    const rows = ['a', 'b', 'c'].flatMap((id) => [
      { userid: id, teams: ['Legal'] },
      { email: `${id}@example.test`, teams: ['Legal'] },
    ]);
    const records = [...teams({ Sales: 9, Field: 7 }), ...rows];
    expect(labelsOf(figuresOf(engagement, records))).toEqual(['Sales', 'Field', 'Legal']);
    const joining = ['a', 'b', 'c'].map((id) => ({
      userid: id,
      email: `${id.toUpperCase()}@example.test`,
      teams: ['Sales'],
    }));
    expect(labelsOf(figuresOf(engagement, [...records, ...joining]))).toEqual(['Sales', '2 smaller groups']);
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

test('who was late is hidden with who was on time: one tells the other', () => {
  const plan = { ...planFor({ ...plainRequest('assignments'), by: 'teams' }), smallestGroup: limit };
  const done = { assignment_status: 'completed', due_date: '2026-11-01', completed_date: '2026-10-01' };
  const records = [
    ...teams({ Sales: 20, Labs: 20 }, done),
    ...teams({ Field: 20 }, { assignment_status: 'not_started' }),
    ...teams({ 'Field+': 2 }, done).map((record) => ({ ...record, teams: ['Field'] })),
  ];
  const result = figuresOf(plan, records);
  const hidden = (id: string) =>
    labelsOf(result).filter((_, i) => cellsOf(result, id)[i]?.kind === 'too-few');
  expect(hidden('on-time')).toHaveLength(2);
  expect(hidden('on-time')).toContain('Field');
  expect(hidden('late')).toEqual(hidden('on-time'));
  expect(hidden('completed')).toEqual([]);
});

test.each([
  // What is overdue, subtracted, would leave who was on time of the two who completed something.
  [20, 2, false],
  [3, 0, false],
  [20, 5, true],
  [5, 0, true],
  [0, 5, true],
])('of %i overdue and %i completed people, on time is shown: %s', (late, completed, isShown) => {
  const plan = { ...planFor(plainRequest('assignments')), smallestGroup: limit };
  const done = { assignment_status: 'completed', due_date: '2026-11-01', completed_date: '2026-10-01' };
  const result = figuresOf(plan, [
    ...teams({ Open: 20 }, { assignment_status: 'not_started' }),
    ...teams({ Late: late }, { assignment_status: 'not_started', due_date: '2026-11-01' }),
    ...teams({ Done: completed }, done),
  ]);
  expect(result.figures.some(({ id }) => id === 'on-time')).toBe(isShown);
});

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

test('nobody and too few are one sentence where a filter narrows, and nowhere else', () => {
  const plan = { ...engagement, isFiltered: true };
  expect(figuresOf(plan, [])).toEqual(figuresOf(plan, teams({ Sales: 4 })));
  expect(figuresOf(plan, []).tooFew).toBe(limit);
  expect(figuresOf({ ...plan, figuresOnly: true, by: undefined }, []).tooFew).toBe(limit);
  expect(figuresOf(engagement, []).tooFew).toBeUndefined();
  expect(figuresOf({ ...plan, smallestGroup: 1 }, []).tooFew).toBeUndefined();
});

test('where too few people match, every view says so and shows no number of rows', () => {
  const request = { ...plainRequest('engagement'), by: 'teams' };
  const figures = figuresOf(engagement, teams({ Sales: 3 }));
  const result = { ...resultOf(request, []), figures, before: 'too-few' as const };
  for (const message of summaryVariants(inputOf(result))) {
    expectGood(message);
    const shown = JSON.stringify(message);
    expect(shown).toContain('Fewer than 5 people match, so no figures are shown');
    expect(shown).not.toMatch(/\b[03] (?:people|rows)|Active people|no people found/);
  }
  const terminal = commandLineText(result, { withPeople: false });
  expect(terminal).toContain('Fewer than 5 people match, so no figures are shown');
  expect(terminal).not.toMatch(/\b[03] (?:people|rows)/);
});

test.each([
  [2, false],
  [5, true],
])('who was late of %i who completed is shown beside what is overdue: %s', (completed, isShown) => {
  const plan = {
    ...planFor({ ...plainRequest('assignments'), states: ['late', 'overdue'] as const }),
    smallestGroup: limit,
  };
  const done = { assignment_status: 'completed', due_date: '2026-11-01', completed_date: '2026-10-01' };
  const result = figuresOf(plan, [
    ...teams({ Open: 20 }, { assignment_status: 'not_started', due_date: '2026-11-01' }),
    ...teams({ Done: completed }, done),
  ]);
  expect(result.figures.some(({ id }) => id === 'late')).toBe(isShown);
});

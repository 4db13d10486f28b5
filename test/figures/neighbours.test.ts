import { describe, expect, test } from 'vitest';
import { reportNamed } from '../../src/catalogue/index.js';
import type { NeighbourFilter, PeopleBetween } from '../../src/figures/neighbours.js';
import { fieldsToCount, startCounting } from '../../src/figures/reports/count-report.js';
import type { FiguresPlan } from '../../src/figures/result.js';
import { AnswerStream } from '../../src/reporting-api/answer/read-answer.js';
import { parseNames, withEntryTexts } from '../../src/reporting-api/filter-names.js';
import { accepted } from '../results.js';
import { figuresOfParts } from './fixed-answers.js';

const departments = (...entries: string[]): NeighbourFilter => ({
  key: 'departments',
  member: 'departments',
  kind: 'list',
  sources: [{ field: 'departments' }],
  entries: entries.map((entry) => [entry]),
});

function planWith(neighbours: readonly NeighbourFilter[], more: Partial<FiguresPlan> = {}): FiguresPlan {
  return {
    report: 'engagement',
    people: false,
    now: 0,
    smallestGroup: 5,
    zone: 'UTC',
    neighbours,
    ...more,
  };
}

function people(many: number, values: object, from = 0): object[] {
  return Array.from({ length: many }, (_, i) => ({ userid: `u${from + i}`, views: 1, ...values }));
}

function count(rows: readonly object[], plan: FiguresPlan, look?: PeopleBetween) {
  return figuresOfParts(plan, rows, [Math.floor(rows.length / 3)], look);
}

const isRefused = (...counted: Parameters<typeof count>) => count(...counted).tooFew === 5;

describe('an answer with several entries in a filter', () => {
  const sales = people(10, { departments: ['Sales'] });

  test.each([
    ['nobody', [], false],
    ['one person', people(1, { departments: ['Legal'] }, 50), true],
    ['four people', people(4, { departments: ['Legal'] }, 50), true],
    ['five people', people(5, { departments: ['Legal'] }, 50), false],
    ['people of the other entry too', people(3, { departments: ['Legal', 'Sales'] }, 50), false],
    [
      'one person in ten rows',
      Array(10)
        .fill(people(1, { departments: ['Legal'] }, 50))
        .flat(),
      true,
    ],
    [
      'one person with two accounts',
      [
        { userid: 'x', email: 'x@x', departments: 'Legal' },
        { email: 'X@x', departments: 'Legal' },
      ],
      true,
    ],
  ] as const)('is refused if leaving out an entry takes away too few: %s', (_, legal, refused) => {
    expect(isRefused([...sales, ...legal], planWith([departments('Sales', 'legal')]))).toBe(refused);
  });

  test('is read from texts that are lists, and from names and identifiers', () => {
    const legal = people(2, { departments: 'Legal; Board' }, 50);
    expect(isRefused([...sales, ...legal], planWith([departments('Sales', 'Board')]))).toBe(true);
    const named = accepted(parseNames('departments,d1,Sales\ndepartments,d2,Legal'));
    const plan = planWith([departments('Sales', 'd2')]);
    const rows = [...sales, ...people(2, { departments: ['Legal'] }, 50)];
    expect(isRefused([...rows, ...people(5, { departments: ['Labs'] }, 70)], plan)).toBe(false);
    const { figures = plan } = withEntryTexts({ fields: [], figures: plan }, named);
    expect(isRefused(rows, figures)).toBe(true);
  });

  test('is refused for rows of few people that no entry explains', () => {
    const unknown = (many: number) => people(many, { departments: ['Board'] }, 50);
    const plan = planWith([departments('Sales', '5f0c')]);
    expect(isRefused([...sales, ...unknown(3)], plan)).toBe(true);
    expect(isRefused([...sales, ...unknown(5)], plan)).toBe(false);
    expect(isRefused([...sales, ...unknown(3)], planWith([departments('Sales')]))).toBe(false);
  });

  test.each([
    ['before', 2, true],
    ['before', 5, false],
    ['after', 2, true],
    ['after', 5, false],
  ])('takes no text for a list of the same spelling that comes %s it', async (place, texts, refused) => {
    const legal = people(5, { departments: ['Legal'] }, 50);
    const spelled = people(texts, { departments: '["Legal"]' }, 70);
    const rows = [
      ...sales,
      ...(place === 'before' ? legal : spelled),
      ...(place === 'before' ? spelled : legal),
    ];
    const figures = planWith([departments('Sales', 'Legal')]);
    const reading = new AnswerStream({ fields: fieldsToCount(figures), figures }, startCounting);
    await reading.beginAnswer();
    await reading.write(Buffer.from(JSON.stringify(rows)));
    await reading.endAnswer();
    // No entry explains the texts.
    expect((await reading.finish()).figures?.tooFew === 5).toBe(refused);
  });

  test('counts people before it is narrowed', () => {
    const legal = people(4, { departments: ['Legal'], views: 1 }, 50);
    const active = [...sales, ...people(20, { departments: ['Legal'] }, 100)];
    const plan = planWith([departments('Sales', 'Legal')], { states: ['active'] });
    expect(isRefused([...sales, ...legal], plan)).toBe(true);
    expect(isRefused([...active, ...legal], plan)).toBe(false);
  });

  test('asks for the fields of the filter, of its own report alone', () => {
    const filters = [departments('Sales', 'Legal')];
    expect(fieldsToCount(planWith(filters, { figuresOnly: true }))).toContain('departments');
    expect(fieldsToCount(planWith([departments('Sales')], { figuresOnly: true }))).not.toContain(
      'departments',
    );
    expect(fieldsToCount(planWith(filters, { figuresOnly: true, smallestGroup: 1 }))).not.toContain(
      'departments',
    );
    expect(reportNamed('workshops').fields.map(({ flag }) => flag)).not.toContain('departments');
  });
});

describe('the people of the daily look', () => {
  const look = (...answer: number[]): PeopleBetween => ({
    differences: () => ({ answer, lines: new Map(), linesAddUp: true }),
  });
  const rows = people(10, { departments: ['Sales'] });

  test.each([
    [[0], false],
    [[5], false],
    [[1], true],
    [[5, 0, 4], true],
  ])('refuse the answer if %j people are between it and its neighbours', (answer, refused) => {
    expect(isRefused(rows, planWith([departments('Sales')]), look(...answer))).toBe(refused);
  });

  test('are not asked where nothing is filtered, or nothing is protected', () => {
    expect(isRefused(rows, planWith([]), look(1))).toBe(false);
    expect(isRefused(rows, planWith([departments('Sales')], { smallestGroup: 1 }), look(1))).toBe(false);
  });
});

describe('lines of a breakdown', () => {
  const rows = ['Berlin', 'Paris', 'Rome', 'Oslo'].flatMap((name, i) =>
    people(20, { departments: ['Sales'], locations: [name] }, 100 * i),
  );
  const look = (lines: Readonly<Record<string, readonly number[]>>, linesAddUp = true): PeopleBetween => ({
    differences: ({ by }) => ({
      answer: [5],
      lines: by === 'locations' ? new Map(Object.entries(lines)) : new Map(),
      linesAddUp,
    }),
  });
  const linesOf = (...[all, plan, between]: Parameters<typeof count>) => {
    const { breakdown } = count(all, { ...plan, by: 'locations' }, between);
    return breakdown?.kind === 'groups' ? breakdown.rows.map(({ label }) => label) : undefined;
  };
  const oneFilter = planWith([departments('Sales')]);

  test('that differ from those of a neighbour by too few people are joined, until their line does not', () => {
    expect(linesOf(rows, oneFilter, look({}))).toHaveLength(4);
    expect(linesOf(rows, oneFilter, look({ paris: [5], rome: [0] }))).toHaveLength(4);
    expect(linesOf(rows, oneFilter, look({ paris: [3], rome: [2] }))).toEqual([
      'Berlin',
      'Oslo',
      '2 smaller groups',
    ]);
    expect(linesOf(rows, oneFilter, look({ paris: [3], rome: [5], oslo: [5] }))).toEqual([
      'Rome',
      '3 smaller groups',
    ]);
    // No line makes it enough people.
    expect(linesOf(rows, oneFilter, look({ paris: [3], rome: [1] }))).toBeUndefined();
    expect(linesOf(rows, oneFilter, look({ paris: [3], rome: [3] }, false))).toBeUndefined();
  });

  test('are compared without an entry too', () => {
    const legal = (location: string, many: number, from: number) =>
      people(many, { departments: ['Legal'], locations: [location] }, from);
    const two = planWith([departments('Sales', 'Legal')]);
    expect(linesOf([...rows, ...legal('Paris', 5, 900)], two)).toHaveLength(4);
    expect(linesOf([...rows, ...legal('Paris', 3, 900), ...legal('Rome', 3, 950)], two)).toEqual([
      'Berlin',
      'Oslo',
      '2 smaller groups',
    ]);
    const sameThree = [...legal('Paris', 3, 900), ...legal('Rome', 3, 900), ...legal('Oslo', 6, 800)];
    expect(linesOf([...rows, ...sameThree], two)).toBeUndefined();
  });
});

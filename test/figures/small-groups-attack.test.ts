import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fieldsToCount } from '../../src/figures/reports/count-report.js';
import type { Breakdown, FiguresPlan, FiguresResult, FigureValue } from '../../src/figures/result.js';
import { propertyRuns } from '../property-runs.js';
import { figuresOf, figuresOfParts } from './fixed-answers.js';
import { naiveFigures, naiveLabels, shownFigures } from './naive/figures.js';
import { Row } from './naive/row.js';
import { countedRows } from './naive/states.js';
import { isOfMember } from './naive/taking-part.js';
import {
  countPeople,
  isAboutTooFew,
  isIn,
  isTooFew,
  personOfRows,
  type RowsOfPeople,
} from './naive/too-few.js';
import { answerTo, dueRange, now, statesOf } from './random-answers.js';

/*
 * An attacker has the whole answer: the figures, the lines and the last line of the table, the chart, the rankings. No
 * figure about too few people may follow from them. Everything here is computed a second time from the rows alone.
 */

/** Plans of every report about learners, in both periods. */
const plans: fc.Arbitrary<FiguresPlan> = fc
  .record({
    report: fc.constantFrom('assignments', 'tracks', 'completions', 'assessments', 'engagement'),
    view: fc.constantFrom(undefined, 'overdue', 'due'),
    isNarrowed: fc.boolean(),
    chosen: fc.nat(),
    by: fc.constantFrom(undefined, 'teams', 'departments', 'job_title'),
    figuresOnly: fc.boolean(),
    filtersSuspended: fc.boolean(),
    smallestGroup: fc.integer({ min: 2, max: 5 }),
  })
  .map(
    ({
      report,
      view,
      isNarrowed,
      chosen,
      by,
      figuresOnly,
      filtersSuspended,
      smallestGroup,
    }): FiguresPlan => ({
      report,
      view: report === 'assignments' ? view : undefined,
      states: isNarrowed ? statesOf(report, chosen) : undefined,
      dueRange: view === 'due' || (view && chosen % 2 === 0) ? dueRange('UTC', -10, 20) : undefined,
      by,
      filtersSuspended,
      people: false,
      figuresOnly: figuresOnly && by === undefined,
      now,
      smallestGroup,
      zone: 'UTC',
      range: { from: now / 1000 - 30 * 86_400, until: now / 1000 },
    }),
  );

/** How the rows of one person name them. */
const inOneWay: ((n: number) => object)[] = [(n) => ({ userid: `u${n}`, email: `p${n}@example.test` })];
const namings = fc.constantFrom<((n: number) => object)[]>(
  [(n) => ({ userid: `u${n}`, email: null })],
  [(n) => ({ userid: null, email: `P${n}@Example.test` })],
  // A number, then text; the address in another case, then not at all.
  [
    (n) => ({ userid: 100 + n, email: `p${n}@example.test` }),
    (n) => ({ userid: String(100 + n), email: null }),
    (n) => ({ userid: null, email: `P${n}@EXAMPLE.test` }),
  ],
  [() => ({ userid: null, email: null })],
  [(n) => ({ userid: `u${n}`, email: 'desk@example.test' })],
);

const withoutRareValues = { ratings: null, assessment_score: null, due_date: null, track_progress: null };

/** An organization of few people in few groups, with one row a person or several. */
function organization(plan: FiguresPlan): fc.Arbitrary<readonly object[]> {
  const group = fc.constantFrom('Sales', 'Legal', 'Field', 'Labs');
  const person = fc.record({
    names: fc.oneof({ weight: 8, arbitrary: fc.constant(inOneWay) }, { weight: 3, arbitrary: namings }),
    own: fc.oneof(
      { weight: 5, arbitrary: group.map((name) => [name]) },
      { weight: 1, arbitrary: fc.uniqueArray(group, { maxLength: 3 }) },
    ),
    /** The groups of a later row. */
    later: fc.option(
      group.map((name) => [name]),
      { freq: 8, nil: undefined },
    ),
    account: fc.oneof(
      { weight: 4, arbitrary: fc.constant({ created_at: '2020-01-01', suspended: false }) },
      { weight: 1, arbitrary: fc.constant({ created_at: '2026-11-24', suspended: false }) },
      { weight: 1, arbitrary: fc.constant({ created_at: null, suspended: true }) },
    ),
  });
  const people = fc.array(person, { minLength: plan.smallestGroup, maxLength: 26 });
  /** Of so many rows one has the values that figures have denominators of their own for. */
  const rarity = fc.constantFrom(1, 2, 4, 7);
  return fc.tuple(people, answerTo(plan), answerTo(plan), rarity).map(([everybody, one, another, rare]) =>
    [...one, ...another].map((record, i) => {
      const n = i % everybody.length;
      const { names = [], own = [], later, account } = everybody[n] ?? {};
      const groups = i < everybody.length ? own : (later ?? own);
      return {
        ...record,
        ...(i % rare === 0 ? {} : withoutRareValues),
        ...names[i % names.length]?.(n),
        ...account,
        teams: groups,
        departments: groups,
        job_title: groups[0] ?? null,
      };
    }),
  );
}

const answers = plans.chain((plan) =>
  fc
    .oneof({ weight: 3, arbitrary: organization(plan) }, { weight: 1, arbitrary: answerTo(plan) })
    .map((records) => ({ plan, records })),
);

/** Answers that show the share of active people, with a table. */
const sharesOfPeople = plans
  .map(
    (plan): FiguresPlan => ({
      ...plan,
      report: 'engagement',
      view: undefined,
      states: undefined,
      figuresOnly: false,
      by: plan.by ?? 'teams',
    }),
  )
  .chain((plan) => organization(plan).map((records) => ({ plan, records })));

/** An answer with the person of each row. */
interface World extends RowsOfPeople {
  readonly result: FiguresResult;
}

function worldOf({ plan, records }: { plan: FiguresPlan; records: readonly object[] }): World {
  const fields = fieldsToCount(plan);
  const rows = records.map((record) => new Row(fields, record));
  return { plan, rows, personOf: personOfRows(rows), result: figuresOf(plan, records) };
}

/** Figures with the number of people in them. */
const ofPeople = ['people', 'active-people', 'active-share', 'inactive-people', 'attempts-per-person'];

interface Line {
  readonly label: string | null;
  readonly rows: readonly Row[];
}

/** The rows by their first value. */
function linesOf({ rows, plan }: World, by: string): readonly Line[] {
  const labels = naiveLabels(rows, plan, by);
  const names = [...new Set(labels.map(([first = null]) => first))];
  return names.map((label) => ({ label, rows: rows.filter((_, i) => (labels[i]?.[0] ?? null) === label) }));
}

/** How many people the filter of that value finds beyond those of its line. */
function beyondLine(world: World, by: string, { label, rows }: Line): number {
  const labels = naiveLabels(world.rows, world.plan, by);
  const own = new Set(rows.map((row) => world.personOf.get(row)));
  const found = world.rows.filter(
    (row, i) => labels[i]?.includes(label) && !own.has(world.personOf.get(row)),
  );
  return countPeople(world, found);
}

function mayNotBeShown(world: World, by: string, line: Line): boolean {
  return (
    isTooFew(countPeople(world, line.rows), world.plan) || isTooFew(beyondLine(world, by, line), world.plan)
  );
}

interface ShownLine {
  readonly rows: readonly Row[];
  readonly values: readonly FigureValue[];
  readonly groups: readonly Line[];
}

/** The lines of the table with their rows; undefined where their labels do not tell which they are. */
function shownLines(world: World, { by, rows }: Breakdown): readonly ShownLine[] | undefined {
  const lines = linesOf(world, by);
  if (lines.some(({ label }) => label !== null && label.length > 200)) return undefined;
  const named = rows.filter(({ joined }) => joined === undefined);
  const isNarrowed = world.plan.view !== undefined || world.plan.states !== undefined;
  const isEmpty = (line: Line) => isNarrowed && countedRows(line.rows, world.plan, world.rows).length === 0;
  const rest = lines.filter(({ label }) => !named.some((row) => row.label === label));
  const together = rest.filter((line) => mayNotBeShown(world, by, line) || !isEmpty(line));
  const shown = rows.map(({ label, values, joined }): ShownLine => {
    const groups = joined === undefined ? lines.filter((line) => line.label === label) : together;
    return { rows: groups.flatMap((line) => line.rows), values, groups };
  });
  // A large group may have been joined although nothing in it counts.
  return rows.every(({ joined = 1 }, i) => joined === shown[i]?.groups.length) ? shown : undefined;
}

function isHidden(value: FigureValue | undefined, expected: FigureValue | undefined): boolean {
  return value?.kind === 'too-few' || (value?.kind === 'unknown' && expected?.kind !== 'unknown');
}

/** What an attacker may add and subtract in a column: sums of units, which are rows, or people where they are counted. */
function equationsOf(world: World, breakdown: Breakdown, lines: readonly ShownLine[], column: number) {
  const id = breakdown.columns[column]?.id ?? '';
  const counted = world.rows.filter((row) => isIn(world, row, id));
  const unitOf = (row: Row) => (ofPeople.includes(id) ? (row.person() ?? row) : row);
  const units = [...new Set(counted.map(unitOf))];
  const rowsOfUnit = units.map((unit) => counted.filter((row) => unitOf(row) === unit));
  const over = (rows: readonly Row[]) =>
    rowsOfUnit.map((own) => (own.some((row) => rows.includes(row)) ? 1 : 0));
  const equations: number[][] = [];
  if (world.result.figures.some((figure) => figure.id === id)) equations.push(over(counted));
  lines.forEach(({ rows, values }) => {
    if (!isHidden(values[column], naiveFigures(rows, world.plan, world.rows)[id])) equations.push(over(rows));
  });
  breakdown.tails.forEach(({ values }, from) => {
    const rows = lines.slice(from).flatMap((line) => line.rows);
    if (!isHidden(values[column], naiveFigures(rows, world.plan, world.rows)[id])) equations.push(over(rows));
  });
  return { id, equations, rowsOfUnit };
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

/** Sets of units that are about too few people: those that every equation holds together, and sets of these. */
function smallSets(
  world: World,
  equations: readonly (readonly number[])[],
  rowsOfUnit: readonly (readonly Row[])[],
) {
  const atoms = new Map<string, number[]>();
  rowsOfUnit.forEach((_, unit) => {
    const key = equations.map((equation) => equation[unit]).join('');
    atoms.set(key, [...(atoms.get(key) ?? []), unit]);
  });
  const people = (units: readonly number[]) =>
    countPeople(
      world,
      units.flatMap((unit) => rowsOfUnit[unit] ?? []),
    );
  const small = [...atoms.values()].filter((units) => isTooFew(people(units), world.plan));
  const sets: number[][] = [[]];
  for (const atom of small) if (sets.length < 200) sets.push(...sets.map((set) => [...set, ...atom]));
  return sets.filter((units) => isTooFew(people(units), world.plan));
}

describe('figures of any answer, where small groups are protected', () => {
  test('a figure is shown if its denominator has nobody, or enough people, and is then right', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const { plan } = answer;
        const world = worldOf(answer);
        const { rows, result } = world;
        if (isTooFew(countPeople(world, rows), plan)) {
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
          ([id]) => !isAboutTooFew(world, rows, id),
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

  test('every line is about enough people, differs from its filter by none or enough, and is right', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const world = worldOf(answer);
        const { plan, rows, result } = world;
        const { breakdown } = result;
        if (breakdown?.kind !== 'groups') return;
        const lines = shownLines(world, breakdown);
        fc.pre(lines !== undefined);
        for (const line of lines ?? []) {
          expect(countPeople(world, line.rows)).toBeGreaterThanOrEqual(plan.smallestGroup);
          const [only, another] = line.groups;
          if (only && !another) expect(isTooFew(beyondLine(world, breakdown.by, only), plan)).toBe(false);
          const expected = naiveFigures(line.rows, plan, rows);
          breakdown.columns.forEach(({ id }, i) => {
            const value = line.values[i];
            if (isAboutTooFew(world, line.rows, id))
              expect({ id, value }).toEqual({ id, value: { kind: 'too-few' } });
            else if (!isHidden(value, expected[id]))
              expect({ id, value }).toEqual({ id, value: expected[id] });
          });
        }
      }),
      { numRuns: propertyRuns(1200) },
    );
  });

  test('no sum or difference of what is shown is about too few people', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const world = worldOf(answer);
        const { breakdown } = world.result;
        if (breakdown?.kind !== 'groups') return;
        const lines = shownLines(world, breakdown);
        fc.pre(lines !== undefined);
        const isNarrowed = world.plan.view !== undefined || world.plan.states !== undefined;
        breakdown.columns.forEach((_, column) => {
          // How many people of a line are in a state is a figure about all people of that line.
          if (isNarrowed && ofPeople.includes(breakdown.columns[column]?.id ?? '')) return;
          const { id, equations, rowsOfUnit } = equationsOf(world, breakdown, lines ?? [], column);
          for (const set of smallSets(world, equations, rowsOfUnit)) {
            // Something in which all others cancel each other out is about these alone.
            const others = equations.map((equation) => equation.filter((_, unit) => !set.includes(unit)));
            expect({ id, about: rankOf(equations) - rankOf(others) }).toEqual({ id, about: 0 });
          }
        });
      }),
      { numRuns: propertyRuns(1200) },
    );
  });

  test('nobody can tell the people outside of the share of active people by counting everybody', () => {
    let hidden = 0;
    fc.assert(
      fc.property(sharesOfPeople, (answer) => {
        const world = worldOf(answer);
        const { plan, rows, result } = world;
        const { breakdown } = result;
        const column =
          breakdown?.kind === 'groups' ? breakdown.columns.findIndex(({ id }) => id === 'active-share') : -1;
        if (breakdown?.kind !== 'groups' || column < 0) return;
        const people = [...new Set(rows.map((row) => row.person() ?? row))];
        const rowsOfPerson = people.map((one) => rows.filter((row) => (row.person() ?? row) === one));
        // A person whose rows disagree is a member, and has rows of none.
        fc.pre(rowsOfPerson.every((own) => new Set(own.map((row) => isOfMember(row, plan))).size === 1));
        const lines = shownLines(world, breakdown);
        fc.pre(lines !== undefined);
        const shown = lines ?? [];
        // Nobody says that a line has no members, or nobody else: one of each may be there for all that an attacker knows.
        const units = [...rowsOfPerson, ...shown.flatMap((): Row[][] => [[], []])];
        const over = (of: readonly ShownLine[], which: 'everybody' | 'members') => {
          const among = new Set(of.flatMap((line) => line.rows));
          const isCounted = (row: Row) => among.has(row) && (which === 'everybody' || isOfMember(row, plan));
          const possible = shown.flatMap((line) => {
            const isThere = Number(of.includes(line));
            return [isThere, which === 'everybody' ? isThere : 0];
          });
          return [...rowsOfPerson.map((own) => Number(own.some(isCounted))), ...possible];
        };
        const sharesPeople = ({ rows: own }: ShownLine) =>
          rowsOfPerson.some((all) => new Set(all.map((row) => own.includes(row))).size > 1);
        const equations = [over(shown, 'everybody'), over(shown, 'members')];
        for (const line of shown) {
          const { kind } = line.values[column] ?? {};
          // Lines that share people do not tell how many they have.
          if (!sharesPeople(line)) equations.push(over([line], 'everybody'));
          if (kind === 'rate') equations.push(over([line], 'members'));
          if (kind === 'too-few') hidden++;
        }
        // How many they are follows where the equations add up to them. That as many are in one set as in another tells
        // nobody how many.
        for (const set of smallSets(world, equations, units)) {
          const sum = units.map((_, unit) => Number(set.includes(unit)));
          expect(rankOf([...equations, sum]) - rankOf(equations)).toBe(1);
        }
      }),
      { numRuns: propertyRuns(1000) },
    );
    expect(hidden).toBeGreaterThan(0);
  });

  test('charts and rankings show cells that the table shows, and the last line sums of lines', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const world = worldOf(answer);
        const { breakdown, chart, highlights } = world.result;
        if (breakdown?.kind !== 'groups') {
          expect(highlights).toEqual([]);
          return;
        }
        const lines = shownLines(world, breakdown);
        fc.pre(lines !== undefined);
        const labels = breakdown.rows.map(({ label }) => label ?? 'Not given');
        const cellsOf = (label: string) =>
          breakdown.rows.find((row) => (row.label ?? 'Not given') === label)?.values ?? [];
        if (chart && !chart.title.startsWith('Spread'))
          expect(labels).toEqual(expect.arrayContaining([...chart.categories]));
        const drawn = { 'Pass rate (%)': 'pass-rate', 'Share active (%)': 'active-share' };
        const drawnColumn = Object.entries(drawn).find(([title]) => chart?.title.startsWith(title))?.[1];
        const column = breakdown.columns.findIndex(({ id }) => id === drawnColumn);
        if (chart && drawnColumn && column >= 0)
          for (const label of chart.categories) {
            const line = lines?.[labels.indexOf(label)];
            const expected = naiveFigures(line?.rows ?? [], world.plan, world.rows)[drawnColumn];
            expect({ label, isHidden: isHidden(cellsOf(label)[column], expected) }).toEqual({
              label,
              isHidden: false,
            });
          }
        for (const { entries } of highlights)
          for (const { label, value } of entries) expect(cellsOf(label)).toContainEqual(value);
        for (const [place, { values }] of breakdown.tails.entries()) {
          const expected = naiveFigures(
            (lines ?? []).slice(place).flatMap(({ rows }) => rows),
            world.plan,
            world.rows,
          );
          breakdown.columns.forEach(({ id }, i) => {
            const value = values[i];
            if (value?.kind !== 'unknown' && value?.kind !== 'too-few')
              expect({ id, value }).toEqual({ id, value: expected[id] });
          });
        }
      }),
      { numRuns: propertyRuns(600) },
    );
  });

  test('lines are joined only where one may not be shown, and cells hidden only where one is about too few', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const world = worldOf(answer);
        const { plan, rows, result } = world;
        const { breakdown } = result;
        const by = breakdown?.by;
        if (by === undefined || breakdown?.kind !== 'groups') return;
        const groups = linesOf(world, by);
        fc.pre(groups.every(({ label }) => label === null || label.length <= 200));
        const isJoined = breakdown.rows.some(({ joined }) => joined !== undefined);
        if (isJoined) expect(groups.some((line) => mayNotBeShown(world, by, line))).toBe(true);
        const lines = shownLines(world, breakdown);
        fc.pre(lines !== undefined);
        breakdown.columns.forEach(({ id }, i) => {
          const hides = (lines ?? []).some(({ values }) => values[i]?.kind === 'too-few');
          const few = (lines ?? []).some((line) => isAboutTooFew(world, line.rows, id));
          expect({ id, hides }).toEqual({ id, hides: few });
          if (isJoined || hides || !ofPeople.includes(id)) return;
          const people = (own: readonly Row[]) => new Set(own.flatMap((row) => row.person() ?? []));
          const shared = (lines ?? []).filter((line) =>
            (lines ?? []).some(
              (other) => other !== line && [...people(line.rows)].some((one) => people(other.rows).has(one)),
            ),
          );
          for (const line of lines ?? [])
            if (isHidden(line.values[i], naiveFigures(line.rows, plan, rows)[id]))
              expect(shared).toContain(line);
        });
      }),
      { numRuns: propertyRuns(800) },
    );
  });

  test('the sum of any parts is the count of the whole, also after parts that were dropped', () => {
    fc.assert(
      fc.property(answers, fc.array(fc.nat(40), { maxLength: 4 }), ({ plan, records }, ends) => {
        expect(figuresOfParts(plan, records, ends)).toEqual(figuresOf(plan, records));
      }),
      { numRuns: propertyRuns(600) },
    );
  });
});

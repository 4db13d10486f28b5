import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FiguresResult } from '../../src/figures/result.js';
import { formatSummary, formatVisual } from '../../src/figures/summary/summary.js';
import { plainRequest } from '../../src/requests/request.js';
import { propertyRuns } from '../property-runs.js';
import { figuresOf, planFor, resultOf } from './fixed-answers.js';

/** A department of an organization: its people, how many of them are active, and how many passed of those who tried. */
interface Department {
  readonly name: string;
  readonly people: number;
  readonly active: number;
  readonly tried: number;
  readonly passed: number;
}

const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L'];

const organization = fc
  .array(
    fc.record({
      people: fc.integer({ min: 15, max: 28 }),
      share: fc.float({ min: 0, max: 1, noNaN: true }),
      tried: fc.integer({ min: 15, max: 28 }),
    }),
    { minLength: 2, maxLength: names.length },
  )
  .map((all) =>
    all.map(({ people, share, tried }, i): Department => {
      const most = Math.min(people, tried);
      return {
        name: names[i] ?? '',
        people,
        active: Math.round(share * people),
        tried: most,
        passed: Math.round(share * most),
      };
    }),
  );

function rowsOf(all: readonly Department[]): readonly object[] {
  return all.flatMap(({ name, people, active, tried, passed }) =>
    Array.from({ length: people }, (_, n) => ({
      userid: `${name}${n}`,
      departments: [name],
      sessions: n < active ? 1 : 0,
      assessment_title: name,
      assessment_status: n < passed ? 'passed' : n < tried ? 'failed' : 'waiting',
    })),
  );
}

/** The names by a share, the lowest first; of equal shares those of more people, then by name. */
function inOrder(all: readonly Department[], part: 'active' | 'passed', whole: 'people' | 'tried'): string[] {
  return [...all]
    .sort(
      (a, b) =>
        a[part] / a[whole] - b[part] / b[whole] || b.people - a.people || a.name.localeCompare(b.name),
    )
    .map(({ name }) => name);
}

function namedIn({ highlights }: FiguresResult, title: string): readonly string[] {
  return highlights.find((highlight) => highlight.title === title)?.entries.map(({ label }) => label) ?? [];
}

function tableOf({ breakdown }: FiguresResult): readonly (string | null)[] {
  return breakdown?.kind === 'groups' ? breakdown.rows.map(({ label }) => label) : [];
}

describe('a ranking of shares', () => {
  test('has no group of fewer than 20 people, and the lowest first', () => {
    fc.assert(
      fc.property(organization, (all) => {
        const result = figuresOf(planFor(plainRequest('engagement')), rowsOf(all));
        const large = inOrder(
          all.filter(({ people }) => people >= 20),
          'active',
          'people',
        );
        const few = all.filter(({ people }) => people < 20);
        const bySize = [...few].sort((a, b) => b.people - a.people || a.name.localeCompare(b.name));
        expect(tableOf(result)).toEqual([...large, ...bySize.map(({ name }) => name)]);
        // One bar compares nothing, and bars of nothing are no chart.
        const bars = large.length > 1 ? large.slice(0, 5) : [];
        expect(result.chart?.categories ?? []).toEqual(bars);
        const filled = all.filter(({ name, active }) => bars.includes(name) && active > 0);
        const visual = formatVisual(result);
        expect(visual?.chart?.categories ?? []).toEqual(filled.length >= 3 ? bars : []);
        expect(visual?.line.includes('0% in each') ?? false).toBe(bars.length > 1 && filled.length === 0);
        for (const { entries } of result.highlights)
          for (const { label } of entries) expect(large).toContain(label);
        const most = Math.min(3, Math.floor(large.length / 2));
        const notFull = large.filter((name) =>
          all.some((one) => one.name === name && one.active < one.people),
        );
        expect(namedIn(result, 'Least active')).toEqual(notFull.slice(0, most));
      }),
      { numRuns: propertyRuns(150) },
    );
  });

  test('counts the people of its own denominator: those who passed or failed', () => {
    fc.assert(
      fc.property(organization, fc.boolean(), (all, isBroken) => {
        const request = { ...plainRequest('assessments'), ...(isBroken && { by: 'departments' }) };
        const result = figuresOf(planFor(request), rowsOf(all));
        const large = inOrder(
          all.filter(({ tried }) => tried >= 20),
          'passed',
          'tried',
        );
        expect(tableOf(result).slice(0, large.length)).toEqual(large);
        const failing = large.filter((name) =>
          all.some((one) => one.name === name && one.passed < one.tried),
        );
        expect(namedIn(result, 'Hardest')).toEqual(failing.slice(0, 3));
      }),
      { numRuns: propertyRuns(150) },
    );
  });
});

describe('a ranking of numbers', () => {
  const contents = (sizes: Readonly<Record<string, number>>) =>
    Object.entries(sizes).flatMap(([title, size]) =>
      Array.from({ length: size }, (_, n) => ({
        userid: `u${n}`,
        content: { title },
        departments: ['Sales'],
      })),
    );

  test('names no group of fewer than 20 rows, and its chart has them all', () => {
    const result = figuresOf(
      planFor(plainRequest('completions')),
      contents({ Fire: 19, First: 20, Data: 45, Phish: 31, Code: 30 }),
    );
    expect(namedIn(result, 'Most completed')).toEqual(['Data', 'Phish', 'Code']);
    expect(tableOf(result)).toEqual(['Data', 'Phish', 'Code', 'First', 'Fire']);
    const few = figuresOf(planFor(plainRequest('completions')), contents({ Fire: 19, First: 18 }));
    expect(few.highlights).toEqual([]);
  });

  test('is of the field that `by:` names, where a table has more than one page', () => {
    const request = { ...plainRequest('completions'), by: 'departments' };
    const records = names.slice(0, 6).flatMap((department, i) =>
      Array.from({ length: 20 + i }, (_, n) => ({
        userid: `${department}${n}`,
        content: { title: 'Fire safety' },
        departments: [department],
      })),
    );
    const linesOf = (of: readonly object[]) =>
      formatSummary(resultOf(request, of), { withPeople: false }).lines.map(
        ({ title, line }) => `${title}: ${line}`,
      );
    expect(linesOf(records)).toContain('Most completed: F 25, E 24, D 23');
    expect(linesOf(records.slice(0, 62)).join()).not.toContain('Most completed');
  });
});

describe('a chart', () => {
  const titleOf = (request: Parameters<typeof resultOf>[0], records: readonly object[]) =>
    formatSummary(resultOf(request, records), { withPeople: false }).visual?.chart;

  test('has five bars at most, and says which of how many', () => {
    const all = names.map(
      (name, i): Department => ({ name, people: 20 + i, active: 5 + i, tried: 20, passed: i }),
    );
    const chart = titleOf(plainRequest('engagement'), rowsOf(all));
    expect(chart?.title).toBe('Share active (%) by department, lowest 5 of 12');
    expect(chart?.categories).toEqual(['A', 'B', 'C', 'D', 'E']);
    const narrowed = titleOf({ ...plainRequest('engagement'), states: ['active'] }, rowsOf(all));
    expect(narrowed?.title).toBe('Active by department, top 5 of 12');
    expect(narrowed?.categories).toEqual(['L', 'K', 'J', 'I', 'H']);
  });

  test('of shares that are all 0 is one sentence, and a line names each 0 beside few others', () => {
    const lineOf = (active: readonly number[]) => {
      const all = names.map(
        (name, i): Department => ({ name, people: 20, active: active[i] ?? 10, tried: 20, passed: 0 }),
      );
      return formatSummary(resultOf(plainRequest('engagement'), rowsOf(all)), { withPeople: false }).visual;
    };
    expect(lineOf([0, 0, 0, 0, 0, 0])).toEqual({
      line: 'Share active by department, lowest 5 of 12: 0% in each',
    });
    expect(lineOf([0, 0, 0, 1, 2])).toEqual({
      line: 'Share active by department, lowest 5 of 12: A 0%, B 0%, C 0%, D 5%, E 10%',
    });
    expect(lineOf([0, 0, 1, 1, 2])?.chart?.categories).toEqual(['A', 'B', 'C', 'D', 'E']);
  });

  test('of months shows the latest, and says so', () => {
    const request = { ...plainRequest('assignments'), view: 'overdue' as const, by: 'due_date' };
    const records = Array.from({ length: 30 }, (_, n) => ({
      assignment_status: 'not_started',
      due_date: `${1990 + n}-09-01`,
    }));
    const chart = titleOf(request, records);
    expect(chart?.title).toBe('Overdue by due date, latest 20 of 30');
    expect(chart?.shape).toBe('line');
    expect([chart?.categories[0], chart?.categories.at(-1)]).toEqual(['2000', '2019']);
  });

  test('shows whole percent, and tenths from 1,000 people on', () => {
    const of = (size: number) =>
      rowsOf(['A', 'B', 'C'].map((name) => ({ name, people: size, active: 41, tried: 0, passed: 0 })));
    const valuesOf = (size: number) => titleOf(plainRequest('engagement'), of(size))?.series[0]?.values;
    expect(valuesOf(87)).toEqual([47, 47, 47]);
    expect(valuesOf(1001)).toEqual([4.1, 4.1, 4.1]);
  });
});

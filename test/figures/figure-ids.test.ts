import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { allReports, type Report, reportNamed } from '../../src/catalogue/index.js';
import { meanings } from '../../src/figures/format/meanings.js';
import type { Figure, FigureValue } from '../../src/figures/result.js';
import { figuresOfRequest, type NumberUnit, numberInUnit } from '../../src/figures/summary/named-figures.js';
import { plainRequest } from '../../src/requests/request.js';
import { figuresOf, fixedAnswers, planFor, sixRequests } from './fixed-answers.js';

const page = readFileSync(new URL('../../docs/figures.md', import.meta.url), 'utf8');

/** The rows of the table under that heading, as cells. */
function tableUnder(heading: string): string[][] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(2).map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

/** The unit of a counted value, in the words of the page. */
function unitInWords(value: FigureValue): string | undefined {
  if ('unit' in value) return pageUnits[value.unit];
  return { duration: 'hours', rate: '%' }[value.kind as string] ?? 'number';
}

const pageUnits: Readonly<Record<NumberUnit, string>> = {
  number: 'number',
  hours: 'hours',
  days: 'days',
  points: 'points',
  percent: '%',
  rating: 'rating',
  attempts: 'attempts',
};

describe('the fixed ids of the figures', () => {
  const counted = sixRequests.map((request) => ({
    request,
    name: request.view ? { overdue: 'Overdue', due: 'Due' }[request.view] : reportNamed(request.report).title,
    result: figuresOf(planFor({ ...request, by: reportNamed(request.report).fields[0]?.flag ?? '' }), [
      ...fixedAnswers[request.report](9),
    ]),
  }));

  test('are those of the page, in its order', () => {
    expect(tableUnder('Fixed IDs')).toEqual(
      counted.flatMap(({ name, result }) =>
        result.figures.map(({ id, label, value }) => [name, label, `\`${id}\``, unitInWords(value)]),
      ),
    );
  });

  test('are known before anything is counted, with their unit and limits', () => {
    for (const { request, result } of counted) {
      const named = figuresOfRequest(request);
      expect(named.map(({ id, label }) => [id, label])).toEqual(
        result.figures.map(({ id, label }) => [id, label]),
      );
      for (const [i, { unit, min, max }] of named.entries()) {
        const { value } = result.figures[i] as Figure;
        expect(pageUnits[unit]).toBe(unitInWords(value));
        const number = numberInUnit(value) ?? Number.NaN;
        expect(number >= min && number <= max).toBe(true);
      }
    }
  });

  test('are words of small letters joined by hyphens, each once in its report', () => {
    for (const { result } of counted) {
      const ids = result.figures.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const id of ids) expect(id).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
    }
  });

  test('name the columns of a requested breakdown', () => {
    for (const { result } of counted) {
      if (result.breakdown?.kind !== 'groups') throw new Error(`There is no breakdown of ${result.report}`);
      expect(result.breakdown.columns.map(({ id }) => id)).toEqual(result.figures.map(({ id }) => id));
    }
  });
});

/** Figures of an answer that is narrowed to one state, broken down so that none is left out. */
function figuresIn(report: Report, state: string) {
  const request = { ...plainRequest(report.name), states: [state], by: report.fields[0]?.flag ?? '' };
  return figuresOf(planFor(request), [...fixedAnswers[report.name](9)]).figures;
}

test('the figures of every state are known before anything is counted', () => {
  for (const report of allReports)
    for (const { name } of report.states)
      expect(
        figuresOfRequest({ report: report.name, states: [name] }).map(({ id, label }) => [id, label]),
      ).toEqual(figuresIn(report, name).map(({ id, label }) => [id, label]));
});

test('the page names the figures of narrowed answers that are in no other, and they are numbers', () => {
  const listed = new Set(tableUnder('Fixed IDs').map(([name, , id]) => `${name} ${id}`));
  const others = allReports.flatMap((report) =>
    report.states.flatMap(({ name }) => {
      const figures = figuresOfRequest({ report: report.name, states: [name] });
      const views = report.name === 'assignments' ? ['Overdue', 'Due', report.title] : [report.title];
      return figures.filter(({ id }) => !views.some((view) => listed.has(`${view} \`${id}\``)));
    }),
  );
  expect(new Set(others.map(({ id, unit }) => `${id} ${unit}`))).toEqual(
    new Set(['people number', 'inactive-people number', 'free-seats number']),
  );
  const section = page.split('## Fixed IDs')[1] ?? '';
  for (const { id } of others) expect(section).toContain(`\`${id}\``);
});

test('a figure that protected readers never see is left out for them alone', () => {
  const ids = (by: string | undefined, isProtected: boolean) =>
    figuresOfRequest({ report: 'engagement', by }, isProtected).map(({ id }) => id);
  expect(ids('created_at', true)).not.toContain('active-share');
  expect(ids('created_at', false)).toContain('active-share');
  expect(ids('departments', true)).toEqual(ids(undefined, false));
});

test('a learning time is compared in hours, and a median that is not reached is above all others', () => {
  expect(numberInUnit({ kind: 'duration', seconds: 5400 })).toBe(1.5);
  expect(numberInUnit({ kind: 'rate', part: 1, whole: 4 })).toBe(25);
  expect(numberInUnit({ kind: 'rate', part: 0, whole: 0 })).toBeUndefined();
  expect(numberInUnit({ kind: 'median', value: null, over: 3, unit: 'days' })).toBeGreaterThan(1e9);
  expect(numberInUnit({ kind: 'too-few' })).toBeUndefined();
});

test('the page lists the figures of every state', () => {
  expect(tableUnder('Narrowed answers')).toEqual(
    allReports.flatMap((report) =>
      report.states.map(({ name }) => [
        report.title,
        `\`${name}\``,
        figuresIn(report, name)
          .map(({ id }) => `\`${id}\``)
          .join(', '),
      ]),
    ),
  );
});

test('every figure of every state has its meaning', () => {
  for (const report of allReports)
    for (const { name } of report.states)
      expect(meanings[report.name].map(({ term }) => term)).toEqual(
        expect.arrayContaining(figuresIn(report, name).map(({ label }) => label)),
      );
});

test('the page defines every state that a report can be cut to', () => {
  const states: Record<string, string[]> = {};
  for (const [report = '', state = '', meaning = ''] of tableUnder('States')) {
    expect(meaning).not.toBe('');
    states[report] = [...(states[report] ?? []), state.replaceAll('`', '')];
  }
  expect(states).toEqual(
    Object.fromEntries(
      allReports
        .filter((report) => report.states.length > 0)
        .map(({ title, states }) => [title, states.map(({ name }) => name)]),
    ),
  );
  expect(states).toEqual({
    Assignments: ['overdue', 'due-soon', 'not-started', 'in-progress', 'not-completed', 'completed', 'late'],
    Tracks: ['stalled', 'not-started', 'in-progress', 'not-completed', 'completed'],
    Assessments: ['passed', 'failed', 'waiting'],
    Engagement: ['active', 'inactive'],
    Workshops: ['free-seats', 'full', 'waitlist'],
  });
  expect(allReports.map(({ title }) => title)).toEqual(expect.arrayContaining(Object.keys(states)));
});

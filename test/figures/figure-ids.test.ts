import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { allReports, type Report, reportNamed } from '../../src/catalogue/index.js';
import { meanings } from '../../src/figures/format/meanings.js';
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

describe('the fixed ids of the figures', () => {
  const counted = sixRequests.map((request) => ({
    name: request.view ? { overdue: 'Overdue', due: 'Due' }[request.view] : reportNamed(request.report).title,
    result: figuresOf(planFor({ ...request, by: reportNamed(request.report).fields[0]?.flag ?? '' }), [
      ...fixedAnswers[request.report](9),
    ]),
  }));

  test('are those of the page, in its order', () => {
    expect(tableUnder('Fixed IDs')).toEqual(
      counted.flatMap(({ name, result }) =>
        result.figures.map(({ id, label }) => [name, label, `\`${id}\``]),
      ),
    );
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

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { allReports, reportNamed } from '../../src/catalogue/index.js';
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
    name: request.view ? 'Overdue' : reportNamed(request.report).title,
    result: figuresOf(planFor({ ...request, by: reportNamed(request.report).fields[0]?.flag ?? '' }), [
      ...fixedAnswers[request.report](9),
    ]),
  }));

  test('are those of the page, in its order', () => {
    expect(tableUnder('Fixed ids')).toEqual(
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

test('the page defines every state that a report can be cut to', () => {
  const states: Record<string, string[]> = {};
  for (const [report = '', state = '', meaning = ''] of tableUnder('States')) {
    expect(meaning).not.toBe('');
    states[report] = [...(states[report] ?? []), state.replaceAll('`', '')];
  }
  expect(states).toEqual({
    Assignments: ['overdue', 'due-soon', 'not-started', 'in-progress', 'not-completed', 'completed', 'late'],
    Tracks: ['stalled', 'not-started', 'in-progress', 'not-completed', 'completed'],
    Assessments: ['passed', 'failed', 'waiting'],
    Engagement: ['active', 'inactive'],
    Workshops: ['free-seats', 'full', 'waitlist'],
  });
  expect(allReports.map(({ title }) => title)).toEqual(expect.arrayContaining(Object.keys(states)));
});

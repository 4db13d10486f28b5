import { expect, test } from 'vitest';
import { summaryText } from '../../src/cli/summary-text.js';
import { plainRequest } from '../../src/requests/request.js';
import { fixedAnswers, nameOf, resultOf, sixRequests } from '../figures/fixed-answers.js';

test.each(sixRequests.map((request) => [nameOf(request), request] as const))('%s as text', (_, request) => {
  const answer = fixedAnswers[request.report];
  const result = resultOf(request, answer(60), { before: answer(45), people: true });
  expect(summaryText(result, { withPeople: true })).toMatchSnapshot();
});

test('an empty result comes with likely reasons', () => {
  const text = summaryText(resultOf(plainRequest('tracks'), []), { withPeople: true });
  expect(text).toBe(
    [
      'Tracks last week: no track enrolments found',
      "9–15 Nov 2026 (Europe/Berlin), by the service's own date",
      '',
      '- The range may be too early, or nothing happened in it.',
    ].join('\n'),
  );
});

test('a single row is one sentence', () => {
  const text = summaryText(resultOf(plainRequest('engagement'), fixedAnswers.engagement(2).slice(1)), {
    withPeople: false,
  });
  expect(text).toMatch(/^Engagement last week: 1 person, 1 session, 1 view, learning time \d+ minutes/);
  expect(text).not.toContain('Share active');
  expect(text).not.toContain('Moreau');
});

test('listed rows are a table, instead of the few people to look at', () => {
  const result = resultOf({ ...plainRequest('tracks'), states: ['stalled'] }, fixedAnswers.tracks(60), {
    people: true,
  });
  const rows = {
    columns: [
      { flag: 'email', label: 'Email' },
      { flag: 'track_progress', label: 'Progress' },
    ],
    total: 3,
    listed: [
      { cells: [{ text: 'ada@example.com' }, { text: '7', number: 7 }] },
      { cells: [{ text: 'x'.repeat(60) }, { text: '12', number: 12 }] },
    ],
  };
  const [head, table, ...rest] = summaryText({ ...result, rows }, { withPeople: true }).split('\n\n');
  expect(head).toContain('Tracks last week: ');
  expect(table).toBe(
    [
      'Email                                     Progress',
      'ada@example.com                                  7',
      `${'x'.repeat(39)}…        12`,
      '2 of 3 rows. Write all of them with --csv FILE.',
    ].join('\n'),
  );
  expect(rest.join('\n')).not.toContain('Moreau');
});

test('text from the service cannot control the terminal', () => {
  const result = resultOf(plainRequest('engagement'), [
    { sessions: 1, departments: '\u001b[2JSales\u0007' },
    { sessions: 0, departments: '\u202eelaS' },
  ]);
  expect(summaryText(result, { withPeople: true }).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
});

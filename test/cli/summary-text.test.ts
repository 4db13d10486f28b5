import { expect, test } from 'vitest';
import { summaryText } from '../../src/cli/run.js';
import { plainRequest } from '../../src/requests/request.js';
import { fixedAnswers, nameOf, resultOf, sixRequests } from '../figures/fixed-answers.js';

test.each(sixRequests.map((request) => [nameOf(request), request] as const))('%s as text', (_, request) => {
  const answer = fixedAnswers[request.report];
  const result = resultOf(request, answer(60), { before: answer(45), people: true });
  expect(summaryText(result, true)).toMatchSnapshot();
});

test('an empty result comes with likely reasons', () => {
  const text = summaryText(resultOf(plainRequest('tracks'), []), true);
  expect(text).toBe(
    [
      'Tracks',
      "last week (Mon 9 Nov – Sun 15 Nov 2026, Europe/Berlin), by the service's own date",
      '',
      'No track enrolments were found.',
      '- The range may be too early, or nothing happened in it.',
    ].join('\n'),
  );
});

test('a single row shows its fields', () => {
  const text = summaryText(resultOf(plainRequest('engagement'), fixedAnswers.engagement(2).slice(1)), false);
  expect(text).toMatch(/^Sessions +1$/m);
  expect(text).not.toContain('Moreau');
});

test('text from the service cannot control the terminal', () => {
  const result = resultOf(plainRequest('engagement'), [
    { sessions: 1, departments: '\u001b[2JSales\u0007' },
    { sessions: 0, departments: '\u202eelaS' },
  ]);
  expect(summaryText(result, true).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
});

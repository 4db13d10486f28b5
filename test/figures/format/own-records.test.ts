import { expect, test } from 'vitest';
import { formatSummary } from '../../../src/figures/summary/summary.js';
import { plainRequest, type ReportRequest } from '../../../src/requests/request.js';
import { fixedAnswers, resultOf } from '../fixed-answers.js';

const direct = { withPeople: true };
const overdue: ReportRequest = { ...plainRequest('assignments'), view: 'overdue' };

function about(member: 'email' | 'manager_email', more: Partial<ReportRequest> = {}): ReportRequest {
  return { ...overdue, filters: [{ object: 'user_filter', member, entries: ['me'] }], ...more };
}

const records = fixedAnswers.assignments(60);

test("one's own records name nobody, and count no people", () => {
  const result = resultOf(about('email'), records, { people: true });
  const { finding, figures, people, meanings } = formatSummary(result, direct);
  expect(finding).toMatch(/^Your overdue assignments/);
  expect(figures.map(({ id }) => id)).not.toContain('people');
  expect(meanings.map(({ term }) => term)).not.toContain('People');
  const named = formatSummary(resultOf(overdue, records, { people: true }), direct);
  expect(named.figures.map(({ id }) => id)).toContain('people');
  expect(people?.lines).toEqual(
    named.people?.lines.map((line) => line.slice(line.indexOf(', ') + ', '.length)),
  );
});

test('an answer that others read too does not speak of “your” records', () => {
  const result = resultOf(about('email'), records);
  expect(formatSummary(result, { withPeople: false }).finding).toMatch(/^Overdue assignments/);
  expect(formatSummary(result, { withPeople: true, isOwner: true }).finding).toMatch(/^Overdue assignments/);
});

test.each([
  ['email', 'Your learning account may have another email address than your Slack profile.'],
  ['manager_email', 'No learning account may have the address of your Slack profile as its manager.'],
] as const)('where nothing is found for %s:me, the address may be the reason', (member, reason) => {
  const { nothing } = formatSummary(resultOf(about(member), []), direct);
  expect(nothing?.reasons).toEqual([reason, 'The range may be too early, or nothing happened in it.']);
});

test('another filter may be the reason too', () => {
  const sales = { object: 'user_filter', member: 'departments', entries: ['Sails'] };
  const request = about('email', { filters: [...about('email').filters, sales] });
  const { nothing } = formatSummary(resultOf(request, []), direct);
  expect(nothing?.reasons.join(' ')).toContain('The filters may match nothing');
});

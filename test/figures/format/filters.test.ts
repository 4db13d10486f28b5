import { expect, test } from 'vitest';
import { reportNamed } from '../../../src/catalogue/index.js';
import { formatFilters } from '../../../src/figures/summary/request.js';
import { plainRequest } from '../../../src/requests/request.js';

const report = reportNamed('engagement');
const myTeam = { object: 'user_filter', member: 'manager_email', entries: ['me'] };
const sales = { object: 'user_filter', member: 'departments', entries: ['Sales'] };
const request = { ...plainRequest('engagement'), filters: [myTeam, sales] };

test.each([
  ['all', false, ['Your team', 'Departments: Sales']],
  ['all', true, ["The owner's team", 'Departments: Sales']],
  ['team', false, ['Departments: Sales']],
] as const)('the filters of an answer about %s rows, for its owner: %s', (rows, isOwner, expected) => {
  expect(formatFilters({ report, request, scope: { rows } }, { isOwner })).toEqual(expected);
});

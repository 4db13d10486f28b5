import { describe, expect, it } from 'vitest';
import { unlimitedScope } from '../../src/access/scope.js';
import { plainRequest, type ReportRequest } from '../../src/requests/request.js';
import type { PersonLevel } from '../../src/runner/answer-parts.js';
import { type Route, routeOf } from '../../src/runner/answer-parts.js';

const plain = plainRequest('engagement');
const named: ReportRequest = { ...plain, columns: ['email', 'views'] };
const open: ReportRequest = { ...plain, columns: ['departments', 'views'] };
const workshops: ReportRequest = { ...plainRequest('workshops'), columns: ['workshop_title'] };
const withRows: ReportRequest = { ...plain, showRows: true };
const toMe: ReportRequest = { ...plain, toMe: true };

const rowsDirect = { summary: 'here', file: 'none', rows: 'direct', because: 'person-level-rows' } as const;

describe('where an answer goes', () => {
  it.each<[string, ReportRequest, PersonLevel, boolean, Route]>([
    ['a summary', plain, 'not-approved', false, { summary: 'here', file: 'none', rows: 'none' }],
    ['a summary in a shared channel', plain, 'never', false, { summary: 'here', file: 'none', rows: 'none' }],
    [
      'the usual file in an approved channel',
      plain,
      'allowed',
      true,
      { summary: 'here', file: 'here', rows: 'none' },
    ],
    [
      'the usual file elsewhere',
      plain,
      'not-approved',
      true,
      { summary: 'here', file: 'direct', rows: 'none', because: 'person-level-rows' },
    ],
    [
      'the usual file in a shared channel',
      plain,
      'never',
      true,
      { summary: 'here', file: 'direct', rows: 'none', because: 'person-level-rows' },
    ],
    [
      'rows about learners without a name',
      open,
      'not-approved',
      true,
      { summary: 'here', file: 'direct', rows: 'none', because: 'person-level-rows' },
    ],
    ['rows of workshops', workshops, 'not-approved', true, { summary: 'here', file: 'here', rows: 'none' }],
    [
      'chosen columns that name people',
      named,
      'not-approved',
      true,
      { summary: 'direct', file: 'direct', rows: 'none', because: 'person-level-request' },
    ],
    [
      'the same without a file',
      named,
      'never',
      false,
      { summary: 'direct', file: 'none', rows: 'in-summary', because: 'person-level-request' },
    ],
    [
      'the same in an approved channel',
      named,
      'allowed',
      true,
      { summary: 'here', file: 'here', rows: 'none' },
    ],
    [
      'rows in an approved channel',
      withRows,
      'allowed',
      false,
      { summary: 'here', file: 'none', rows: 'in-summary' },
    ],
    ['rows elsewhere', withRows, 'not-approved', false, rowsDirect],
    ['rows in a shared channel', withRows, 'never', false, rowsDirect],
    ['chosen columns that name nobody', open, 'not-approved', false, rowsDirect],
    [
      'rows elsewhere with a file, which has them',
      { ...withRows, file: 'csv' },
      'not-approved',
      true,
      { summary: 'here', file: 'direct', rows: 'none', because: 'person-level-rows' },
    ],
    [
      'rows of workshops without a file',
      { ...workshops, showRows: true },
      'never',
      false,
      { summary: 'here', file: 'none', rows: 'in-summary' },
    ],
    ['to:me', toMe, 'allowed', true, { summary: 'direct', file: 'direct', rows: 'none' }],
    ['to:me without a file', toMe, 'never', false, { summary: 'direct', file: 'none', rows: 'none' }],
  ])('%s', (_what, request, personLevel, file, route) => {
    const asked = { ...request, file: file ? ('csv' as const) : undefined };
    expect(routeOf(asked, personLevel, new Set(), unlimitedScope)).toEqual(route);
  });

  it('is the direct messages where the reader may see the own rows alone', () => {
    for (const place of ['allowed', 'not-approved', 'never'] as const) {
      const scope = { ...unlimitedScope, onlyDirect: true };
      expect(routeOf({ ...plain, file: 'csv' }, place, new Set(), scope)).toMatchObject({
        summary: 'direct',
        file: 'direct',
        because: 'level',
      });
    }
  });
});

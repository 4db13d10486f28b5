import { describe, expect, it } from 'vitest';
import { unlimitedScope } from '../../src/access/scope.js';
import { plainRequest, type ReportRequest } from '../../src/requests/request.js';
import type { PersonLevel } from '../../src/runner/route.js';
import { type Route, routeOf } from '../../src/runner/route.js';

const plain = plainRequest('engagement');
const named: ReportRequest = { ...plain, columns: ['email', 'views'] };
const open: ReportRequest = { ...plain, columns: ['departments', 'views'] };
const workshops: ReportRequest = { ...plainRequest('workshops'), columns: ['workshop_title'] };
const toMe: ReportRequest = { ...plain, toMe: true };

describe('where an answer goes', () => {
  it.each<[string, ReportRequest, PersonLevel, boolean, Route]>([
    ['a summary', plain, 'not-approved', false, { summary: 'here', file: 'none' }],
    ['a summary in a shared channel', plain, 'never', false, { summary: 'here', file: 'none' }],
    ['the usual file in an approved channel', plain, 'allowed', true, { summary: 'here', file: 'here' }],
    [
      'the usual file elsewhere',
      plain,
      'not-approved',
      true,
      { summary: 'here', file: 'direct', because: 'person-level-file' },
    ],
    [
      'the usual file in a shared channel',
      plain,
      'never',
      true,
      { summary: 'here', file: 'direct', because: 'person-level-file' },
    ],
    [
      'rows about learners without a name',
      open,
      'not-approved',
      true,
      { summary: 'here', file: 'direct', because: 'person-level-file' },
    ],
    ['rows of workshops', workshops, 'not-approved', true, { summary: 'here', file: 'here' }],
    [
      'chosen columns that name people',
      named,
      'not-approved',
      true,
      { summary: 'direct', file: 'direct', because: 'person-level-request' },
    ],
    [
      'the same without a file',
      named,
      'never',
      false,
      { summary: 'direct', file: 'none', because: 'person-level-request' },
    ],
    ['the same in an approved channel', named, 'allowed', true, { summary: 'here', file: 'here' }],
    ['to:me', toMe, 'allowed', true, { summary: 'direct', file: 'direct' }],
    ['to:me without a file', toMe, 'never', false, { summary: 'direct', file: 'none' }],
  ])('%s', (_what, request, personLevel, file, route) => {
    expect(routeOf(request, personLevel, file, new Set(), unlimitedScope)).toEqual(route);
  });

  it('is the direct messages where the reader may see the own rows alone', () => {
    for (const place of ['allowed', 'not-approved', 'never'] as const) {
      const scope = { ...unlimitedScope, onlyDirect: true };
      expect(routeOf(plain, place, true, new Set(), scope)).toMatchObject({
        summary: 'direct',
        file: 'direct',
      });
    }
  });
});

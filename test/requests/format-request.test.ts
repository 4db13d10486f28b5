import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allReports } from '../../src/catalogue/index.js';
import { parseCommand } from '../../src/requests/parse-command.js';
import { formatRequest } from '../../src/requests/parse-request.js';
import { plainRequest } from '../../src/requests/request.js';
import { quoteEntry } from '../../src/requests/tokens.js';
import { stripSlackMarkup } from '../../src/slack/markup.js';
import { propertyRuns } from '../property-runs.js';
import { accepted } from '../results.js';
import { anyEntry, anyRequest, anyRequestFor } from './random-request.js';

const nothingSaved = { savedNames: [] };

describe('a formatted request', () => {
  it.each(allReports)('parses to the same request: $name', (report) => {
    fc.assert(
      fc.property(anyRequestFor(report), (request) => {
        expect(accepted(parseCommand(formatRequest(request), nothingSaved))).toEqual({
          kind: 'run',
          request,
        });
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it('is the same after Slack’s markup was added and stripped', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const dressed = formatRequest(request)
          .replaceAll('&', '&amp;')
          .replaceAll('<', '&lt;')
          .replaceAll('>', '&gt;');
        expect(accepted(parseCommand(stripSlackMarkup(dressed), nothingSaved))).toEqual({
          kind: 'run',
          request,
        });
      }),
    );
  });

  it('is formatted the same way again', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const said = formatRequest(request);
        const read = accepted(parseCommand(said, nothingSaved));
        expect(read.kind === 'run' && formatRequest(read.request)).toBe(said);
      }),
    );
  });

  it('has only what was chosen, in a fixed order', () => {
    expect(formatRequest(plainRequest('engagement'))).toBe('engagement');
    expect(
      formatRequest({
        report: 'completions',
        range: 'last-4-weeks',
        dateField: 'updated_date',
        sort: 'last_name',
        columns: ['email', 'content'],
        filters: [
          { object: 'user_filter', member: 'departments', entries: ['Sales', 'Field Operations'] },
          { object: 'user_filter', member: 'suspended', entries: ['false'] },
          { object: 'entity_filter', member: 'entity_id', entries: ['e1'] },
        ],
        by: 'content',
        file: 'csv' as const,
        toMe: true,
      }),
    ).toBe(
      'completions last-4-weeks departments:Sales,"Field Operations" suspended:no entity_id:e1 ' +
        'fields:email,content on:updated_date sort:last_name by:content csv to:me',
    );
  });

  it('names a member by its object where the learner has one of that name', () => {
    const filters = [
      { object: 'user_filter', member: 'departments', entries: ['Sales'] },
      { object: 'track_filter', member: 'departments', entries: ['HR'] },
      { object: 'track_filter', member: 'archived', entries: ['true'] },
    ];
    expect(formatRequest({ ...plainRequest('tracks'), filters })).toBe(
      'tracks departments:Sales track.departments:HR archived:yes',
    );
    const workshop = [{ object: 'workshop_filter', member: 'departments', entries: ['HR'] }];
    expect(formatRequest({ ...plainRequest('workshops'), filters: workshop })).toBe(
      'workshops departments:HR',
    );
  });

  it('has the word overdue for overdue assignments', () => {
    const overdue = { ...plainRequest('assignments'), view: 'overdue' as const, range: 'last-year' };
    expect(formatRequest(overdue)).toBe('overdue last-year');
    expect(formatRequest({ ...overdue, assigned: '2024' })).toBe('overdue last-year assigned:2024');
    expect(formatRequest({ ...overdue, dateField: 'due_date' })).toBe('overdue last-year on:due_date');
  });
});

describe('an entry in quotes', () => {
  it.each([
    ['Sales', 'Sales'],
    ['Field Operations', '"Field Operations"'],
    ['non\u00a0breaking', '"non\u00a0breaking"'],
    ['15"', '“15"”'],
    ['the “best” one', '"the “best” one"'],
    ['a"b“c', '"a"“"”"b“c"'],
    ['C:\\Sales', 'C:\\Sales'],
    ['a:b', 'a:b'],
  ])('%s is typed %s', (entry, typed) => expect(quoteEntry(entry)).toBe(typed));

  it('reads back to itself, whatever it holds', () => {
    fc.assert(
      fc.property(anyEntry, (entry) => {
        expect(
          accepted(parseCommand(`engagement departments:${quoteEntry(entry)}`, nothingSaved)),
        ).toMatchObject({
          request: { filters: [{ entries: [entry] }] },
        });
      }),
      { numRuns: propertyRuns(1000) },
    );
  });
});

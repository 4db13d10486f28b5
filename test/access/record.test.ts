import { describe, expect, it } from 'vitest';
import {
  type AccessEvent,
  askedEvent,
  exportedEvent,
  recordEvent,
  recordExport,
} from '../../src/access/record.js';
import { type Scope, unlimitedScope } from '../../src/access/scope.js';
import { plainRequest, type ReportRequest } from '../../src/requests/request.js';

const at = 1_000;

function filtered(...filters: readonly [member: string, ...entries: string[]][]): ReportRequest {
  return {
    ...plainRequest('tracks'),
    filters: filters.map(([member, ...entries]) => ({ object: 'user_filter', member, entries })),
  };
}

function asked(request: ReportRequest, scope: Scope = unlimitedScope, me?: string): AccessEvent {
  return askedEvent(
    { at, person: 'U1', place: 'C1', request, origin: 'request', me },
    {
      level: 'everything',
      scope,
    },
  );
}

describe('the event of a request', () => {
  it('says who asked what, where, with which level and whose rows', () => {
    const request = filtered(['departments', 'Sales']);
    expect(asked(request)).toEqual({
      kind: 'asked',
      at,
      person: 'U1',
      place: 'C1',
      report: 'tracks',
      subjects: [],
      details: {
        words: 'tracks departments:Sales',
        origin: 'request',
        filters: request.filters,
        level: 'everything',
        rows: 'all',
        smallestGroup: 1,
      },
    });
  });

  it.each([
    ['an address', filtered(['email', 'Ada@Example.com']), ['ada@example.com']],
    ['a manager', filtered(['manager_email', 'bob@example.com']), ['bob@example.com']],
    ['me', filtered(['email', 'me']), ['me@example.com']],
    ['each once', filtered(['email', 'b@x.org', 'B@x.org', 'a@x.org']), ['a@x.org', 'b@x.org']],
    ['no name, which is no address', filtered(['first_name', 'Ada']), []],
    ['no department', filtered(['departments', 'sales@work']), []],
  ])('has %s as its people', (_what, request, subjects) => {
    expect(asked(request, unlimitedScope, 'Me@example.com').subjects).toEqual(subjects);
  });

  it('has the address that the scope forces', () => {
    const scope = { ...unlimitedScope, rows: 'team', address: 'boss@example.com' } as const;
    expect(asked(filtered(), scope).subjects).toEqual(['boss@example.com']);
  });

  it('says why it was refused', () => {
    const facts = { at, person: 'U1', request: filtered(), origin: 'request' } as const;
    expect(askedEvent(facts, { level: 'nothing', refused: 'nothing' }).details).toMatchObject({
      level: 'nothing',
      refused: 'nothing',
    });
  });
});

describe('the event of a file', () => {
  const file = { name: 'tracks.csv', columns: ['email'], rowCount: 3, scope: unlimitedScope };
  const peopleOf = (request: ReportRequest, scope: Scope = unlimitedScope) =>
    exportedEvent({ at, person: 'U1', place: 'C1', request, origin: 'request' }, { ...file, scope }).details;

  it('says which columns and how many rows', () => {
    expect(peopleOf(filtered())).toMatchObject({ file: 'tracks.csv', columns: ['email'], rowCount: 3 });
  });

  it.each([
    ['everybody', filtered()],
    ['everybody', filtered(['departments', 'Sales'])],
    ['some', filtered(['manager_email', 'bob@example.com'])],
    ['some', filtered(['first_name', 'Ada'])],
    ['named', filtered(['email', 'ada@example.com'], ['manager_email', 'bob@example.com'])],
  ])('holds the rows of %s', (people, request) => {
    expect(peopleOf(request)).toMatchObject({ people });
  });

  it('holds the rows of some where the scope is a team, and of the reader where it is the reader', () => {
    expect(peopleOf(filtered(), { ...unlimitedScope, rows: 'team', address: 'a@x.org' })).toMatchObject({
      people: 'some',
    });
    expect(peopleOf(filtered(), { ...unlimitedScope, rows: 'self', address: 'a@x.org' })).toMatchObject({
      people: 'named',
    });
  });
});

describe('a record that cannot be written', () => {
  const broken = { append: () => Promise.reject(new Error('disk full')) };
  const event: AccessEvent = { kind: 'asked', at };

  it('stops a file', async () => {
    await expect(recordExport(broken, event)).rejects.toMatchObject({ code: 'export-not-recorded' });
  });

  it('stops nothing else, and is logged', async () => {
    const logged: unknown[] = [];
    await recordEvent(broken, event, { error: (...line) => logged.push(line) });
    expect(logged).toEqual([
      [expect.objectContaining({ kind: 'asked' }), 'An event could not be written to the record of access'],
    ]);
  });
});

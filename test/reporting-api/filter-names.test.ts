import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/errors/failure.js';
import { type FilterNames, parseNames, withIdentifiers } from '../../src/reporting-api/filter-names.js';

function namesOf(csvText: string): FilterNames {
  const parsed = parseNames(csvText);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.refusal));
  return parsed.value;
}

const problemsOf = (csvText: string) => {
  const parsed = parseNames(csvText);
  return parsed.ok ? [] : parsed.refusal;
};

const names = namesOf(
  [
    'member,id,name',
    'departments,5f0000000000000000000001,Sales',
    'departments,5f0000000000000000000002,"Field  Operations"',
    'departments,5f0000000000000000000003,Support',
    'collaborators,5f00000000000000000000aa,Ada Lovelace',
    'teams,north,Team North',
    'teams,north,The Northerners',
  ].join('\r\n'),
);

const identifiersFor = (object: string, members: Record<string, string>) =>
  withIdentifiers({ operation: 'o', addsUp: false, body: { email: true, [object]: members } }, names).body[
    object
  ];

describe('the list of names', () => {
  it('can have no heading, a BOM and empty lines', () => {
    const one = 'departments,d1,Sales';
    for (const text of [one, `\uFEFFMember,ID,Name\n${one}\n\n`, `\n${one}`]) {
      expect([...namesOf(text).keys()]).toEqual(['departments']);
    }
    expect([...namesOf('').keys()]).toEqual([]);
  });

  it('reports the error of each line', () => {
    const text = [
      'member,id,name',
      'departments,d1',
      'department,d1,Sales',
      'departments,,Sales',
      'departments,"a,b",Sales',
      'departments,d1,',
      'is_manager,true,Boss',
      'manager_email,a@b.test,Boss',
      'departments,d1,Sales',
      'departments,d2,  sales ',
    ].join('\n');
    expect(problemsOf(text)).toEqual([
      { line: 2, what: 'has 2 columns instead of 3 (member,id,name)' },
      { line: 3, what: 'does not begin with a filter member that takes names or identifiers' },
      { line: 4, what: 'has no id' },
      { line: 5, what: 'has an id with a comma, which the service would read as two' },
      { line: 6, what: 'has no name' },
      { line: 7, what: 'does not begin with a filter member that takes names or identifiers' },
      { line: 8, what: 'does not begin with a filter member that takes names or identifiers' },
      { line: 10, what: 'gives the name of an earlier line of departments to another id' },
    ]);
  });

  it('reports where it is not CSV', () => {
    expect(problemsOf('departments,d1,Sales\ndepartments,d2,"Field" Operations')).toEqual([
      { line: 2, what: 'is not CSV: check its double quotes' },
    ]);
    expect(problemsOf('departments,d1,Sales\ndepartments,d2,"Field')).toMatchObject([
      { what: 'is not CSV: check its double quotes' },
    ]);
  });
});

describe('names in filters', () => {
  it('become identifiers in any case and with any blanks', () => {
    expect(
      identifiersFor('user_filter', {
        departments: 'Sales,field operations,FIELD   OPERATIONS',
        email: 'x@y.test',
      }),
    ).toEqual({
      departments: '5f0000000000000000000001,5f0000000000000000000002',
      email: 'x@y.test',
    });
    expect(identifiersFor('track_filter', { teams: 'the northerners,Team North' })).toEqual({
      teams: 'north',
    });
  });

  it('stay if they are identifiers or the list does not cover their member', () => {
    const filter = {
      departments: '5f0000000000000000000003,ffffffffffffffffffffffff',
      teams: 'north',
      locations: 'Berlin',
    };
    expect(identifiersFor('user_filter', filter)).toEqual(filter);
  });

  it('are refused with the nearest names if the list does not know them', () => {
    const ask = () => identifiersFor('user_filter', { departments: 'Sales,Suport' });
    expect(ask).toThrow(
      expect.objectContaining({
        code: 'unknown-name',
        details: { object: 'user_filter', member: 'departments', entry: 'Suport', nearest: ['Support'] },
      }),
    );
    expect(() => identifiersFor('user_filter', { departments: 'operations' })).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ nearest: ['Field  Operations'] }) }),
    );
    expect(() => identifiersFor('user_filter', { departments: 'xyz' })).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ nearest: [] }) }),
    );
  });

  it('are not suggested if they are people', () => {
    expect(() => identifiersFor('track_filter', { collaborators: 'Ada Lovelac' })).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ entry: 'Ada Lovelac', nearest: [] }) }),
    );
  });

  it('do not appear in a logged error', () => {
    const error = new Failure('unknown-name', {
      object: 'track_filter',
      member: 'collaborators',
      entry: 'Ada Lovelac',
      nearest: ['Ada Lovelace'],
    });
    expect(error.details.entry).toBe('Ada Lovelac');
    expect(JSON.stringify({ ...error, message: error.message, stack: error.stack })).not.toContain('Ada');
  });
});

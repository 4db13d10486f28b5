import { describe, expect, it } from 'vitest';
import { UnknownName } from '../../src/reporting-api/errors.js';
import { type MemberNames, parseNames, withIdentifiers } from '../../src/reporting-api/names.js';

function namesOf(csvText: string): MemberNames {
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

const asked = (object: string, members: Record<string, string>) =>
  withIdentifiers({ operation: 'o', addsUp: false, body: { email: true, [object]: members } }, names).body[
    object
  ];

describe('the list of names', () => {
  it('may lack its heading, begin with a BOM and have empty lines', () => {
    const one = 'departments,d1,Sales';
    for (const text of [one, `\uFEFFMember,ID,Name\n${one}\n\n`, `\n${one}`]) {
      expect([...namesOf(text).keys()]).toEqual(['departments']);
    }
    expect([...namesOf('').keys()]).toEqual([]);
  });

  it('says what is wrong with each line', () => {
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

  it('says where it is no CSV', () => {
    expect(problemsOf('departments,d1,Sales\ndepartments,d2,"Field" Operations')).toEqual([
      { line: 2, what: 'is not CSV: check its double quotes' },
    ]);
    expect(problemsOf('departments,d1,Sales\ndepartments,d2,"Field')).toMatchObject([
      { what: 'is not CSV: check its double quotes' },
    ]);
  });
});

describe('names in filters', () => {
  it('become identifiers, whatever their case and blanks', () => {
    expect(
      asked('user_filter', { departments: 'Sales,field operations,FIELD   OPERATIONS', email: 'x@y.test' }),
    ).toEqual({
      departments: '5f0000000000000000000001,5f0000000000000000000002',
      email: 'x@y.test',
    });
    expect(asked('track_filter', { teams: 'the northerners,Team North' })).toEqual({ teams: 'north' });
  });

  it('stay as they are where they are identifiers, or the list does not cover their member', () => {
    const filter = {
      departments: '5f0000000000000000000003,ffffffffffffffffffffffff',
      teams: 'north',
      locations: 'Berlin',
    };
    expect(asked('user_filter', filter)).toEqual(filter);
  });

  it('are refused where the list covers the member and does not know them, with the nearest that it knows', () => {
    const ask = () => asked('user_filter', { departments: 'Sales,Suport' });
    expect(ask).toThrow(UnknownName);
    expect(ask).toThrow(
      expect.objectContaining({
        object: 'user_filter',
        member: 'departments',
        entry: 'Suport',
        nearest: ['Support'],
      }),
    );
    expect(() => asked('user_filter', { departments: 'operations' })).toThrow(
      expect.objectContaining({ nearest: ['Field  Operations'] }),
    );
    expect(() => asked('user_filter', { departments: 'xyz' })).toThrow(
      expect.objectContaining({ nearest: [] }),
    );
  });

  it('are not offered where they are people', () => {
    expect(() => asked('track_filter', { collaborators: 'Ada Lovelac' })).toThrow(
      expect.objectContaining({ entry: 'Ada Lovelac', nearest: [] }),
    );
  });

  it('leave nothing of themselves in what a log writes of the error', () => {
    const error = new UnknownName('track_filter', 'collaborators', 'Ada Lovelac', ['Ada Lovelace']);
    expect(error.entry).toBe('Ada Lovelac');
    expect(JSON.stringify({ ...error, message: error.message, stack: error.stack })).not.toContain('Ada');
  });
});

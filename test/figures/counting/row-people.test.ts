import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { perRowPerson } from '../../../src/figures/counting/person-fields.js';
import { PeopleOfRows } from '../../../src/figures/counting/row-people.js';
import { plainRequest } from '../../../src/requests/request.js';
import { namesOf } from '../../../src/store/access/person-numbers.js';
import { propertyRuns } from '../../property-runs.js';
import { plainRecord } from '../../reporting-api/answer/plain-record.js';
import { figuresOf, planFor } from '../fixed-answers.js';

const fields = ['email', 'userid'];
const id = fc.constantFrom(undefined, '', ' ', '1', '2', '3', ' 2 ');
const address = fc.constantFrom(undefined, '', '1', 'ada@example.com', 'Ada@Example.com ', 'bob@example.com');
const row = fc.record({ userid: id, email: address, isCertain: fc.boolean() });

/** People as text, each once. */
function asTexts(names: Int32Array): string[] {
  const people = Array.from({ length: names.length / perRowPerson }, (_, person) =>
    names.slice(perRowPerson * person, perRowPerson * (person + 1)).join(' '),
  );
  return [...new Set(people)].filter((person) => person !== '0 0 0 0').sort();
}

describe('the people of a file’s rows', () => {
  it('are those of its rows, however the answer comes in parts', () => {
    fc.assert(
      fc.property(fc.array(fc.array(row)), fc.boolean(), (parts, countsUncertain) => {
        const whole = new PeopleOfRows(fields);
        for (const rows of parts) {
          const part = whole.startPart();
          for (const { isCertain, ...record } of rows) part.add(plainRecord(fields, record), isCertain);
          whole.merge(part);
        }
        const inFile = parts.flat().filter(({ isCertain }) => isCertain || countsUncertain);
        const found = whole.finish(countsUncertain);
        expect(found && asTexts(found)).toEqual(asTexts(namesOf(inFile)));
      }),
      { numRuns: propertyRuns(400) },
    );
  });

  it('are all told apart when there are many, and none once there are too many', () => {
    const people = Array.from({ length: 70_000 }, (_, number) => ({
      userid: `${number}`,
      email: `person.${number}@example.com`,
    }));
    const of = (max: number, inParts: boolean) => {
      const whole = new PeopleOfRows(fields, max);
      const half = people.length / 2;
      for (const rows of inParts ? [people.slice(0, half), people.slice(half)] : [people]) {
        const part = inParts ? whole.startPart() : whole;
        for (const person of rows) part.add(plainRecord(fields, person), true);
        if (inParts) whole.merge(part);
      }
      return whole.finish(false);
    };
    expect(of(people.length, true)).toEqual(namesOf(people));
    expect(of(people.length - 1, false)).toBeUndefined();
    expect(of(people.length - 1, true)).toBeUndefined();
  }, 60_000);
});

describe('the people of a breakdown', () => {
  const ada = { userid: '1', email: 'Ada@example.com', first_name: 'Ada', manager_email: 'Boss@example.com' };
  const other = { ...ada, userid: '2', email: 'ada.two@example.com' };
  const bob = { ...ada, userid: '3', email: 'bob@example.com', first_name: 'Bob' };
  const tellsPeople = true;
  const whoIn = (by: string, records: readonly object[], more: object = { tellsPeople }) => {
    const plan = { ...planFor({ ...plainRequest('engagement'), by }, true), ...more };
    const { breakdown } = figuresOf(plan, records);
    if (breakdown?.kind !== 'groups') throw new Error('It has no groups');
    return Object.fromEntries(breakdown.rows.map(({ label, who }) => [label, who && [...who]]));
  };
  const names = (person: object) => [...namesOf([person])];

  it('are known where a group is one person, whoever it names', () => {
    const records = [ada, other, bob, bob];
    expect(whoIn('email', records)).toEqual({
      [ada.email]: names(ada),
      [other.email]: names(other),
      [bob.email]: names(bob),
    });
    // Two people have the name Ada.
    expect(whoIn('first_name', records)).toEqual({ Ada: undefined, Bob: names(bob) });
    expect(whoIn('manager_email', records)).toEqual({
      'Boss@example.com': names({ email: 'boss@example.com' }),
    });
  });

  it('are not looked for where the record needs none', () => {
    expect(whoIn('email', [ada], {})).toEqual({ [ada.email]: undefined });
    expect(whoIn('departments', [{ ...ada, departments: ['Sales'] }])).toEqual({ Sales: undefined });
  });
});

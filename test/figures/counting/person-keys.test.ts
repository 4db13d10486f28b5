import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { noPerson, PersonKeys, unknownPerson } from '../../../src/figures/counting/person-keys.js';
import { propertyRuns } from '../../property-runs.js';
import { plainRecord } from '../../reporting-api/answer/plain-record.js';
import { peopleOfRows } from '../naive/people.js';

const fields = ['userid', 'email'];

type Names = { readonly userid?: unknown; readonly email?: unknown };

/** The number of people of these rows; the last row decides. */
function people(rows: readonly Names[], limit?: number): number {
  const keys = new PersonKeys(limit);
  return new Set(
    rows.map((row) => keys.keyOf(plainRecord(fields, row), 0, 1)).map((key) => keys.personOf(key)),
  ).size;
}

describe('keys of people', () => {
  test('three people whose rows name them in different ways are three', () => {
    const rows = ['a', 'b', 'c'].flatMap((id) => [
      { userid: id },
      { email: `${id}@example.test` },
      { userid: id, email: `${id}@example.test` },
    ]);
    expect(people(rows)).toBe(3);
    expect(people([...rows].reverse())).toBe(3);
    expect(people(rows.filter(({ userid, email }) => !userid || !email))).toBe(6);
  });

  test('an address in another case, a user ID that is a number, and blanks around either change nobody', () => {
    expect(people([{ email: 'Ada@Example.test' }, { email: ' ada@example.TEST ' }])).toBe(1);
    expect(people([{ userid: 12 }, { userid: '12' }, { userid: ' 12 ' }])).toBe(1);
    expect(people([{ userid: 'u12' }, { userid: 'U12' }])).toBe(2);
  });

  test('two user IDs under one address are one person', () => {
    const shared = 'desk@example.test';
    expect(people([{ userid: 'a', email: shared }, { userid: 'b', email: shared }, { userid: 'c' }])).toBe(2);
  });

  test('rows that name nobody are one person together', () => {
    expect(people([{}, { userid: null, email: '' }, { userid: '  ' }])).toBe(1);
    expect(new PersonKeys().keyOf(plainRecord(fields, {}), 0, 1)).toBe(noPerson);
  });

  test('more keys than are kept leave everybody unknown', () => {
    const keys = new PersonKeys(2);
    const key = (row: Names) => keys.keyOf(plainRecord(fields, row), 0, 1);
    expect([key({ userid: 'a' }), key({ userid: 'b' })]).not.toContain(unknownPerson);
    expect(keys.full).toBe(false);
    expect(key({ userid: 'c' })).toBe(unknownPerson);
    expect(keys.full).toBe(true);
  });

  test('as many people as there are connected sets of names, in any order', () => {
    const name = fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined });
    fc.assert(
      fc.property(fc.array(fc.tuple(name, name), { maxLength: 30 }), (pairs) => {
        const rows = pairs.map(([id, address]) => ({
          userid: id === undefined ? null : `u${id}`,
          email: address === undefined ? null : `a${address}@example.test`,
        }));
        const names = rows.map(({ userid, email }) => [userid, email].filter((name) => name !== null));
        expect(people(rows)).toBe(new Set(peopleOfRows(names)).size);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  test('keys of a later part belong to the people of both', () => {
    const [keys, later] = [new PersonKeys(), new PersonKeys()];
    const add = (to: PersonKeys, row: Names) => to.keyOf(plainRecord(fields, row), 0, 1);
    const [a, b] = [add(keys, { userid: 'a' }), add(keys, { email: 'a@example.test' })];
    const c = add(later, { userid: 'c' });
    const [first, last] = [add(later, { email: 'a@example.test' }), add(later, { userid: 'd' })];
    add(later, { userid: 'a', email: 'a@example.test' });
    expect(keys.personOf(a)).not.toBe(keys.personOf(b));
    const keyOf = keys.merge(later);
    expect(keys.personOf(a)).toBe(keys.personOf(b));
    expect(keyOf(first)).toBe(keys.personOf(a));
    expect(new Set([keyOf(first), keyOf(c), keyOf(last), keyOf(noPerson)]).size).toBe(4);
    expect([keyOf(noPerson), keyOf(unknownPerson)]).toEqual([noPerson, unknownPerson]);
  });

  test('one key more than are kept in two parts together is too many', () => {
    const parts = [new PersonKeys(2), new PersonKeys(2)] as const;
    const add = (to: PersonKeys, userid: string) => to.keyOf(plainRecord(fields, { userid }), 0, 1);
    add(parts[0], 'a');
    const [a, b] = [add(parts[1], 'b'), add(parts[1], 'a')];
    const keyOf = parts[0].merge(parts[1]);
    expect([keyOf(a), keyOf(b), parts[0].full]).toEqual([2, 1, false]);
    const more = new PersonKeys(2);
    add(more, 'a');
    const third = add(more, 'c');
    expect([parts[0].merge(more)(third), parts[0].full]).toEqual([unknownPerson, true]);
  });
});

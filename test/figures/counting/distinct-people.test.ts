import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DistinctPeople, PeopleInRows, PersonMark } from '../../../src/figures/counting/distinct-people.js';
import { hashText, lastHash } from '../../../src/figures/hash.js';

const numberOf = (people: DistinctPeople, name: string) => {
  hashText(name);
  return people.numberOf(lastHash.high, lastHash.low);
};

describe('distinct people', () => {
  test('each keeps its number and its mark through every growth', () => {
    let people = DistinctPeople.withLimit(200_000);
    const changed: number[] = [];
    for (let round = 0; round < 2; round++)
      for (let n = 0; n < 150_000; n++) {
        if (n === 100_000) people = people.copy();
        const number = numberOf(people, `person.${n}@example.test`);
        if (number !== n) changed.push(n);
        if (n % 3 === round) people.mark(number, PersonMark.active);
      }
    expect(changed).toEqual([]);
    expect(people.count).toBe(150_000);
    expect(people.countMarked(PersonMark.active)).toBe(100_000);
    expect(people.countMarked(PersonMark.signedIn)).toBe(0);
    expect([0, 1, 2, 3].map((n) => people.isMarked(n, PersonMark.active))).toEqual([true, true, false, true]);
    expect(people.full).toBe(false);
  });

  test('people whose hashes share a half are different people', () => {
    const people = DistinctPeople.withLimit(10_000);
    for (let n = 0; n < 2_000; n++) {
      expect(people.numberOf(n, 7)).toBe(2 * n);
      expect(people.numberOf(-7, n + 8)).toBe(2 * n + 1);
    }
    expect(people.count).toBe(4_000);
    expect(people.numberOf(1_999, 7)).toBe(3_998);
  });

  test('beyond the limit there are only more', () => {
    const people = DistinctPeople.withLimit(10);
    const numbers = Array.from({ length: 12 }, (_, n) => numberOf(people, String(n)));
    expect(numbers).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1, -1]);
    expect(people.full).toBe(true);
    expect(people.copy().full).toBe(true);
    expect(people.count).toBe(10);
  });

  test('a copy is independent', () => {
    const people = DistinctPeople.withLimit(10);
    people.mark(numberOf(people, 'ada'), PersonMark.active);
    const copy = people.copy();
    copy.mark(numberOf(copy, 'bea'), PersonMark.active);
    expect([
      people.count,
      people.countMarked(PersonMark.active),
      copy.count,
      copy.countMarked(PersonMark.active),
    ]).toEqual([1, 1, 2, 2]);
    expect(numberOf(people, 'cai')).toBe(1);
    expect(numberOf(copy, 'cai')).toBe(2);
  });
});

describe('people in rows', () => {
  test('each with all rows, marked where any coming was', () => {
    const coming = fc.tuple(fc.nat(30), fc.nat(5), fc.boolean());
    fc.assert(
      fc.property(fc.array(coming), fc.nat(50), (all, cut) => {
        const seen = PeopleInRows.withLimit(1_000);
        for (const [person, row, marked] of all.slice(0, cut)) seen.add(person, row, marked);
        const copy = seen.copy();
        for (const [person, row, marked] of all.slice(cut)) copy.add(person, row, marked);
        expect(everybody(seen)).toEqual(plainly(all.slice(0, cut)));
        expect(everybody(copy)).toEqual(plainly(all));
      }),
    );
  });

  test('with more people than fit into one block, and more rows than fit into 16 bits', () => {
    const people = PeopleInRows.withLimit(10);
    const rows = 20_000;
    for (let person = 0; person < 70_000; person++) people.add(person, person % rows, person % 2 === 0);
    people.add(3, rows - 1, true);
    const counts = people.countsInOneRow(rows);
    expect([...counts.subarray(0, 8)]).toEqual([4, 4, 4, 0, 4, 4, 3, 0]);
    expect([...counts.subarray(2 * 10_000, 2 * 10_000 + 4)]).toEqual([3, 3, 3, 0]);
    expect([...counts.subarray(2 * (rows - 1))]).toEqual([3, 0]);
    const found: unknown[] = [];
    people.forEachInSeveralRows((...both) => found.push(both));
    expect(found).toEqual([
      [
        [3, rows - 1],
        [false, true],
      ],
    ]);
  });

  test('beyond the limit of further rows it is full', () => {
    const people = PeopleInRows.withLimit(1);
    for (const row of [0, 0, 1, 1]) people.add(0, row, false);
    people.add(5_000, 7, true);
    expect(people.full).toBe(false);
    people.add(0, 2, false);
    expect(people.full).toBe(true);
  });
});

type Rows = [row: number, marked: boolean][];

/** The people of several rows one by one, and how many came up in each row alone, marked or not. */
function everybody(people: PeopleInRows) {
  const inSeveral: Rows[] = [];
  people.forEachInSeveralRows((rows, marks) => {
    inSeveral.push(
      rows.map((row, i): [number, boolean] => [row, marks[i] === true]).sort(([a], [b]) => a - b),
    );
  });
  return { inSeveral, inOne: [...people.countsInOneRow(6)] };
}

function plainly(all: Comings) {
  const everyone = rowsOfPeople(all);
  const alone = everyone.filter((rows) => rows.length === 1).map(([only]) => only);
  return {
    inSeveral: everyone.filter((rows) => rows.length > 1),
    inOne: [0, 1, 2, 3, 4, 5].flatMap((row) => {
      const own = alone.filter((only) => only?.[0] === row);
      return [own.length, own.filter((only) => only?.[1]).length];
    }),
  };
}

type Comings = readonly (readonly [person: number, row: number, marked: boolean])[];

function rowsOfPeople(all: Comings): Rows[] {
  const people = [...new Set(all.map(([person]) => person))].sort((a, b) => a - b);
  return people.map((person) => {
    const own = all.filter(([of]) => of === person);
    const rows = [...new Set(own.map(([, row]) => row))].sort((a, b) => a - b);
    return rows.map((row) => [row, own.some(([, of, marked]) => of === row && marked)]);
  });
}

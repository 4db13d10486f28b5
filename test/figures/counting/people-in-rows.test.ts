import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PeopleInRows } from '../../../src/figures/counting/people-in-rows.js';

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

  test('as many further rows as there may be, through every growth and after a copy', () => {
    const limit = 5_000;
    const most = 2 ** 28 - 1;
    const plain = new Map<string, boolean>();
    let people = PeopleInRows.withLimit(limit);
    const add = (person: number, row: number, marked: boolean) => {
      people.add(person, row, marked);
      if (row !== 0) plain.set(`${person} ${row}`, marked || plain.get(`${person} ${row}`) === true);
    };
    for (let n = 0; plain.size < limit; n++) {
      // Few people in many rows, and many in few, up to the largest numbers of both.
      const person = n % 3 === 0 ? n % 17 : 2_000_000 - (n % 1_500);
      add(person, 0, n % 2 === 0);
      add(person, n % 5 === 0 ? most - n : 1 + ((n * 31) % 900), n % 7 === 0);
      add(person, 1 + ((n * 17) % 40), n % 11 === 0);
      if (n % 400 === 399) people = people.copy();
    }
    const found = new Map<string, boolean>();
    const order: number[] = [];
    people.forEachInSeveralRows((rows, marks) => {
      order.push(rows.length);
      expect(rows.slice(1)).toEqual([...rows.slice(1)].sort((a, b) => a - b));
      expect(rows[0]).toBe(0);
      for (let i = 1; i < rows.length; i++) found.set(`${order.length} ${rows[i]}`, marks[i] === true);
    });
    expect(byPerson(found)).toEqual(byPerson(plain));
    expect(people.full).toBe(false);
    people.add(0, 12_345, false);
    expect(people.full).toBe(true);
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

/** The rows of each person, with their marks, in the order of the people's keys. */
function byPerson(all: ReadonlyMap<string, boolean>): string[][] {
  const rows = new Map<number, string[]>();
  for (const [key, mark] of all) {
    const [person, row] = key.split(' ').map(Number) as [number, number];
    rows.set(person, [...(rows.get(person) ?? []), `${row} ${mark}`]);
  }
  return [...rows].sort(([a], [b]) => a - b).map(([, own]) => own.sort());
}

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

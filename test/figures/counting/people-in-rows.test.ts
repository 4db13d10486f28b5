import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PeopleInRows } from '../../../src/figures/counting/people-in-rows.js';

describe('people in rows', () => {
  test('each with all rows, and with the marks of all comings', () => {
    const coming = fc.tuple(fc.nat(30), fc.nat(5), fc.nat(3));
    fc.assert(
      fc.property(fc.array(coming), fc.nat(50), (all, cut) => {
        const seen = new PeopleInRows(1_000);
        for (const [person, row, marks] of all.slice(0, cut)) seen.add(person, row, marks);
        expect(everybody(seen)).toEqual(plainly(all.slice(0, cut)));
        // The same people and rows with other numbers.
        const later = new PeopleInRows(1_000);
        for (const [person, row, marks] of all.slice(cut)) later.add(30 - person, 5 - row, marks);
        const nobody = 7;
        later.add(30 - nobody, 3, 2);
        seen.merge(
          later,
          (person) => (person === 30 - nobody ? -1 : 30 - person),
          (row) => 5 - row,
        );
        const others = all.filter(([person], i) => i < cut || person !== nobody);
        expect(everybody(seen)).toEqual(plainly(others));
      }),
    );
  });

  test('with more people than fit into one block, and more rows than fit into 16 bits', () => {
    const people = new PeopleInRows(10);
    const rows = 20_000;
    for (let person = 0; person < 70_000; person++) people.add(person, person % rows, person % 4);
    people.add(3, rows - 1, 1);
    const counts = people.countsInOneRow(rows);
    expect([...counts.subarray(0, 16)]).toEqual([4, 0, 0, 0, 0, 4, 0, 0, 0, 0, 4, 0, 0, 0, 0, 3]);
    expect([...counts.subarray(4 * 10_000, 4 * 10_000 + 8)]).toEqual([3, 0, 0, 0, 0, 3, 0, 0]);
    expect([...counts.subarray(4 * (rows - 1))]).toEqual([0, 0, 0, 3]);
    const found: unknown[] = [];
    people.forEachInSeveralRows((...both) => found.push(both));
    expect(found).toEqual([
      [
        [3, rows - 1],
        [3, 1],
      ],
    ]);
  });

  test('as many further rows as there may be, through every growth and over several parts', () => {
    const limit = 5_000;
    const most = 2 ** 27 - 1;
    const plain = new Map<string, number>();
    let people = new PeopleInRows(limit);
    const same = (number: number) => number;
    const add = (person: number, row: number, marks: number) => {
      people.add(person, row, marks);
      if (row !== 0) plain.set(`${person} ${row}`, marks | (plain.get(`${person} ${row}`) ?? 0));
    };
    for (let n = 0; plain.size < limit; n++) {
      // Few people in many rows, and many in few, up to the largest numbers of both.
      const person = n % 3 === 0 ? n % 17 : 2_000_000 - (n % 1_500);
      add(person, 0, n % 2);
      add(person, n % 5 === 0 ? most - n : 1 + ((n * 31) % 900), n % 4);
      add(person, 1 + ((n * 17) % 40), n % 3);
      if (n % 400 !== 399) continue;
      const both = new PeopleInRows(limit);
      for (const part of [people, new PeopleInRows(limit)]) both.merge(part, same, same);
      people = both;
    }
    const found = new Map<string, number>();
    const order: number[] = [];
    people.forEachInSeveralRows((rows, marks) => {
      order.push(rows.length);
      expect(rows.slice(1)).toEqual([...rows.slice(1)].sort((a, b) => a - b));
      expect(rows[0]).toBe(0);
      for (let i = 1; i < rows.length; i++) found.set(`${order.length} ${rows[i]}`, marks[i] ?? 0);
    });
    expect(byPerson(found)).toEqual(byPerson(plain));
    expect(people.full).toBe(false);
    people.add(0, 12_345, 0);
    expect(people.full).toBe(true);
  });

  test('beyond the limit of further rows it is full', () => {
    const people = new PeopleInRows(1);
    for (const row of [0, 0, 1, 1]) people.add(0, row, 0);
    people.add(5_000, 7, 3);
    expect(people.full).toBe(false);
    people.add(0, 2, 0);
    expect(people.full).toBe(true);
    const whole = new PeopleInRows(1);
    whole.merge(
      people,
      (person) => person,
      (row) => row,
    );
    expect(whole.full).toBe(true);
  });
});

/** The rows of each person, with their marks, in the order of the people's keys. */
function byPerson(all: ReadonlyMap<string, number>): string[][] {
  const rows = new Map<number, string[]>();
  for (const [key, marks] of all) {
    const [person, row] = key.split(' ').map(Number) as [number, number];
    rows.set(person, [...(rows.get(person) ?? []), `${row} ${marks}`]);
  }
  return [...rows].sort(([a], [b]) => a - b).map(([, own]) => own.sort());
}

type Rows = [row: number, marks: number][];

/** The people of several rows one by one, and how many came up in each row alone, by their marks. */
function everybody(people: PeopleInRows) {
  const inSeveral: Rows[] = [];
  people.forEachInSeveralRows((rows, marks) => {
    inSeveral.push(rows.map((row, i): [number, number] => [row, marks[i] ?? 0]).sort(([a], [b]) => a - b));
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
      return [0, 1, 2, 3].map((marks) => own.filter((only) => only?.[1] === marks).length);
    }),
  };
}

type Comings = readonly (readonly [person: number, row: number, marks: number])[];

function rowsOfPeople(all: Comings): Rows[] {
  const people = [...new Set(all.map(([person]) => person))].sort((a, b) => a - b);
  return people.map((person) => {
    const own = all.filter(([of]) => of === person);
    const rows = [...new Set(own.map(([, row]) => row))].sort((a, b) => a - b);
    return rows.map((row) => [row, own.reduce((all, [, of, marks]) => (of === row ? all | marks : all), 0)]);
  });
}

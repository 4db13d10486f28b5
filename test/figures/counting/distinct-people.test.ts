import { describe, expect, test } from 'vitest';
import { DistinctPeople, PersonMark } from '../../../src/figures/counting/distinct-people.js';
import { hashText, lastHash } from '../../../src/figures/hash.js';

/** The same people, as the sum of two parts that have all of them. */
function sumOf(people: DistinctPeople, limit = 200_000): DistinctPeople {
  const sum = new DistinctPeople(limit);
  sum.merge(people);
  sum.merge(people);
  return sum;
}

const numberOf = (people: DistinctPeople, name: string) => {
  hashText(name);
  return people.numberOf(lastHash.high, lastHash.low);
};

describe('distinct people', () => {
  test('each keeps its number and its mark through every growth', () => {
    let people = new DistinctPeople(200_000);
    const changed: number[] = [];
    for (let round = 0; round < 2; round++)
      for (let n = 0; n < 150_000; n++) {
        if (n === 100_000) people = sumOf(people);
        const number = numberOf(people, `person.${n}@example.test`);
        if (number !== n) changed.push(n);
        if (n % 3 === round) people.mark(number, PersonMark.active);
        if (n % 6 === round) people.mark(number, PersonMark.member);
      }
    expect(changed).toEqual([]);
    expect(people.count).toBe(150_000);
    expect(people.countMarked(PersonMark.active)).toBe(100_000);
    expect(people.countMarked(PersonMark.member)).toBe(50_000);
    expect(people.countMarked(PersonMark.active | PersonMark.member)).toBe(50_000);
    expect(people.countMarked(PersonMark.signedIn)).toBe(0);
    expect([0, 1, 2, 3].map((n) => people.isMarked(n, PersonMark.active))).toEqual([true, true, false, true]);
    expect(people.full).toBe(false);
  });

  test('people whose hashes share a half are different people', () => {
    const people = new DistinctPeople(10_000);
    for (let n = 0; n < 2_000; n++) {
      expect(people.numberOf(n, 7)).toBe(2 * n);
      expect(people.numberOf(-7, n + 8)).toBe(2 * n + 1);
    }
    expect(people.count).toBe(4_000);
    expect(people.numberOf(1_999, 7)).toBe(3_998);
  });

  test('beyond the limit there are only more', () => {
    const people = new DistinctPeople(10);
    const numbers = Array.from({ length: 12 }, (_, n) => numberOf(people, String(n)));
    expect(numbers).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1, -1]);
    expect(people.full).toBe(true);
    expect(sumOf(people).full).toBe(true);
    expect(sumOf(people).count).toBe(10);
    expect(people.count).toBe(10);
  });

  test('people of a later part count once, with the marks of both', () => {
    const [people, later] = [new DistinctPeople(3), new DistinctPeople(3)];
    people.mark(numberOf(people, 'ada'), PersonMark.active);
    numberOf(people, 'bea');
    for (const name of ['cai', 'bea', 'ada']) later.mark(numberOf(later, name), PersonMark.member);
    expect([...people.merge(later)]).toEqual([2, 1, 0]);
    const { active, member } = PersonMark;
    expect([people.count, people.full]).toEqual([3, false]);
    expect([active, member, active | member].map((marks) => people.countMarked(marks))).toEqual([1, 3, 1]);
    const more = new DistinctPeople(3);
    for (const name of ['ada', 'dan']) numberOf(more, name);
    expect([...people.merge(more)]).toEqual([0, -1]);
    expect([people.count, people.full]).toEqual([3, true]);
  });

  test.each([
    ['spread over all bits', spread],
    ['that all begin their search at the last slot', (n: number): Hash => [spread(n)[0], -1 - (n % 3)]],
  ])('counts as a plain map does before and after each growth, with hashes %s', (_, hashOf) => {
    // Blocks of hashes end at multiples of 8,192; the last table is the fullest.
    const limit = hashOf === spread ? 40_000 : 4_000;
    const plain = new Map<string, number>();
    let people = new DistinctPeople(limit);
    const differing: number[] = [];
    const compare = (n: number) => {
      const [high, low] = hashOf(n);
      const key = `${high} ${low}`;
      const known = plain.get(key);
      const expected = known ?? (plain.size < limit ? plain.size : -1);
      if (known === undefined && expected >= 0) plain.set(key, expected);
      if (people.numberOf(high, low) !== expected || people.count !== plain.size) differing.push(n);
    };
    for (let n = 0; n < limit; n++) {
      compare(n);
      // Somebody known from long ago, from this block, and from the one before.
      if (n % 7 === 0) for (const earlier of [n >> 1, n, n - 8_192]) if (earlier >= 0) compare(earlier);
      if (n % 8_192 < 2 || n % 1_013 === 0) people = sumOf(people, limit);
    }
    for (let n = 0; n < limit; n++) compare(n);
    expect(differing).toEqual([]);
    expect(people.full).toBe(false);
    expect([people.numberOf(...hashOf(limit)), people.full, people.count]).toEqual([-1, true, limit]);
  });

  test('sums of parts that end at the borders of blocks count on by themselves', () => {
    for (const size of [0, 1, 716, 717, 8_191, 8_192, 8_193, 16_384]) {
      const people = new DistinctPeople(20_000);
      for (let n = 0; n < size; n++) people.mark(numberOf(people, `p${n}`), PersonMark.active);
      const copy = sumOf(people, 20_000);
      const [own, theirs] = [numberOf(people, 'own'), numberOf(copy, 'theirs')];
      copy.mark(theirs, PersonMark.signedIn);
      expect([own, theirs, numberOf(people, 'theirs'), numberOf(copy, 'own')]).toEqual([
        size,
        size,
        size + 1,
        size + 1,
      ]);
      const last = size - 1;
      expect([numberOf(people, `p${last}`), numberOf(copy, `p${last}`)].filter((n) => n < size)).toEqual(
        size > 0 ? [last, last] : [],
      );
      expect([people, copy].map((of) => of.countMarked(PersonMark.signedIn))).toEqual([0, 1]);
      expect(people.isMarked(size, PersonMark.signedIn)).toBe(false);
      expect(copy.countMarked(PersonMark.active)).toBe(size);
    }
  });

  test('two million people are told apart, and one more is too many', () => {
    const people = new DistinctPeople(2_000_000);
    let differing = 0;
    for (let n = 0; n < 2_000_000; n++) if (people.numberOf(...spread(n)) !== n) differing++;
    for (let n = 0; n < 2_000_000; n += 97) if (people.numberOf(...spread(n)) !== n) differing++;
    expect([differing, people.count, people.full]).toEqual([0, 2_000_000, false]);
    expect([people.numberOf(...spread(2_000_000)), people.full]).toEqual([-1, true]);
  });
});

type Hash = [high: number, low: number];

/** Different for different numbers, because both factors are odd. */
function spread(n: number): Hash {
  return [Math.imul(n, 0x9e3779b1), Math.imul(n ^ (n >>> 15), 0x85ebca6b)];
}

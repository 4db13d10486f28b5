import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { differByFew, SketchedPeople } from '../../../src/figures/counting/people-sketch.js';
import { propertyRuns } from '../../property-runs.js';
import { plainRecord } from '../../reporting-api/answer/plain-record.js';

const fields = ['userid', 'email'];
type Row = { readonly userid?: string; readonly email?: string };

/** The sketch of these rows, read in two parts. */
function sketchOf(rows: readonly Row[], cut = rows.length) {
  const [first, later] = [new SketchedPeople(fields), new SketchedPeople(fields)];
  for (const [at, row] of rows.entries()) (at < cut ? first : later).add(plainRecord(fields, row));
  first.merge(later);
  return first.finish();
}

/** How rows name one person. No two people share a name. */
const naming = {
  both: (n: number): Row[] => [{ userid: `u${n}`, email: `p${n}@example.test` }],
  id: (n: number): Row[] => [{ userid: `u${n}` }],
  address: (n: number): Row[] => [{ email: `P${n}@example.test` }],
  /** By parts that one row joins. */
  apart: (n: number): Row[] => [
    { userid: `u${n}` },
    { email: `p${n}@example.test` },
    { userid: `u${n}`, email: `P${n}@Example.test` },
  ],
  /** Nine user IDs and nine addresses in a chain: more than the smallest group, of one person. */
  many: (n: number): Row[] =>
    Array.from({ length: 9 }, (_, at) => [
      { userid: `u${n} ${at}`, email: `p${n}.${at}@example.test` },
      { userid: `u${n} ${at}`, email: `p${n}.${(at + 1) % 9}@example.test` },
    ]).flat(),
};
type Naming = keyof typeof naming;

interface Someone {
  readonly naming: Naming;
  readonly in: 'one' | 'other' | 'both' | 'neither';
}

/** Mostly in both, so that few differ often. */
const someone = (...ways: Naming[]): fc.Arbitrary<Someone> =>
  fc.record({
    naming: fc.constantFrom(...ways),
    in: fc.oneof(
      { weight: 4, arbitrary: fc.constant('both' as const) },
      { weight: 1, arbitrary: fc.constantFrom('one' as const, 'other' as const, 'neither' as const) },
    ),
  });

function answers(people: readonly Someone[]) {
  const rowsIn = (answer: 'one' | 'other') =>
    people.flatMap((each, n) => (each.in === answer || each.in === 'both' ? naming[each.naming](n) : []));
  return { one: rowsIn('one'), other: rowsIn('other').reverse() };
}

const countDiffering = (people: readonly Someone[], of: (way: Naming) => boolean = () => true) =>
  people.filter((each) => (each.in === 'one' || each.in === 'other') && of(each.naming)).length;

const isFew = (count: number, smallestGroup: number) => count > 0 && count < smallestGroup;

describe('the people of two answers', () => {
  test('named alike are near exactly where they differ by fewer than the smallest group', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<Naming>('both', 'id', 'address', 'apart', 'many'),
        fc.array(someone('both'), { maxLength: 60 }),
        fc.integer({ min: 1, max: 8 }),
        fc.nat(60),
        (way, drawn, smallestGroup, cut) => {
          const people = drawn.map((each) => ({ ...each, naming: way }));
          const { one, other } = answers(people);
          const near = differByFew(sketchOf(one, cut), sketchOf(other), smallestGroup);
          expect(near).toBe(isFew(countDiffering(people), smallestGroup));
        },
      ),
      { numRuns: propertyRuns(60) },
    );
  });

  test('named in different ways are always near where so few differ, and apart where enough do by every name', () => {
    const anybody = someone('both', 'id', 'address', 'apart', 'many');
    fc.assert(
      fc.property(
        fc.array(anybody, { maxLength: 60 }),
        fc.integer({ min: 2, max: 8 }),
        (people, smallestGroup) => {
          const { one, other } = answers(people);
          const near = differByFew(sketchOf(one), sketchOf(other), smallestGroup);
          const differing = countDiffering(people);
          if (isFew(differing, smallestGroup)) expect(near).toBe(true);
          if (differing === 0) expect(near).toBe(false);
          const byBoth = countDiffering(people, (way) => way !== 'id' && way !== 'address');
          if (byBoth >= smallestGroup) expect(near).toBe(false);
        },
      ),
      { numRuns: propertyRuns(60) },
    );
  });

  test('are near at one fewer than the smallest group, and apart at that, among many and in every group', () => {
    const everybody = Array.from({ length: 6_000 }, (_, n) => naming.both(n)).flat();
    const all = sketchOf(everybody, 2_000);
    for (const smallestGroup of [2, 5, 10, 25]) {
      const without = (count: number) => sketchOf(everybody.slice(count));
      expect(differByFew(all, without(1), smallestGroup)).toBe(true);
      expect(differByFew(all, without(smallestGroup - 1), smallestGroup)).toBe(true);
      expect(differByFew(all, without(smallestGroup), smallestGroup)).toBe(false);
      expect(differByFew(all, without(5_999), smallestGroup)).toBe(false);
    }
    expect(differByFew(all, sketchOf(everybody.toReversed()), 5)).toBe(false);
  });

  test('rows that name no one are one person more', () => {
    const some = Array.from({ length: 9 }, (_, n) => naming.both(n)).flat();
    expect(differByFew(sketchOf(some), sketchOf([...some, {}, { userid: ' ' }]), 5)).toBe(true);
    expect(differByFew(sketchOf([...some, {}]), sketchOf([{}, {}, ...some]), 5)).toBe(false);
  });

  test('beyond what is stored are near everybody', () => {
    const few = new SketchedPeople(fields, 1);
    for (const row of naming.both(1)) few.add(plainRecord(fields, row));
    expect(differByFew(few.finish(), sketchOf([]), 5)).toBe(true);
  });
});

import { describe, expect, test } from 'vitest';
import { DistinctPeople } from '../../../src/figures/counting/distinct-people.js';

describe('distinct people', () => {
  test('each counts once in each row, through every growth', () => {
    const people = DistinctPeople.upTo(100_000);
    let fresh = 0;
    for (let round = 0; round < 2; round++)
      for (let n = 0; n < 50_000; n++) if (people.isNew(`person.${n}@example.test`, n % 2)) fresh++;
    expect(fresh).toBe(50_000);
    expect(people.isNew('person.1@example.test', 0)).toBe(true);
    expect(people.full).toBe(false);
  });

  test('beyond the limit there are only more', () => {
    const people = DistinctPeople.upTo(10);
    const fresh = Array.from({ length: 12 }, (_, n) => people.isNew(String(n), 0));
    expect(fresh.filter(Boolean)).toHaveLength(10);
    expect(people.full).toBe(true);
    expect(people.copy().full).toBe(true);
  });

  test('a copy is independent', () => {
    const people = DistinctPeople.upTo(10);
    people.isNew('ada', 0);
    const copy = people.copy();
    expect(copy.isNew('ada', 0)).toBe(false);
    expect(copy.isNew('bea', 0)).toBe(true);
    expect(people.isNew('bea', 0)).toBe(true);
  });
});

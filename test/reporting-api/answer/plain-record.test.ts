import { describe, expect, it } from 'vitest';
import { plainRecord } from './plain-record.js';

const at = (value: unknown) => plainRecord(['it'], { it: value });

describe('the plain record', () => {
  it.each([
    ['2026-11-20', Date.UTC(2026, 10, 20)],
    ['2026-11-20T10:30:00Z', Date.UTC(2026, 10, 20, 10, 30)],
    ['2026-11-20T10:30:00.256+02:00', Date.UTC(2026, 10, 20, 8, 30, 0, 256)],
    ['2026-11-20 10:30', Date.UTC(2026, 10, 20, 10, 30)],
    ['2026-11-20 10:30:00 UTC', Date.UTC(2026, 10, 20, 10, 30)],
    ['2026-11-20T10:30:00-0530', Date.UTC(2026, 10, 20, 16, 0)],
    ['0001-01-01T00:00:00', -62135596800000],
    [1_790_000_000, 1_790_000_000_000],
    [1_790_000_000_123, 1_790_000_000_123],
    ['1790000000', 1_790_000_000_000],
    ['2026-02-30', Number.NaN],
    ['2026-11-20T25:00:00Z', Number.NaN],
    ['yesterday', Number.NaN],
    [true, Number.NaN],
    [null, Number.NaN],
  ])('reads %j as an instant', (value, expected) => {
    expect(at(value).instant(0)).toBe(expected);
  });

  it('knows an object by its title, name or id, and a list by its entries', () => {
    expect(at({ id: 7, title: 'Fire safety' }).text(0)).toBe('Fire safety');
    expect(at({ id: 7, other: 'private' }).text(0)).toBe('7');
    expect(at({ other: 'private' }).text(0)).toBeUndefined();
    expect(at([{ id: 1, name: 'Sales' }, null, 'Support', 4]).entries(0)).toEqual(['Sales', 'Support', '4']);
    expect(at(['a', 'b']).text(0)).toBe('a; b');
  });

  it('reads yes and no however they are written', () => {
    expect([true, 'TRUE', 'Yes', 1, '1'].map((value) => at(value).yesOrNo(0))).toEqual(Array(5).fill(true));
    expect([false, 'False', 'no', 0, '0'].map((value) => at(value).yesOrNo(0))).toEqual(Array(5).fill(false));
    expect(['', null, 'maybe', 2, []].map((value) => at(value).yesOrNo(0))).toEqual(Array(5).fill(undefined));
  });
});

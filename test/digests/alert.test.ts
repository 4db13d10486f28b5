import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AlertReading,
  type AlertState,
  changedFigures,
  judgeAlert,
  maxReadings,
  newAlert,
} from '../../src/digests/alert.js';
import type { AlertCondition } from '../../src/requests/alert-condition.js';
import { firedAt, heldAt } from './naive-alert.js';

const day = 24 * 3_600_000;

type Threshold = Extract<AlertCondition, { kind: 'threshold' }>;

const above50: Threshold = {
  kind: 'threshold',
  figure: 'overdue',
  comparison: '>',
  value: 50,
  isPercent: false,
};

const reading = (at: number, overdue: number | undefined, rows: number | undefined = 100): AlertReading => ({
  dueAt: at * day,
  rows,
  figures: overdue === undefined ? {} : { overdue },
});

/** What each run of a series does. */
function judgedAll(
  when: AlertCondition,
  readings: readonly AlertReading[],
  accepts: ReadonlySet<number> = new Set(),
) {
  let state: AlertState = newAlert;
  return readings.map((one, at) => {
    const judged = judgeAlert(when, state, one, accepts.has(at));
    state = judged.next;
    return judged;
  });
}

const kinds = (values: readonly (number | undefined)[], when: AlertCondition = above50) =>
  judgedAll(
    when,
    values.map((value, at) => reading(at, value)),
  ).map(({ kind }) => kind);

describe('an alert on a figure', () => {
  it.each<[string, readonly (number | undefined)[], readonly string[]]>([
    [
      'posts once, until it was false in between',
      [40, 51, 60, 40, 55],
      ['baseline', 'post', 'quiet', 'quiet', 'post'],
    ],
    [
      'waits for five percent, not for the threshold alone',
      [40, 51, 50, 51, 47.5, 51],
      ['baseline', 'post', 'quiet', 'quiet', 'quiet', 'post'],
    ],
    ['does not post at its first run', [60, 61, 40, 51], ['baseline', 'quiet', 'quiet', 'post']],
    [
      'has its baseline in the first run that shows the figure',
      [undefined, 60, 40, 51],
      ['baseline', 'baseline', 'quiet', 'post'],
    ],
    [
      'neither posts nor is armed where the figure is left out',
      [40, undefined, 51, undefined, 51],
      ['baseline', 'quiet', 'post', 'quiet', 'quiet'],
    ],
  ])('%s', (_, values, wanted) => {
    expect(kinds(values)).toEqual(wanted);
  });

  it('still knows its baseline after ten runs that could not show the figure', () => {
    const hidden = Array.from({ length: maxReadings + 2 }, () => undefined);
    expect(kinds([40, ...hidden, 51]).at(-1)).toBe('post');
    expect(kinds([60, ...hidden, 51]).at(-1)).toBe('quiet');
  });

  it('says what it was before, and since when it had been false', () => {
    const [, first, , , again] = judgedAll(
      above50,
      [40, 51, 40, undefined, 52].map((value, at) => reading(at, value)),
    );
    expect(first).toMatchObject({ kind: 'post', before: { dueAt: 0 }, since: undefined });
    expect(again).toMatchObject({ kind: 'post', before: { dueAt: 2 * day }, since: 2 * day });
  });

  it.each<[Partial<Threshold>, readonly number[], readonly string[]]>([
    [
      { comparison: '<', value: 80, isPercent: true },
      [90, 79, 83.9, 84, 79],
      ['baseline', 'post', 'quiet', 'quiet', 'post'],
    ],
    [
      { comparison: '<=', value: 98, isPercent: true },
      [99, 98, 99.9, 100, 98],
      ['baseline', 'post', 'quiet', 'quiet', 'post'],
    ],
    [
      { comparison: '>=', value: 1 },
      [0, 1, 0.96, 1, 0, 1],
      ['baseline', 'post', 'quiet', 'quiet', 'quiet', 'post'],
    ],
    [{ comparison: '>', value: 0 }, [0, 1, 0, 1], ['baseline', 'post', 'quiet', 'post']],
  ])('arms again by %j', (changes, values, wanted) => {
    expect(kinds(values, { ...above50, ...changes })).toEqual(wanted);
  });
});

describe('an alert on changes', () => {
  const when = { kind: 'changed' } as const;

  it('posts where a figure differs from the run before, and not where one is left out', () => {
    expect(kinds([1, 1, 2, undefined, 2], when)).toEqual(['baseline', 'quiet', 'post', 'quiet', 'quiet']);
  });

  it('takes sums of fractions in another order for the same', () => {
    const [one, other] = [0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1];
    expect(one).not.toBe(other);
    expect(changedFigures(reading(1, one), reading(2, other))).toEqual([]);
    expect(changedFigures(reading(1, 1000), reading(2, 1000.001))).toEqual(['overdue']);
  });
});

it('an alert on new rows posts where there are any', () => {
  const found = [undefined, 0, 3, 0].map((newRows, at) => ({ ...reading(at, 1), newRows }));
  expect(judgedAll({ kind: 'new-rows' }, found).map(({ kind }) => kind)).toEqual([
    'baseline',
    'quiet',
    'post',
    'quiet',
  ]);
});

describe('a sudden drop of rows', () => {
  const following = (count: number, rows: readonly number[]) =>
    [...Array.from({ length: count }, () => 40), ...rows].map((many, at) => reading(at, 60, many));
  const lastOf = (readings: readonly AlertReading[]) => judgedAll(above50, readings).slice(maxReadings);

  it('is held after ten runs, where it is below half of the smallest', () => {
    expect(lastOf(following(10, [19]))).toMatchObject([{ kind: 'held', smallest: 40, asks: true }]);
    expect(lastOf(following(10, [20]))).toMatchObject([{ kind: 'quiet' }]);
    expect(judgedAll(above50, following(9, [1])).at(-1)?.kind).toBe('quiet');
    const few = Array.from({ length: 11 }, (_, at) => reading(at, 60, at < 10 ? 19 : 1));
    expect(judgedAll(above50, few).at(-1)?.kind).toBe('quiet');
  });

  it('is none where the number of rows may not be shown, and such runs hide none', () => {
    const hidden = (readings: readonly AlertReading[], at: number) =>
      readings.map((one, i) => (i === at ? { ...one, rows: undefined, figures: {} } : one));
    expect(lastOf(hidden(following(10, [0]), 10))).toMatchObject([{ kind: 'quiet' }]);
    expect(lastOf(hidden(following(10, [19]), 4))).toMatchObject([{ kind: 'held', smallest: 40 }]);
  });

  it('changes nothing but when its owner was asked, which happens once a day', () => {
    const hourly = following(10, [19, 19, 19, 40]).map((one, at) => ({
      ...one,
      dueAt: at <= 10 ? at * day : 10 * day + (at - 10) * (day / 2),
    }));
    const held = lastOf(hourly);
    expect(held).toMatchObject([
      { kind: 'held', asks: true },
      { kind: 'held', asks: false },
      { kind: 'held', asks: true },
      { kind: 'quiet' },
    ]);
    expect(held[2]?.next).toEqual({ ...held[0]?.next, askedAt: 11 * day });
    expect(held[3]?.next.askedAt).toBeUndefined();
  });

  it('begins a new series once its owner says that it is true', () => {
    const judged = judgedAll(above50, following(10, [19, 19, 19]), new Set([11]));
    expect(judged.slice(10).map(({ kind }) => kind)).toEqual(['held', 'quiet', 'quiet']);
    expect(judged.at(-1)?.next.readings).toHaveLength(2);
  });
});

it('does what a naive computation over all earlier runs says, whatever they found', () => {
  const value = fc.option(
    fc.integer({ min: 0, max: 40 }).map((n) => n / 4),
    { nil: undefined },
  );
  const few = { min: 0, max: 30 };
  const rows = fc.oneof(fc.integer({ min: 20, max: 60 }), fc.integer(few), fc.constant(undefined));
  const run = fc.record({ value, rows, accepts: fc.boolean() });
  const condition = fc.record({
    comparison: fc.constantFrom('>', '>=', '<', '<=') as fc.Arbitrary<Threshold['comparison']>,
    value: fc.integer({ min: 0, max: 10 }),
  });
  fc.assert(
    fc.property(fc.array(run, { maxLength: 80 }), condition, (runs, changes) => {
      const when = { ...above50, ...changes };
      const readings = runs.map((one, at) => ({ ...reading(at, one.value), rows: one.rows }));
      const accepts = new Set(runs.flatMap(({ accepts }, at) => (accepts ? [at] : [])));
      const judged = judgedAll(when, readings, accepts);
      const held = judged.flatMap(({ kind }, at) => (kind === 'held' ? [at] : []));
      expect(held).toEqual(heldAt(runs));
      const posted = judged.flatMap(({ kind }, at) => (kind === 'post' ? [at] : []));
      expect(posted).toEqual(firedAt(when, runs));
    }),
  );
});

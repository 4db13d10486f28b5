import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Failure } from '../../../src/errors/failure.js';
import type { Query, ReadPlan } from '../../../src/runner/ports.js';
import { managersOf } from '../../../src/slack/directory/managers.js';

const ada = { id: 'U1', zone: 'Europe/Berlin', address: 'ada@x.test' };
const day = 24 * 3_600_000;
let now = Date.parse('2026-11-20T10:00:00Z');
let asked: { readonly query: Query; readonly plan: ReadPlan }[];
let answer: () => Promise<number>;
let changed: string[];

beforeEach(() => {
  asked = [];
  changed = [];
  answer = async () => 3;
});
afterEach(() => vi.useRealTimers());

function managers() {
  const source = {
    async read(query: Query, plan: ReadPlan) {
      asked.push({ query, plan });
      return { records: await answer() };
    },
  };
  const parts = { source, weekStart: 'monday', clock: { now: () => now }, log: { warn() {} } } as const;
  return managersOf(parts as never, (user) => changed.push(user));
}

const soon = { interval: 2 };

describe('whether somebody manages a team', () => {
  it('is not known at first, and is told once it is', async () => {
    const { manages } = managers();
    expect(manages(ada)).toBeUndefined();
    await expect.poll(() => changed, soon).toEqual(['U1']);
    expect(manages(ada)).toBe(true);
    expect(asked).toHaveLength(1);
  });

  it('is asked for with nothing but the fields that show whose rows they are, which are checked', async () => {
    managers().manages(ada);
    await expect.poll(() => asked.length, soon).toBe(1);
    expect(asked[0]?.query.body).toMatchObject({
      email: true,
      manager_email: true,
      user_filter: { manager_email: 'ada@x.test' },
    });
    expect(asked[0]?.plan).toMatchObject({
      fields: ['email', 'manager_email'],
      rowCheck: { rows: 'team', address: 'ada@x.test' },
    });
    expect(asked[0]?.plan.figures).toBeUndefined();
  });

  it('is looked up once a day', async () => {
    const { manages } = managers();
    manages(ada);
    await expect.poll(() => changed, soon).toEqual(['U1']);
    now += day - 1;
    manages(ada);
    expect(asked).toHaveLength(1);
    now += 1;
    answer = async () => 0;
    // What was known holds until the new answer is there.
    expect(manages(ada)).toBe(true);
    await expect.poll(() => manages(ada), soon).toBe(false);
    expect(changed).toEqual(['U1', 'U1']);
    expect(asked).toHaveLength(2);
  });

  it('is not known after a failure or rows of other teams, and is looked up again later', async () => {
    const { manages } = managers();
    answer = async () => {
      throw new Failure('rows-outside-scope');
    };
    expect(manages(ada)).toBeUndefined();
    await expect.poll(() => asked.length, soon).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(manages(ada)).toBeUndefined();
    expect(asked).toHaveLength(1);
    now += 10 * 60_000;
    answer = async () => 1;
    manages(ada);
    await expect.poll(() => manages(ada), soon).toBe(true);
  });

  it('is looked up for three people at once at most', async () => {
    const { manages } = managers();
    const waiting: ((records: number) => void)[] = [];
    answer = () => new Promise((resolve) => waiting.push(resolve));
    for (const id of ['U1', 'U2', 'U3', 'U4', 'U1']) manages({ ...ada, id });
    await expect.poll(() => waiting.length, soon).toBe(3);
    for (const resolve of waiting) resolve(1);
    await expect.poll(() => changed.length, soon).toBe(3);
    manages({ ...ada, id: 'U4' });
    await expect.poll(() => waiting.length, soon).toBe(4);
    waiting[3]?.(0);
  });
});

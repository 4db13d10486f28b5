import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Faults, noFaults } from '../../../playground/reporting-service/faults.js';
import type { RunningReportingService } from '../../../playground/reporting-service/reporting-service.js';
import { type FieldKind, reportNamed } from '../../../src/catalogue/index.js';
import { ask, askRaw, everyFlag, startService } from './service.js';

let service: RunningReportingService;
const faults: Faults = noFaults();

beforeAll(async () => {
  service = await startService({ learners: 60, faults });
});
afterAll(() => service.stop());
beforeEach(() => {
  Object.assign(faults, noFaults());
});

const statuses = async (count: number) => {
  const found: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const response = await askRaw(service, 'engagement');
    await response.arrayBuffer();
    found.push(response.status);
  }
  return found;
};

/** The value of a field in one form for all its types. Booleans have too many forms to compare. */
function comparable(kind: FieldKind, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (kind === 'list') return namesOf(value);
  if (value === '') return null;
  if (kind === 'number') return Number(value);
  if (kind === 'date') return instantOf(value);
  return kind === 'yes-no' ? true : value;
}

describe('faults on request', () => {
  it('are off by default', async () => {
    expect(await statuses(20)).toEqual(Array(20).fill(200));
  });

  it('fail every n-th request with four statuses in turn', async () => {
    faults.errorEvery = 3;
    const found = await statuses(24);
    expect(found.filter((status) => status !== 200).sort()).toEqual([500, 500, 502, 502, 503, 503, 504, 504]);
    expect(found.join().includes('200,200,50')).toBe(true);
  });

  it('refuse bursts of requests with Retry-After', async () => {
    Object.assign(faults, { burstEvery: 8, burstLength: 4, retryAfterSeconds: 7 });
    const found = await statuses(32);
    expect(found.join()).toContain('429,429,429,429,200');
    expect(found.filter((status) => status === 200).length).toBeGreaterThan(10);
    faults.burstEvery = 1;
    const response = await askRaw(service, 'engagement');
    expect(response.headers.get('retry-after')).toBe('7');
    expect(await response.json()).toMatchObject({ status: 429, message: expect.stringContaining('7 s') });
  });

  it('affect only valid requests', async () => {
    faults.errorEvery = 1;
    expect((await askRaw(service, 'engagement', { body: { nothing: true } })).status).toBe(400);
  });

  it('delay every answer', async () => {
    faults.latencyMs = 120;
    const asked = performance.now();
    expect(await statuses(1)).toEqual([200]);
    expect(performance.now() - asked).toBeGreaterThan(110);
  });

  it('send each answer at a limited rate, and whole', async () => {
    const all = await ask(service, 'completions', { body: everyFlag('completions') });
    expect(all.length).toBeGreaterThan(100);
    faults.recordsPerSecond = all.length * 4;
    const asked = performance.now();
    expect(await ask(service, 'completions', { body: everyFlag('completions') })).toEqual(all);
    expect(performance.now() - asked).toBeGreaterThan(200);
  });

  it('end every n-th answer early', async () => {
    faults.cutEvery = 2;
    const ends: string[] = [];
    for (let index = 0; index < 6; index += 1) {
      const response = await askRaw(service, 'engagement', { body: everyFlag('engagement') });
      expect(response.status).toBe(200);
      ends.push(
        await response.text().then(
          (text) => `${JSON.parse(text).length}`,
          () => 'cut',
        ),
      );
    }
    expect(ends.filter((end) => end === 'cut')).toHaveLength(3);
    expect(ends.filter((end) => end === '60')).toHaveLength(3);
  });

  it('change the types of values from record to record, and keep the values', async () => {
    const body = everyFlag('engagement');
    const plain = await ask(service, 'engagement', { body });
    faults.shapes = true;
    const changed = await ask(service, 'engagement', { body });
    expect(changed).toHaveLength(plain.length);
    const types = (flag: string) =>
      new Set(changed.map((record) => (Array.isArray(record[flag]) ? 'list' : typeof record[flag])));
    expect(types('views')).toEqual(new Set(['number', 'string']));
    expect(types('created_at')).toEqual(new Set(['number', 'string']));
    expect(types('departments')).toEqual(new Set(['list', 'string']));
    expect(types('suspended')).toEqual(new Set(['boolean', 'number', 'string']));
    expect(changed.some(({ departments }) => JSON.stringify(departments).includes('"name":'))).toBe(true);
    expect(changed.some((record) => !('partner' in record))).toBe(true);
    expect(changed.some(({ partner }) => partner === '')).toBe(true);

    for (const [index, record] of changed.entries()) {
      for (const { flag, kind } of reportNamed('engagement').fields) {
        const [one, other] = [record[flag], plain[index]?.[flag]];
        const [changedValue, plainValue] = [comparable(kind, one), comparable(kind, other)];
        expect({ flag, value: changedValue }).toEqual({ flag, value: plainValue });
      }
    }
  });
});

function instantOf(value: unknown): number {
  const number = typeof value === 'number' ? value : Number(value);
  if (Number.isNaN(number)) return Date.parse(String(value));
  return Math.abs(number) < 100_000_000_000 ? number * 1000 : number;
}

function namesOf(value: unknown): readonly unknown[] {
  if (typeof value === 'string') return value === '' ? [] : value.split('; ');
  if (!Array.isArray(value)) throw new TypeError('Neither text nor a list');
  return value.map((entry) => (typeof entry === 'object' ? entry.name : entry));
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Field, FieldKind, Report } from '../bot.js';
import { RequestError } from './request.js';

/** Injected failures, for tests of the bot. Zero and false disable them. May be changed while the service runs. */
export interface Faults {
  /** Milliseconds that every answer is delayed. */
  latencyMs: number;
  /** Records per second of each answer; 0 for as many as fit. */
  recordsPerSecond: number;
  /** Every n-th request fails with 503, 502, 504 and 500 in turn; 0 for none. */
  errorEvery: number;
  /** Every n-th request starts a burst of 429; 0 for none. */
  burstEvery: number;
  /** Number of requests in a burst. */
  burstLength: number;
  /** `Retry-After` of a burst, in seconds. */
  retryAfterSeconds: number;
  /** Every n-th answer ends early; 0 for none. */
  cutEvery: number;
  /** Values change their type from record to record. */
  shapes: boolean;
}

export function noFaults(): Faults {
  return {
    latencyMs: 0,
    recordsPerSecond: 0,
    errorEvery: 0,
    burstEvery: 0,
    burstLength: 3,
    retryAfterSeconds: 2,
    cutEvery: 0,
    shapes: false,
  };
}

/** Decides the faults of each request. */
export interface FaultInjector {
  /**
   * Call once for each valid request. Waits for the latency.
   * @throws RequestError if the fault is an error status
   */
  next(signal: AbortSignal): Promise<Pick<Faults, 'shapes' | 'recordsPerSecond'> & { readonly cut: boolean }>;
}

const errorStatuses = [503, 502, 504, 500];

export function createFaultInjector(faults: Faults): FaultInjector {
  let requests = 0;
  let errors = 0;
  let burstLeft = 0;
  let answers = 0;
  const isTurn = (count: number, every: number) => every > 0 && count % every === 0;
  return {
    async next(signal) {
      requests += 1;
      if (faults.latencyMs > 0) await sleep(faults.latencyMs, undefined, { signal });
      if (faults.burstEvery === 0) burstLeft = 0;
      if (burstLeft === 0 && isTurn(requests, faults.burstEvery)) burstLeft = faults.burstLength;
      if (burstLeft > 0) {
        burstLeft -= 1;
        throw new RequestError(
          429,
          'too_many',
          `Too many requests; try again in ${faults.retryAfterSeconds} s.`,
          {
            headers: { 'retry-after': String(faults.retryAfterSeconds) },
          },
        );
      }
      if (isTurn(requests, faults.errorEvery)) {
        const status = errorStatuses[errors % errorStatuses.length] ?? 500;
        errors += 1;
        throw new RequestError(status, 'on_purpose', 'This failure was injected on purpose.');
      }
      answers += 1;
      const { shapes, recordsPerSecond } = faults;
      return { cut: isTurn(answers, faults.cutEvery), shapes, recordsPerSecond };
    },
  };
}

type Shape = (value: unknown) => unknown;

const unchanged: Shape = (value) => value;
const asText: Shape = (value) => String(value);

function seconds(value: unknown): number {
  return Date.parse(String(value)) / 1000;
}

/** The same instant with an offset of two hours. */
function twoHoursAhead(value: unknown): string {
  return `${new Date((seconds(value) + 7200) * 1000).toISOString().slice(0, 19)}+02:00`;
}

function mapList(make: (entry: unknown, index: number) => unknown): Shape {
  return (value) => (Array.isArray(value) ? value.map(make) : value);
}

const shapes: Partial<Record<FieldKind, readonly Shape[]>> = {
  number: [unchanged, asText],
  date: [
    unchanged,
    seconds,
    (value) => seconds(value) * 1000,
    twoHoursAhead,
    (value) => String(seconds(value)),
  ],
  'yes-no': [unchanged, asText, (value) => (value === true ? 'Yes' : 'No'), Number],
  list: [
    unchanged,
    (value) => (Array.isArray(value) ? value.join('; ') : value),
    mapList((entry, index) => ({ id: `entry-${index + 1}`, name: entry })),
  ],
};

/** The forms of a missing value; undefined omits the member. */
const missing: readonly unknown[] = [null, undefined, ''];

/**
 * Changes the types of values from record to record, as services without a documented schema do.
 *
 * @returns a function from the JSON of a record to its changed JSON
 */
export function createShapeChanger(report: Report): (record: string) => string {
  const fields = new Map<string, Field>(report.fields.map((field) => [field.flag, field]));
  let count = -1;
  return (record) => {
    count += 1;
    const values = Object.entries(JSON.parse(record)).map(([flag, value]) => {
      if (value === null) return [flag, missing[count % missing.length]];
      const choices = shapes[fields.get(flag)?.kind ?? 'text'] ?? [unchanged];
      return [flag, choices[count % choices.length]?.(value)];
    });
    return JSON.stringify(Object.fromEntries(values));
  };
}

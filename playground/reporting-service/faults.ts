import { setTimeout as sleep } from 'node:timers/promises';
import type { Field, FieldKind, Report } from '../bot.js';
import { RequestError } from './request.js';

/** What goes wrong on purpose, for trying the bot. All zero and false: nothing. May be changed while it is in use. */
export interface Faults {
  /** Milliseconds that every answer waits. */
  latencyMs: number;
  /** One request in so many fails with 503, 502, 504 and 500 in turn; 0: none. */
  errorEvery: number;
  /** Every so many requests a burst of 429 begins; 0: none. */
  burstEvery: number;
  /** Requests that a burst refuses. */
  burstLength: number;
  /** What a burst says in `Retry-After`, in seconds. */
  retryAfterSeconds: number;
  /** One answer in so many is cut short; 0: none. */
  cutEvery: number;
  /** Values change their type from record to record. */
  shapes: boolean;
}

export function noFaults(): Faults {
  return {
    latencyMs: 0,
    errorEvery: 0,
    burstEvery: 0,
    burstLength: 3,
    retryAfterSeconds: 2,
    cutEvery: 0,
    shapes: false,
  };
}

/** Deals out faults, request by request. */
export interface FaultInjector {
  /**
   * To be called once for every request that could be answered; waits, when there is latency.
   * @throws Refusal the fault, where this request's is an error status
   */
  next(signal: AbortSignal): Promise<{ readonly cut: boolean; readonly shapes: boolean }>;
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
        throw new RequestError(status, 'on_purpose', 'The service was asked to fail now and then, and did.');
      }
      answers += 1;
      return { cut: isTurn(answers, faults.cutEvery), shapes: faults.shapes };
    },
  };
}

type Shape = (value: unknown) => unknown;

const unchanged: Shape = (value) => value;
const asText: Shape = (value) => String(value);

function seconds(value: unknown): number {
  return Date.parse(String(value)) / 1000;
}

/** The same instant, as a clock two hours ahead shows it. */
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

/** How a value that is missing may look; undefined leaves the member out. */
const missing: readonly unknown[] = [null, undefined, ''];

/**
 * Gives the values of records other types, from record to record, as services do that never said which to expect.
 *
 * @returns what turns a record's text into that of the same record in another shape
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

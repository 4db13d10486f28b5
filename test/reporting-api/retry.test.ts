import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/errors/failure.js';
import { decideRetry, type Failures, noFailures } from '../../src/reporting-api/retry.js';

/** The waits before each further try when it fails in these ways, one after the other, at once each time. */
function waitsFor(errors: readonly Error[]): readonly number[] {
  const waits: number[] = [];
  let failures: Failures = noFailures;
  let now = 0;
  for (const error of errors) {
    const step = decideRetry(error, failures, now);
    if (step.kind === 'give-up') return waits;
    waits.push(step.afterMs);
    now += step.afterMs;
    failures = step.failures;
  }
  return waits;
}

const fourTimes = (error: Error) => [error, error, error, error];

describe('a retry', () => {
  it.each([
    ['a gateway that fails', new Failure('service-broken', { status: 502 }), [1000, 2000, 4000]],
    ['a service that is down', new Failure('service-broken', { status: 503 }), [1000, 2000, 4000]],
    ['a gateway that waits too long', new Failure('service-broken', { status: 504 }), [1000, 2000, 4000]],
    [
      'a refused connection',
      new Failure('service-unreachable', { reason: 'refused', systemCode: 'ECONNREFUSED' }),
      [1000, 2000, 4000],
    ],
    ['a lost connection', new Failure('connection-lost', { afterFirstByte: true }), [1000, 2000, 4000]],
    ['a compressed answer cut short', new Failure('damaged-answer', { cutShort: true }), [1000, 2000, 4000]],
    ['an answer cut short', new Failure('answer-cut-short', { records: 12 }), [1000, 2000, 4000]],
    [
      'too many requests, for as long as it says',
      new Failure('too-many-requests', { retryAfterMs: 7000 }),
      [7000, 7000, 7000],
    ],
    [
      'too many requests, at once where it says so',
      new Failure('too-many-requests', { retryAfterMs: 0 }),
      [0, 0, 0],
    ],
    ['too many requests without a time', new Failure('too-many-requests'), [30_000, 60_000, 120_000]],
    [
      'a service that says for how long it is down',
      new Failure('service-broken', { status: 503, retryAfterMs: 10_000 }),
      [10_000, 10_000, 10_000],
    ],
    [
      'a service that is down for very long',
      new Failure('service-broken', { status: 503, retryAfterMs: 400_000 }),
      [1000, 2000, 4000],
    ],
  ])('waits after %s', (_, error, waits) => {
    expect(waitsFor(fourTimes(error))).toEqual(waits);
  });

  it.each([
    ['a failure of its own', new Failure('service-broken', { status: 500 })],
    ['a status that says it never will', new Failure('service-broken', { status: 505 })],
    ['silence', new Failure('service-timed-out', { idleTimeoutMs: 1000, afterFirstByte: false })],
    [
      'a bad certificate',
      new Failure('service-unreachable', { reason: 'not-secure', systemCode: 'CERT_HAS_EXPIRED' }),
    ],
    [
      'an unknown host',
      new Failure('service-unreachable', { reason: 'unknown-host', systemCode: 'ENOTFOUND' }),
    ],
    ['a refused token', new Failure('token-refused', { status: 401 })],
    ['a refused query', new Failure('query-refused', { status: 422 })],
    ['a missing report', new Failure('no-such-report')],
    ['an answer that is not JSON', new Failure('answer-not-json', { record: 0 })],
    ['a damaged answer', new Failure('damaged-answer', { cutShort: false })],
    ['a bug', new TypeError('x is not a function')],
  ])('gives up at once after %s', (_, error) => {
    expect(decideRetry(error, noFailures, 0)).toEqual({ kind: 'give-up', error });
  });

  it('doubles the wait only after answers that name none', () => {
    const errors = [
      new Failure('service-broken', { status: 503 }),
      new Failure('too-many-requests', { retryAfterMs: 5000 }),
      new Failure('too-many-requests'),
      new Failure('too-many-requests'),
    ];
    expect(waitsFor(errors)).toEqual([1000, 5000, 30_000]);
  });

  it('gives up at once if the service asks for more than five minutes', () => {
    const step = decideRetry(new Failure('too-many-requests', { retryAfterMs: 300_001 }), noFailures, 0);
    expect(step).toEqual({ kind: 'give-up', error: new Failure('wait-too-long', { waitMs: 300_001 }) });
    expect(
      decideRetry(new Failure('too-many-requests', { retryAfterMs: 300_000 }), noFailures, 0),
    ).toMatchObject({
      kind: 'retry',
      afterMs: 300_000,
    });
  });

  it('counts the five minutes from the first failure, not from the first request', () => {
    const first = decideRetry(
      new Failure('connection-lost', { afterFirstByte: true }),
      noFailures,
      3_600_000,
    );
    expect(first).toMatchObject({ kind: 'retry', expiresAt: 3_900_000 });
    const failures: Failures = { count: 1, tooMany: 0, since: 3_600_000 };
    expect(
      decideRetry(new Failure('connection-lost', { afterFirstByte: true }), failures, 3_899_000),
    ).toMatchObject({ kind: 'give-up' });
    expect(
      decideRetry(new Failure('connection-lost', { afterFirstByte: true }), failures, 3_897_000),
    ).toMatchObject({ kind: 'retry' });
  });

  it('makes all queries wait for the limit of the token, and for nothing else', () => {
    expect(decideRetry(new Failure('too-many-requests'), noFailures, 0)).toMatchObject({ forAll: true });
    for (const status of [502, 503, 504]) {
      for (const named of [undefined, 5000]) {
        expect(
          decideRetry(new Failure('service-broken', { status, retryAfterMs: named }), noFailures, 0),
        ).toMatchObject({
          afterMs: named ?? 1000,
          forAll: false,
          keepsPlace: false,
        });
      }
    }
    expect(
      decideRetry(new Failure('connection-lost', { afterFirstByte: false }), noFailures, 0),
    ).toMatchObject({
      forAll: false,
      keepsPlace: true,
    });
  });
});

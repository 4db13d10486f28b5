import { describe, expect, it } from 'vitest';
import {
  AnswerCutShort,
  AnswerNotJson,
  ConnectionLost,
  DamagedAnswer,
  NoSuchReport,
  QueryRefused,
  ServiceBroken,
  ServiceTimedOut,
  ServiceUnreachable,
  TokenRefused,
  TooManyRequests,
  WaitTooLong,
} from '../../src/reporting-api/errors.js';
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
    ['a gateway that fails', new ServiceBroken(502), [1000, 2000, 4000]],
    ['a service that is down', new ServiceBroken(503), [1000, 2000, 4000]],
    ['a gateway that waits too long', new ServiceBroken(504), [1000, 2000, 4000]],
    ['a refused connection', new ServiceUnreachable('refused', 'ECONNREFUSED'), [1000, 2000, 4000]],
    ['a lost connection', new ConnectionLost(true), [1000, 2000, 4000]],
    ['a compressed answer cut short', new DamagedAnswer(true), [1000, 2000, 4000]],
    ['an answer cut short', new AnswerCutShort(12), [1000, 2000, 4000]],
    ['too many requests, for as long as it says', new TooManyRequests(7000), [7000, 7000, 7000]],
    ['too many requests, at once where it says so', new TooManyRequests(0), [0, 0, 0]],
    ['too many requests without a time', new TooManyRequests(), [30_000, 60_000, 120_000]],
    [
      'a service that says for how long it is down',
      new ServiceBroken(503, undefined, 10_000),
      [10_000, 10_000, 10_000],
    ],
    ['a service that is down for very long', new ServiceBroken(503, undefined, 400_000), [1000, 2000, 4000]],
  ])('waits after %s', (_, error, waits) => {
    expect(waitsFor(fourTimes(error))).toEqual(waits);
  });

  it.each([
    ['a failure of its own', new ServiceBroken(500)],
    ['a status that says it never will', new ServiceBroken(505)],
    ['silence', new ServiceTimedOut(1000, false)],
    ['a bad certificate', new ServiceUnreachable('not-secure', 'CERT_HAS_EXPIRED')],
    ['an unknown host', new ServiceUnreachable('unknown-host', 'ENOTFOUND')],
    ['a refused token', new TokenRefused(401)],
    ['a refused query', new QueryRefused(422)],
    ['a missing report', new NoSuchReport()],
    ['an answer that is not JSON', new AnswerNotJson(0)],
    ['a damaged answer', new DamagedAnswer(false)],
    ['a bug', new TypeError('x is not a function')],
  ])('gives up at once after %s', (_, error) => {
    expect(decideRetry(error, noFailures, 0)).toEqual({ kind: 'give-up', error });
  });

  it('doubles the wait only after answers that name none', () => {
    const errors = [
      new ServiceBroken(503),
      new TooManyRequests(5000),
      new TooManyRequests(),
      new TooManyRequests(),
    ];
    expect(waitsFor(errors)).toEqual([1000, 5000, 30_000]);
  });

  it('gives up at once if the service asks for more than five minutes', () => {
    const step = decideRetry(new TooManyRequests(300_001), noFailures, 0);
    expect(step).toEqual({ kind: 'give-up', error: new WaitTooLong(300_001) });
    expect(decideRetry(new TooManyRequests(300_000), noFailures, 0)).toMatchObject({
      kind: 'retry',
      afterMs: 300_000,
    });
  });

  it('counts the five minutes from the first failure, not from the first request', () => {
    const first = decideRetry(new ConnectionLost(true), noFailures, 3_600_000);
    expect(first).toMatchObject({ kind: 'retry', expiresAt: 3_900_000 });
    const failures: Failures = { count: 1, tooMany: 0, since: 3_600_000 };
    expect(decideRetry(new ConnectionLost(true), failures, 3_899_000)).toMatchObject({ kind: 'give-up' });
    expect(decideRetry(new ConnectionLost(true), failures, 3_897_000)).toMatchObject({ kind: 'retry' });
  });

  it('makes all queries wait for the limit of the token, and for nothing else', () => {
    expect(decideRetry(new TooManyRequests(), noFailures, 0)).toMatchObject({ forAll: true });
    for (const status of [502, 503, 504]) {
      for (const named of [undefined, 5000]) {
        expect(decideRetry(new ServiceBroken(status, undefined, named), noFailures, 0)).toMatchObject({
          afterMs: named ?? 1000,
          forAll: false,
          keepsPlace: false,
        });
      }
    }
    expect(decideRetry(new ConnectionLost(false), noFailures, 0)).toMatchObject({
      forAll: false,
      keepsPlace: true,
    });
  });
});

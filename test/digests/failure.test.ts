import { WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import { failureOf, failureOfSlack, retryDelay } from '../../src/digests/failure.js';
import { Failure } from '../../src/errors/failure.js';
import { asSlackFailure } from '../../src/slack/digests/deliver-run.js';

describe('the kind of a failure', () => {
  it.each([
    ['a question that is refused', new Failure('query-refused', { status: 422 }), 'own', 'query-refused'],
    ['a service that is down', new Failure('service-broken', { status: 503 }), 'service', 'service-broken'],
    ['a token that is refused', new Failure('token-refused', { status: 401 }), 'service', 'token-refused'],
    ['an answer that is none', new Failure('answer-not-json', { record: 1 }), 'temporary', 'answer-not-json'],
    ['a stop', new Failure('cancelled'), 'temporary', 'stopped'],
    ['a bug', new TypeError('no'), 'temporary', 'unexpected'],
  ] as const)('%s', (_name, error, kind, code) => {
    expect(failureOf(error)).toEqual({ kind, code });
  });

  it.each([
    ['is_archived', 'own'],
    ['a_word_that_is_new', 'own'],
    ['ratelimited', 'temporary'],
    ['internal_error', 'temporary'],
    ['http_502', 'temporary'],
    ['connection_lost', 'temporary'],
    ['connection_refused', 'slack'],
    ['token_revoked', 'slack'],
    ['missing_scope', 'slack'],
    ['access_denied', 'own'],
  ] as const)('Slack says %s: %s', (code, kind) => {
    expect(failureOfSlack(code)).toEqual({ kind, code });
  });

  it('a failed call to Slack before the post counts like a failed post', () => {
    const revoked = new WebAPIPlatformError({ ok: false, error: 'token_revoked' });
    expect(asSlackFailure(revoked)).toMatchObject({ code: 'slack-refused' });
    expect(failureOf(asSlackFailure(revoked))).toEqual({ kind: 'slack', code: 'token_revoked' });
    expect(failureOf(asSlackFailure(new WebAPIRateLimitedError(7)))).toEqual({
      kind: 'temporary',
      code: 'ratelimited',
      retryAfterSeconds: 7,
    });
  });
});

describe('the delay before the next attempt', () => {
  const minutes = (code: string, tries: number) =>
    Array.from({ length: tries }, (_, i) =>
      retryDelay({ attempts: i + 1, rateLimited: 3 }, { kind: 'temporary', code }),
    ).map((wait) => (wait === undefined ? undefined : wait / 60_000));

  it('grows, and ends', () => {
    expect(minutes('unexpected', 7)).toEqual([1, 2, 5, 10, 20, undefined, undefined]);
  });

  it('is a minute, for hours, if Slack limits lookups of people and channels', () => {
    const waits = minutes('channel-not-described', 421);
    expect(new Set(waits.slice(0, 419))).toEqual(new Set([1]));
    expect(waits.slice(419)).toEqual([undefined, undefined]);
  });

  it('follows the rate limit of Slack, up to twelve times', () => {
    const limited = failureOfSlack('ratelimited', 42);
    expect(retryDelay({ attempts: 1, rateLimited: 0 }, limited)).toBe(42_000);
    expect(retryDelay({ attempts: 6, rateLimited: 10 }, limited)).toBe(42_000);
    expect(retryDelay({ attempts: 1, rateLimited: 11 }, limited)).toBeUndefined();
    expect(retryDelay({ attempts: 1, rateLimited: 0 }, failureOfSlack('ratelimited'))).toBe(30_000);
  });
});

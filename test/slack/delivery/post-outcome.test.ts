import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import { outcomeOfFailure } from '../../../src/slack/delivery/post-message.js';

const platform = (error: string) => new WebAPIPlatformError({ ok: false, error });
const withCode = (code: string) => Object.assign(new Error(code), { code });
const network = (cause: Error) => new WebAPIRequestError(new TypeError('fetch failed', { cause }));

describe('what a failed call says about the message', () => {
  it.each([
    ['Slack refused it', platform('channel_not_found'), 'not-posted', 'channel_not_found'],
    ['Slack broke', platform('internal_error'), 'unknown', 'internal_error'],
    ['Slack broke badly', platform('fatal_error'), 'unknown', 'fatal_error'],
    ['Slack was not there', platform('service_unavailable'), 'unknown', 'service_unavailable'],
    ['Slack gave up', platform('request_timeout'), 'unknown', 'request_timeout'],
    ['a status of 500', new WebAPIHTTPError(500, 'broken', {}), 'unknown', 'http_500'],
    ['a status of 403', new WebAPIHTTPError(403, 'no', {}), 'unknown', 'http_403'],
    ['nobody listens', network(withCode('ECONNREFUSED')), 'not-posted', 'connection_refused'],
    [
      'nobody listens on either address',
      network(new AggregateError([withCode('ECONNREFUSED'), withCode('ECONNREFUSED')])),
      'not-posted',
      'connection_refused',
    ],
    [
      'one of two addresses was silent',
      network(new AggregateError([withCode('ECONNREFUSED'), withCode('ETIMEDOUT')])),
      'unknown',
      'connection_lost',
    ],
    ['the connection broke', network(withCode('ECONNRESET')), 'unknown', 'connection_lost'],
    ['the time was up', network(withCode('ABORT_ERR')), 'unknown', 'connection_lost'],
  ])('%s', (_what, error, kind, code) => {
    expect(outcomeOfFailure(error)).toMatchObject({ kind, code });
  });

  it('a limit says when to come back', () => {
    expect(outcomeOfFailure(new WebAPIRateLimitedError(7))).toEqual({
      kind: 'not-posted',
      code: 'ratelimited',
      retryAfterSeconds: 7,
      objections: [],
    });
  });

  it('what did not come from calling Slack is not taken for an outcome', () => {
    const mistake = new TypeError('a mistake of ours');
    expect(() => outcomeOfFailure(mistake)).toThrow(mistake);
  });
});

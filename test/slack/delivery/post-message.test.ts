import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
  type WebClient,
} from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deliver, outcomeOfFailure, refusedBlocks } from '../../../src/slack/delivery/post-message.js';

const platform = (error: string) => new WebAPIPlatformError({ ok: false, error });
const withCode = (code: string) => Object.assign(new Error(code), { code });
const network = (cause: Error) => new WebAPIRequestError(new TypeError('fetch failed', { cause }));

describe('the outcome of a failed call', () => {
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

  it('includes the delay of a rate limit', () => {
    expect(outcomeOfFailure(new WebAPIRateLimitedError(7))).toEqual({
      kind: 'not-posted',
      code: 'ratelimited',
      retryAfterSeconds: 7,
    });
  });

  it('errors that are not from Slack are rethrown', () => {
    const mistake = new TypeError('a mistake of ours');
    expect(() => outcomeOfFailure(mistake)).toThrow(mistake);
  });
});

describe('delivering a message', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const full = { text: 'full', blocks: [{ type: 'divider' }] };
  const plain = { text: 'plain' };
  const toChannel = { channel: 'C1', thread: '1.1' };
  const busy = new WebAPIRateLimitedError(7);

  /** A client whose first calls fail with these errors, and whose later calls succeed. */
  function clientThatFails(...failures: Error[]) {
    const calls: { method: string; at: number; args: object }[] = [];
    const startedAt = Date.now();
    const method = (name: string) => async (args: object) => {
      calls.push({ method: name, at: Date.now() - startedAt, args });
      const failure = failures.shift();
      if (failure) throw failure;
      return { ok: true, channel: 'C1', ts: '2.2' };
    };
    const chat = { postMessage: method('post'), update: method('update') };
    return { calls, client: { chat } as unknown as WebClient };
  }

  async function delivered(
    failures: Error[],
    destination: Parameters<typeof deliver>[1] = toChannel,
    maxTries?: number,
  ) {
    const { calls, client } = clientThatFails(...failures);
    const parts = { client, refused: refusedBlocks(() => 0) };
    const done = deliver([full, plain], destination, parts, { maxTries });
    await vi.runAllTimersAsync();
    return { ...(await done), calls, methods: calls.map(({ method }) => method) };
  }

  it('posts once, into the thread, without link previews', async () => {
    const { outcome, variant, calls } = await delivered([]);
    expect(outcome).toEqual({ kind: 'posted', channel: 'C1', ts: '2.2' });
    expect(variant).toBe(0);
    expect(calls.map(({ args }) => args)).toEqual([
      {
        channel: 'C1',
        ...full,
        thread_ts: '1.1',
        unfurl_links: false,
        unfurl_media: false,
        parse: 'none',
      },
    ]);
  });

  it('waits as long as Slack says if Slack is rate-limiting', async () => {
    const { outcome, calls } = await delivered([busy, busy]);
    expect(outcome.kind).toBe('posted');
    expect(calls.map(({ at }) => at)).toEqual([0, 7_000, 14_000]);
  });

  it.each<[string, Error[], number | undefined, number]>([
    ['after five tries', Array.from({ length: 9 }, () => busy), undefined, 5],
    ['after one try where the caller waits by itself', [busy], 1, 1],
    ['at once where Slack asks for more than a minute', [new WebAPIRateLimitedError(61)], undefined, 1],
  ])('gives up %s', async (_when, failures, maxTries, tries) => {
    const { outcome, calls } = await delivered(failures, toChannel, maxTries);
    expect(outcome).toMatchObject({ kind: 'not-posted', code: 'ratelimited' });
    expect(calls).toHaveLength(tries);
  });

  it.each([
    ['unconfirmed', network(withCode('ECONNRESET')), 'unknown'],
    ['refused', platform('is_archived'), 'not-posted'],
  ])('does not repeat a post that is %s', async (_what, failure, kind) => {
    const { outcome, calls } = await delivered([failure]);
    expect(outcome.kind).toBe(kind);
    expect(calls).toHaveLength(1);
  });

  it('posts a plainer variant if Slack rejects the blocks', async () => {
    const { outcome, variant, calls } = await delivered([platform('invalid_blocks')]);
    expect(outcome.kind).toBe('posted');
    expect(variant).toBe(1);
    expect(calls[1]?.args).toMatchObject({ text: 'plain' });
  });

  it('returns the last variant if Slack rejects all', async () => {
    const { outcome, variant } = await delivered([platform('invalid_blocks'), platform('invalid_blocks')]);
    expect([outcome.kind, variant]).toEqual(['not-posted', 1]);
  });

  /** In place of a progress message. */
  function replacing() {
    const progress = { finishFor: async () => '1.9', markReplaced: vi.fn(), remove: vi.fn(async () => {}) };
    return { channel: 'C1', progress };
  }

  it('repeats an unconfirmed edit, because edits are idempotent', async () => {
    const to = replacing();
    const { outcome, methods } = await delivered([network(withCode('ECONNRESET'))], to);
    expect(outcome.kind).toBe('posted');
    expect(to.progress.markReplaced).toHaveBeenCalledOnce();
    expect(to.progress.remove).not.toHaveBeenCalled();
    expect(methods).toEqual(['update', 'update']);
  });

  it('posts a new message if the one to replace no longer exists', async () => {
    const to = replacing();
    const { outcome, methods } = await delivered([platform('message_not_found')], to);
    expect(outcome.kind).toBe('posted');
    expect(to.progress.markReplaced).not.toHaveBeenCalled();
    expect(to.progress.remove).toHaveBeenCalledOnce();
    expect(methods).toEqual(['update', 'post']);
  });

  it('throws other errors, and posts nothing after them', async () => {
    const { client, calls } = clientThatFails(new TypeError('a mistake'));
    const parts = { client, refused: refusedBlocks(() => 0) };
    await expect(deliver([full, plain], toChannel, parts)).rejects.toThrow('a mistake');
    expect(calls).toHaveLength(1);
  });

  it('posts through a response URL if the bot is not a member', async () => {
    const toChannel = vi.fn(async () => ({ kind: 'posted', channel: '', ts: '' }) as const);
    const { outcome, calls } = await delivered([], { channel: 'C1', reply: toChannel as never });
    expect(outcome.kind).toBe('posted');
    expect(toChannel).toHaveBeenCalledExactlyOnceWith(full);
    expect(calls).toEqual([]);
  });
});

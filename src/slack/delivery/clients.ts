import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type Logger as BoltLogger, LogLevel } from '@slack/bolt';
import {
  type FetchFunction,
  type WebAPICallResult,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
  WebClient,
  type WebClientOptions,
} from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import { type Dispatcher, request } from 'undici';
import type { SlackConfig } from '../../config/config.js';
import type { Log } from '../../logging/logger.js';
import { openDispatcher } from '../../reporting-api/settings.js';
import { systemMonotonicClock } from '../../time/clock.js';

/** Called for each failed call to Slack, with the method and the error code of Slack or the network. */
export type OnSlackError = (method: string, code: string) => void;

/** Clients for Slack. They differ in time-outs and retries. */
export function slackClients(config: SlackConfig, log: Log, onError: OnSlackError) {
  // The `fetch` of Node 20 uses no proxies.
  const dispatcher = openDispatcher(config.proxies);
  const tunnels = openDispatcher(config.proxies, true);
  const reach = slackReach(fetchThrough(dispatcher), systemMonotonicClock.now);
  const { fetch } = reach;
  const common: WebClientOptions = {
    slackApiUrl: config.apiUrl,
    fetch,
    logger: boltLog(log, 'warn'),
    // Method names are constants, so an absolute URL would only send the token to another host.
    allowAbsoluteUrls: false,
    rejectRateLimitedCalls: true,
  };
  const once = (timeout: number) => ({ ...common, timeout, retryConfig: { retries: 0 } });
  const withRetries = { ...common, timeout: 5000, retryConfig: { retries: 2, minTimeout: 300, factor: 2 } };
  return {
    /** For modals, whose triggers expire after three seconds: one try, and no waiting. */
    interactive: new ObservedClient(config.botToken, onError, once(2500)),
    /** For messages, and for Home tabs: one try, because a second one may post twice. Callers handle rate limits. */
    posting: new ObservedClient(config.botToken, onError, once(30_000)),
    /** For facts about people and channels: a few tries, and none while Slack is rate-limiting a method. */
    reading: new ObservedClient(config.botToken, onError, withRetries, true),
    /** `fetch` through the proxies of the settings, for URLs from Slack. */
    fetch,
    reach,
    dispatcher,
    /** The same for WebSockets, which proxies pass only through a tunnel. */
    tunnels,
    async close() {
      await Promise.all([dispatcher.destroy(), tunnels.destroy()]);
    },
  };
}

export type SlackClients = ReturnType<typeof slackClients>;

/** The error code of Slack or the network: `channel_not_found`, `ratelimited`, `http_503`. */
export function slackErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { data, statusCode, retryAfter, code } = error as Error & Record<string, unknown>;
  if (typeof data === 'object' && data !== null && 'error' in data) return String(data.error);
  if (typeof statusCode === 'number') return `http_${statusCode}`;
  if (typeof retryAfter === 'number') return 'ratelimited';
  return code === 'slack_webapi_request_error' ? 'no_connection' : 'unknown';
}

class ObservedClient extends WebClient {
  private readonly limitedUntil = new Map<string, number>();

  /**
   * @param pausesWhenLimited makes no calls to a method while Slack is rate-limiting it, because thousands of digests may
   *   need a fact in the same minute
   */
  constructor(
    token: string,
    private readonly onError: OnSlackError,
    options: WebClientOptions,
    private readonly pausesWhenLimited = false,
  ) {
    super(token, options);
  }

  override async apiCall(method: string, options?: Record<string, unknown>): Promise<WebAPICallResult> {
    const leftMs = (this.limitedUntil.get(method) ?? 0) - performance.now();
    if (leftMs > 0) throw new WebAPIRateLimitedError(Math.ceil(leftMs / 1000));
    try {
      return await super.apiCall(method, options);
    } catch (error) {
      if (this.pausesWhenLimited && error instanceof WebAPIRateLimitedError)
        this.limitedUntil.set(method, performance.now() + error.retryAfter * 1000);
      const failure = withoutReply(error);
      this.onError(method, slackErrorCode(failure));
      throw failure;
    }
  }
}

/**
 * A reply that was cut short, or the page of a proxy, says nothing about the call. Slack's client takes its text for the
 * error code of Slack. Then a message that was posted would be posted again, and a good token would count as refused.
 */
function withoutReply(error: unknown): unknown {
  if (!(error instanceof WebAPIPlatformError)) return error;
  const code: unknown = error.data.error;
  if (typeof code === 'string' && /^\w+$/.test(code)) return error;
  return new WebAPIRequestError(new Error('The reply is not from Slack'));
}

/** Calls Slack, and notes whether it answers this process. `now`: monotonic milliseconds. */
export function slackReach(fetch: FetchFunction, now: () => number) {
  let unansweredSince: number | undefined;
  const noting: FetchFunction = async (url, init) => {
    unansweredSince ??= now();
    const response = await fetch(url, init);
    // A proxy answers for a Slack that it cannot reach.
    if (response.status < 500) unansweredSince = undefined;
    return response;
  };
  return {
    fetch: noting,
    /** The milliseconds since the first call that Slack left unanswered; 0 if it answered the last one, or if none was made. */
    unansweredMs: () => (unansweredSince === undefined ? 0 : now() - unansweredSince),
  };
}

/**
 * Adapts our log for Slack's libraries. Their debug lines hold whole payloads with what people typed, so they are
 * dropped.
 *
 * @param errorLevel the level of their errors; `warn` for parts that retry by themselves
 */
export function boltLog(log: Log, errorLevel: 'warn' | 'error'): BoltLogger {
  return {
    debug: () => {},
    info: (...values) => log.debug(...lineOf(values)),
    warn: (...values) => log.warn(...lineOf(values)),
    error: (...values) => log[errorLevel](...lineOf(values)),
    getLevel: () => LogLevel.INFO,
    setLevel: () => {},
    setName: () => {},
  };
}

function lineOf(values: readonly unknown[]): [{ err?: Error }, string] {
  const error = values.find((value) => value instanceof Error);
  const text = values.filter((value) => typeof value === 'string').join(' ');
  return [error ? { err: error } : {}, text || 'An error from Slack’s library'];
}

/** True if Slack replied with an error that retrying does not change. */
export function isPermanentError(error: unknown): boolean {
  return (
    error instanceof Error &&
    'data' in error &&
    !['ratelimited', 'internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'].includes(
      slackErrorCode(error),
    )
  );
}

const decompressed = promisify(gunzip);

/**
 * `fetch` for the clients of Slack, through a dispatcher. That of undici takes twice the CPU time, for web streams and
 * rules of browsers. The answer is read whole before it resolves. Redirects are errors, because the token is for Slack
 * alone.
 */
export function fetchThrough(dispatcher: Dispatcher): FetchFunction {
  return async (url, { method, headers: sent, body: content, signal } = {}) => {
    if (typeof content === 'object')
      throw new TypeError('Files go to Slack by themselves, not through its client');
    const { statusCode, headers, body } = await request(url, {
      dispatcher,
      method: method as Dispatcher.HttpMethod | undefined,
      headers: { 'accept-encoding': 'gzip', ...sent },
      body: content,
      signal,
    });
    const received = Buffer.from(await body.arrayBuffer());
    if (statusCode >= 300 && statusCode < 400) throw new Error('Slack redirected a call');
    const answered = new Headers();
    for (const [name, value] of Object.entries(headers)) answered.set(name, String(value));
    const bytes = headers['content-encoding'] === 'gzip' ? await decompressed(received) : received;
    return {
      ok: statusCode >= 200 && statusCode < 300,
      status: statusCode,
      statusText: '',
      url: String(url),
      headers: answered,
      arrayBuffer: async () => new Uint8Array(bytes).buffer,
      json: async () => JSON.parse(bytes.toString()),
      text: async () => bytes.toString(),
    };
  };
}

/**
 * What Slack says, for a while. Look-ups at the same time share a call.
 *
 * @param now monotonic milliseconds
 * @param isFinal false for an answer after which the next look-up asks Slack again
 */
export function lookUpCache<Value>(
  max: number,
  ttlMs: number,
  now: () => number,
  isFinal: (value: Value) => boolean,
) {
  const entries = new LRUCache<string, { readonly value: Promise<Value>; readonly at: number }>({ max });

  function set(key: string, value: Promise<Value>, at = now()): Promise<Value> {
    const entry = { value, at };
    entries.set(key, entry);
    void value.then((found) => {
      if (!isFinal(found) && entries.peek(key) === entry) entries.delete(key);
    });
    return value;
  }

  function get(key: string, maxAgeMs = ttlMs): Promise<Value> | undefined {
    const entry = entries.get(key);
    return entry && now() - entry.at < maxAgeMs ? entry.value : undefined;
  }

  return {
    find: (key: string, lookUp: () => Promise<Value>, maxAgeMs?: number) =>
      get(key, maxAgeMs) ?? set(key, lookUp()),
    get,
    set,
    /** Absent: everything. */
    invalidate(key?: string): void {
      if (key === undefined) entries.clear();
      else entries.delete(key);
    },
  };
}

export function callsOfMinute(now: () => number) {
  const calls: number[] = [];
  return {
    count(): number {
      while (calls[0] !== undefined && calls[0] <= now() - 60_000) calls.shift();
      return calls.length;
    },
    add: () => void calls.push(now()),
  };
}

/** The pages of a list from Slack. Those after `maxPages` are left out. */
export async function* pagesOf<Page extends WebAPICallResult>(
  call: (cursor: string | undefined) => Promise<Page>,
  maxPages = Number.POSITIVE_INFINITY,
): AsyncGenerator<Page> {
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await call(cursor);
    yield answer;
    cursor = nextCursor(answer);
    if (cursor === undefined) return;
  }
}

/** Undefined on the last page. */
export function nextCursor({ response_metadata }: WebAPICallResult): string | undefined {
  return response_metadata?.next_cursor || undefined;
}

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
import type { Dispatcher } from 'undici';
import type { SlackConfig } from '../../config/variables.js';
import type { Log } from '../../logging/logger.js';
import { openDispatcher } from '../../reporting-api/settings.js';
import { fetchThrough } from './fetch.js';
import { type Reach, slackReach } from './reach.js';

/** Called for each failed call to Slack, with the method and the error code of Slack or the network. */
export type OnSlackError = (method: string, code: string) => void;

/** Clients for Slack. They differ in time-outs and retries. */
export interface SlackClients {
  /** For views, whose triggers expire after three seconds: one try, and no waiting. */
  readonly interactive: WebClient;
  /** For messages: one try, because a second one may post twice. Callers handle rate limits. */
  readonly posting: WebClient;
  /** For facts about people and channels: a few tries, and none while Slack is rate-limiting a method. */
  readonly reading: WebClient;
  /** `fetch` through the proxies of the settings, for URLs from Slack. */
  readonly fetch: FetchFunction;
  readonly reach: Reach;
  readonly dispatcher: Dispatcher;
  /** The same for WebSockets, which proxies pass only through a tunnel. */
  readonly tunnels: Dispatcher;
  close(): Promise<void>;
}

export function slackClients(config: SlackConfig, log: Log, onError: OnSlackError): SlackClients {
  // The `fetch` of Node 20 uses no proxies.
  const dispatcher = openDispatcher(config.proxies);
  const tunnels = openDispatcher(config.proxies, true);
  const reach = slackReach(fetchThrough(dispatcher), () => performance.now());
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
    interactive: new ObservedClient(config.botToken, onError, once(2500)),
    posting: new ObservedClient(config.botToken, onError, once(30_000)),
    reading: new RateLimitedClient(config.botToken, onError, withRetries),
    fetch,
    reach,
    dispatcher,
    tunnels,
    async close() {
      await Promise.all([dispatcher.destroy(), tunnels.destroy()]);
    },
  };
}

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
  constructor(
    token: string,
    private readonly onError: OnSlackError,
    options: WebClientOptions,
  ) {
    super(token, options);
  }

  override async apiCall(method: string, options?: Record<string, unknown>): Promise<WebAPICallResult> {
    try {
      return await super.apiCall(method, options);
    } catch (error) {
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

/**
 * Makes no calls to a method while Slack is rate-limiting it, because thousands of digests may need a fact in the same
 * minute.
 */
class RateLimitedClient extends ObservedClient {
  private readonly limitedUntil = new Map<string, number>();

  override async apiCall(method: string, options?: Record<string, unknown>): Promise<WebAPICallResult> {
    const left = (this.limitedUntil.get(method) ?? 0) - performance.now();
    if (left > 0) throw new WebAPIRateLimitedError(Math.ceil(left / 1000));
    try {
      return await super.apiCall(method, options);
    } catch (error) {
      if (error instanceof WebAPIRateLimitedError) {
        this.limitedUntil.set(method, performance.now() + error.retryAfter * 1000);
      }
      throw error;
    }
  }
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

import { type Logger as BoltLogger, LogLevel } from '@slack/bolt';
import {
  type FetchFunction,
  type WebAPICallResult,
  WebAPIRateLimitedError,
  WebClient,
  type WebClientOptions,
} from '@slack/web-api';
import { type Dispatcher, EnvHttpProxyAgent, fetch as fetchWith } from 'undici';
import type { SlackConfig } from '../../config/variables.js';
import type { Log } from '../../logging/logger.js';

/** Told of each call to Slack that failed: the method and Slack's or the network's word for it. */
export type OnSlackError = (method: string, code: string) => void;

/** The ways to call Slack, by how much time there is and by what a second try would do. */
export interface SlackClients {
  /** For views, whose triggers die after three seconds: one try, and no waiting. */
  readonly interactive: WebClient;
  /** For whatever people see: one try, since a second one may post twice, and 429 is for the caller to wait out. */
  readonly posting: WebClient;
  /** For facts about people and channels: a few tries, and none while Slack asks to leave a method alone. */
  readonly reading: WebClient;
  /** `fetch` through the proxies of the environment, for addresses that Slack hands out. */
  readonly fetch: FetchFunction;
  readonly dispatcher: Dispatcher;
  /** The same for WebSockets, which a proxy lets through only in a tunnel. */
  readonly tunnels: Dispatcher;
  close(): Promise<void>;
}

export function slackClients(config: SlackConfig, log: Log, onError: OnSlackError): SlackClients {
  // It honours HTTPS_PROXY, HTTP_PROXY and NO_PROXY, which Node 20's own fetch does not.
  // Plain http goes through a proxy as such: many proxies tunnel to secure ports only.
  const dispatcher = new EnvHttpProxyAgent({ proxyTunnel: false });
  const tunnels = new EnvHttpProxyAgent({ proxyTunnel: true });
  const fetch = fetchThrough(dispatcher);
  const common: WebClientOptions = {
    slackApiUrl: config.apiUrl,
    fetch,
    logger: boltLog(log, 'warn'),
    // A method's name never comes from outside, and no token goes to another host.
    allowAbsoluteUrls: false,
    rejectRateLimitedCalls: true,
  };
  const once = (timeout: number) => ({ ...common, timeout, retryConfig: { retries: 0 } });
  const aFewTimes = { ...common, timeout: 5000, retryConfig: { retries: 2, minTimeout: 300, factor: 2 } };
  return {
    interactive: new ObservedClient(config.botToken, onError, once(2500)),
    posting: new ObservedClient(config.botToken, onError, once(30_000)),
    reading: new RateLimitedClient(config.botToken, onError, aFewTimes),
    fetch,
    dispatcher,
    tunnels,
    async close() {
      await Promise.all([dispatcher.destroy(), tunnels.destroy()]);
    },
  };
}

/** Slack's or the network's word for what went wrong with a call: `channel_not_found`, `ratelimited`, `http_503`. */
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
      this.onError(method, slackErrorCode(error));
      throw error;
    }
  }
}

/** Asks nothing while Slack wants a method left alone: thousands of digests may need a fact at the same minute. */
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

function fetchThrough(dispatcher: Dispatcher): FetchFunction {
  return (url, { body, signal, ...init } = {}) => {
    if (typeof body === 'object')
      throw new TypeError('Files go to Slack by themselves, not through its client');
    return fetchWith(url, { ...init, dispatcher, body, signal });
  };
}

/**
 * Our log in the shape that Slack's libraries write to. Their debug lines hold whole payloads with what people typed,
 * and are dropped.
 *
 * @param worst how their errors count; `warn` for a part that tries again by itself
 */
export function boltLog(log: Log, worst: 'warn' | 'error'): BoltLogger {
  return {
    debug: () => {},
    info: (...words) => log.debug(...lineOf(words)),
    warn: (...words) => log.warn(...lineOf(words)),
    error: (...words) => log[worst](...lineOf(words)),
    getLevel: () => LogLevel.INFO,
    setLevel: () => {},
    setName: () => {},
  };
}

function lineOf(words: readonly unknown[]): [{ err?: Error }, string] {
  const error = words.find((word) => word instanceof Error);
  const text = words.filter((word) => typeof word === 'string').join(' ');
  return [error ? { err: error } : {}, text || 'An error from Slack’s library'];
}

/** True when Slack answered, and its answer will be the same the next time. */
export function isPermanentError(error: unknown): boolean {
  return (
    error instanceof Error &&
    'data' in error &&
    !['ratelimited', 'internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'].includes(
      slackErrorCode(error),
    )
  );
}

import { EnvHttpProxyAgent } from 'undici';
import type { MemberNames } from './names.js';

/** How to reach the Reporting Service, and how much may be asked of it. */
export interface ReportingSettings {
  /** The service's address without `/api/v1`; it may have a path and slashes at its end. */
  readonly baseUrl: string;
  readonly token: string;
  /** `raw`: `Authorization: TOKEN`; `bearer`: `Authorization: Bearer TOKEN`. */
  readonly authScheme: 'raw' | 'bearer';
  /** The longest silence accepted, before the first byte and between bytes, in milliseconds. */
  readonly idleTimeoutMs: number;
  /** At most this many requests in any 60 seconds. */
  readonly maxRequestsPerMinute: number;
  /** At most this many requests at once. */
  readonly maxParallelRequests: number;
  /** The longest range asked in one request, in days of 86,400 seconds; 0: any. */
  readonly maxRangeDays: number;
  /** What people may write for identifiers in filters, by filter member. */
  readonly names?: MemberNames;
  /** Absent: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` of the environment. */
  readonly proxies?: Proxies;
}

export interface Proxies {
  /** The address of the proxy for `http:` addresses, and for `https:` ones where they have none of their own. */
  readonly http?: string;
  readonly https?: string;
  /** Hosts that are reached directly, as in `NO_PROXY`. */
  readonly except?: string;
}

/**
 * Connections to the service, directly or through a proxy.
 *
 * @param proxies absent: as the environment says
 */
export function openDispatcher(proxies: Proxies | undefined): EnvHttpProxyAgent {
  return new EnvHttpProxyAgent({
    // Plain http goes through a proxy as such: many proxies tunnel to secure ports only.
    proxyTunnel: false,
    // Empty text, unlike an absent member, keeps undici from asking the environment.
    ...(proxies
      ? { httpProxy: proxies.http ?? '', httpsProxy: proxies.https ?? '', noProxy: proxies.except ?? '' }
      : {}),
  });
}

import { EnvHttpProxyAgent } from 'undici';
import type { FilterNames } from './filter-names.js';

/** How to reach the Reporting Service, and the limits on requests to it. */
export interface ReportingSettings {
  /** The service's address without `/api/v1`. It may have a path and trailing slashes. */
  readonly baseUrl: string;
  readonly token: string;
  /** `raw`: `Authorization: TOKEN`; `bearer`: `Authorization: Bearer TOKEN`. */
  readonly authScheme: 'raw' | 'bearer';
  /** Timeout for the first byte, and between bytes, in milliseconds. */
  readonly idleTimeoutMs: number;
  /** Maximum requests in any 60 seconds. */
  readonly maxRequestsPerMinute: number;
  readonly maxParallelRequests: number;
  /** Maximum bytes of one answer, decompressed; absent: no limit. */
  readonly maxAnswerBytes?: number | undefined;
  /** Longest range of one request, in days of 86,400 seconds; 0: no limit. */
  readonly maxRangeDays: number;
  /** Names that people may write instead of identifiers in filters, by filter member. */
  readonly names?: FilterNames;
  /** Absent: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` of the environment. */
  readonly proxies?: Proxies;
}

export interface Proxies {
  /** The proxy for `http:` addresses, and for `https:` ones if they have no proxy of their own. */
  readonly http?: string | undefined;
  readonly https?: string | undefined;
  /** Hosts to connect to directly, as in `NO_PROXY`. */
  readonly except?: string | undefined;
}

/**
 * Connections, directly or through a proxy.
 *
 * @param proxies absent: those of the environment
 * @param proxyTunnel false: plain HTTP is not tunnelled, because many proxies tunnel to secure ports only
 */
export function openDispatcher(proxies: Proxies | undefined, proxyTunnel = false): EnvHttpProxyAgent {
  return new EnvHttpProxyAgent({
    proxyTunnel,
    // An empty text keeps undici from reading the environment. An absent member would not.
    ...(proxies
      ? { httpProxy: proxies.http ?? '', httpsProxy: proxies.https ?? '', noProxy: proxies.except ?? '' }
      : {}),
  });
}

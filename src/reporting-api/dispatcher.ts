import { EnvHttpProxyAgent } from 'undici';
import type { Proxies } from './settings.js';

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

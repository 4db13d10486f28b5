import type { Tier } from './method.js';

/** A token bucket: refill rate and size. */
interface Rate {
  readonly perMinute: number;
  readonly burst: number;
}

const ratesByTier: Readonly<Record<Exclude<Tier, 'post'>, Rate>> = {
  // Slack allows bursts above one per minute, so that several connections can start at once.
  1: { perMinute: 1, burst: 20 },
  2: { perMinute: 20, burst: 20 },
  3: { perMinute: 50, burst: 50 },
  4: { perMinute: 100, burst: 100 },
  special: { perMinute: 600, burst: 100 },
};
/** About one post per second per channel, and several hundred per minute in the workspace. */
const posts: Rate = { perMinute: 60, burst: 4 };
const workspacePosts: Rate = { perMinute: 400, burst: 100 };

export interface RateLimitOptions {
  /** Posts per minute in the whole workspace. Default: Slack's limit. */
  readonly postsPerMinute?: number;
  /** Milliseconds of a clock that never jumps. */
  readonly realNow?: () => number;
}

export interface RateLimits {
  /** Counts a call, or returns the seconds to wait. */
  take(method: string, tier: Tier, channel: string | undefined): number | undefined;
}

/** `scale` multiplies every rate and burst; `off` allows all calls. Uses real time. */
export function createRateLimits(
  scale: number | 'off',
  { postsPerMinute = workspacePosts.perMinute, realNow = Date.now }: RateLimitOptions = {},
): RateLimits {
  if (scale === 'off') return { take: () => undefined };
  const buckets = new Map<string, { left: number; at: number }>();

  function secondsUntilFree(name: string, { perMinute, burst }: Rate): number {
    const { left } = refilled(name, perMinute, burst);
    return left >= 1 ? 0 : ((1 - left) * 60) / (perMinute * Number(scale));
  }

  function refilled(name: string, perMinute: number, burst: number) {
    const now = realNow();
    const full = burst * Number(scale);
    const bucket = buckets.get(name) ?? { left: full, at: now };
    const gained = ((now - bucket.at) / 60_000) * perMinute * Number(scale);
    const next = { left: Math.min(full, bucket.left + gained), at: now };
    buckets.set(name, next);
    return next;
  }

  return {
    take(method, tier, channel) {
      const limits: readonly (readonly [string, Rate])[] =
        tier === 'post'
          ? [
              [`${method} ${channel ?? ''}`, posts],
              [method, { ...workspacePosts, perMinute: postsPerMinute }],
            ]
          : [[method, ratesByTier[tier]]];
      const wait = Math.max(...limits.map(([name, allowance]) => secondsUntilFree(name, allowance)));
      if (wait > 0) return Math.max(1, Math.ceil(wait));
      for (const [name] of limits) {
        const bucket = buckets.get(name);
        if (bucket) bucket.left -= 1;
      }
      return undefined;
    },
  };
}

import { realClock } from '../time/clock.js';

/** In real time, because Slack's limits do not follow the injected clock. */
const { sleep } = realClock;

/** While a person waits for an answer, posts that can wait take one turn in so many. */
const idleShare = 2;

/**
 * Slack accepts about one post a second per channel, and several hundred a minute per workspace.
 *
 * @param perSecond maximum posts in the workspace
 * @param now monotonic milliseconds
 * @param channelIntervalMs minimum time between two posts to one channel
 * @param isAsked whether a person waits for an answer
 */
export function postRateLimiter(
  perSecond: number,
  now: () => number,
  channelIntervalMs = 1000,
  isAsked = () => false,
) {
  const intervalMs = 1000 / perSecond;
  const channels = new Map<string, number>();
  let lastLimited = { channel: '', until: Number.NEGATIVE_INFINITY };
  let next = 0;
  let heldUntil = 0;

  return {
    /** Resolves when a post to the channel may start. Rejects with the signal's reason. */
    async turn(channel: string, signal: AbortSignal) {
      const at = Math.max(now(), next, channels.get(channel) ?? 0);
      next = Math.max(next, now()) + intervalMs;
      channels.set(channel, at + channelIntervalMs);
      if (at > now()) await sleep(at - now(), signal);
      while (heldUntil > now()) await sleep(heldUntil - now(), signal);
      signal.throwIfAborted();
    },
    /**
     * The same for one of many posts that can wait: it starts only when no other post has a turn to come, and leaves
     * room for answers that people wait for. It makes up for one turn at most that came late.
     */
    async idleTurn(signal: AbortSignal) {
      while (next > now() || heldUntil > now()) await sleep(Math.max(next, heldUntil) - now(), signal);
      next = Math.max(next, now() - intervalMs) + (isAsked() ? idleShare : 1) * intervalMs;
      signal.throwIfAborted();
    },
    /** Channels whose next post must wait, so their reports are not urgent. */
    waitingChannels() {
      for (const [channel, until] of channels) if (until <= now()) channels.delete(channel);
      return [...channels.keys()];
    },
    /**
     * Slack rate-limited a post. Slack does not say whether the limit is for the channel or the workspace. If a second
     * channel is limited within this time, all channels wait.
     */
    limited(channel: string, seconds: number) {
      const until = now() + seconds * 1000;
      channels.set(channel, Math.max(channels.get(channel) ?? 0, until));
      const isSecond = lastLimited.channel !== channel && lastLimited.until > now();
      if (isSecond) heldUntil = Math.max(heldUntil, until);
      lastLimited = { channel, until };
    },
  };
}

export type PostRateLimiter = ReturnType<typeof postRateLimiter>;

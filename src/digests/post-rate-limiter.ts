/** When the next post may go out: Slack takes about one a second in a channel, and several hundred a minute in all. */
export interface PostRateLimiter {
  /** Resolves when a post to that channel has its turn. Rejects with the signal's reason. */
  turn(channel: string, signal: AbortSignal): Promise<void>;
  /** Channels that have to wait for their next turn: there is no hurry to make anything for them. */
  waitingChannels(): readonly string[];
  /**
   * Slack took no post to that channel, and asks for so much time. It does not say whether the channel has had enough or
   * the whole workspace: that shows when it says so of a second channel meanwhile.
   */
  limited(channel: string, seconds: number): void;
}

/**
 * @param perSecond posts of the whole workspace
 * @param now monotonic milliseconds
 * @param channelIntervalMs between two posts to one channel
 */
export function postRateLimiter(
  perSecond: number,
  now: () => number,
  channelIntervalMs = 1000,
): PostRateLimiter {
  const between = 1000 / perSecond;
  const channels = new Map<string, number>();
  let lastLimited = { channel: '', until: Number.NEGATIVE_INFINITY };
  let next = 0;
  let heldUntil = 0;

  return {
    async turn(channel, signal) {
      const at = Math.max(now(), next, channels.get(channel) ?? 0);
      next = Math.max(next, now()) + between;
      channels.set(channel, at + channelIntervalMs);
      if (at > now()) await sleep(at - now(), signal);
      while (heldUntil > now()) await sleep(heldUntil - now(), signal);
      signal.throwIfAborted();
    },
    waitingChannels() {
      for (const [one, until] of channels) if (until <= now()) channels.delete(one);
      return [...channels.keys()];
    },
    limited(channel, seconds) {
      const until = now() + seconds * 1000;
      channels.set(channel, Math.max(channels.get(channel) ?? 0, until));
      const isSecond = lastLimited.channel !== channel && lastLimited.until > now();
      if (isSecond) heldUntil = Math.max(heldUntil, until);
      lastLimited = { channel, until };
    },
  };
}

/** In real time: Slack's limits follow no clock of ours. */
function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
    const abort = () => {
      end();
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      end();
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', abort, { once: true });
  });
}

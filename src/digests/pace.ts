/** When the next post may go out: Slack takes about one a second in a channel, and several hundred a minute in all. */
export interface Pace {
  /** Resolves when a post to that channel has its turn. Rejects with the signal's reason. */
  turn(channel: string, signal: AbortSignal): Promise<void>;
  /** Channels that have to wait for their next turn: there is no hurry to make anything for them. */
  resting(): readonly string[];
  /** Slack asks to be left alone for so long. */
  hold(seconds: number): void;
}

const betweenPostsOfChannel = 1000;

/**
 * @param perSecond posts of the whole workspace
 * @param now milliseconds of a clock that nobody moves
 */
export function paceOf(perSecond: number, now: () => number): Pace {
  const between = 1000 / perSecond;
  const channels = new Map<string, number>();
  let next = 0;
  let heldUntil = 0;

  return {
    async turn(channel, signal) {
      const at = Math.max(now(), next, channels.get(channel) ?? 0);
      next = Math.max(next, now()) + between;
      channels.set(channel, at + betweenPostsOfChannel);
      if (at > now()) await sleep(at - now(), signal);
      while (heldUntil > now()) await sleep(heldUntil - now(), signal);
      signal.throwIfAborted();
    },
    resting() {
      for (const [one, until] of channels) if (until <= now()) channels.delete(one);
      return [...channels.keys()];
    },
    hold(seconds) {
      heldUntil = Math.max(heldUntil, now() + seconds * 1000);
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

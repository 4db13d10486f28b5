/** Starts work only after new deliveries have been acknowledged. */
export interface SerialQueue {
  /** Notes that a delivery has arrived. Call the function once it is acknowledged, or needs no acknowledgement. */
  arrived(): () => void;
  /** Resolves when the work for a delivery may begin. */
  waitForTurn(): Promise<void>;
}

/** Work waits while several deliveries arrive or are acknowledged at shorter intervals than this, in milliseconds. */
const quietMs = 15;

/** Work waits this long for the acknowledgement of a delivery. Forms may take longer, because they ask Slack. */
const maxUnacknowledgedMs = 100;

/** Maximum wait of work, in milliseconds. */
const maxWaitMs = 1000;

/**
 * Slack waits three seconds for an acknowledgement, but much longer for an answer. So all commands that arrive together
 * are acknowledged before work begins. Then one piece of work begins at each turn of the event loop, and new deliveries
 * are read in between. The work for a delivery that arrives alone begins at once.
 */
export function serialQueue(): SerialQueue {
  const waiting: { readonly since: number; readonly begin: () => void }[] = [];
  const unacknowledged = new Set<{ readonly since: number }>();
  let lastChange = Number.NEGATIVE_INFINITY;
  let severalArrive = false;
  let isScheduled = false;

  function beginNext(): void {
    isScheduled = false;
    const [first] = waiting;
    if (!first) return;
    const now = performance.now();
    const wait = Math.min(quietFrom(now), first.since + maxWaitMs) - now;
    if (wait > 0) {
      scheduleNext(wait);
      return;
    }
    waiting.shift();
    first.begin();
    scheduleNext(0);
  }

  /** When no delivery will have to be acknowledged, as far as is known now. */
  function quietFrom(now: number): number {
    if (!severalArrive) return now;
    const isAwaited = [...unacknowledged].some(({ since }) => now < since + maxUnacknowledgedMs);
    return isAwaited ? now + quietMs : lastChange + quietMs;
  }

  function scheduleNext(milliseconds: number): void {
    if (isScheduled) return;
    isScheduled = true;
    if (milliseconds > 0) setTimeout(beginNext, milliseconds);
    else setImmediate(beginNext);
  }

  return {
    arrived() {
      const delivery = { since: performance.now() };
      severalArrive = delivery.since < lastChange + quietMs;
      lastChange = delivery.since;
      unacknowledged.add(delivery);
      return () => {
        if (unacknowledged.delete(delivery)) lastChange = performance.now();
      };
    },
    waitForTurn: () =>
      new Promise((resolve) => {
        waiting.push({ since: performance.now(), begin: resolve });
        scheduleNext(0);
      }),
  };
}

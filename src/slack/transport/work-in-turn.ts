/** Puts what has just arrived before the work for what arrived earlier. */
export interface WorkInTurn {
  /** Something has arrived that wants to be acknowledged. */
  arrived(): void;
  /** Resolves when the work for it may begin. */
  myTurn(): Promise<void>;
}

/** While more keeps arriving within this time, in milliseconds, acknowledging it comes first. */
const quietFor = 15;

/** Nobody's work waits longer than this for quiet, in milliseconds: it has an answer to give as well. */
const longestWait = 500;

/**
 * Slack gives up on a command after three seconds, and on its answer never: of commands that arrive together all are
 * acknowledged before the work for the first one begins. Then work begins one at each turn of the event loop, and
 * whatever arrives in between is read first.
 */
export function workInTurn(): WorkInTurn {
  const waiting: { readonly since: number; readonly begin: () => void }[] = [];
  let lastArrival = Number.NEGATIVE_INFINITY;
  let looking = false;

  function look(): void {
    looking = false;
    const [first] = waiting;
    if (!first) return;
    const wait = Math.min(lastArrival + quietFor, first.since + longestWait) - performance.now();
    if (wait > 0) {
      lookAgainAfter(wait);
      return;
    }
    waiting.shift();
    first.begin();
    lookAgainAfter(0);
  }

  function lookAgainAfter(milliseconds: number): void {
    if (looking) return;
    looking = true;
    if (milliseconds > 0) setTimeout(look, milliseconds);
    else setImmediate(look);
  }

  return {
    arrived() {
      lastArrival = performance.now();
    },
    myTurn: () =>
      new Promise((resolve) => {
        waiting.push({ since: performance.now(), begin: resolve });
        lookAgainAfter(0);
      }),
  };
}

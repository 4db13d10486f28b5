/** How often one thing has failed, and how many different ones have, since anything went well. */
interface SuspectedOutage {
  readonly tries: number;
  readonly different: number;
}

/** Which of several things of one kind fail, and whether others go well meanwhile: then it is their own fault. */
export interface FailureCounts {
  failed(one: string): SuspectedOutage | 'its own';
  /** One of them went well: which, where that is known. */
  wentWell(one?: string): void;
}

/** So long it is known that something failed. */
const keptFor = 60 * 60_000;

/** @param now milliseconds of a clock that nobody moves */
export function countFailures(now: () => number): FailureCounts {
  const failing = new Map<string, { readonly since: number; readonly tries: number }>();
  let lastGood = Number.NEGATIVE_INFINITY;

  return {
    failed(one) {
      for (const [known, { since }] of failing) if (since < now() - keptFor) failing.delete(known);
      const { since, tries } = failing.get(one) ?? { since: now(), tries: 0 };
      failing.set(one, { since, tries: tries + 1 });
      if (since < lastGood) return 'its own';
      const different = [...failing.values()].filter((each) => each.since >= lastGood).length;
      return { tries: tries + 1, different };
    },
    wentWell(one) {
      lastGood = now();
      if (one !== undefined) failing.delete(one);
    },
  };
}

/** When it is tried again whether something works that did not. */
export interface CircuitBreaker {
  /** It does not work. `stillNot`: it seemed to for a moment only, so that the waits do not begin anew. */
  start(stillNot: boolean): void;
  isDue(): boolean;
  began(): void;
  failed(): void;
  /** One came to its end without showing anything: the next may show more. */
  saidNothing(): void;
}

/** Seconds from a trial that failed to the next. The last bounds how long digests wait after everything works again. */
const waits = [5, 15, 30, 45] as const;

/** A trial that hangs holds the next one up for so long. */
const patience = 45_000;

/** @param now milliseconds of a clock that nobody moves */
export function circuitBreaker(now: () => number): CircuitBreaker {
  let failures = 0;
  let next = 0;
  let isTrying = false;

  function waitForNext() {
    isTrying = false;
    next = now() + (waits[Math.min(failures, waits.length - 1)] ?? waits[0]) * 1000;
  }

  return {
    start(stillNot) {
      failures = stillNot ? failures + 1 : 0;
      waitForNext();
    },
    isDue: () => now() >= next,
    began() {
      isTrying = true;
      next = now() + patience;
    },
    failed() {
      // What was under way before the last trial shows nothing that it did not.
      if (!isTrying && now() < next) return;
      failures += 1;
      waitForNext();
    },
    saidNothing() {
      next = Math.min(next, now());
    },
  };
}

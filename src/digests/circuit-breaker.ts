/** Failures since the last success: of one thing, and how many different things failed. */
interface SuspectedOutage {
  readonly attempts: number;
  readonly distinct: number;
}

/** Counts failures of several things of one kind. If others succeed meanwhile, a failure is the thing's own. */
export interface FailureCounts {
  failed(one: string): SuspectedOutage | 'own';
  /** One of them went well: which, where that is known. */
  succeeded(one?: string): void;
}

/** How long a failure is remembered. */
const failureTtlMs = 60 * 60_000;

/** @param now monotonic milliseconds */
export function countFailures(now: () => number): FailureCounts {
  const failing = new Map<string, { readonly since: number; readonly tries: number }>();
  let lastGood = Number.NEGATIVE_INFINITY;

  return {
    failed(one) {
      for (const [known, { since }] of failing) if (since < now() - failureTtlMs) failing.delete(known);
      const { since, tries } = failing.get(one) ?? { since: now(), tries: 0 };
      failing.set(one, { since, tries: tries + 1 });
      if (since < lastGood) return 'own';
      const distinct = [...failing.values()].filter((each) => each.since >= lastGood).length;
      return { attempts: tries + 1, distinct };
    },
    succeeded(one) {
      lastGood = now();
      if (one !== undefined) failing.delete(one);
    },
  };
}

/** Decides when to probe something that failed. */
export interface CircuitBreaker {
  /** It does not work. `stillNot`: it seemed to for a moment only, so that the waits do not begin anew. */
  open(stillNot: boolean): void;
  isProbeDue(): boolean;
  probeStarted(): void;
  probeFailed(): void;
  /** One came to its end without showing anything: the next may show more. */
  probeInconclusive(): void;
}

/** Seconds between probes. The last limits how long digests wait after everything works again. */
const probeDelaysSeconds = [5, 15, 30, 45] as const;

/** The next probe starts after this time even if the last one hangs. */
const probeTimeoutMs = 45_000;

/** @param now monotonic milliseconds */
export function circuitBreaker(now: () => number): CircuitBreaker {
  let failures = 0;
  let next = 0;
  let isTrying = false;

  function waitForNext() {
    isTrying = false;
    next =
      now() +
      (probeDelaysSeconds[Math.min(failures, probeDelaysSeconds.length - 1)] ?? probeDelaysSeconds[0]) * 1000;
  }

  return {
    open(stillNot) {
      failures = stillNot ? failures + 1 : 0;
      waitForNext();
    },
    isProbeDue: () => now() >= next,
    probeStarted() {
      isTrying = true;
      next = now() + probeTimeoutMs;
    },
    probeFailed() {
      // What was under way before the last trial shows nothing that it did not.
      if (!isTrying && now() < next) return;
      failures += 1;
      waitForNext();
    },
    probeInconclusive() {
      next = Math.min(next, now());
    },
  };
}

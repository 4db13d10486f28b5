const failureTtlMs = 60 * 60_000;

/**
 * Counts failures by subject. If other subjects succeed meanwhile, a failure belongs to its subject alone (`own`).
 *
 * @param now monotonic milliseconds
 */
export function countFailures(now: () => number) {
  const failing = new Map<string, { readonly since: number; readonly tries: number }>();
  let lastSuccess = Number.NEGATIVE_INFINITY;

  return {
    /** Since the last success: attempts of the subject, and the number of subjects that failed. */
    failed(subject: string) {
      for (const [other, { since }] of failing) if (since < now() - failureTtlMs) failing.delete(other);
      const { since, tries } = failing.get(subject) ?? { since: now(), tries: 0 };
      failing.set(subject, { since, tries: tries + 1 });
      if (since < lastSuccess) return 'own' as const;
      const distinct = [...failing.values()].filter(({ since }) => since >= lastSuccess).length;
      return { attempts: tries + 1, distinct };
    },
    /** @param subject absent if unknown */
    succeeded(subject?: string) {
      lastSuccess = now();
      if (subject !== undefined) failing.delete(subject);
    },
  };
}

/** The last delay limits how long digests wait after the dependency recovers. */
const probeDelaysSeconds = [5, 15, 30, 45] as const;

/** The next probe starts after this time even if the last one hangs. */
const probeTimeoutMs = 45_000;

/** Decides when to probe a dependency that failed. `now`: monotonic milliseconds. */
export function circuitBreaker(now: () => number) {
  let failures = 0;
  let next = 0;
  let isProbing = false;

  function waitForNext() {
    isProbing = false;
    next =
      now() +
      (probeDelaysSeconds[Math.min(failures, probeDelaysSeconds.length - 1)] ?? probeDelaysSeconds[0]) * 1000;
  }

  return {
    /** @param isRelapse the dependency recovered only for a moment, so the delays do not start over */
    open(isRelapse: boolean) {
      failures = isRelapse ? failures + 1 : 0;
      waitForNext();
    },
    isProbeDue: () => now() >= next,
    probeStarted() {
      isProbing = true;
      next = now() + probeTimeoutMs;
    },
    probeFailed() {
      // Calls that started before the last probe add no information.
      if (!isProbing && now() < next) return;
      failures += 1;
      waitForNext();
    },
    /** The probe ended without reaching the dependency. The next one may start at once. */
    probeInconclusive() {
      next = Math.min(next, now());
    },
  };
}

/**
 * Shares the edits of progress messages among all runs: at most so many in any minute, whoever was shown longest ago
 * first. Slack lets an app edit about fifty times a minute; the rest is left to the answers themselves.
 */
export interface EditBudget {
  /** Takes one edit for this run if the minute has one left and no other run has waited longer for its own. */
  take(run: string): boolean;
  /** The run is over: nobody waits behind it any more. */
  leave(run: string): void;
}

/** @param now milliseconds of a clock that nobody moves */
export function editBudget(perMinute: number, now: () => number): EditBudget {
  const taken: number[] = [];
  const shownAt = new Map<string, number>();

  return {
    take(run) {
      const at = now();
      const mine = shownAt.get(run) ?? 0;
      shownAt.set(run, mine);
      while (taken[0] !== undefined && taken[0] <= at - 60_000) taken.shift();
      if (taken.length >= perMinute) return false;
      const scarce = taken.length >= perMinute / 2;
      if (scarce && [...shownAt.values()].some((other) => other < mine)) return false;
      taken.push(at);
      shownAt.set(run, at);
      return true;
    },
    leave(run) {
      shownAt.delete(run);
    },
  };
}

/** How often one thing has failed, and how many different ones have, since anything went well. */
export interface Doubt {
  readonly tries: number;
  readonly different: number;
}

/** Which of several things of one kind fail, and whether others go well meanwhile: then it is their own fault. */
export interface Failing {
  failed(one: string): Doubt | 'its own';
  /** One of them went well: which, where that is known. */
  wentWell(one?: string): void;
}

/** So long it is known that something failed. */
const keptFor = 60 * 60_000;

/** @param now milliseconds of a clock that nobody moves */
export function watchFailing(now: () => number): Failing {
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

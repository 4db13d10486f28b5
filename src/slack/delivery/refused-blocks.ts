/** What an older or restricted workspace may not take, in the order in which a summary does without it. */
type Refusable = 'charts' | 'tables';

const day = 24 * 60 * 60_000;

/**
 * Remembers for a day which newer blocks this workspace refuses, so that not every answer is refused once first. One
 * answer proves nothing, since its own content may have been the reason; two different ones do.
 */
export interface RefusedBlocks {
  /** The variant of a summary to begin with: 0 the full one, 1 without charts, 2 without tables too. */
  firstVariant(): 0 | 1 | 2;
  /** An answer was posted in that variant, which is a plainer one than it began with where blocks were refused. */
  posted(answer: string, variant: number): void;
}

/** @param now monotonic milliseconds */
export function refusedBlocks(now: () => number): RefusedBlocks {
  const refusals: { readonly what: Refusable; readonly answer: string; readonly at: number }[] = [];

  const isRefused = (what: Refusable) =>
    new Set(refusals.filter((one) => one.what === what && one.at > now() - day).map(({ answer }) => answer))
      .size > 1;

  return {
    firstVariant() {
      if (isRefused('tables')) return 2;
      return isRefused('charts') ? 1 : 0;
    },
    posted(answer, variant) {
      while (refusals[0] && refusals[0].at <= now() - day) refusals.shift();
      // The text alone says that something else was wrong: its blocks had neither charts nor tables.
      if (variant === 1) refusals.push({ what: 'charts', answer, at: now() });
      if (variant === 2) refusals.push({ what: 'tables', answer, at: now() });
    },
  };
}

/** Blocks that older or restricted workspaces may reject, in the order in which a summary drops them. */
type Refusable = 'charts' | 'tables';

const day = 24 * 60 * 60_000;

/**
 * Caches for a day which newer blocks this workspace rejects, so that later answers skip the rejected variant. One
 * rejection proves nothing, because the content may be the reason. Two different answers do.
 */
export interface RefusedBlocks {
  /** The first variant to try: 0 is the full summary, 1 has no charts, 2 has no tables either. */
  firstVariant(): 0 | 1 | 2;
  /** Records the variant in which an answer was posted. It is higher than the first one if blocks were rejected. */
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
      // Variant 3 is text alone, so something else was wrong.
      if (variant === 1) refusals.push({ what: 'charts', answer, at: now() });
      if (variant === 2) refusals.push({ what: 'tables', answer, at: now() });
    },
  };
}

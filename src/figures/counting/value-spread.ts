import { cutText } from '../format/text.js';
import type { Spread } from '../result.js';

/** So many different values are told apart, and so many are shown. */
const mostValues = 1_000;
const mostShown = 20;

/** How often each of a few values came up. */
export class ValueSpread {
  private constructor(
    private readonly counts: Map<string, { label: string; count: number }>,
    private others: number,
  ) {}

  static empty(): ValueSpread {
    return new ValueSpread(new Map(), 0);
  }

  /**
   * @param key what makes two values the same
   * @param label what a person reads: that of the first one of its kind
   */
  add(key: string, label: string): void {
    const known = this.counts.get(key);
    if (known) known.count++;
    else if (this.counts.size < mostValues)
      this.counts.set(key, { label: cutText(label.trim(), 200), count: 1 });
    else this.others++;
  }

  copy(): ValueSpread {
    const counts = [...this.counts].map(([key, entry]) => [key, { ...entry }] as const);
    return new ValueSpread(new Map(counts), this.others);
  }

  /** The most frequent first; nothing where nothing was counted. */
  finish(title: string): Spread[] {
    const all = [...this.counts.values()].sort(
      (a, b) => b.count - a.count || (a.label < b.label ? -1 : a.label > b.label ? 1 : 0),
    );
    if (all.length === 0) return [];
    const beyond = all.slice(mostShown).reduce((sum, { count }) => sum + count, this.others);
    const entries = all.slice(0, mostShown).map(({ label, count }) => ({ label, count }));
    return [{ title, entries, others: beyond }];
  }
}

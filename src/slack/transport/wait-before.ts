/** Waits in real time: Slack's limits know nothing of a clock that is moved by hand. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

const longest = 30_000;

/**
 * How long to wait before Slack is tried once more, in milliseconds: 1 s, doubling to 30 s, or what Slack asked for.
 *
 * @param failures how often it failed in a row, at least once
 */
export function waitBefore(failures: number, error?: unknown): number {
  if (error instanceof Error && 'retryAfter' in error && typeof error.retryAfter === 'number') {
    return error.retryAfter * 1000;
  }
  return Math.min(longest, 1000 * 2 ** Math.min(failures - 1, 10));
}

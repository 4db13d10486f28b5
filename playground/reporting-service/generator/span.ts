export const minute = 60;
export const hour = 60 * minute;
export const day = 24 * hour;
export const week = 7 * day;

/** The stretch of time that the generator fills, in epoch seconds. */
export interface Span {
  /** Nothing happens before. */
  readonly start: number;
  /** Midnight UTC of the day the world is anchored to. */
  readonly today: number;
  /** Nothing happens from here on. */
  readonly end: number;
}

/** A year and two weeks back, and sixty whole days on, so that a clock moved on finds the world still alive. */
export function spanAround(now: number): Span {
  const today = Math.floor(now / day) * day;
  return { start: today - 54 * week, today, end: today + 61 * day };
}

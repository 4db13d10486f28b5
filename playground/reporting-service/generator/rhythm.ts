import type { Random } from './random.js';
import { day, hour, week } from './span.js';

/** Monday first. */
const weekdayWeights = [1.1, 1.25, 1.2, 1.1, 0.8, 0.1, 0.07] as const;

/** January first: people learn after the holidays and in autumn, and rest in August and December. */
const monthWeights = [1.25, 1.1, 1.15, 1, 0.95, 0.9, 0.7, 0.55, 1.2, 1.2, 1.1, 0.65] as const;

/** How busy a season is, 1 being the usual. */
export function seasonAt(instant: number): number {
  return monthWeights[new Date(instant * 1000).getUTCMonth()] ?? 1;
}

/** The same moment, or a few weeks later where it falls into a quiet season: who plans something avoids those. */
export function outOfQuietSeason(random: Random, instant: number): number {
  let moved = instant;
  while (random.share() > seasonAt(moved)) moved += 2 * week;
  return moved;
}

/** Midnight UTC of the Monday of that week. */
export function mondayOf(instant: number): number {
  const days = Math.floor(instant / day);
  return (days - ((days + 3) % 7)) * day;
}

const weekdays = weekdayWeights.map((weight, index) => [index, weight] as const);

/** A moment in the week that begins at `monday`, where people are `hoursAhead` of UTC: mostly working hours. */
export function momentInWeek(random: Random, monday: number, hoursAhead: number): number {
  return momentOfDay(random, monday + random.weighted(weekdays) * day, hoursAhead);
}

/** A moment of that day, or in most cases of the Monday after where it falls on a weekend. */
export function atWork(random: Random, midnight: number, hoursAhead: number): number {
  const left = daysOfWeekendLeft(midnight);
  return momentOfDay(random, midnight + (random.chance(0.85) ? left * day : 0), hoursAhead);
}

/** The same day, or the Friday before where it falls on a weekend. */
export function workingDayBefore(midnight: number): number {
  const left = daysOfWeekendLeft(midnight);
  return left === 0 ? midnight : midnight - (3 - left) * day;
}

/** How many days a day lies before the next Monday, if it is a Saturday or Sunday; else none. */
function daysOfWeekendLeft(instant: number): number {
  const weekday = Math.floor((instant - mondayOf(instant)) / day);
  return weekday < 5 ? 0 : 7 - weekday;
}

/** Mostly mid-morning or after lunch there, now and then in the evening. */
function momentOfDay(random: Random, midnight: number, hoursAhead: number): number {
  const peak = random.weighted([
    [9.8, 5],
    [14.2, 4],
    [20.3, 1],
  ]);
  const local = Math.min(23.5, Math.max(5, peak + 1.3 * random.normal()));
  return Math.floor(midnight + (local - hoursAhead) * hour + random.whole(0, 59));
}

/** Every Monday whose week touches the stretch from `from` to `until`. */
export function* weeksBetween(from: number, until: number): Generator<number> {
  for (let monday = mondayOf(from); monday < until; monday += week) yield monday;
}

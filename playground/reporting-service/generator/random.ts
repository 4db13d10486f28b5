/** Pseudo-random numbers, the same for the same seed and subject on every machine. */
export interface Random {
  /** At least 0, below 1. */
  share(): number;
  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(choices: readonly T[]): T;
  /** One of the choices, by weight. */
  weighted<T>(choices: readonly (readonly [choice: T, weight: number])[]): T;
  /** Distinct choices in drawn order, at most all of them. */
  some<T>(choices: readonly T[], count: number): T[];
  /** Standard normal distribution. */
  normal(): number;
  /** Poisson distribution. */
  count(mean: number): number;
}

/** Each subject has its own stream, so that changes to one subject do not affect the others. */
export function randomFor(seed: number, ...subject: readonly (string | number)[]): Random {
  let state = hash([seed, ...subject].join('/'));

  // Mulberry32: a public-domain generator of 32-bit numbers.
  function share(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  const whole = (low: number, high: number) => low + Math.floor(share() * (high - low + 1));
  function pick<T>(choices: readonly T[]): T {
    const choice = choices[Math.floor(share() * choices.length)];
    if (choice === undefined) throw new RangeError('Nothing to pick from');
    return choice;
  }
  return {
    share,
    whole,
    chance: (probability) => share() < probability,
    pick,
    weighted(choices) {
      let left = share() * choices.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [choice, weight] of choices) {
        left -= weight;
        if (left < 0) return choice;
      }
      return pick(choices)[0];
    },
    some(choices, count) {
      const left = [...choices];
      const drawn = [];
      while (drawn.length < count && left.length > 0) {
        drawn.push(...left.splice(whole(0, left.length - 1), 1));
      }
      return drawn;
    },
    normal() {
      let sum = 0;
      for (let draw = 0; draw < 12; draw += 1) sum += share();
      return sum - 6;
    },
    count(mean) {
      if (mean > 30) {
        let sum = 0;
        for (let draw = 0; draw < 12; draw += 1) sum += share();
        return Math.max(0, Math.round(mean + Math.sqrt(mean) * (sum - 6)));
      }
      const limit = Math.exp(-mean);
      let count = 0;
      for (let product = share(); product > limit; product *= share()) count += 1;
      return count;
    },
  };
}

/** 24 hexadecimal characters, unique for each number of a kind. */
export function identifier(seed: number, kind: string, number: number): string {
  const hex = (value: number) => (value >>> 0).toString(16).padStart(8, '0');
  return hex(hash(`${seed}/${kind}`)) + hex(hash(`${kind}/${number}/${seed}`)) + hex(number);
}

/** FNV-1a over UTF-16 units, mixed at the end so that similar texts give different numbers. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) | 0;
}

export const minute = 60;
export const hour = 60 * minute;
export const day = 24 * hour;
export const week = 7 * day;

/** The generated time span, in epoch seconds. */
export interface Span {
  /** Start of all events. */
  readonly start: number;
  /** Midnight UTC of the day of `now`. */
  readonly today: number;
  /** End of all events. */
  readonly end: number;
}

/** A year and two weeks back and 60 days ahead, so that there are events after the clock moves. */
export function spanAround(now: number): Span {
  const today = Math.floor(now / day) * day;
  return { start: today - 54 * week, today, end: today + 61 * day };
}

/** Monday first. */
const weekdayWeights = [1.1, 1.25, 1.2, 1.1, 0.8, 0.1, 0.07] as const;

/** From January. People learn more after the holidays and in autumn, and less in August and December. */
const monthWeights = [1.25, 1.1, 1.15, 1, 0.95, 0.9, 0.7, 0.55, 1.2, 1.2, 1.1, 0.65] as const;

/** Relative activity of a season; 1 is average. */
export function seasonAt(instant: number): number {
  return monthWeights[new Date(instant * 1000).getUTCMonth()] ?? 1;
}

/** The moment, or a few weeks later if it is in a quiet season, because planners avoid those. */
export function outOfQuietSeason(random: Random, instant: number): number {
  let moved = instant;
  while (random.share() > seasonAt(moved)) moved += 2 * week;
  return moved;
}

/** Midnight UTC of the Monday of that week. */
function mondayOf(instant: number): number {
  const days = Math.floor(instant / day);
  return (days - ((days + 3) % 7)) * day;
}

const weekdays = weekdayWeights.map((weight, index) => [index, weight] as const);

/** A moment in the week from `monday`, mostly in working hours `hoursAhead` of UTC. */
export function momentInWeek(random: Random, monday: number, hoursAhead: number): number {
  return momentOfDay(random, monday + random.weighted(weekdays) * day, hoursAhead);
}

/** A moment of that day. Days on a weekend usually move to Monday. */
export function atWork(random: Random, midnight: number, hoursAhead: number): number {
  const left = daysOfWeekendLeft(midnight);
  return momentOfDay(random, midnight + (random.chance(0.85) ? left * day : 0), hoursAhead);
}

/** The same day, or the Friday before a weekend. */
export function workingDayBefore(midnight: number): number {
  const left = daysOfWeekendLeft(midnight);
  return left === 0 ? midnight : midnight - (3 - left) * day;
}

/** Days until Monday on a Saturday or Sunday, otherwise 0. */
function daysOfWeekendLeft(instant: number): number {
  const weekday = Math.floor((instant - mondayOf(instant)) / day);
  return weekday < 5 ? 0 : 7 - weekday;
}

/** Usually mid-morning or after lunch local time, sometimes in the evening. */
function momentOfDay(random: Random, midnight: number, hoursAhead: number): number {
  const peak = random.weighted([
    [9.8, 5],
    [14.2, 4],
    [20.3, 1],
  ]);
  const local = Math.min(23.5, Math.max(5, peak + 1.3 * random.normal()));
  return Math.floor(midnight + (local - hoursAhead) * hour + random.whole(0, 59));
}

/** Every Monday whose week overlaps `from` to `until`. */
export function* weeksBetween(from: number, until: number): Generator<number> {
  for (let monday = mondayOf(from); monday < until; monday += week) yield monday;
}

import { type Weekday, weekdays } from '../schedule/cadence.js';
import type { CalendarUnit } from '../time/calendar.js';

export const dayNames: Readonly<Record<Weekday, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

export const weekdayNames = weekdays.map((day) => dayNames[day].toLowerCase());

/** Every word for one day of the week, in lower case. */
export const weekdayWords: ReadonlyMap<string, Weekday> = new Map([
  ...weekdays.map((day) => [day, day] as const),
  ...weekdays.map((day) => [dayNames[day].toLowerCase(), day] as const),
  ['tues', 'tue'],
  ['weds', 'wed'],
  ['thur', 'thu'],
  ['thurs', 'thu'],
]);

export const monthNames =
  'January February March April May June July August September October November December'.split(' ');

/** The number of a month, from 1, by its name in lower case. */
export function monthNumber(word: string): number | undefined {
  const isMonth = (name: string) => name === word || name.slice(0, 3) === word.replace(/^sept$/, 'sep');
  const index = monthNames.findIndex((name) => isMonth(name.toLowerCase()));
  return index < 0 ? undefined : index + 1;
}

/** Smallest first. */
export const units: readonly CalendarUnit[] = ['day', 'week', 'month', 'quarter', 'year'];

/** Units by their name, their plural and their first letter. */
export const unitWords: ReadonlyMap<string, CalendarUnit> = new Map(
  units.flatMap((unit) => [unit, `${unit}s`, unit.charAt(0)].map((word) => [word, unit] as const)),
);

/** `three`, `3` */
export function countOf(word: string): number | undefined {
  if (/^\d{1,5}$/.test(word)) return Number(word);
  const index = counts.indexOf(word);
  return index >= 0 ? index + 1 : higherCounts.get(word);
}

const counts = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen'.split(' ');

const higherCounts = new Map(
  Object.entries({
    dozen: 12,
    fifteen: 15,
    sixteen: 16,
    eighteen: 18,
    twenty: 20,
    thirty: 30,
    forty: 40,
    fifty: 50,
    sixty: 60,
    ninety: 90,
    hundred: 100,
  }),
);

/** `1st`, `first`, `1`: a day of a month. */
export function dayNumberOf(word: string): number | undefined {
  const digits = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word)?.[1];
  const day = digits === undefined ? ordinals.indexOf(word) + 1 : Number(digits);
  return day >= 1 && day <= 31 ? day : undefined;
}

export const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');

/** A pattern of the day of a month: `1st`, `first`, `31`. */
export const dayForm = `(?:(?:0?[1-9]|[12]\\d|3[01])(?:st|nd|rd|th)?|${ordinals.join('|')})`;

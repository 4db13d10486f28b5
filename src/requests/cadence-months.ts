import { whichOfMonth } from '../schedule/cadence.js';
import { zoneNamed } from '../schedule/time-zones.js';
import { type CadenceTyped, refuse } from './cadence-refusal.js';
import { type CadenceRead, timeAt, withTime } from './cadence-times.js';
import { nearest } from './nearest.js';
import { nearestWeekday, weekdayNamed } from './parse-calendar-cadence.js';
import type { Problem } from './problem.js';

/** `monthly 1 09:00`, `monthly last 16:00`, `monthly last fri 15:00` */
export function readMonthly(typed: CadenceTyped): CadenceRead | Problem {
  const [, first, second] = typed.words;
  const which = whichOfMonth.find((word) => word === first?.text.toLowerCase());
  if (!which || !first) {
    const day = dayOfMonth(typed);
    return typeof day === 'number' ? withTime(typed, 2, (time) => ({ kind: 'monthly', day, time })) : day;
  }
  const word = second?.text ?? '';
  const weekday = weekdayNamed(word);
  if (weekday) return withTime(typed, 3, (time) => ({ kind: 'monthly-weekday', which, weekday, time }));
  const isLastDay = which === 'last';
  if (isLastDay && word.toLowerCase() === 'day') {
    return withTime(typed, 3, (time) => ({ kind: 'monthly-last', time }));
  }
  const isNoDay = second === undefined || /^\d/.test(word) || zoneNamed(word) !== undefined;
  if (!isNoDay) return refuse('not-a-weekday', typed, second, nearestWeekday(word));
  if (isLastDay) return withTime(typed, 2, (time) => ({ kind: 'monthly-last', time }));
  return refuse('day-missing', typed, first);
}

/** `quarterly 1 09:00` */
export function readQuarterly(typed: CadenceTyped): CadenceRead | Problem {
  const day = dayOfMonth(typed);
  return typeof day === 'number' ? withTime(typed, 2, (time) => ({ kind: 'quarterly', day, time })) : day;
}

/** The day of the month after the first word. A number alone could be a time as well, so it is the day. */
function dayOfMonth(typed: CadenceTyped): number | Problem {
  const { words } = typed;
  const word = words[1];
  if (!word || zoneNamed(word.text)) return refuse('day-missing', typed, undefined);
  const day = Number(/^\d+$/.exec(word.text)?.[0]);
  if (day >= 1 && day <= 31) return day;
  if (Number.isNaN(day) && (timeAt(words, 1) || weekdayNamed(word.text))) {
    return refuse('day-missing', typed, undefined);
  }
  return refuse('not-a-day-of-month', typed, word, dayMeant(typed));
}

/** The day that was probably meant by `1st`, `32`, `lats`, `2nd fri` or `fifth fri`. */
function dayMeant({ words: [, word, second], begins }: CadenceTyped): string | undefined {
  const typed = word?.text.toLowerCase() ?? '';
  const [, digits] = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(typed) ?? [];
  const day = Number(digits);
  if (begins === 'monthly' && weekdayNamed(second?.text ?? '')) {
    if (day === 5 || typed === 'fifth') return 'last';
    return whichOfMonth[day - 1] ?? nearest(typed, whichOfMonth);
  }
  if (day === 0) return '1';
  if (begins === 'quarterly') return day <= 31 ? digits : undefined;
  return day > 31 ? 'last' : (digits ?? nearest(typed, whichOfMonth));
}

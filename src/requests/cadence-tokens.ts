import type { Cadence, WallTime } from '../schedule/cadence.js';
import { zoneNamed } from '../schedule/time-zones.js';
import {
  type CadencePrefix,
  type CadenceSource,
  type CadenceToken,
  cadenceProblem,
} from './parse-cadence.js';
import type { Problem } from './problem.js';

/** Why the words at the end of `schedule` are no cadence. */
export type CadenceRefusal =
  | 'time-missing'
  | 'not-a-time'
  | 'two-times'
  | 'day-missing'
  | 'not-a-weekday'
  | 'not-a-day-of-month'
  | 'not-weeks'
  | 'not-a-minute'
  | 'not-a-zone'
  | 'options-after'
  | 'words-after'
  | 'cron-quotes'
  | 'cron-fields'
  | 'cron-seconds'
  | 'cron-too-often'
  | 'cron-never';

/** Words that only make a cadence sound like a sentence. */
export const fillers = /^(?:at|on|and)$/i;

/** The cadence that ends with the time at a place. */
export function withTime(
  typed: CadenceSource,
  index: number,
  cadenceAt: (time: WallTime) => Cadence,
): CadencePrefix | Problem {
  const { words } = typed;
  const read = timeAt(words, index);
  if (read) return { cadence: cadenceAt(read.time), next: index + read.count };
  const word = words[index];
  if (!word || zoneNamed(word.text)) return cadenceProblem('time-missing', typed, undefined);
  return cadenceProblem('not-a-time', typed, word, timeMeant(words, index));
}

const half = /^[ap]m$/i;

/** The time at a place, `9`, `9am`, `9 am`, `9:30pm`, `09:00`, and how many words it is; undefined: no possible time. */
export function timeAt(
  words: readonly CadenceToken[],
  index: number,
): { readonly time: WallTime; readonly count: number } | undefined {
  const count = half.test(words[index + 1]?.text ?? '') ? 2 : 1;
  const [, hour, minute, ofDay] = /^(\d{1,2})(?::(\d{2}))?([ap]m)?$/i.exec(joined(words, index, count)) ?? [];
  const time = hour === undefined ? undefined : wallTime(Number(hour), Number(minute ?? 0), ofDay);
  return time === undefined ? undefined : { time, count };
}

/** The time that was probably meant by `9.30`, `0930`, `9h30`, `17:00:00`, `17pm` or `24:00`. */
function timeMeant(words: readonly CadenceToken[], index: number): WallTime | undefined {
  const typed = joined(words, index, half.test(words[index + 1]?.text ?? '') ? 2 : 1);
  const [, hour, minute, ofDay] = /^(\d{1,2})[.:h]?(\d{2})?(?:h|:\d\d)?([ap]m)?$/i.exec(typed) ?? [];
  if (hour === undefined) return undefined;
  const [hours, minutes] = [Number(hour) % 24, Number(minute ?? 0)];
  return Number(hour) > 24 ? undefined : (wallTime(hours, minutes, ofDay) ?? wallTime(hours, minutes));
}

/** `09:30`; undefined for a time that no clock shows. */
function wallTime(hour: number, minute: number, ofDay?: string): WallTime | undefined {
  if (minute > 59 || hour > 23) return undefined;
  if (ofDay === undefined) return inDigits(hour, minute);
  if (hour < 1 || hour > 12) return undefined;
  return inDigits((hour % 12) + (ofDay.toLowerCase() === 'pm' ? 12 : 0), minute);
}

function inDigits(hour: number, minute: number): WallTime {
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

function joined(words: readonly CadenceToken[], index: number, count: number): string {
  return words
    .slice(index, index + count)
    .map(({ text }) => text)
    .join('');
}

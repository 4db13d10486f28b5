import type { Cadence, Weekday } from '../schedule/cadence.js';
import { dayNames } from './calendar-words.js';
import { joinWords } from './join-words.js';

/** The words that a cadence can begin with, each with an example and its description in help. */
export const cadences = [
  ['hourly', 'hourly', 'Every hour; also hourly :15'],
  ['daily', 'daily 17:00', 'Every day; times also as 9, 9am, 9:30pm'],
  ['weekdays', 'weekdays 8:30', 'Monday to Friday'],
  ['weekly', 'weekly mon,thu 09:00', 'Every week on these days'],
  ['every', 'every 2 weeks fri 16:00', 'Counted from the first run'],
  [
    'monthly',
    'monthly 1 09:00',
    'One day of the month; also monthly last 16:00, monthly last fri 15:00, monthly first mon 9',
  ],
  ['quarterly', 'quarterly 1 09:00', 'One day of January, April, July and October'],
  ['cron', 'cron "0 9 * * 1-5"', 'Minute, hour, day of month, month, day of week'],
] as const;

export type CadenceWord = (typeof cadences)[number][0];

export const cadenceWords: readonly string[] = cadences.map(([word]) => word);

/** The word that a cadence begins with, in any case. */
export function cadenceWord(typed: string): CadenceWord | undefined {
  const lower = typed.toLowerCase();
  return cadences.find(([word]) => word === lower)?.[0];
}

/** A cadence as words. `parseCadence` gives the same cadence. */
export function formatCadence(cadence: Cadence): string {
  switch (cadence.kind) {
    case 'daily':
    case 'weekdays':
      return `${cadence.kind} ${cadence.time}`;
    case 'weekly':
      return `weekly ${cadence.days.join(',')} ${cadence.time}`;
    case 'every-weeks':
      return `every ${cadence.weeks} weeks ${cadence.days.join(',')} ${cadence.time}`;
    case 'monthly':
    case 'quarterly':
      return `${cadence.kind} ${cadence.day} ${cadence.time}`;
    case 'monthly-last':
      return `monthly last ${cadence.time}`;
    case 'monthly-weekday':
      return `monthly ${cadence.which} ${cadence.weekday} ${cadence.time}`;
    case 'hourly':
      return cadence.minute === 0 ? 'hourly' : `hourly ${minuteOf(cadence.minute)}`;
    case 'cron':
      return `cron "${cadence.expression}"`;
  }
}

/** `every Monday and Thursday at 09:00`, for the end of a sentence. Plain text: a cron expression has asterisks. */
export function describeCadence(cadence: Cadence): string {
  switch (cadence.kind) {
    case 'daily':
      return `every day at ${cadence.time}`;
    case 'weekdays':
      return `Monday to Friday at ${cadence.time}`;
    case 'weekly':
      return `every ${daysInWords(cadence.days)} at ${cadence.time}`;
    case 'every-weeks':
      return `every ${cadence.weeks} weeks on ${daysInWords(cadence.days)} at ${cadence.time}`;
    case 'monthly':
      return `on ${dayOf(cadence.day)} of each month at ${cadence.time}`;
    case 'monthly-last':
      return `on the last day of each month at ${cadence.time}`;
    case 'monthly-weekday':
      return `on the ${cadence.which} ${dayNames[cadence.weekday]} of each month at ${cadence.time}`;
    case 'quarterly':
      return `on ${dayOf(cadence.day)} of each quarter's first month at ${cadence.time}`;
    case 'hourly':
      return `every hour at ${minuteOf(cadence.minute)}`;
    case 'cron':
      return `by the cron expression ${cadence.expression}`;
  }
}

/** Days that some months do not have. */
function dayOf(day: number): string {
  return day > 28 ? `day ${day} (or the last day)` : `day ${day}`;
}

function minuteOf(minute: number): string {
  return `:${String(minute).padStart(2, '0')}`;
}

function daysInWords(days: readonly Weekday[]): string {
  return joinWords(days.map((day) => dayNames[day]));
}

/** Why the words at the end of `schedule` are no cadence, and what to do. Fits after a sentence that quotes them. */
export function cadenceRefusals(begins: CadenceWord) {
  const example = `as in ${cadences.find(([word]) => word === begins)?.[1]}`;
  return {
    'time-missing': `Add the time of day, ${example}.`,
    'not-a-time': 'A time of day goes from 00:00 to 23:59, as in 9, 9am, 9:30pm or 17:00.',
    'two-times':
      begins === 'hourly'
        ? 'A digest never comes more often than hourly, so it has one minute of the hour, as in hourly :15.'
        : 'A digest has one time of day. Schedule it twice, or use cron "0 9,17 * * *" for 09:00 and 17:00.',
    'day-missing':
      begins === 'monthly'
        ? 'Add which day of the month, as in monthly 1 09:00, monthly last 16:00 or monthly last fri 15:00.'
        : `Add which day, ${example}.`,
    'not-a-weekday': `That is no day of the week. Days are mon, tue, wed, thu, fri, sat and sun, ${example}.`,
    'not-a-day-of-month':
      begins === 'monthly'
        ? 'A day of the month is 1 to 31, or last; in a shorter month the 31st is its last day.'
        : "The day is 1 to 31, in the quarter's first month; where that is shorter, the 31st is its last day.",
    'not-weeks': `After every comes a number of weeks from 1 to 52, ${example}.`,
    'not-a-minute': 'The minute is :00 to :59, as in hourly :15.',
    'not-a-zone': `Only a time zone can come here, and I know none of that name. They go like Europe/Berlin or America/New_York.`,
    'options-after': 'Ranges, options and conditions come before how often, which is last.',
    'words-after': 'Nothing can follow the time zone.',
    'cron-quotes': `Put the whole cron expression in quotes, ${example}.`,
    'cron-fields': `A cron expression has five fields in quotes, for minute, hour, day of month, month and day of week, ${example}.`,
    'cron-seconds': `A digest never comes more often than hourly, so there is no field for seconds. Use five fields, ${example}.`,
    'cron-too-often': `It would run more than once within an hour, and a digest never comes more often than hourly. Choose one minute, as in cron "0 * * * *".`,
    'cron-never': 'It would never run, since no calendar has such a day. Choose another day or month.',
  };
}

export type CadenceRefusal = keyof ReturnType<typeof cadenceRefusals>;

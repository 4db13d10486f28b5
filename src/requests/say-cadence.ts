import type { Cadence, Weekday } from '../schedule/cadence.js';

/** The words after which `parseCadence` gives exactly this cadence. */
export function sayCadence(cadence: Cadence): string {
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

/**
 * `every Monday and Thursday at 09:00`, to go on after “It comes”, say; the zone comes after it. Plain text: a cron
 * expression has asterisks in it.
 */
export function sayCadenceForPeople(cadence: Cadence): string {
  switch (cadence.kind) {
    case 'daily':
      return `every day at ${cadence.time}`;
    case 'weekdays':
      return `Monday to Friday at ${cadence.time}`;
    case 'weekly':
      return `every ${listOf(cadence.days)} at ${cadence.time}`;
    case 'every-weeks':
      return `every ${cadence.weeks} weeks on ${listOf(cadence.days)} at ${cadence.time}`;
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

/** The days of the week in full. */
export const dayNames: Readonly<Record<Weekday, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

/** Days that some months do not have. */
function dayOf(day: number): string {
  return day > 28 ? `day ${day} (or the last day)` : `day ${day}`;
}

function minuteOf(minute: number): string {
  return `:${String(minute).padStart(2, '0')}`;
}

/** `Monday, Wednesday and Friday` */
function listOf(days: readonly Weekday[]): string {
  const names = days.map((day) => dayNames[day]);
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

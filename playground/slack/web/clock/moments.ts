import { TZDate } from '@date-fns/tz';
import { addDays, nextMonday, set } from 'date-fns';

/** The next Monday at 09:00 on the zone's wall clock, strictly after `now`; both in milliseconds. */
export function nextMondayMorning(now: number, zone: string): number {
  const today = new TZDate(now, zone);
  const morning = { hours: 9, minutes: 0, seconds: 0, milliseconds: 0 };
  const thisMorning = set(today, morning);
  if (today.getDay() === 1 && thisMorning.getTime() > now) return thisMorning.getTime();
  return set(nextMonday(today), morning).getTime();
}

/** How far a moved clock is ahead, in words: `3 d 4 h ahead`. */
export function aheadInWords(milliseconds: number): string {
  const minutes = Math.round(Math.abs(milliseconds) / 60_000);
  const parts = [
    [Math.floor(minutes / 1440), 'd'],
    [Math.floor((minutes % 1440) / 60), 'h'],
    [minutes % 60, 'min'],
  ] as const;
  const words = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`);
  return `${words.slice(0, 2).join(' ') || 'a moment'} ${milliseconds < 0 ? 'behind' : 'ahead'}`;
}

/** Tomorrow at 09:00, as a first proposal for a chosen moment. */
export function tomorrowMorning(now: number, zone: string): number {
  return set(addDays(new TZDate(now, zone), 1), {
    hours: 9,
    minutes: 0,
    seconds: 0,
    milliseconds: 0,
  }).getTime();
}

import { TZDate } from '@date-fns/tz';
import { format } from 'date-fns';

/** The wall clock of a zone at a moment, as an `<input type="datetime-local">` has it: `2026-11-20T09:00`. */
export function wallClock(seconds: number, zone: string): string {
  return format(new TZDate(seconds * 1000, zone), "yyyy-MM-dd'T'HH:mm");
}

/** The moment at which the wall clock of a zone shows such a text, in Unix seconds. */
export function secondsOf(text: string, zone: string): number {
  const [date = '', time = ''] = text.split('T');
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return Math.floor(new TZDate(year, month - 1, day, hour, minute, zone).getTime() / 1000);
}

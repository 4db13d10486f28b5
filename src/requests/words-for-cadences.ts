import type { CadenceRefusal } from './cadence-refusal.js';
import { type CadenceWord, cadenceExample } from './cadence-words.js';

/** Why a cadence was refused, with the way out; fits after a sentence that quotes the words in question. */
export function sayCadenceRefusal(refused: CadenceRefusal, begins: CadenceWord): string {
  const example = `as in ${cadenceExample(begins)}`;
  switch (refused) {
    case 'time-missing':
      return `Add the time of day, ${example}.`;
    case 'not-a-time':
      return 'A time of day goes from 00:00 to 23:59, as in 9, 9am, 9:30pm or 17:00.';
    case 'two-times':
      return begins === 'hourly'
        ? 'A digest never comes more often than hourly, so it has one minute of the hour, as in hourly :15.'
        : 'A digest has one time of day. Schedule it twice, or use cron "0 9,17 * * *" for 09:00 and 17:00.';
    case 'day-missing':
      return begins === 'monthly'
        ? 'Add which day of the month, as in monthly 1 09:00, monthly last 16:00 or monthly last fri 15:00.'
        : `Add which day, ${example}.`;
    case 'not-a-weekday':
      return `That is no day of the week. Days are mon, tue, wed, thu, fri, sat and sun, ${example}.`;
    case 'not-a-day-of-month':
      return begins === 'monthly'
        ? 'A day of the month is 1 to 31, or last; in a shorter month the 31st is its last day.'
        : "The day is 1 to 31, in the quarter's first month; where that is shorter, the 31st is its last day.";
    case 'not-weeks':
      return `After every comes a number of weeks from 1 to 52, ${example}.`;
    case 'not-a-minute':
      return 'The minute is :00 to :59, as in hourly :15.';
    case 'not-a-zone':
      return 'Only a time zone can come here, and I know none of that name. They go like Europe/Berlin or America/New_York.';
    case 'options-after':
      return 'Ranges and options come before how often, which is last.';
    case 'words-after':
      return 'Nothing can follow the time zone.';
    case 'cron-quotes':
      return `Put the whole cron expression in quotes, ${example}.`;
    case 'cron-fields':
      return `A cron expression has five fields in quotes, for minute, hour, day of month, month and day of week, ${example}.`;
    case 'cron-seconds':
      return `A digest never comes more often than hourly, so there is no field for seconds. Use five fields, ${example}.`;
    case 'cron-too-often':
      return 'It would run more than once within an hour, and a digest never comes more often than hourly. Choose one minute, as in cron "0 * * * *".';
    case 'cron-never':
      return 'It would never run, since no calendar has such a day. Choose another day or month.';
  }
}

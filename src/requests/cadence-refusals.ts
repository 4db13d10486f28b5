import { type CadenceWord, cadenceExample } from './cadence-words.js';

/** Why the words at the end of `schedule` are no cadence, and what to do. Fits after a sentence that quotes them. */
export function cadenceRefusals(begins: CadenceWord) {
  const example = `as in ${cadenceExample(begins)}`;
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
    'options-after': 'Ranges and options come before how often, which is last.',
    'words-after': 'Nothing can follow the time zone.',
    'cron-quotes': `Put the whole cron expression in quotes, ${example}.`,
    'cron-fields': `A cron expression has five fields in quotes, for minute, hour, day of month, month and day of week, ${example}.`,
    'cron-seconds': `A digest never comes more often than hourly, so there is no field for seconds. Use five fields, ${example}.`,
    'cron-too-often': `It would run more than once within an hour, and a digest never comes more often than hourly. Choose one minute, as in cron "0 * * * *".`,
    'cron-never': 'It would never run, since no calendar has such a day. Choose another day or month.',
  };
}

export type CadenceRefusal = keyof ReturnType<typeof cadenceRefusals>;

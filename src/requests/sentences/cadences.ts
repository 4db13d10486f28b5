import { monthOrdinals, type Weekday, weekdays } from '../../schedule/cadence.js';
import { countOf, dayForm, dayNumberOf, weekdayNames, weekdayWords } from '../calendar-words.js';
import type { Found, SpokenCadence } from './facts.js';
import { type Form, readerOf, type Said } from './patterns.js';
import type { Sentence } from './words.js';

const each = '(?:every|each)';
const plurals = weekdayNames.map((name) => `${name}s`).join('|');
const oneDay = `(?:${plurals}|${[...weekdayWords.keys()].join('|')})`;
/** `monday and thursday`, `mon, thu`, `fridays` */
const daysFrom = (first: string) => `(?<days>(?:${first})(?:(?: and| ,)* ${oneDay})*)`;
const days = daysFrom(oneDay);
/** `the 1st`, `day 31 (or the last day)` */
const dayOfMonth = `(?:the )?(?:day )?(?<number>${dayForm})(?: or the last day)?`;
/** `the first monday`, `the last day`, `the 1st` */
const dayInMonth = `(?:(?:the )?(?<which>${monthOrdinals.join('|')}) (?<weekday>${oneDay})|(?:the )?(?<last>last)(?: day)?|${dayOfMonth})`;
const ofMonth = ` of (?:each|every|the) month| ${each} month`;
const ofQuarter = ` of each quarter first month| of ${each} quarter`;

const timedForms: readonly Form<SpokenCadence>[] = [
  [`daily|${each} (?:morning|day)|everyday|once a day`, () => timed('daily')],
  [
    `${each} (?:weekday|working day)|every workday|(?:on )?weekdays|(?:from )?monday to friday|mon to fri|monday - friday|mon - fri`,
    () => timed('weekdays'),
  ],
  [
    `(?:weekly|${each} week|once a week|(?<two>fortnightly|biweekly|every fortnight|every (?:other|second) week)|every (?<count>\\S+) weeks)(?: on)?(?: ${days})?`,
    ({ two, count = 'one', days }) => {
      const weeks = two ? 2 : countOf(count);
      if (weeks === undefined || weeks > 52) return undefined;
      const every = weeks === 1 ? 'weekly' : `every ${weeks} weeks`;
      return days ? timed(`${every} ${inOrder(days)}`) : { ...timed(`${every} mon`), needsDay: true };
    },
  ],
  [`every (?:other|second) ${days}`, ({ days }) => timed(`every 2 weeks ${inOrder(days)}`)],
  [`${each} ${days}(?<of> of)?`, ({ days, of }) => (of ? undefined : timed(`weekly ${inOrder(days)}`))],
  [`(?:on )?${daysFrom(plurals)}`, ({ days }) => ({ ...timed(`weekly ${inOrder(days)}`), isOnDays: true })],
  [`(?:quarterly|${each} quarter)(?: on)?(?: ${dayOfMonth})?`, (found) => onDayOf('quarterly', found)],
  [`(?:monthly|${each} month|once a month)(?: on)?(?: ${dayInMonth})?`, (found) => onDayOf('monthly', found)],
  [
    `(?:(?<on>on )|every )?${dayInMonth}(?:(?<month>${ofMonth})|(?<quarter>${ofQuarter}))?`,
    (found, sentence) => {
      // `monthly … on the 1st`
      const elsewhere = ['monthly', 'quarterly'].find((unit) => found.on && sentence.has(unit));
      const unit = found.month ? 'monthly' : (elsewhere ?? (found.quarter && 'quarterly'));
      return unit === 'monthly' || (unit && found.number) ? onDayOf(unit, found) : undefined;
    },
  ],
];

const untimedForms: readonly Form<SpokenCadence>[] = [
  [
    `(?:hourly|${each} hour)(?:(?: at)? (?<minute>:[0-5]\\d))?`,
    ({ minute }) => ({ words: minute ? `hourly ${minute}` : 'hourly', needsTime: false }),
  ],
  [
    '(?:by the cron expression|cron) "',
    (_, { words }, end) => ({ words: `cron "${words[end - 1]?.text}"`, needsTime: false }),
  ],
];

const read = readerOf(
  ...timedForms.map(([pattern, read]) => [`(?:${pattern})(?: mornings?| in the morning)?`, read] as const),
  ...untimedForms,
);

function timed(words: string): SpokenCadence {
  return { words, needsTime: true };
}

/** Days of the week, as a command has them. */
function inOrder(typed = ''): string {
  const found = typed.split(' ').map(weekdayOf);
  return weekdays.filter((day) => found.includes(day)).join(',');
}

function weekdayOf(word: string): Weekday | undefined {
  return weekdayWords.get(word) ?? weekdayWords.get(word.replace(/s$/, ''));
}

function onDayOf(unit: string, { which, weekday = '', last, number }: Said): SpokenCadence {
  if (which) return timed(`${unit} ${which} ${weekdayOf(weekday)}`);
  const day = last ?? (number && dayNumberOf(number));
  return day ? timed(`${unit} ${day}`) : { ...timed(`${unit} 1`), needsDay: true };
}

/** How often something comes, as a sentence has it: `every monday`, `on the last day of each month`. */
export function cadenceAt(sentence: Sentence, start: number): Found | undefined {
  const found = read(sentence, start);
  if (!found) return undefined;
  const { said, end } = found;
  const length = end - start;
  const isEachUnit = sentence.is(start, 'each every') && said.needsDay;
  const isAdverb = length === 1 && sentence.key(start).endsWith('ly');
  const cadence = { ...said, ...(isEachUnit && { isEachUnit }), ...(isAdverb && { isAdverb }) };
  return { length, facts: [{ kind: 'cadence', cadence }] };
}

/** A time of day, as a command has it: `at 9`, `9am`, `at 4 p.m.`, `at noon`. */
export function timeAt(sentence: Sentence, start: number): Found | undefined {
  const said = (length: number, time: string): Found => ({ length, facts: [{ kind: 'time', time }] });
  const at = sentence.key(start) === 'at' ? 1 : 0;
  const word = sentence.words[start + at];
  if (word?.kind === 'time' && !word.key.startsWith(':')) {
    const time = word.key.replace(/[.\s]*([ap])\.?m\.?$/, '$1m').replace('.', ':');
    return said(at + 1, time);
  }
  if (at === 0 || word?.kind !== 'word') return undefined;
  if (word.key === 'noon') return said(2, '12:00');
  if (word.key === 'midnight') return said(2, '00:00');
  const hour = countOf(word.key);
  if (hour === undefined || hour > 23) return undefined;
  return said(sentence.key(start + 2) === 'oclock' ? 3 : 2, `${hour}`);
}

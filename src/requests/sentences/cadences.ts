import { monthOrdinals, weekdays } from '../../schedule/cadence.js';
import { countOf, dayNumberOf, type Word } from './words.js';

/** How often, without the time of day: the words of a command before and after it. */
export interface SpokenCadence {
  /** `weekly mon,thu` */
  readonly words: string;
  /** False for `hourly` and cron expressions. */
  readonly needsTime: boolean;
  /** True where the day is missing: `every week`. */
  readonly needsDay?: true;
  /** True for `fridays` and `on fridays`, which say when something happens rather than how often. */
  readonly isOnDays?: true;
  /** True for `each month`, which may say how something is counted. */
  readonly isEachUnit?: true;
  /** True for `monthly`, which says how something is counted before the name of a report. */
  readonly isAdverb?: true;
}

export interface CadenceAt {
  readonly length: number;
  readonly cadence: SpokenCadence;
}

const weekdayNames = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ');

/** Reads words one after the other, from an index on. */
class Reader {
  constructor(
    private readonly words: readonly Word[],
    public at: number,
  ) {}

  get key(): string {
    return this.words[this.at]?.key ?? '';
  }

  word(offset = 0): Word | undefined {
    return this.words[this.at + offset];
  }

  /** Takes the next words if they are these. */
  take(...phrases: readonly string[]): boolean {
    for (const phrase of phrases) {
      const keys = phrase.split(' ');
      if (keys.every((key, index) => this.words[this.at + index]?.key === key)) {
        this.at += keys.length;
        return true;
      }
    }
    return false;
  }

  /** The unit that the sentence names elsewhere, for days without one. */
  unitElsewhere(): 'monthly' | 'quarterly' | undefined {
    const units = ['monthly', 'quarterly'] as const;
    return units.find((unit) => this.words.some(({ key }) => key === unit));
  }

  /** `monday and thursday`, `mon, thu`, `fridays`; as a command has them. */
  days(plural = false): string | undefined {
    const found = new Set<string>();
    let end = this.at;
    for (let at = this.at; ; ) {
      const day = dayOf(this.words[at]?.key ?? '', plural && found.size === 0);
      if (!day) break;
      found.add(day);
      end = at + 1;
      at = end;
      while (/^(?:and|,|&)$/.test(this.words[at]?.key ?? '')) at += 1;
    }
    if (found.size === 0) return undefined;
    this.at = end;
    return weekdays.filter((day) => found.has(day)).join(',');
  }

  /** `the 1st`, `day 31 (or the last day)` */
  dayOfMonth(): number | undefined {
    const start = this.at;
    this.take('the');
    this.take('day');
    const day = dayNumberOf(this.key);
    if (day === undefined || this.word()?.kind !== 'word') {
      this.at = start;
      return undefined;
    }
    this.at += 1;
    this.take('or the last day');
    return day;
  }
}

function dayOf(key: string, plural: boolean): string | undefined {
  return weekdays.find((short, index) => {
    const name = weekdayNames[index] ?? '';
    return plural ? key === `${name}s` : [name, `${name}s`, short].includes(key);
  });
}

/** How often something comes, as a sentence has it: `every monday`, `on the last day of each month`. */
export function cadenceAt(words: readonly Word[], start: number): CadenceAt | undefined {
  const isEach = /^(?:each|every)$/.test(words[start]?.key ?? '');
  for (const read of [readDaily, readWeekly, readMonthly, readHourly]) {
    const reader = new Reader(words, start);
    const cadence = read(reader);
    if (cadence?.needsTime) reader.take('morning', 'mornings', 'in the morning');
    if (!cadence) continue;
    const isAdverb = reader.at - start === 1 && /ly$/.test(words[start]?.key ?? '');
    const said: SpokenCadence = {
      ...cadence,
      ...(isEach && cadence.needsDay && { isEachUnit: true }),
      ...(isAdverb && { isAdverb }),
    };
    return { cadence: said, length: reader.at - start };
  }
  return undefined;
}

function timed(words: string): SpokenCadence {
  return { words, needsTime: true };
}

function dayMissing(words: string): SpokenCadence {
  return { words, needsTime: true, needsDay: true };
}

function readDaily(reader: Reader): SpokenCadence | undefined {
  if (
    reader.take('daily', 'every morning', 'each morning', 'every day', 'each day', 'everyday', 'once a day')
  )
    return timed('daily');
  const isWorkingWeek = reader.take(
    'every weekday',
    'each weekday',
    'on weekdays',
    'weekdays',
    'every working day',
    'every workday',
    'each working day',
    'monday to friday',
    'from monday to friday',
    'monday - friday',
    'mon - fri',
    'mon to fri',
  );
  return isWorkingWeek ? timed('weekdays') : undefined;
}

function readWeekly(reader: Reader): SpokenCadence | undefined {
  const weeks = weeksBetween(reader);
  if (weeks !== undefined) {
    reader.take('on');
    const days = reader.days();
    const every = weeks === 1 ? 'weekly' : `every ${weeks} weeks`;
    return days ? timed(`${every} ${days}`) : dayMissing(`${every} mon`);
  }
  if (reader.take('every other', 'every second')) {
    const days = reader.days();
    return days ? timed(`every 2 weeks ${days}`) : undefined;
  }
  if (reader.take('every', 'each')) {
    const days = reader.days();
    return days && reader.key !== 'of' ? timed(`weekly ${days}`) : undefined;
  }
  reader.take('on');
  const days = reader.days(true);
  return days === undefined ? undefined : { ...timed(`weekly ${days}`), isOnDays: true };
}

function weeksBetween(reader: Reader): number | undefined {
  if (reader.take('weekly', 'every week', 'each week', 'once a week')) return 1;
  if (reader.take('fortnightly', 'biweekly', 'every fortnight', 'every other week', 'every second week'))
    return 2;
  const count = countOf(reader.word(1)?.key ?? '');
  if (count === undefined || count > 52 || reader.key !== 'every' || reader.word(2)?.key !== 'weeks') {
    return undefined;
  }
  reader.at += 3;
  return count;
}

function readMonthly(reader: Reader): SpokenCadence | undefined {
  const isQuarterly = reader.take('quarterly', 'every quarter', 'each quarter');
  if (isQuarterly || reader.take('monthly', 'every month', 'each month', 'once a month')) {
    reader.take('on');
    const day = isQuarterly ? reader.dayOfMonth() : dayInMonth(reader);
    const every = isQuarterly ? 'quarterly' : 'monthly';
    return day === undefined ? dayMissing(`${every} 1`) : timed(`${every} ${day}`);
  }
  const isOn = reader.take('on');
  if (!isOn) reader.take('every');
  const day = dayInMonth(reader);
  if (day === undefined) return undefined;
  if (reader.take('of each month', 'of every month', 'of the month', 'each month', 'every month')) {
    return timed(`monthly ${day}`);
  }
  // `monthly … on the 1st`
  const elsewhere = isOn ? reader.unitElsewhere() : undefined;
  if (elsewhere && (elsewhere === 'monthly' || typeof day === 'number')) return timed(`${elsewhere} ${day}`);
  const ofQuarter = reader.take('of each quarter first month', 'of each quarter', 'of every quarter');
  return ofQuarter && typeof day === 'number' ? timed(`quarterly ${day}`) : undefined;
}

/** `the 1st`, `the last day`, `the first monday` */
function dayInMonth(reader: Reader): number | string | undefined {
  const start = reader.at;
  reader.take('the');
  const which = monthOrdinals.find((ordinal) => ordinal === reader.key);
  if (which) {
    reader.at += 1;
    if (which === 'last' && reader.take('day')) return 'last';
    const day = dayOf(reader.key, false);
    if (day) {
      reader.at += 1;
      return `${which} ${day}`;
    }
    if (which === 'last') return 'last';
    reader.at = start;
  }
  return reader.dayOfMonth();
}

function readHourly(reader: Reader): SpokenCadence | undefined {
  if (reader.take('hourly', 'every hour', 'each hour')) {
    const at = reader.key === 'at' ? 1 : 0;
    const minute = /^:[0-5]\d$/.exec(reader.word(at)?.key ?? '')?.[0];
    if (minute) reader.at += at + 1;
    return { words: minute ? `hourly ${minute}` : 'hourly', needsTime: false };
  }
  if (!reader.take('by the cron expression', 'cron')) return undefined;
  const expression = reader.word();
  if (expression?.kind !== 'quoted') return undefined;
  reader.at += 1;
  return { words: `cron "${expression.text}"`, needsTime: false };
}

/** A time of day, as a command has it: `at 9`, `9am`, `at 4 p.m.`, `at noon`. */
export function timeAt(
  words: readonly Word[],
  start: number,
): { readonly length: number; readonly time: string } | undefined {
  const at = words[start]?.key === 'at' ? 1 : 0;
  const word = words[start + at];
  if (word?.kind === 'time' && !word.key.startsWith(':')) {
    const time = word.key.replace(/[.\s]*([ap])\.?m\.?$/, '$1m').replace('.', ':');
    return { length: at + 1, time };
  }
  if (at === 0 || word?.kind !== 'word') return undefined;
  if (word.key === 'noon') return { length: 2, time: '12:00' };
  if (word.key === 'midnight') return { length: 2, time: '00:00' };
  const hour = countOf(word.key);
  if (hour === undefined || hour > 23) return undefined;
  const length = words[start + 2]?.key === 'oclock' ? 3 : 2;
  return { length, time: `${hour}` };
}

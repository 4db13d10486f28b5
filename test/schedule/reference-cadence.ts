import type { Cadence, Schedule } from '../../src/schedule/cadence.js';

/** True if a cadence runs at a wall-clock minute, counted since 1970 as if it were UTC. */
export type ReferenceRule = (wallMinute: number) => boolean;

const names = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The minute of cadences that run every hour; undefined for other cadences. */
export function minuteOfEveryHour(cadence: Cadence): number | undefined {
  if (cadence.kind === 'hourly') return cadence.minute;
  const [minute = '', hour] = cadence.kind === 'cron' ? cadence.expression.split(' ') : [];
  return hour === '*' ? Number(minute) : undefined;
}

/** The rule of a schedule. For hourly cadences, it accepts every minute of their days. */
export function referenceRule(schedule: Schedule): ReferenceRule {
  const { cadence } = schedule;
  const [minute = '', hour = ''] = cadence.kind === 'cron' ? cadence.expression.split(' ') : [];
  const time = 'time' in cadence ? minuteOfDay(cadence.time) : undefined;
  const hasTime = remembered((ofDay) => {
    if (time !== undefined) return time === ofDay;
    if (cadence.kind !== 'cron' || hour === '*') return true;
    return fits(minute, ofDay % 60) && fits(hour, Math.floor(ofDay / 60));
  });
  const hasDay = remembered((number) => comesOn(schedule, new Date(number * 86_400_000)));
  return (wallMinute) => hasTime(wallMinute % 1440) && hasDay(Math.floor(wallMinute / 1440));
}

function remembered(compute: (number: number) => boolean): (number: number) => boolean {
  const known = new Map<number, boolean>();
  return (number) => {
    const value = known.get(number) ?? compute(number);
    known.set(number, value);
    return value;
  };
}

function minuteOfDay(time: string): number {
  const [hour, minute] = time.split(':').map(Number);
  return Number(hour) * 60 + Number(minute);
}

/** True if a cadence runs on a day, given as its midnight in UTC. */
function comesOn({ cadence, firstDay }: Schedule, date: Date): boolean {
  const [month, day, weekday] = [date.getUTCMonth() + 1, date.getUTCDate(), names[date.getUTCDay()]];
  const isOtherMonth = (later: number) =>
    new Date(date.getTime() + later * 86_400_000).getUTCMonth() + 1 !== month;
  const hasDayOfMonth = (wanted: number) => day === wanted || (wanted > day && isOtherMonth(1));
  switch (cadence.kind) {
    case 'daily':
    case 'hourly':
      return true;
    case 'weekdays':
      return weekday !== 'sat' && weekday !== 'sun';
    case 'weekly':
      return cadence.days.some((one) => one === weekday);
    case 'every-weeks': {
      const since = (date.getTime() - Date.parse(firstDay)) / 86_400_000;
      if (since < 0) return false;
      return Math.floor(since / 7) % cadence.weeks === 0 && cadence.days.some((one) => one === weekday);
    }
    case 'monthly':
      return hasDayOfMonth(cadence.day);
    case 'monthly-last':
      return isOtherMonth(1);
    case 'monthly-weekday': {
      if (cadence.weekday !== weekday) return false;
      if (cadence.which === 'last') return isOtherMonth(7);
      const which = ['first', 'second', 'third', 'fourth'].indexOf(cadence.which);
      return day > 7 * which && day <= 7 * which + 7;
    }
    case 'quarterly':
      return [1, 4, 7, 10].includes(month) && hasDayOfMonth(cadence.day);
    case 'cron':
      return cronComesOn(cadence.expression.toLowerCase(), month, day, date.getUTCDay(), isOtherMonth(1));
  }
}

/** A field of cron: numbers, names, lists, ranges, steps and `L`. */
function cronComesOn(expression: string, month: number, day: number, weekday: number, isLastDay: boolean) {
  const [, , dayOfMonth = '', months = '', weekdays = ''] = expression.split(' ');
  if (!fits(months, month, monthNames, 1)) return false;
  const onDay = fits(dayOfMonth, day, [], 1) || (dayOfMonth === 'l' && isLastDay);
  const onWeekday = fits(weekdays, weekday, names) || (weekday === 0 && fits(weekdays, 7));
  return dayOfMonth === '*' || weekdays === '*' ? onDay && onWeekday : onDay || onWeekday;
}

function fits(field: string, value: number, words: readonly string[] = [], first = 0): boolean {
  return field.split(',').some((part) => {
    const [range = '', step = '1'] = part.split('/');
    const ends = range
      .split('-')
      .map((end) => (words.includes(end) ? words.indexOf(end) + first : Number(end)));
    const [from = 0, to = from] = range === '*' ? [first, 99] : ends;
    return value >= from && value <= to && (value - from) % Number(step) === 0;
  });
}

import type { FiguresPlan, FigureValue } from '../../../src/figures/result.js';
import type { NaiveFigures } from './figures.js';

/** The facts of a finding, counted over the whole answer. */
export interface NaiveFacts {
  readonly plan: FiguresPlan;
  readonly records: number;
  readonly counted: number;
  /** Different people among all rows. */
  readonly people: number;
  readonly now: NaiveFigures;
  /** The same figures earlier, if the answer is not narrowed; the last run was on 30 October. */
  readonly before: NaiveFigures;
  /** The status of each counted row that has one. */
  readonly statuses: readonly string[];
}

/** The finding of an answer of last week with more than one row, case by case. */
export function naiveFinding(facts: NaiveFacts): string {
  const { plan, records, counted } = facts;
  if (plan.view === 'overdue') {
    return `Overdue assignments${plan.dueRange ? ' due last week' : ''}: ${narrowed(facts)}`;
  }
  if (plan.view === 'due') return `Assignments due last week: ${narrowed(facts)}`;
  const [subject, many] = {
    assignments: ['Assignments last week', 'assignments'],
    tracks: ['Tracks last week', 'track enrolments'],
    completions: ['Completions last week', 'completions'],
    assessments: ['Assessments', 'assessment results'],
    engagement: ['Engagement last week', 'people'],
    workshops: ['Workshops last week', 'workshop sessions'],
  }[plan.report] as [string, string];
  if (records === 0) return `${subject}: no ${many} found`;
  if (plan.states) return `${subject}: ${narrowed(facts)}`;
  if (counted === 0) return `${subject}: no ${many} found`;
  return `${subject}: ${whole(facts) ?? `${howMany(facts, many)}${mostHave(facts)}`}`;
}

/** Where each row should be another person, people who come in several rows are counted beside their rows. */
function howMany({ plan, records, people }: NaiveFacts, many: string): string {
  if (plan.report !== 'engagement' || people === records) return `${number(records)} ${many}`;
  return `${number(people)} ${people === 1 ? 'person' : 'people'} (${number(records)} rows)`;
}

function mostHave({ statuses, counted }: NaiveFacts): string {
  const times = (status: string) => statuses.filter((other) => other === status).length;
  const [most] = [...new Set(statuses)].sort((a, b) => times(b) - times(a) || (a < b ? -1 : 1));
  if (most === undefined) return '';
  return times(most) === counted ? `, all ${most}` : `, ${number(times(most))} of them ${most}`;
}

function narrowed({ plan, records, counted }: NaiveFacts): string {
  const rows = {
    assignments: ['assignment', 'assignments'],
    tracks: ['track enrolment', 'track enrolments'],
    completions: ['completion', 'completions'],
    assessments: ['assessment result', 'assessment results'],
    engagement: ['person', 'people'],
    workshops: ['workshop session', 'workshop sessions'],
  }[plan.report] as [string, string];
  if (records === 0) return `no ${rows[1]} found`;
  if (counted === 0) return `none among ${number(records)} ${records === 1 ? rows[0] : rows[1]}`;
  const share = `${number(counted)} of ${number(records)}`;
  const said = plan.states
    ? `${share} ${plan.states.map((state) => stateWords[state]).join(' or ')}`
    : plan.dueRange
      ? `${number(counted)} not completed`
      : share;
  return said;
}

const stateWords: Readonly<Record<string, string>> = {
  overdue: 'overdue',
  'due-soon': 'due in the next seven days',
  'not-started': 'not started',
  'in-progress': 'in progress',
  'not-completed': 'not completed',
  completed: 'completed',
  late: 'completed late',
  stalled: 'under 50% complete',
  passed: 'passed',
  failed: 'failed',
  waiting: 'waiting for grading',
  active: 'active',
  inactive: 'inactive',
  'free-seats': 'with free seats',
  full: 'full',
  waitlist: 'with a waitlist',
};

function whole({ plan, now, before }: NaiveFacts): string | undefined {
  switch (plan.report) {
    case 'assignments':
      return share(now['completion-rate'], 'completed', before['completion-rate']);
    case 'tracks':
      return share(now['completion-rate'], 'completed');
    case 'workshops':
      return (
        share(now['seats-filled'], 'of seats filled', before['seats-filled']) ??
        share(now['seats-booked'], 'of seats booked', before['seats-booked'], ' since 30 Oct')
      );
    case 'engagement':
      return (
        share(now['active-share'], 'active', before['active-share']) ??
        count(
          now['active-people'],
          isOne(now['active-people']) ? 'person active' : 'people active',
          before['active-people'],
        )
      );
    case 'assessments':
      return (
        share(now['pass-rate'], 'passed', before['pass-rate'], ' since 30 Oct') ??
        count(now.waiting, 'waiting for grading', before.waiting, ' since 30 Oct')
      );
    case 'completions':
      return count(now.completions, '', before.completions);
  }
}

function share(
  now: FigureValue | undefined,
  words: string,
  before?: FigureValue,
  since = '',
): string | undefined {
  if (now?.kind !== 'rate' || now.whole <= 0) return undefined;
  const said = `${percent(now.part, now.whole)} ${words} (${number(now.part)} of ${number(now.whole)})`;
  if (before?.kind !== 'rate' || before.whole <= 0) return said;
  const counts = `${number(before.part)} of ${number(before.whole)}`;
  if (now.whole < 20 || before.whole < 20) {
    const isSame = (100 * now.part) / now.whole === (100 * before.part) / before.whole;
    return isSame ? `${said}, no change${since}` : `${said}, after ${counts}${since}`;
  }
  const per = now.whole >= 1000 && before.whole >= 1000 ? 10 : 1;
  const [to, from] = [points(now.part / now.whole, per), points(before.part / before.whole, per)];
  if (to === from) return `${said}, no change${since}`;
  const amount = number(Math.abs(to - from) / per);
  return `${said}, ${to > from ? 'up' : 'down'} ${amount}\u00a0${amount === '1' ? 'point' : 'points'} from ${counts}${since}`;
}

function isOne(value: FigureValue | undefined): boolean {
  return value?.kind === 'count' && value.count === 1;
}

function count(
  now: FigureValue | undefined,
  words: string,
  before?: FigureValue,
  since = '',
): string | undefined {
  if (now?.kind !== 'count' || now.count === 0) return undefined;
  const said = [number(now.count), words].filter(Boolean).join(' ');
  if (before?.kind !== 'count') return said;
  const [to, from] = [now.count, before.count];
  if (to === from) return `${said}, no change${since}`;
  if (from === 0) return `${said}, new${since}`;
  if (from >= 10 && to > 10 * from)
    return `${said}, ${number(Math.round(to / from))}\u00a0times as many${since}`;
  const by = Math.abs(to - from);
  const percent = from < 10 ? 0 : Math.round((100 * by) / from);
  return `${said}, ${to > from ? 'up' : 'down'} ${number(percent || by)}${percent ? '%' : ''}${since}`;
}

/** A share in steps of a percent. It is 0% or 100% only if it is exact. */
function points(part: number, steps: number): number {
  const rounded = Math.round(Number((100 * part).toFixed(steps === 1 ? 0 : 1)) * steps);
  if (part > 0 && rounded === 0) return 1;
  return part < 1 && rounded === 100 * steps ? 100 * steps - 1 : rounded;
}

/** One division: 363 of 40 is exactly 907.5%, and 100 times the rounded quotient is a little less. */
function percent(part: number, whole: number): string {
  const exact = (100 * part) / whole;
  const step = whole < 1000 ? 1 : 0.1;
  if (exact > 0 && exact < step / 2) return `under ${step}%`;
  if (exact < 100 && exact >= 100 - step / 2) return `over ${100 - step}%`;
  const isFine = step < 1 && ((exact > 0 && exact < 1) || (exact > 99 && exact < 100));
  return `${number(isFine ? Math.round(exact * 10) / 10 : Math.round(exact))}%`;
}

/** `1,234` and `1.5`. */
function number(value: number): string {
  const tenths = Math.round(Math.abs(value) * 10);
  const digits = String(Math.floor(tenths / 10)).replace(/\B(?=(?:\d{3})+$)/g, ',');
  const fraction = tenths % 10 === 0 ? '' : `.${tenths % 10}`;
  return `${value < 0 && tenths > 0 ? '-' : ''}${digits}${fraction}`;
}

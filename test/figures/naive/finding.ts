import type { FiguresPlan, FigureValue } from '../../../src/figures/result.js';
import type { NaiveFigures } from './figures.js';

/** The facts of a finding, counted over the whole answer. */
export interface NaiveFacts {
  readonly plan: FiguresPlan;
  readonly records: number;
  readonly counted: number;
  readonly now: NaiveFigures;
  /** The same figures earlier, if the answer is not narrowed; the last run was on 30 October. */
  readonly before: NaiveFigures;
}

/** The finding of an answer of last week with more than one row, case by case. */
export function naiveFinding(facts: NaiveFacts): string {
  const { plan, records, counted } = facts;
  if (plan.view === 'overdue') return `Overdue assignments: ${narrowed(facts)}`;
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
  return `${subject}: ${whole(facts) ?? `${number(records)} ${many}`}`;
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
    : plan.view === 'due'
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
      return share(now['active-share'], 'active', before['active-share']);
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
  const [to, from] = [points(now.part / now.whole), points(before.part / before.whole)];
  if (to === from) return `${said}, no change${since}`;
  const by = Math.abs(to - from);
  const tenths = to % 10 !== 0 || from % 10 !== 0;
  const amount = tenths ? `${number(Math.floor(by / 10))}.${by % 10}` : number(by / 10);
  return `${said}, ${to > from ? 'up' : 'down'} ${amount} ${amount === '1' ? 'point' : 'points'}${since}`;
}

function count(
  now: FigureValue | undefined,
  words: string,
  before?: FigureValue,
  since = '',
): string | undefined {
  if (now?.kind !== 'count') return undefined;
  const said = [number(now.count), words].filter(Boolean).join(' ');
  if (before?.kind !== 'count') return said;
  if (now.count === before.count) return `${said}, no change${since}`;
  const direction = now.count > before.count ? 'up' : 'down';
  const by = Math.abs(now.count - before.count);
  if (before.count === 0) return `${said}, ${direction} from 0${since}`;
  if (before.count < 5) return `${said}, ${direction} ${number(by)}${since}`;
  const hundredths = (100 * by) / before.count;
  const amount = hundredths >= 10 ? Math.round(hundredths) : Math.round(hundredths * 10) / 10;
  return `${said}, ${direction} ${number(amount)}%${since}`;
}

/** A share in tenths of a percent. It is 0% or 100% only if it is exact. */
function points(part: number): number {
  const tenths = Math.round(Number((100 * part).toFixed(1)) * 10);
  if (part > 0 && tenths === 0) return 1;
  return part < 1 && tenths === 1000 ? 999 : tenths;
}

/** One division: 363 of 40 is exactly 907.5%, and 100 times the rounded quotient is a little less. */
function percent(part: number, whole: number): string {
  const exact = (100 * part) / whole;
  if (exact > 0 && exact < 0.05) return 'under 0.1%';
  if (exact < 100 && exact >= 99.95) return 'over 99.9%';
  const fine = (exact > 0 && exact < 1) || (exact > 99 && exact < 100);
  return `${number(fine ? Math.round(exact * 10) / 10 : Math.round(exact))}%`;
}

/** `1,234` and `1.5`. */
function number(value: number): string {
  const tenths = Math.round(Math.abs(value) * 10);
  const digits = String(Math.floor(tenths / 10)).replace(/\B(?=(?:\d{3})+$)/g, ',');
  const fraction = tenths % 10 === 0 ? '' : `.${tenths % 10}`;
  return `${value < 0 && tenths > 0 ? '-' : ''}${digits}${fraction}`;
}

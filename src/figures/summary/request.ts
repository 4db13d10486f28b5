import type { Scope } from '../../access/scope.js';
import { memberOf, type Report } from '../../catalogue/index.js';
import { hasDates, sinceLastYear } from '../../requests/range-words.js';
import {
  type Asker,
  acceptsAny,
  anyEntry,
  effectiveFilters,
  entryRefersToAsker,
  hasDueRange,
  queriedDate,
  type ReportRequest,
  type ResolvedRange,
  rangesOf,
} from '../../requests/request.js';
import { compact, displayText } from '../../requests/text.js';
import { dayAt } from '../../time/calendar.js';
import { formatCount, formatDay, formatDays, formatRangeInSentence } from '../format/values.js';
import type { ListedRows } from '../reports/rows.js';
import type { FiguresResult } from '../result.js';
import type { EarlierFigures, LastRun, NoEarlierFigures } from './changes.js';
import { formatCondition } from './conditions.js';

/** A result with its figures, which messages and the terminal show. Plain data. */
export interface ResultWithFigures {
  readonly report: Report;
  readonly request: ReportRequest;
  readonly range?: ResolvedRange | undefined;
  /** The range of the assigned date, where `range` is about due dates that are decided on rows. */
  readonly assigned?: ResolvedRange | undefined;
  readonly asker: Pick<Asker, 'zone'>;
  /** What the reader may see of it; absent: everything. */
  readonly scope?: Pick<Scope, 'rows'>;
  /** Milliseconds since the epoch. */
  readonly requestedAt: number;
  readonly figures: FiguresResult;
  /** The first rows, where rows were wanted. */
  readonly rows?: ListedRows | undefined;
  readonly before: EarlierFigures | NoEarlierFigures;
  /** The figures of the last run of the same request; absent: there was none. */
  readonly lastRun?: LastRun | undefined;
}

const maxFilterLength = 300;

const yesOrNo: Readonly<Record<string, string>> = { true: 'yes', false: 'no' };

const maxNameLength = 60;

/** The title of an answer: its report or view, or the name of a scorecard. */
export function formatTitle({ report, request }: Pick<ResultWithFigures, 'report' | 'request'>): string {
  if (request.scorecard) return displayText(request.scorecard.name, maxNameLength);
  return request.view ? viewTitles[request.view] : report.title;
}

const viewTitles = { overdue: 'Overdue assignments', due: 'Assignments due' } as const;

/** Who reads an answer, and where. */
export interface Reader {
  /** True where people may be named: in direct messages, and on the command line. */
  readonly withPeople: boolean;
  /** The most people that are listed; absent: all that the answer has. */
  readonly maxPeople?: number | undefined;
  /** True for a run of a digest. Then `me` means its owner, not the reader. */
  readonly isOwner?: boolean | undefined;
  /** The IANA zone that readers expect; times of another zone name it. Absent: the zone is always named. */
  readonly zone?: string | undefined;
}

/**
 * `Assigned 9–15 Nov 2026`, `Due 9–15 Nov 2026, assigned since 1 Jan 2025`, `9–15 Nov 2026, by the service's own date`; the
 * day of the request where there is no range.
 */
export function formatWhen(result: ResultWithFigures, reader: Reader): string {
  const { range, requestedAt, asker, request, report } = result;
  const { zone } = range ?? asker;
  const inZone = zone === reader.zone ? '' : ` (${zone})`;
  if (!range) return `As of ${formatDay(requestedAt, zone)}${inZone}`;
  let days = formatDays(range);
  if (range.words === sinceLastYear.words) days = formatRangeInSentence(range);
  // A default range that ends now needs no time.
  else if (request.view === 'due' && request.range === undefined)
    days = `until ${formatDay((range.until - 1) * 1000, zone)}`;
  const date = formatDateField(result);
  const dates = compact(date, days).join(' ');
  const assigned = result.assigned ? `, assigned ${formatRangeInSentence(result.assigned)}` : '';
  const decidedBy = date === undefined && report.dateField ? ", by the service's own date" : '';
  return `${dates.charAt(0).toUpperCase()}${dates.slice(1)}${assigned}${inZone}${decidedBy}`;
}

/** The date that the range is about, as a word: `assigned`, `due`. Undefined if the service decides. */
export function formatDateField({ report, request }: ResultWithFigures): string | undefined {
  const flag = hasDueRange(request) ? 'due_date' : queriedDate(request);
  const date = report.dateField?.choices.find((choice) => choice.flag === flag);
  return date?.words.replace(/ date$/, '').replace(/completion$/, 'completed');
}

/**
 * True where New Year lies between the last run and this one, and the assignments that both looked at are not the same:
 * the window of what is open began a year earlier then. Ranges with dates look at the same ones.
 */
export function isAfterNewYear({ request, lastRun, requestedAt, asker }: ResultWithFigures): boolean {
  const { queried } = rangesOf(request);
  if (!lastRun || !queried || request.report !== 'assignments' || hasDates(queried.words)) return false;
  const [then, now] = [lastRun.takenAt, requestedAt].map((at) =>
    dayAt(Math.floor(at / 1000), asker.zone).getFullYear(),
  );
  return then !== now;
}

/** True where all rows are those of the one who reads. */
export function isOwn(
  { scope, request }: Pick<ResultWithFigures, 'scope' | 'request'>,
  { isOwner, withPeople }: Reader,
): boolean {
  return !isOwner && (scope?.rows === 'self' || (withPeople && asksFor(request, 'email')));
}

/** True for a request about the asker alone (`email`), or about those whom the asker manages (`manager_email`). */
export function asksFor(
  { filters }: ResultWithFigures['request'],
  wanted: 'email' | 'manager_email',
): boolean {
  return filters.some(
    ({ member, entries: [only = '', ...more] }) =>
      member === wanted && more.length === 0 && entryRefersToAsker(member, only),
  );
}

/** Says whose rows an answer is limited to; undefined if it is not limited. `you`: the person who asked. */
export function formatLimit(scope: ResultWithFigures['scope'], reader: 'you' | 'owner'): string | undefined {
  return scope && limits[scope.rows][reader];
}

const limits: Readonly<Record<Scope['rows'], { readonly you?: string; readonly owner?: string }>> = {
  all: {},
  team: { you: 'Limited to your team', owner: "Limited to the owner's team" },
  self: { you: 'Your own records', owner: "The owner's own records" },
};

/** Says that people are left out of all answers, and of this one how many where its reader may know. */
export function formatLeftOut({ people }: NonNullable<FiguresResult['leftOut']>): string {
  return people === undefined ? 'Some people are left out' : `${formatCount(people)} people are left out`;
}

/**
 * `Departments: Sales, Field Operations`, one text for each member. Includes the defaults of the report. Leaves out the
 * filter that limits an answer to a team, because the limit has a text of its own.
 */
export function formatFilters(
  { report, request, scope }: Pick<ResultWithFigures, 'report' | 'request' | 'scope'>,
  { isOwner }: Pick<Reader, 'isOwner'>,
): readonly string[] {
  const { titles = [], ...untitled } = request;
  const byItself = effectiveFilters(untitled).filter((filter) => !request.filters.includes(filter));
  const filters = [...request.filters, ...byItself].flatMap((filter) => {
    const { object, member, entries } = filter;
    const known = memberOf(report, filter)?.member;
    const label = known?.label ?? member;
    const [only = '', ...more] = entries;
    if (more.length === 0 && entryRefersToAsker(member, only)) {
      const whose = isOwner ? "The owner's" : 'Your';
      if (member !== 'manager_email') return `${whose} own records`;
      return scope?.rows === 'team' ? [] : `${whose} team`;
    }
    if (acceptsAny(object, member)) return suspendedWords[only] ?? `${label}: ${only}`;
    const said = known?.kind === 'yes-no' ? entries.map((entry) => yesOrNo[entry] ?? entry) : entries;
    const words = said.map((entry) => displayText(entry, maxFilterLength)).join(', ');
    return displayText(`${label}: ${words}`, maxFilterLength);
  });
  const chosen = titles.map(({ option, text }) =>
    displayText(`${option.charAt(0).toUpperCase()}${option.slice(1)}: ${text}`, maxFilterLength),
  );
  const conditions = (request.conditions ?? []).map((condition) =>
    formatCondition(report, condition, isOwner ? 'the owner' : 'you'),
  );
  return [...chosen, ...filters, ...conditions];
}

const suspendedWords: Readonly<Record<string, string>> = {
  true: 'Suspended people only',
  false: 'Without suspended people',
  [anyEntry]: 'With suspended people',
};

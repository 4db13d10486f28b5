import type { Scope } from '../../access/scope.js';
import { memberOf, type Report } from '../../catalogue/index.js';
import { effectiveFilters } from '../../requests/report-for.js';
import type { Asker, ReportRequest, ResolvedRange, TitleChoice } from '../../requests/request.js';
import type { EarlierFigures, LastRun, NoEarlierFigures } from '../changes.js';
import type { FiguresResult } from '../result.js';
import type { ListedRows } from '../rows.js';
import { formatDay, formatRange } from './dates.js';
import { displayText } from './text.js';

/** A result with its figures, which messages and the terminal show. Plain data. */
export interface ResultWithFigures {
  readonly report: Report;
  readonly request: ReportRequest;
  readonly range?: ResolvedRange | undefined;
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

/** Longer filters are cut. */
const MAX_FILTER_LENGTH = 300;

const yesOrNo: Readonly<Record<string, string>> = { true: 'yes', false: 'no' };

/** What the answer is called. */
export function formatTitle({ report, request }: Pick<ResultWithFigures, 'report' | 'request'>): string {
  return request.view === 'overdue' ? 'Overdue assignments' : report.title;
}

/** `last week (Mon 9 Nov – Sun 15 Nov 2026, Europe/Berlin), by assigned date`; the day of the request where there is no range. */
export function formatWhen({ report, request, range, requestedAt, asker }: ResultWithFigures): string {
  if (!range) return `as of ${formatDay(requestedAt, asker.zone)}, ${asker.zone}`;
  if (!report.dateField) return formatRange(range);
  const flag = request.dateField ?? report.dateField.defaultFlag;
  const date = report.dateField.choices.find((choice) => choice.flag === flag);
  return `${formatRange(range)}, by ${date ? date.words : "the service's own date"}`;
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

/** `Departments: Sales, Field Operations`, one for each member; what the report leaves out by itself too. */
export function formatFilters({
  report,
  request,
}: Pick<ResultWithFigures, 'report' | 'request'>): readonly string[] {
  const { titles = [], ...untitled } = request;
  const byItself = effectiveFilters(untitled).filter((filter) => !request.filters.includes(filter));
  const filters = [...request.filters, ...byItself].map(({ object, member, entries }) => {
    const known = memberOf(report, object, member)?.member;
    const said = known?.kind === 'yes-no' ? entries.map((entry) => yesOrNo[entry] ?? entry) : entries;
    const words = said.map((entry) => displayText(entry, MAX_FILTER_LENGTH)).join(', ');
    return displayText(`${known?.label ?? member}: ${words}`, MAX_FILTER_LENGTH);
  });
  return [...titles.map(formatTitleChoice), ...filters];
}

/** `Content: GDPR basics` */
function formatTitleChoice({ option, text }: TitleChoice): string {
  return displayText(`${option.charAt(0).toUpperCase()}${option.slice(1)}: ${text}`, MAX_FILTER_LENGTH);
}

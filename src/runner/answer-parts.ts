import type { Level } from '../access/levels.js';
import { type AccessEvent, exportedEvent, type RequestFacts } from '../access/record.js';
import type { Scope, ScopeLimits } from '../access/scope.js';
import { fieldOf, hasLearners, reportNamed } from '../catalogue/index.js';
import type { ResultWithFigures } from '../figures/summary/request.js';
import {
  columnIsPersonLevel,
  type ReleasedKeys,
  requestIsPersonLevel,
  rowsArePersonLevel,
} from '../requests/person-level.js';
import { narrows, type ReportRequest, type ResolvedRange, showsRows } from '../requests/request.js';
import { compact } from '../requests/text.js';
import { dayAt, formatIsoDay } from '../time/calendar.js';
import type { ReportResult } from './run-report.js';

/**
 * Whether a conversation may get person-level data.
 * - `allowed`: it may (a direct message with the bot, an approved channel).
 * - `not-approved`: it may not until an admin approves the channel.
 * - `never`: no approval changes that. The channel is shared with another organization or about to be, or Slack does
 *   not describe it.
 */
export type PersonLevel = 'allowed' | 'not-approved' | 'never';

/** The destinations of an answer's parts: the conversation of the request, or the asker's direct messages. */
export interface Route {
  readonly summary: 'here' | 'direct';
  readonly file: 'none' | 'here' | 'direct';
  /** Rows in the summary, or in a message of their own in the direct messages. A file that goes there has them too. */
  readonly rows: 'none' | 'in-summary' | 'direct';
  /** Why a part goes to the direct messages without to:me. */
  readonly because?: 'person-level-request' | 'person-level-rows' | 'level';
}

/**
 * The route of an answer, decided before it is read. A file with person-level members of nested objects still goes to
 * the direct messages.
 */
export function routeOf(
  request: ReportRequest,
  personLevel: PersonLevel,
  released: ReleasedKeys,
  { onlyDirect }: Pick<Scope, 'onlyDirect'>,
): Route {
  const [here, direct] = request.file ? (['here', 'direct'] as const) : (['none', 'none'] as const);
  const rows = showsRows(request) ? 'in-summary' : 'none';
  if (onlyDirect) return { summary: 'direct', file: direct, rows, because: 'level' };
  if (request.toMe) return { summary: 'direct', file: direct, rows };
  if (personLevel === 'allowed') return { summary: 'here', file: here, rows };
  if (requestIsPersonLevel(request, released)) {
    return { summary: 'direct', file: direct, rows, because: 'person-level-request' };
  }
  if (rowsArePersonLevel(request, released)) {
    if (request.file) return { summary: 'here', file: 'direct', rows: 'none', because: 'person-level-rows' };
    if (rows !== 'none')
      return { summary: 'here', file: 'none', rows: 'direct', because: 'person-level-rows' };
  }
  return { summary: 'here', file: here, rows };
}

/** The post that follows a summary: its file, or rows that may not be in the summary. */
export function followUpOf(
  { file, rows }: Route,
  result: Pick<ReportResult, 'file' | 'rows'>,
): 'file' | 'rows' | undefined {
  if (file !== 'none' && result.file) return 'file';
  return rows === 'direct' && result.rows && result.rows.listed.length > 0 ? 'rows' : undefined;
}

/** The event of the record for the file of an answer. */
export function exportOf(
  { file, request, records, figures, scope }: ReportResult,
  name: string,
  facts: RequestFacts,
  level: Level | undefined,
): AccessEvent {
  const columns = (file?.columns ?? []).map(({ flag, member }) =>
    member === undefined ? flag : `${flag}.${member}`,
  );
  const rowCount = file?.rows ?? (narrows(request) ? (figures?.counted ?? records) : records);
  return exportedEvent(facts, { name, columns, rowCount, scope, level });
}

/**
 * `engagement_2026-11-09_2026-11-15.csv`, `evidence_engagement_2026-11-09_2026-11-15.zip`; without a range, the day of the
 * request in the asker's zone.
 */
export function fileName({ request, range, requestedAt, asker }: ReportResult): string {
  const days = range
    ? `${range.firstDay}_${range.lastDay}`
    : formatIsoDay(dayAt(Math.floor(requestedAt / 1000), asker.zone));
  const name = `${request.view ?? request.report}_${days}`;
  return request.file === 'evidence' ? `evidence_${name}.zip` : `${name}.${request.file ?? 'csv'}`;
}

/**
 * Notes on a file: whether people are left out, where no summary says so; for a workbook, the zone of its times, and
 * whether texts were cut.
 */
export function notesOnFile(result: ReportResult): readonly string[] {
  const { file, request, asker, figures, leavesOutPeople } = result;
  const isWorkbook = request.file === 'xlsx' && file;
  const cut = isWorkbook && file.cutCells;
  const cells = cut === 1 ? '1 cell was' : `${cut} cells were`;
  return compact(
    leavesOutPeople && !figures && 'Some people are left out.',
    isWorkbook && `Times are in ${asker.zone}.`,
    cut && `${cells} cut at 32,767 characters, the limit of Excel. A CSV has the whole text.`,
  );
}

/** True if a file holds what only some conversations may get: rows about learners, or members of nested objects. */
export function holdsPersonLevel(
  { report, file }: Pick<ReportResult, 'report' | 'file'>,
  personLevel: PersonLevel,
  released: ReleasedKeys,
): boolean {
  // A file of totals has rows of our own.
  if (personLevel === 'allowed' || file?.rows !== undefined) return false;
  if (hasLearners(report)) return true;
  return (file?.columns ?? []).some(({ flag, member, holdsObjects }) => {
    const field = fieldOf(report, flag);
    return !field || holdsObjects || columnIsPersonLevel(field, member, released);
  });
}

/** The totals of an answer, without rows and people. Plain data that survives JSON. */
export interface AnswerTotals
  extends Pick<ResultWithFigures, 'figures' | 'before' | 'lastRun' | 'range' | 'assigned' | 'requestedAt'> {
  /** The IANA zone that the range and all times follow. */
  readonly zone: string;
}

/** The totals of a scorecard. A line without totals was refused, with this reason, or may be about too few people. */
export interface ScorecardTotals {
  readonly lines: readonly {
    readonly name?: string | undefined;
    readonly request?: ReportRequest | undefined;
    readonly scope?: ScopeLimits | undefined;
    readonly totals?: AnswerTotals | undefined;
    readonly refusal?: string | undefined;
  }[];
}

/** An answer, as far as *Details* needs it later. */
export interface KeptAnswer {
  /** A Slack user ID. */
  readonly asker: string;
  readonly request: ReportRequest;
  readonly scope: Scope;
  /** Absent where the answer names people, and where a total may be about too few of them. */
  readonly totals: AnswerTotals | undefined;
  /** Of a scorecard, in place of `totals`. */
  readonly scorecard?: ScorecardTotals | undefined;
  /** For the memory of this process, where there are no totals. */
  readonly recent?: RecentAnswer | undefined;
}

/**
 * The figures of an answer, with the people that it lists. Rows are never held, so it is no answer of a single row and has
 * no breakdown by people.
 */
export interface RecentAnswer extends Omit<ResultWithFigures, 'rows'> {
  readonly scope: Scope;
}

/** What the buttons under an answer need. It is saved before the answer is posted. */
export interface AnswerForButtons {
  /** Absent if the report has no range. */
  readonly range: ResolvedRange | undefined;
  /** Absent where the answer has no *Details*. */
  readonly kept: KeptAnswer | undefined;
  readonly at: number;
}

/**
 * The stored part of an answer; undefined for a file alone. Totals that may be about fewer people than anybody may see
 * are not stored: those of readers who may see people. Nor are those of answers that list people, because *Details* list
 * them too.
 */
export function keptAnswer(
  asker: string,
  { figures, rows: _rows, newRows: _newRows, file: _file, values: _values, ...result }: ReportResult,
  smallestGroup: number,
): KeptAnswer | undefined {
  if (!figures) return undefined;
  const { report, request, scope, before, lastRun, range, assigned, requestedAt } = result;
  const { people, onlyRow, onlyPerson: _onlyPerson, ...totals } = figures;
  const isForAnybody = scope.smallestGroup >= smallestGroup || !hasLearners(report);
  const { by } = totals.breakdown ?? {};
  const isByPeople = by !== undefined && !totals.overTime && (fieldOf(report, by)?.personLevel ?? true);
  if (!isForAnybody || people || isByPeople) {
    const recent = onlyRow || isByPeople ? undefined : { ...result, figures };
    return { asker, request, scope, totals: undefined, recent };
  }
  const { zone } = result.asker;
  return {
    asker,
    request,
    scope,
    totals: { figures: totals, before, lastRun, range, assigned, requestedAt, zone },
  };
}

/** The result that stored totals are of. */
export function resultOf(
  request: ReportRequest,
  totals: AnswerTotals,
  scope: ScopeLimits,
): ResultWithFigures {
  const { zone, ...rest } = totals;
  return { ...rest, report: reportNamed(request.report), request, asker: { zone }, scope };
}

/** The second file of a plan: the people of its rows. */
export function personsPathOf(path: string): string {
  return `${path}.persons`;
}

/** Where the ZIP of an answer is made: beside its rows. */
export function evidencePathOf(rows: string): string {
  return `${rows}.zip`;
}

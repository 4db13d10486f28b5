import type { Scope, ScopeLimits } from '../access/scope.js';
import { fieldOf, hasLearners, reportNamed } from '../catalogue/index.js';
import type { ResultWithFigures } from '../figures/format/request.js';
import type { ReportRequest, ResolvedRange } from '../requests/request.js';
import type { ReportResult } from './run-report.js';

/** The totals of an answer, without rows and people. Plain data that survives JSON. */
export interface AnswerTotals
  extends Pick<ResultWithFigures, 'figures' | 'before' | 'lastRun' | 'range' | 'assigned' | 'requestedAt'> {
  /** The IANA zone that the range and all times follow. */
  readonly zone: string;
}

/** An answer, as far as *Details* needs it later. */
export interface KeptAnswer {
  /** A Slack user ID. */
  readonly asker: string;
  readonly request: ReportRequest;
  readonly scope: Scope;
  /** Absent where the answer names people, and where a total may be about too few of them. */
  readonly totals: AnswerTotals | undefined;
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
  { figures, ...result }: ReportResult,
  smallestGroup: number,
): KeptAnswer | undefined {
  if (!figures) return undefined;
  const { report, request, scope } = result;
  const isForAnybody = scope.smallestGroup >= smallestGroup || !hasLearners(report);
  const isForTotals = isForAnybody && !figures.people;
  return { asker, request, scope, totals: isForTotals ? totalsOf({ ...result, figures }) : undefined };
}

function totalsOf(result: ResultWithFigures): AnswerTotals | undefined {
  const { report, before, lastRun, range, assigned, requestedAt, asker } = result;
  const { people: _people, onlyRow: _onlyRow, ...figures } = result.figures;
  const { breakdown } = figures;
  if (breakdown && (fieldOf(report, breakdown.by)?.personLevel ?? true)) return undefined;
  return { figures, before, lastRun, range, assigned, requestedAt, zone: asker.zone };
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

import type { Scope } from '../access/scope.js';
import { reportNamed } from '../catalogue/index.js';
import { Failure } from '../errors/failure.js';
import type { ResultWithFigures } from '../figures/format/request.js';
import type { FiguresResult } from '../figures/result.js';
import { hasErasedFilter } from '../requests/erased-people.js';
import { joinWords } from '../requests/join-words.js';
import { quoteTypedWord } from '../requests/problem.js';
import { type Asker, type ReportRequest, refersToAsker } from '../requests/request.js';
import { managersIn, teamOptions, teamRequest } from './empty-team.js';
import { type PeriodBefore, periodBefore } from './period-before.js';
import type { LastFigures, ReadResult, RunOrigin } from './ports.js';
import { answerQuery, type RunOptions, type RunParts, resolveRanges } from './queries.js';
import { type Suggestion, suggestionsFromRequest } from './suggestions.js';

/** The result of a run: plain data, and a file if one was requested. */
export interface ReportResult extends Omit<ResultWithFigures, 'figures'> {
  readonly asker: Asker;
  /** The reader's scope. */
  readonly scope: Scope;
  /** Records of the whole answer. */
  readonly records: number;
  /**
   * Rows that the report counts: fewer than the records if a view or states narrow it. Absent where too few people
   * match for any count to be shown.
   */
  readonly rowCount?: number | undefined;
  /** Absent if only the file was needed. */
  readonly figures?: FiguresResult | undefined;
  readonly file?: ReadResult['file'];
  readonly leavesOutPeople?: ReadResult['leavesOutPeople'];
  /** Values of the answer that filters can be set to; none of them is about a person. */
  readonly values: readonly Suggestion[];
}

/** @throws `empty-team` if nobody reports to the managers whose teams the request is about */
async function expectTeam(request: ReportRequest, options: RunOptions, parts: RunParts): Promise<void> {
  const { asker, scope } = options;
  const managers = managersIn(request, scope, asker.email);
  if (managers.length === 0) return;
  const { result, before } = await startReport(teamRequest(managers), teamOptions(options), parts);
  before.stop();
  const own = asker.email?.toLowerCase();
  if (result.records === 0)
    throw new Failure('empty-team', {
      managers: joinWords(managers.map(quoteTypedWord), 'or'),
      isOwn: managers.every((manager) => manager.toLowerCase() === own),
    });
}

/** Milliseconds that a finished answer waits for the figures of the previous period, if it is sent only once. */
const maxWaitForBeforeMs = 20_000;

/**
 * Runs a request: one query for the answer, and one for the previous period.
 *
 * @throws `range-refused`, `asker-has-no-address`, `title-undecided`, `person-erased`, and the known errors of the source; no file is left then
 */
export async function runReport(
  request: ReportRequest,
  options: RunOptions,
  parts: RunParts,
): Promise<ReportResult> {
  return withPeriodBefore(await startReport(request, options, parts));
}

/** Waits for the period before of an answer that is sent once. */
export async function withPeriodBefore({ result, before }: StartedReport): Promise<ReportResult> {
  try {
    return { ...result, before: (await before.within(maxWaitForBeforeMs)) ?? 'late' };
  } finally {
    before.stop();
  }
}

/** A run whose answer is read. The query for the previous period may still run. */
export interface StartedReport {
  /** Its `before` is `not-yet`. */
  readonly result: ReportResult;
  readonly before: PeriodBefore;
}

/**
 * The same as `runReport`, but returns as soon as the answer itself is read.
 *
 * @throws what `runReport` throws
 */
export async function startReport(
  request: ReportRequest,
  options: RunOptions,
  parts: RunParts,
): Promise<StartedReport> {
  const { asker, requestedAt, scope } = options;
  const report = reportNamed(request.report);
  if (hasErasedFilter(request)) throw new Failure('person-erased');
  if (refersToAsker(request) && !asker.email) throw new Failure('asker-has-no-address');
  const undecided = request.titles?.find(({ id }) => id === undefined);
  if (undecided) throw new Failure('title-undecided', { title: quoteTypedWord(undecided.text) });
  const ranges = resolveRanges(request, options, parts.weekStart);

  const { query, plan } = answerQuery(request, ranges, options);
  const { urgency, maxSharedAgeMs, signal, onRecords, onWait } = options;
  const reading = parts.source.read(query, plan, {
    urgency,
    asker: asker.id,
    maxSharedAgeMs,
    signal,
    onRecords,
    onWait,
  });
  const before = periodBefore(request, ranges, options, parts);
  if (parts.queriesInParallel) before.start();
  const refuseEmptyTeam = async (found: ReadResult) => {
    if (options.refusesEmptyTeam && found.records === 0) await expectTeam(request, options, parts);
    return found;
  };
  const main = await reading.then(refuseEmptyTeam).catch((error: unknown) => {
    before.stop();
    throw error;
  });
  before.start();
  const { records, figures, rows, file, leavesOutPeople, values = [] } = main;
  const result: ReportResult = {
    report,
    request,
    asker,
    scope,
    requestedAt,
    range: ranges.shown,
    assigned: ranges.queried === ranges.shown ? undefined : ranges.queried,
    records,
    rowCount: rowCountOf(figures, records),
    rows,
    figures,
    before: 'not-yet',
    file,
    leavesOutPeople,
    // Values of a limited answer are not suggested to others.
    values:
      scope.rows === 'all' && !scope.asksForOwn ? [...values, ...suggestionsFromRequest(request, main)] : [],
  };
  return { result, before };
}

/**
 * The same for an answer that is posted: with the figures that it is compared with.
 *
 * @param run the digest, the saved report or the place whose last run it is compared with
 * @throws what `runReport` throws
 */
export async function startComparedReport(
  request: ReportRequest,
  options: RunOptions,
  run: RunOrigin,
  parts: RunParts & { readonly store: { readonly lastFigures: Pick<LastFigures, 'find'> } },
): Promise<StartedReport> {
  const { asker, scope } = options;
  // A count of few records would reveal what the answer hides.
  const onRecords = scope.smallestGroup > 1 ? undefined : options.onRecords;
  const [started, lastRun] = await Promise.allSettled([
    startReport(request, { ...options, onRecords, refusesEmptyTeam: true }, parts),
    // While the service works.
    parts.store.lastFigures.find({ run, asker: asker.id, request, scope }),
  ]);
  if (started.status === 'rejected') throw started.reason;
  const { result, before } = started.value;
  if (lastRun.status === 'rejected') {
    before.stop();
    throw lastRun.reason;
  }
  return { result: { ...result, lastRun: result.figures && lastRun.value }, before };
}

function rowCountOf(figures: FiguresResult | undefined, records: number): number | undefined {
  if (!figures) return records;
  return figures.tooFew === undefined ? figures.counted : undefined;
}

import { isPersonLevelFilter, managerFlag, reportNamed } from '../catalogue/index.js';
import { fieldsToCount } from '../figures/reports/count-report.js';
import {
  type FiguresPlan,
  type FiguresResult,
  figuresVersion,
  nothingCounted,
  type UnitPlan,
} from '../figures/result.js';
import { type CountedUnit, overTimeResult } from '../figures/summary/over-time.js';
import { unitsTable } from '../figures/summary/units-table.js';
import { type UnitRange, unitRanges, unitYearBefore } from '../requests/date-range.js';
import { type OverUnit, unitsOf } from '../requests/over-time.js';
import { isCohort, queriedDate, type ReportRequest, type ResolvedRange } from '../requests/request.js';
import { addUnits, dayAt, startOfDay } from '../time/calendar.js';
import type { ReadResult } from './ports.js';
import {
  figuresPlan,
  type PlannedQuery,
  plannedQuery,
  type RunOptions,
  type RunParts,
  type RunRanges,
} from './queries.js';

/**
 * The figures of each unit, and the file where one is wanted. Reports whose rows have the date are asked once; others a
 * unit at a time, behind what people ask for.
 *
 * @param ranges `span`: the range of all units together
 * @throws the known errors of the source: a unit that cannot be read fails the answer
 */
export async function readOverTime(
  request: ReportRequest,
  { span, conditions }: { readonly span: ResolvedRange } & Pick<RunRanges, 'conditions'>,
  options: RunOptions,
  parts: RunParts,
) {
  const { unit } = unitsOf(request.over ?? '');
  const own = unitRanges(span, unit);
  const before = request.against && own.map((one) => unitYearBefore(one, unit));
  const reader = new UnitReader(
    request,
    options,
    parts,
    unit,
    own.length + (before?.length ?? 0),
    conditions,
  );
  const units = await reader.read(own);
  const result = overTimeResult(request, units, before && (await reader.read(before)));
  return {
    ...result,
    leavesOutPeople: reader.leavesOutPeople,
    file: await fileOf(request, result, options, parts),
  };
}

async function fileOf(
  request: ReportRequest,
  { figures: { overTime } }: ReturnType<typeof overTimeResult>,
  { filePath, asker, signal }: RunOptions,
  { writeTable }: RunParts,
): Promise<ReadResult['file']> {
  if (filePath === undefined) return undefined;
  if (!writeTable) throw new Error('Nothing here writes tables');
  const { title } = reportNamed(request.report);
  const format = request.file === 'xlsx' ? 'xlsx' : 'csv';
  const file = { path: filePath, format, title, zone: asker.zone } as const;
  return writeTable({ ...file, ...unitsTable(request, overTime) }, signal);
}

/** Kept units that ended within this many days are read again. */
const daysReadAgain = 7;

/** Reads units, the oldest first. */
class UnitReader {
  leavesOutPeople: ReadResult['leavesOutPeople'];
  private done = 0;
  private readonly date;

  constructor(
    private readonly request: ReportRequest,
    private readonly options: RunOptions,
    private readonly parts: RunParts,
    private readonly unit: OverUnit,
    private readonly total: number,
    private readonly conditions: RunRanges['conditions'],
  ) {
    this.date = dateOfRows(request);
  }

  async read(units: readonly (UnitRange | undefined)[]): Promise<readonly CountedUnit[]> {
    const together = await this.readTogether(units.flatMap((unit) => unit ?? []));
    const counted: CountedUnit[] = [];
    for (const unit of units) {
      if (unit) counted.push(together?.get(unit) ?? (await this.readOne(unit)));
      else counted.push({ figures: undefined });
      this.done += 1;
      if (!together) this.options.onUnits?.({ done: this.done, total: this.total, unit: this.unit });
    }
    return counted;
  }

  /** One query for all units. Undefined where the rows, or some of them, do not tell their unit. */
  private async readTogether(units: readonly UnitRange[]) {
    const { date, done } = this;
    const [first, last] = [units[0], units.at(-1)];
    if (date === undefined || !first || !last) return undefined;
    const span = { ...first.range, until: last.range.until, lastDay: last.range.lastDay };
    const each = units.map(({ range, nextEnds }): UnitPlan => {
      const { from, until, firstDay, lastDay } = range;
      return { from, until, firstDay, lastDay, asOf: this.asOf(nextEnds) };
    });
    const { urgency } = this.options;
    const plan = { ...this.plan(span), units: { date, each } };
    const read = await this.ask(this.queryOf(span, plan), done === 0 ? urgency : `${urgency}-before`);
    const { units: counted, unplaced = 0, leftOut } = read.figures ?? {};
    if (!counted || unplaced > 0) return undefined;
    return new Map(
      units.map((unit, index): [UnitRange, CountedUnit] => {
        const figures = counted[index];
        return [unit, { ...this.factsOf(unit), figures: figures && { ...figures, leftOut } }];
      }),
    );
  }

  private async readOne(unit: UnitRange): Promise<CountedUnit> {
    const { range } = unit;
    const query = this.queryOf(range, { ...this.plan(range), asOf: this.asOf(unit.nextEnds) });
    const memory = this.mayBeKept() ? await this.parts.unitTotals?.open(this.identityOf(query)) : undefined;
    const kept = memory?.kept;
    if (kept && range.until <= this.readAgainFrom()) {
      this.leavesOutPeople ??= kept.leavesOutPeople;
      return { ...this.factsOf(unit), figures: kept.figures, readAt: kept.readAt };
    }
    const { figures, leavesOutPeople } = await this.ask(query, `${this.options.urgency}-before`);
    if (figures) await memory?.keep({ figures: totalsAlone(figures), leavesOutPeople });
    return { ...this.factsOf(unit), figures };
  }

  private factsOf({ range, nextEnds }: UnitRange) {
    return { range, asOf: this.asOf(nextEnds) };
  }

  /** The last instant that counts for a cohort; absent: now. */
  private asOf(nextEnds: number): number | undefined {
    return isCohort(this.request) ? nextEnds * 1000 - 1 : undefined;
  }

  private plan(range: ResolvedRange): FiguresPlan {
    const ranges = { shown: range, queried: range, conditions: this.conditions };
    return { ...figuresPlan(this.request, ranges, this.options), figuresOnly: true };
  }

  private queryOf(range: ResolvedRange, figures: FiguresPlan): PlannedQuery {
    return plannedQuery(
      this.request,
      range,
      fieldsToCount(figures),
      { figures, conditions: this.conditions },
      this.options,
    );
  }

  private async ask(
    { query, plan }: PlannedQuery,
    urgency: Parameters<RunParts['source']['read']>[2]['urgency'],
  ) {
    const { asker, maxSharedAgeMs, signal, onRecords, onWait } = this.options;
    const { source, work } = this.parts;
    const options = { urgency, asker: asker.id, work, maxSharedAgeMs, signal, onRecords, onWait };
    const read = await source.read(query, plan, options);
    this.leavesOutPeople ??= read.leavesOutPeople;
    return read;
  }

  /** Rows of engagement are sums of a period, which do not change once it is over. Nothing about one person is kept. */
  private mayBeKept(): boolean {
    const { request, options } = this;
    const report = reportNamed(request.report);
    const { rows, asksForOwn } = options.scope;
    return (
      report.range?.isAdditive === false &&
      rows !== 'self' &&
      !asksForOwn &&
      !request.filters.some((filter) => filter.member !== managerFlag && isPersonLevelFilter(report, filter))
    );
  }

  /** What decides the figures of a unit: the service and its names, the query with its range, the reader's limits, and how figures are counted. */
  private identityOf({ query, plan: { figures, conditions, ...plan } }: PlannedQuery): string {
    const { now: _now, conditions: _same, ...counting } = figures ?? {};
    const { listOfLeftOut, serviceVersion = null } = this.parts;
    // No condition that goes by now has a past.
    const reading = { ...plan, conditions: conditions?.all };
    const list = listOfLeftOut?.() ?? null;
    return JSON.stringify([figuresVersion, list, query, reading, counting, serviceVersion]);
  }

  /** Epoch seconds. Whole days, so that a week has ended seven days ago also where clocks changed. */
  private readAgainFrom(): number {
    const { requestedAt, asker } = this.options;
    const today = dayAt(Math.floor(requestedAt / 1000), asker.zone);
    return startOfDay(addUnits(today, 'day', -daysReadAgain), asker.zone);
  }
}

/** Without what describes single rows. */
function totalsAlone({
  report,
  tooFew,
  records,
  counted,
  figures,
  notes,
  leftOut,
}: FiguresResult): FiguresResult {
  return { ...nothingCounted, report, tooFew, records, counted, figures, notes, leftOut };
}

/** The dates by which the service selects rows, and that the rows of a report have. */
function dateOfRows(request: ReportRequest): string | undefined {
  const date = queriedDate(request);
  const { name, fields } = reportNamed(request.report);
  if (name === 'completions') return date === 'completed_date' ? 'completion' : undefined;
  // `created_at` of a row is when the account was created.
  if (date === undefined || date === 'created_at') return undefined;
  return fields.some(({ flag }) => flag === date) ? date : undefined;
}

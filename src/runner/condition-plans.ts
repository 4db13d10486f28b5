import { type ConditionField, conditionField, daysOverdue, progressFlag } from '../catalogue/conditions.js';
import { fieldOf, type Report, reportNamed } from '../catalogue/index.js';
import { Failure } from '../errors/failure.js';
import type {
  ConditionPlan,
  ConditionsPlan,
  ConditionTest,
  DaySpan,
  NumberSpan,
} from '../figures/conditions-plan.js';
import type { NeighbourFilter } from '../figures/neighbours.js';
import { resolveRange } from '../requests/date-range.js';
import { rangeRefusalText } from '../requests/problem-messages.js';
import { parseRangeWords } from '../requests/range-words.js';
import { type Asker, entryRefersToAsker, type ReportRequest } from '../requests/request.js';
import { type ConditionSign, isComparison, type RowCondition } from '../requests/row-conditions.js';
import { formatIsoDay, type WeekStart } from '../time/calendar.js';

interface Moment {
  readonly asker: Asker;
  /** Milliseconds since the epoch. */
  readonly requestedAt: number;
}

/**
 * The conditions of a request with nothing relative left.
 *
 * @throws `range-refused`
 */
export function conditionsPlan(
  name: ReportRequest['report'],
  conditions: readonly RowCondition[],
  moment: Moment,
  weekStart: WeekStart,
): ConditionsPlan {
  const report = reportNamed(name);
  const all = conditions.map((condition): ConditionPlan => {
    const field = conditionField(report, condition.field);
    if (!field) throw new Error(`The report ${name} has no field ${condition.field}`);
    const resolve = (words: string) => resolvedDays(words, report, moment, weekStart);
    return {
      field: field.id,
      sources: field.sources,
      test: testOf(condition, field, report, moment, resolve),
    };
  });
  return { all, now: moment.requestedAt, zone: moment.asker.zone };
}

function testOf(
  { field: id, sign, values }: RowCondition,
  field: ConditionField,
  report: Report,
  { asker }: Moment,
  resolve: (words: string) => DaySpan,
): ConditionTest {
  const isExcluded = sign === '!';
  if (sign === 'none' || sign === 'any') return { kind: 'empty', isExcluded: sign === 'any' };
  if (field.kind === 'date') {
    return { kind: 'dates', spans: values.map((words) => daysBeside(sign, resolve(words))), isExcluded };
  }
  if (field.kind === 'number' || isComparison(sign)) {
    const spans = values.map((value) => numbersBeside(sign, Number(value)));
    if (id === daysOverdue) return { kind: 'days-overdue', spans, isExcluded };
    return { kind: id === progressFlag ? 'percent' : 'numbers', spans, isExcluded };
  }
  const entries = values.map((value) => [
    entryRefersToAsker(id, value) ? (asker.email?.toLowerCase() ?? value) : value,
  ]);
  const kind = fieldOf(report, id)?.kind;
  const isExact = kind === 'email' || kind === 'identifier' || undefined;
  const valueKind = field.kind === 'yes-no' || field.kind === 'list' ? field.kind : 'text';
  return { kind: 'values', valueKind, entries, isExact, isExcluded };
}

function numbersBeside(sign: ConditionSign, value: number): NumberSpan {
  switch (sign) {
    case '>':
      return { from: value, isOpen: true };
    case '>=':
      return { from: value };
    case '<':
      return { to: value, isOpen: true };
    case '<=':
      return { to: value };
    default:
      return { from: value, to: value };
  }
}

/** Whole days after, from, before or until the days of a range; else those. */
function daysBeside(sign: ConditionSign, { from, until, firstDay, lastDay }: DaySpan): DaySpan {
  switch (sign) {
    case '>':
      return { from: until, firstDay: lastDay && dayAfter(lastDay, 1) };
    case '>=':
      return { from, firstDay };
    case '<':
      return { until: from, lastDay: firstDay && dayAfter(firstDay, -1) };
    case '<=':
      return { until, lastDay };
    default:
      return { from, until, firstDay, lastDay };
  }
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

/** A range of dates: running units are whole, and `since:` has no end. */
function resolvedDays(
  words: string,
  report: Report,
  { asker, requestedAt }: Moment,
  weekStart: WeekStart,
): DaySpan {
  const parsed = parseRangeWords(words);
  const since = parsed.ok && parsed.value.meaning.kind === 'since' ? parsed.value.meaning.first : undefined;
  const resolved = resolveRange(
    since ? formatIsoDay(since) : words,
    { ...report, range: { defaultWords: 'this-year', hasFuture: true, isAdditive: true } },
    requestedAt,
    asker.zone,
    weekStart,
  );
  if (!resolved.ok) {
    const because = rangeRefusalText(resolved.refusal.reason, report.name);
    throw new Failure('range-refused', { words, because });
  }
  const { from, until, firstDay, lastDay } = resolved.value;
  return since ? { from, firstDay } : { from, until, firstDay, lastDay };
}

/**
 * The conditions as filters: the entries of `=` are left out one by one as those of filters are, and people whom a
 * condition keeps out are between no question and its neighbours.
 */
export function conditionsAsFilters(plan: ConditionsPlan): readonly NeighbourFilter[] {
  return plan.all.flatMap(({ field, sources, test }) => {
    if (test.kind !== 'values') return [];
    const { valueKind: kind, entries, isExcluded } = test;
    return {
      key: field,
      member: field,
      kind,
      sources,
      entries,
      ofCondition: isExcluded ? 'excluded' : 'kept',
    };
  });
}

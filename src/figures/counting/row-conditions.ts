import type { ValueSource } from '../../catalogue/index.js';
import { foldText } from '../../requests/text.js';
import {
  type BesideRow,
  besideSetsOf,
  type ConditionPlan,
  type ConditionsPlan,
  type ConditionTest,
  conditionFieldsOf,
  type DaySpan,
  entriesOf,
  type NumberSpan,
} from '../conditions-plan.js';
import { hashText, lastHash } from '../hash.js';
import { FilterValues } from '../neighbours.js';
import type { RecordView } from '../record-view.js';
import { DueDates, dateIn, dayOfDateOnly, isWholeDay } from './dates.js';
import { percentIn } from './missing-values.js';

/** What a record is to a condition. Below 0: it fails by the excluded entry `-1 - entry` alone. */
const met = 0;
const failed = 1;
/** Missing values and those that cannot be read meet no comparison. */
const unread = 2;

/** What one condition finds in a record. A class for each kind: V8 inlines their methods, but no functions of a list. */
interface RowTest {
  outcomeOf(record: RecordView): number;
}

/** Decides which rows of an answer meet its conditions, in constant memory. */
export class RowConditions implements BesideRow {
  readonly neighbours: Uint8Array;
  readonly unread: Uint8Array;
  isNoted = false;
  private readonly conditions;

  /** @param fields of the read plan, with those of `fieldsOfConditions` */
  constructor(plan: ConditionsPlan, fields: readonly string[]) {
    this.neighbours = new Uint8Array(besideSetsOf(plan));
    const named = conditionFieldsOf(plan);
    this.unread = new Uint8Array(named.length);
    let set = 0;
    this.conditions = plan.all.map((condition) => {
      const test = testOf(condition, plan, fields);
      const at = set;
      set += 1 + entriesOf(condition.test);
      return { test, set: at, field: named.indexOf(condition.field), hasEntries: set > at + 1 };
    });
  }

  /** If false, the flags say what the row is to the question. */
  meets(record: RecordView): boolean {
    let failing = 0;
    let failingSet = -1;
    let areAllUnread = true;
    for (const condition of this.conditions) {
      const outcome = condition.test.outcomeOf(record);
      if (outcome === met) continue;
      if (failing === 0) this.clear();
      failing += 1;
      failingSet = condition.set;
      if (outcome === unread) this.unread[condition.field] = 1;
      else areAllUnread = false;
      if (outcome < 0 && condition.hasEntries) this.neighbours[condition.set - outcome] = 1;
    }
    if (failing === 0) return true;
    if (failing === 1) this.neighbours[failingSet] = 1;
    else this.neighbours.fill(0);
    if (!areAllUnread) this.unread.fill(0);
    this.isNoted = failing === 1 || areAllUnread;
    return false;
  }

  private clear(): void {
    this.neighbours.fill(0);
    this.unread.fill(0);
  }
}

function testOf(
  { sources, test }: ConditionPlan,
  { now, zone, progress }: ConditionsPlan,
  fields: readonly string[],
): RowTest {
  const [first] = sources;
  const index = fields.indexOf(first?.field ?? '');
  if (!first || index < 0) throw new Error('The query lacks the field of a condition');
  switch (test.kind) {
    case 'empty':
      return new EmptyTest(sources, fields, test.isExcluded);
    case 'values':
      return test.isExact ? new ExactTest(test, index) : new ValuesTest(test, sources, fields);
    case 'dates':
      return new DatesTest(test.spans.map(instantsOf), test.isExcluded, index);
    case 'days-overdue':
      return new DaysOverdueTest(test.spans.map(limitsOf), test.isExcluded, index, new DueDates(now, zone));
    case 'numbers':
    case 'percent': {
      const isFraction = test.kind === 'percent' && progress?.isFraction;
      const spans = isFraction ? test.spans.map(hundredthsOf) : test.spans;
      return new NumbersTest(spans.map(limitsOf), test.isExcluded, index, first.member);
    }
  }
}

class EmptyTest implements RowTest {
  private readonly places;

  constructor(
    sources: readonly ValueSource[],
    fields: readonly string[],
    private readonly isExcluded: boolean,
  ) {
    this.places = sources.map(({ field, member }) => ({ at: fields.indexOf(field), member }));
  }

  outcomeOf(record: RecordView): number {
    const isEmpty = this.places.every(({ at, member }) =>
      member === undefined ? record.isMissing(at) : record.member(at, member).text() === undefined,
    );
    return isEmpty === this.isExcluded ? failed : met;
  }
}

abstract class SpansTest<Span> implements RowTest {
  constructor(
    private readonly spans: readonly Span[],
    private readonly isExcluded: boolean,
  ) {}

  outcomeOf(record: RecordView): number {
    const { spans, isExcluded } = this;
    const value = this.valueIn(record);
    if (Number.isNaN(value)) return isExcluded ? met : unread;
    let found = -1;
    for (let i = 0; i < spans.length; i += 1) {
      if (!this.contains(spans[i] as Span, value)) continue;
      if (!isExcluded) return met;
      if (found >= 0) return failed;
      found = i;
    }
    if (!isExcluded) return failed;
    return found < 0 ? met : -1 - found;
  }

  /** NaN where it is missing or cannot be read. */
  protected abstract valueIn(record: RecordView): number;
  protected abstract contains(span: Span, value: number): boolean;
}

/** A span of numbers without open ends: those are infinite. */
interface Limits {
  readonly from: number;
  readonly to: number;
  readonly isOpen: boolean;
}

class NumbersTest extends SpansTest<Limits> {
  constructor(
    spans: readonly Limits[],
    isExcluded: boolean,
    protected readonly index: number,
    private readonly member?: string,
  ) {
    super(spans, isExcluded);
  }

  protected valueIn(record: RecordView): number {
    const { index, member } = this;
    return member === undefined ? numberIn(record, index) : numberOf(record.member(index, member).text());
  }

  protected contains({ from, to, isOpen }: Limits, value: number): boolean {
    return isOpen ? value > from && value < to : value >= from && value <= to;
  }
}

class DaysOverdueTest extends NumbersTest {
  constructor(
    spans: readonly Limits[],
    isExcluded: boolean,
    index: number,
    private readonly due: DueDates,
  ) {
    super(spans, isExcluded, index);
  }

  protected override valueIn(record: RecordView): number {
    const date = dateIn(record, this.index);
    return Number.isNaN(date) ? date : this.due.daysSince(date);
  }
}

/** A span of dates, in epoch milliseconds and in days since 1970-01-01. */
interface Instants {
  readonly start: number;
  readonly end: number;
  readonly firstDay: number;
  readonly lastDay: number;
}

/** Moments are compared with moments, and whole days with days. */
class DatesTest extends SpansTest<Instants> {
  constructor(
    spans: readonly Instants[],
    isExcluded: boolean,
    private readonly index: number,
  ) {
    super(spans, isExcluded);
  }

  protected valueIn(record: RecordView): number {
    return dateIn(record, this.index);
  }

  protected contains({ start, end, firstDay, lastDay }: Instants, date: number): boolean {
    if (!isWholeDay(date)) return date >= start && date < end;
    const day = dayOfDateOnly(date);
    return day >= firstDay && day <= lastDay;
  }
}

class ValuesTest implements RowTest {
  private readonly values;

  constructor(
    { entries, valueKind: kind, isExcluded }: ValuesPlan,
    sources: readonly ValueSource[],
    fields: readonly string[],
  ) {
    const entryOf = new Map(
      entries.flatMap((texts, entry) => texts.map((text) => [foldText(text), entry] as const)),
    );
    this.values = FilterValues.judged(fields, { sources, kind }, (held) => {
      if (held.length === 0) return isExcluded ? met : unread;
      const [only, ...more] = new Set(held.flatMap((value) => entryOf.get(value) ?? []));
      if (!isExcluded) return only === undefined ? failed : met;
      if (only === undefined) return met;
      return more.length > 0 ? failed : -1 - only;
    });
  }

  outcomeOf(record: RecordView): number {
    return this.values?.of(record) ?? unread;
  }
}

/** Compares hashes, so that a row is not decoded. */
class ExactTest implements RowTest {
  private readonly entryOf = new Map<number, Map<number, number>>();
  private readonly isExcluded;

  constructor(
    { entries, isExcluded }: ValuesPlan,
    private readonly index: number,
  ) {
    this.isExcluded = isExcluded;
    for (const [entry, texts] of entries.entries()) {
      for (const text of texts) {
        hashText(text.trim().toLowerCase());
        const byHigh = this.entryOf.get(lastHash.low) ?? new Map<number, number>();
        this.entryOf.set(lastHash.low, byHigh.set(lastHash.high, entry));
      }
    }
  }

  outcomeOf(record: RecordView): number {
    const { isExcluded } = this;
    if (!record.hashText(this.index, true)) return isExcluded ? met : unread;
    const entry = this.entryOf.get(lastHash.low)?.get(lastHash.high);
    if (entry === undefined) return isExcluded ? met : failed;
    return isExcluded ? -1 - entry : met;
  }
}

type ValuesPlan = Extract<ConditionTest, { readonly kind: 'values' }>;

/** A number as figures read it: text may have a percent sign. */
function numberIn(record: RecordView, index: number): number {
  const number = record.number(index);
  return Number.isNaN(number) && record.isText(index) ? percentIn(record.text(index)) : number;
}

function numberOf(text: string | undefined): number {
  const trimmed = text?.trim() ?? '';
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : percentIn(text);
}

/** The same limits for fractions of 1: 7 is the number that 0.07 is read as. */
function hundredthsOf({ from, to, isOpen }: NumberSpan): NumberSpan {
  const hundredth = (value: number | undefined) => {
    const [digits, exponent = '0'] = String(value).split('e');
    return value === undefined ? undefined : Number(`${digits}e${Number(exponent) - 2}`);
  };
  return { from: hundredth(from), to: hundredth(to), isOpen };
}

function limitsOf({ from, to, isOpen }: NumberSpan): Limits {
  return {
    from: from ?? Number.NEGATIVE_INFINITY,
    to: to ?? Number.POSITIVE_INFINITY,
    isOpen: isOpen === true,
  };
}

function instantsOf({ from, until, firstDay, lastDay }: DaySpan): Instants {
  return {
    start: from === undefined ? Number.NEGATIVE_INFINITY : from * 1000,
    end: until === undefined ? Number.POSITIVE_INFINITY : until * 1000,
    firstDay: firstDay === undefined ? Number.NEGATIVE_INFINITY : dayOfDateOnly(Date.parse(firstDay)),
    lastDay: lastDay === undefined ? Number.POSITIVE_INFINITY : dayOfDateOnly(Date.parse(lastDay)),
  };
}

import type { ValueSource } from '../../catalogue/index.js';
import { foldText } from '../../requests/titles.js';
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

type Decide = (record: RecordView) => number;

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
      const decide = decider(condition, plan, fields);
      const at = set;
      set += 1 + entriesOf(condition.test);
      return { decide, set: at, field: named.indexOf(condition.field), hasEntries: set > at + 1 };
    });
  }

  /** If false, the flags say what the row is to the question. */
  meets(record: RecordView): boolean {
    let failing = 0;
    let failingSet = -1;
    let areAllUnread = true;
    for (const condition of this.conditions) {
      const outcome = condition.decide(record);
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

function decider(
  { sources, test }: ConditionPlan,
  { now, zone, progress }: ConditionsPlan,
  fields: readonly string[],
): Decide {
  const [first] = sources;
  const index = fields.indexOf(first?.field ?? '');
  if (!first || index < 0) throw new Error('The query lacks the field of a condition');
  const { member } = first;
  if (test.kind === 'empty') {
    const isEmpty = (record: RecordView) =>
      sources.every((source) => {
        const at = fields.indexOf(source.field);
        return source.member === undefined
          ? record.isMissing(at)
          : record.member(at, source.member).text() === undefined;
      });
    return (record) => (isEmpty(record) === test.isExcluded ? failed : met);
  }
  if (test.kind === 'values') return valuesDecider(test, sources, fields);
  if (test.kind === 'dates') {
    const dates = test.spans.map(dateTest);
    return spansDecider(test.isExcluded, dates, (record) => dateIn(record, index));
  }
  const isFraction = test.kind === 'percent' && progress?.isFraction;
  const numbers = (isFraction ? test.spans.map(hundredthsOf) : test.spans).map(numberTest);
  if (test.kind === 'days-overdue') {
    const due = new DueDates(now, zone);
    return spansDecider(test.isExcluded, numbers, (record) => {
      const date = dateIn(record, index);
      return Number.isNaN(date) ? date : due.daysSince(date);
    });
  }
  return spansDecider(test.isExcluded, numbers, (record) =>
    member === undefined ? numberIn(record, index) : numberOf(record.member(index, member).text()),
  );
}

/** A number as figures read it: text may have a percent sign. */
function numberIn(record: RecordView, index: number): number {
  const number = record.number(index);
  return Number.isNaN(number) && record.isText(index) ? percentIn(record.text(index)) : number;
}

function numberOf(text: string | undefined): number {
  const trimmed = text?.trim() ?? '';
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : percentIn(text);
}

function spansDecider(
  isExcluded: boolean,
  tests: readonly ((value: number) => boolean)[],
  read: (record: RecordView) => number,
): Decide {
  return (record) => {
    const value = read(record);
    if (Number.isNaN(value)) return isExcluded ? met : unread;
    const at = tests.findIndex((test) => test(value));
    if (!isExcluded) return at < 0 ? failed : met;
    if (at < 0) return met;
    return tests.some((test, i) => i > at && test(value)) ? failed : -1 - at;
  };
}

/** The same limits for fractions of 1: 7 is the number that 0.07 is read as. */
function hundredthsOf({ from, to, isOpen }: NumberSpan): NumberSpan {
  const hundredth = (value: number | undefined) => {
    const [digits, exponent = '0'] = String(value).split('e');
    return value === undefined ? undefined : Number(`${digits}e${Number(exponent) - 2}`);
  };
  return { from: hundredth(from), to: hundredth(to), isOpen };
}

function numberTest({ from, to, isOpen }: NumberSpan): (value: number) => boolean {
  return (value) =>
    (from === undefined || value > from || (!isOpen && value === from)) &&
    (to === undefined || value < to || (!isOpen && value === to));
}

/** Moments are compared with moments, and whole days with days. */
function dateTest({ from, until, firstDay, lastDay }: DaySpan): (date: number) => boolean {
  const start = from === undefined ? Number.NEGATIVE_INFINITY : from * 1000;
  const end = until === undefined ? Number.POSITIVE_INFINITY : until * 1000;
  const first = firstDay === undefined ? Number.NEGATIVE_INFINITY : dayOfDateOnly(Date.parse(firstDay));
  const last = lastDay === undefined ? Number.POSITIVE_INFINITY : dayOfDateOnly(Date.parse(lastDay));
  return (date) => {
    if (!isWholeDay(date)) return date >= start && date < end;
    const day = dayOfDateOnly(date);
    return day >= first && day <= last;
  };
}

/** Values are often repeated, and equal ones may be one array: what was decided of each is remembered. */
function valuesDecider(
  test: Extract<ConditionTest, { readonly kind: 'values' }>,
  sources: readonly ValueSource[],
  fields: readonly string[],
): Decide {
  const { entries, valueKind: kind, isExcluded } = test;
  if (test.isExact) return exactDecider(test, fields.indexOf(sources[0]?.field ?? ''));
  const values = FilterValues.in(fields, { sources, kind });
  if (!values) throw new Error('The query lacks the field of a condition');
  const entryOf = new Map(
    entries.flatMap((texts, entry) => texts.map((text) => [foldText(text), entry] as const)),
  );
  const decided = new WeakMap<readonly string[], number>();
  const decide = (held: readonly string[]) => {
    const found = new Set(held.flatMap((value) => entryOf.get(value) ?? []));
    if (!isExcluded) {
      if (held.length === 0) return unread;
      return found.size > 0 ? met : failed;
    }
    const [only = 0, ...more] = found;
    if (found.size === 0) return met;
    return more.length > 0 ? failed : -1 - only;
  };
  return (record) => {
    const held = values.of(record);
    let outcome = decided.get(held);
    if (outcome === undefined) {
      outcome = decide(held);
      decided.set(held, outcome);
    }
    return outcome;
  };
}

/** Compares hashes, so that a row is not decoded. */
function exactDecider(
  { entries, isExcluded }: Extract<ConditionTest, { readonly kind: 'values' }>,
  index: number,
): Decide {
  const entryOf = new Map<number, Map<number, number>>();
  for (const [entry, texts] of entries.entries()) {
    for (const text of texts) {
      hashText(text.trim().toLowerCase());
      const byHigh = entryOf.get(lastHash.low) ?? new Map<number, number>();
      entryOf.set(lastHash.low, byHigh.set(lastHash.high, entry));
    }
  }
  return (record) => {
    if (!record.hashText(index, true)) return isExcluded ? met : unread;
    const entry = entryOf.get(lastHash.low)?.get(lastHash.high);
    if (entry === undefined) return isExcluded ? met : failed;
    return isExcluded ? -1 - entry : met;
  };
}

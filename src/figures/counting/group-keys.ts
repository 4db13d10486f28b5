import type { Field } from '../../catalogue/index.js';
import { truncateText } from '../../requests/text.js';
import { formatMonth } from '../format/values.js';
import { hashText, lastHash } from '../hash.js';
import type { KnownEntries } from '../list-text.js';
import type { RecordView } from '../record-view.js';
import { dateIn, dayMs, type ZoneDays } from './dates.js';

import { bySpelling, formatStatus } from './statuses.js';

/** Longer names are identified by their beginning and a hash of the full name. */
const maxNameLength = 200;

const none: readonly string[] = [];

/** The groups of a record, by the kind of the field. */
type GroupKeys = (record: RecordView, index: number) => readonly string[];

export function groupKeysFor(field: Field, days: ZoneDays): GroupKeys {
  if (field.kind === 'date') return (record, index) => monthKeys(record, index, days);
  if (field.kind === 'yes-no') return yesOrNoKeys;
  if (field.kind === 'status') return statusKeys();
  return nameKeys;
}

export function labelOfKey(key: string): string {
  return truncateText(key, maxNameLength);
}

function nameKeys(record: RecordView, index: number) {
  return keysOf(record.entries(index));
}

/** The groups of a list's entries, each once, so that repeated entries count once. */
function keysOf(entries: readonly string[]) {
  if (entries.length === 0) return none;
  if (entries.length === 1) {
    const only = keyOf(entries[0] ?? '');
    return only === entries[0] ? entries : [only];
  }
  return [...new Set(entries.map(keyOf))];
}

function keyOf(entry: string): string {
  const name = entry.trim();
  if (name.length <= maxNameLength) return name;
  hashText(name);
  return `${name.slice(0, maxNameLength)}\u0000${lastHash.high}.${lastHash.low}`;
}

/** All spellings of a status are one group. */
function statusKeys(): GroupKeys {
  const keysOfStatus = bySpelling((status) =>
    keysOf([status.length > maxNameLength ? status : formatStatus(status)]),
  );
  return (record, index) => {
    const status = record.text(index);
    return status === undefined ? none : keysOfStatus(status);
  };
}

function yesOrNoKeys(record: RecordView, index: number) {
  const answer = record.yesOrNo(index);
  if (answer === undefined) return nameKeys(record, index);
  return answer ? ['Yes'] : ['No'];
}

/** Begins the key of a month, so that no text is one. */
const monthMark = '\u0000';

function monthKeys(record: RecordView, index: number, days: ZoneDays) {
  const value = dateIn(record, index);
  if (Number.isNaN(value)) return nameKeys(record, index);
  const date = new Date(days.dayOfDate(value) * dayMs);
  return [`${monthMark}${date.getUTCFullYear() * 12 + date.getUTCMonth()}`];
}

function monthOfKey(key: string | null): number | undefined {
  return key?.startsWith(monthMark) ? Number(key.slice(monthMark.length)) : undefined;
}

/** Dates within so many months are grouped by month, others by year. */
const maxMonths = 18;

/** The month or year of a date. */
export interface Period {
  readonly label: string;
  /** In months since the year 0. */
  readonly since: number;
}

/**
 * The period of each month that dates of an answer are in.
 *
 * @param months of the keys of an answer, each with its number
 * @param firstThatCounts of the numbers of months in one order or the other: the place of the first one that counts for
 *   the span
 */
export function periodsOf(
  numbers: ReadonlyMap<string | null, number>,
  firstThatCounts: (numbers: readonly number[]) => number,
): (key: string | null) => Period | undefined {
  const months = [...numbers].flatMap(([key, number]) => {
    const month = monthOfKey(key);
    return month === undefined ? [] : [{ month, number }];
  });
  const ascending = months.toSorted((a, b) => a.month - b.month);
  const endOf = (ordered: typeof months) =>
    ordered[firstThatCounts(ordered.map(({ number }) => number))]?.month ?? 0;
  const isByMonth = endOf(ascending.toReversed()) - endOf(ascending) < maxMonths;
  return (key) => {
    const month = monthOfKey(key);
    if (month === undefined) return undefined;
    const since = isByMonth ? month : month - (month % 12);
    const first = new Date(0);
    first.setUTCFullYear(Math.floor(since / 12), since % 12);
    const day = first.getTime() / dayMs;
    return { label: isByMonth ? formatMonth(day) : String(first.getUTCFullYear()), since };
  };
}

/** The groups of a list that came as one text. */
export function groupsOfText(text: string, whole: KnownEntries): readonly string[] {
  return keysOf(whole.split(text));
}

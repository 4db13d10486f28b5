import type { Field } from '../../catalogue/index.js';
import { cutText } from '../format/text.js';
import type { RecordView } from '../record-view.js';
import { dayAlone, dayLength, type ZoneDays } from './dates.js';
import { hashed, hashText } from './hashed-text.js';
import { isInCalendar } from './missing-values.js';

/** Longer names are told apart by their beginning and a hash of the whole. */
const longestName = 200;

const none: readonly string[] = [];

/** The groups that a record belongs to, by what its field means. */
export type GroupKeys = (record: RecordView, place: number) => readonly string[];

export function groupKeysFor(field: Field, days: ZoneDays): GroupKeys {
  if (field.kind === 'date') return (record, place) => dayKeys(record, place, days);
  if (field.kind === 'yes-no') return yesOrNoKeys;
  return nameKeys;
}

/** What a person reads for a key. */
export function labelOfKey(key: string): string {
  return cutText(key, longestName);
}

function nameKeys(record: RecordView, place: number): readonly string[] {
  return keysOf(record.entries(place));
}

/** The groups of a list's entries, each once: who is listed twice in one department counts there once. */
export function keysOf(entries: readonly string[]): readonly string[] {
  if (entries.length === 0) return none;
  if (entries.length === 1) {
    const only = keyOf(entries[0] ?? '');
    return only === entries[0] ? entries : [only];
  }
  return [...new Set(entries.map(keyOf))];
}

function keyOf(entry: string): string {
  const name = entry.trim();
  if (name.length <= longestName) return name;
  hashText(name);
  return `${name.slice(0, longestName)}\u0000${hashed.high}.${hashed.low}`;
}

function yesOrNoKeys(record: RecordView, place: number): readonly string[] {
  const answer = record.yesOrNo(place);
  if (answer === undefined) return nameKeys(record, place);
  return answer ? ['Yes'] : ['No'];
}

function dayKeys(record: RecordView, place: number, days: ZoneDays): readonly string[] {
  const instant = record.instant(place);
  if (!isInCalendar(instant)) return nameKeys(record, place);
  const day = record.isDayOnly(place) ? dayAlone(instant) : days.dayOf(instant);
  return [new Date(day * dayLength).toISOString().slice(0, 10)];
}

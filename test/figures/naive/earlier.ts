import { dayIn, type NaiveDate } from './row.js';

/** The completion date of a record. */
export type DoneDate = NaiveDate | undefined;

/** True if the date is before an instant; a date without a time counts from its midnight. */
export function wasDone(done: DoneDate, asOf: number, zone: string): boolean {
  if (!done) return false;
  return done.wholeDay ? dayIn('UTC', done) <= dayIn(zone, { ms: asOf, wholeDay: false }) : done.ms <= asOf;
}

/** The record as it was before its completion. */
export function uncompleted(record: object, statusFlag: string, dateFlag: string): object {
  return { ...record, [statusFlag]: 'in progress', [dateFlag]: null };
}

import { dayIn, type NaiveDate } from './row.js';

/** When something was done, as a record gives it. */
export type DoneDate = NaiveDate | undefined;

/** True for what its date says had been done by an instant; a whole day counts from its beginning. */
export function wasDone(done: DoneDate, asOf: number, zone: string): boolean {
  if (!done) return false;
  return done.wholeDay ? dayIn('UTC', done) <= dayIn(zone, { ms: asOf, wholeDay: false }) : done.ms <= asOf;
}

/** The record as it was before it was completed. */
export function uncompleted(record: object, statusFlag: string, dateFlag: string): object {
  return { ...record, [statusFlag]: 'in progress', [dateFlag]: null };
}

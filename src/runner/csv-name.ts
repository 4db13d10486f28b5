import { dayAt, dayInDigits } from '../time/calendar.js';
import type { ReportResult } from './run-report.js';

/**
 * The name of an answer's file: report, first and last day, `engagement_2026-11-09_2026-11-15.csv`; the day asked, in
 * the asker's zone, for the report that has no range.
 */
export function csvName({ request, range, askedAt, asker }: ReportResult): string {
  const days = range
    ? `${range.firstDay}_${range.lastDay}`
    : dayInDigits(dayAt(Math.floor(askedAt / 1000), asker.zone));
  return `${request.overdueOnly ? 'overdue' : request.report}_${days}.csv`;
}

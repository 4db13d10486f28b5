import type { Level } from '../access/levels.js';
import { type AccessEvent, exportedEvent, type RequestFacts } from '../access/record.js';
import { fieldOf, hasLearners } from '../catalogue/index.js';
import { compact } from '../requests/compact.js';
import { columnIsPersonLevel, type ReleasedKeys } from '../requests/person-level.js';
import { narrows } from '../requests/request.js';
import { dayAt, formatIsoDay } from '../time/calendar.js';
import type { PersonLevel } from './route.js';
import type { ReportResult } from './run-report.js';

/** The event of the record for the file of an answer. */
export function exportOf(
  { file, request, records, figures, scope }: ReportResult,
  name: string,
  facts: RequestFacts,
  level: Level | undefined,
): AccessEvent {
  const columns = (file?.columns ?? []).map(({ flag, member }) =>
    member === undefined ? flag : `${flag}.${member}`,
  );
  const rowCount = narrows(request) ? (figures?.counted ?? records) : records;
  return exportedEvent(facts, { name, columns, rowCount, scope, level });
}

/** `engagement_2026-11-09_2026-11-15.csv`; without a range, the day of the request in the asker's zone. */
export function fileName({ request, range, requestedAt, asker }: ReportResult): string {
  const days = range
    ? `${range.firstDay}_${range.lastDay}`
    : formatIsoDay(dayAt(Math.floor(requestedAt / 1000), asker.zone));
  return `${request.view ?? request.report}_${days}.${request.file ?? 'csv'}`;
}

/**
 * Notes on a file: whether people are left out, where no summary says so; for a workbook, the zone of its times, and
 * whether texts were cut.
 */
export function notesOnFile(result: ReportResult): readonly string[] {
  const { file, request, asker, figures, leavesOutPeople } = result;
  const isWorkbook = request.file === 'xlsx' && file;
  const cut = isWorkbook && file.cutCells;
  const cells = cut === 1 ? '1 cell was' : `${cut} cells were`;
  return compact(
    leavesOutPeople && !figures && 'Some people are left out.',
    isWorkbook && `Times are in ${asker.zone}.`,
    cut && `${cells} cut at 32,767 characters, the limit of Excel. A CSV has the whole text.`,
  );
}

/** True if a file holds what only some conversations may get: rows about learners, or members of nested objects. */
export function holdsPersonLevel(
  { report, file }: Pick<ReportResult, 'report' | 'file'>,
  personLevel: PersonLevel,
  released: ReleasedKeys,
): boolean {
  if (personLevel === 'allowed') return false;
  if (hasLearners(report)) return true;
  return (file?.columns ?? []).some(({ flag, member, holdsObjects }) => {
    const field = fieldOf(report, flag);
    return !field || holdsObjects || columnIsPersonLevel(field, member, released);
  });
}

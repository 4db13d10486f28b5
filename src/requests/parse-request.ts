import { type ReportName, reportNamed } from '../catalogue/index.js';
import { type Asked, filtersOf } from './asked.js';
import { reportWord } from './first-words.js';
import { readOptions } from './options.js';
import { isProblem, type Problem } from './problem.js';
import { reportFor } from './report-for.js';
import { plainRequest, type ReportRequest } from './request.js';
import type { Stretch } from './tokens.js';

/** A report's name in a command, or `overdue`, which is a cut of the assignments. */
export interface NamedReport {
  readonly report: ReportName;
  readonly overdueOnly: boolean;
  /** Where its name ends. */
  readonly end: number;
}

/** What the words after a report's name make of it. */
export interface RequestInWords {
  readonly request: ReportRequest;
  readonly skipEmpty: boolean;
}

/** The blank-free word at or after a place. */
export function wordAt(text: string, from: number): (Stretch & { readonly text: string }) | undefined {
  const word = /\S+/g;
  word.lastIndex = from;
  const found = word.exec(text);
  return found ? { text: found[0], start: found.index, end: word.lastIndex } : undefined;
}

/** The report that is named at a place, if one is. */
export function namedReportAt(text: string, from: number): NamedReport | undefined {
  const word = wordAt(text, from);
  if (!word) return undefined;
  if (word.text.toLowerCase() === 'overdue') {
    return { report: 'assignments', overdueOnly: true, end: word.end };
  }
  const report = reportWord(word.text);
  return report && { report, overdueOnly: false, end: word.end };
}

/** Reads the range and options of a named report. */
export function parseRequest(
  text: string,
  named: NamedReport,
  { until = text.length, scheduled = false } = {},
): RequestInWords | Problem {
  const { overdueOnly } = named;
  const asked = readOptions({
    text,
    from: named.end,
    until,
    report: reportFor(named),
    overdueOnly,
    scheduled,
  });
  if (isProblem(asked)) return asked;
  const plain = { ...plainRequest(named.report), overdueOnly };
  return { request: withAsked(plain, asked), skipEmpty: asked.skipEmpty };
}

/**
 * A request with words on top: they replace its range, columns, date field, sort and breakdown, and the entries of the
 * members that they name.
 */
export function withAsked(request: ReportRequest, asked: Asked): ReportRequest {
  const report = reportNamed(request.report);
  const { range, dateField, sort, by } = asked;
  const columns = asked.columns.size > 0 ? [...asked.columns] : undefined;
  const { dateField: dateBefore, ...others } = request;
  const dateKept = dateBefore === undefined || asked.byAssignedDate ? {} : { dateField: dateBefore };
  return {
    ...others,
    ...dateKept,
    ...(range === undefined ? {} : { range }),
    ...(dateField === undefined ? {} : { dateField }),
    ...(sort === undefined ? {} : { sort }),
    ...(columns ? { columns } : {}),
    ...(by === undefined ? {} : { by }),
    filters: filtersOf(asked, report, request.filters),
    csv: request.csv || asked.csv,
    toMe: request.toMe || asked.toMe,
  };
}

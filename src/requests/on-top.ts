import type { WordsOnTop } from './command.js';
import { readOptions } from './options.js';
import { type RequestInWords, withAsked } from './parse-request.js';
import { isProblem, type Problem } from './problem.js';
import { reportFor } from './report-for.js';
import type { ReportRequest } from './request.js';

/**
 * A saved request with the words that were typed on top of it: they replace its range, and the entries of the members
 * that they name.
 *
 * @param scheduled true where `skip-empty` has a meaning
 */
export function layOnTop(
  saved: ReportRequest,
  onTop: WordsOnTop,
  scheduled = false,
): RequestInWords | Problem {
  const { overdueOnly, dateField } = saved;
  const asked = readOptions({ ...onTop, report: reportFor(saved), overdueOnly, dateField, scheduled });
  return isProblem(asked) ? asked : { request: withAsked(saved, asked), skipEmpty: asked.skipEmpty };
}

import { ok, type Result, refused } from '../errors/failure.js';
import { unknownReport } from './corrections.js';
import { formatRequest, namedReportAt, parseRequest } from './parse-request.js';
import { type Problem, quoteTypedWord, replaceSpan } from './problem.js';
import { maxScorecardLines, type ReportRequest, type ScorecardLine } from './request.js';
import { findSavedName } from './saved-names.js';
import { type TextSpan, wordAt } from './tokens.js';

/** What a line cannot have: it is one sentence, in the place of the scorecard. */
const withoutPlace = ['columns', 'showRows', 'file', 'purpose', 'sort', 'over', 'figure'] as const;

/** A line with what stands beside its finding taken off: rows, files and where it goes. */
export function asLine(request: ReportRequest): ReportRequest {
  const {
    columns: _columns,
    showRows: _rows,
    file: _file,
    purpose: _purpose,
    sort: _sort,
    ...line
  } = request;
  return { ...line, toMe: false };
}

/** The words between semicolons that stand outside quotes, without blanks at their ends and without empty ones. */
export function linesIn(text: string, from = 0, until = text.length): readonly TextSpan[] {
  const line = /(?:"[^"]*"|[“”„‟][^“”„‟]*[“”„‟]|[^;"“”„‟])*/y;
  const read = text.slice(0, until);
  const lines: TextSpan[] = [];
  for (let start = from; start <= until; ) {
    line.lastIndex = start;
    line.test(read);
    // An open quote goes to the end, where the reader of its line finds it.
    const end = read[line.lastIndex] === ';' ? line.lastIndex : until;
    const typed = read.slice(start, end);
    const first = start + (typed.length - typed.trimStart().length);
    if (typed.trim() !== '') lines.push({ start: first, end: start + typed.trimEnd().length });
    start = end + 1;
  }
  return lines;
}

/** True if a text has several lines. */
export function hasSeveralLines(text: string, from: number): boolean {
  return linesIn(text, from).length > 1;
}

/**
 * Reads `overdue; Team pulse; tracks last-month` into the lines of a scorecard. Corrections contain the whole text.
 *
 * @param savedNames of the conversation; a saved report stands in a line by its name
 */
export function parseScorecard(
  text: string,
  from: number,
  name: string,
  savedNames: readonly string[],
): Result<ReportRequest, Problem> {
  const spans = linesIn(text, from);
  const beyond = spans[maxScorecardLines];
  if (beyond) {
    const word = quoteTypedWord(text.slice(beyond.start, beyond.end));
    return refused({ kind: 'scorecard', reason: 'too-many-lines', word });
  }
  const lines: ScorecardLine[] = [];
  for (const span of spans) {
    const line = readLine(text, span, savedNames);
    if (!line.ok) return line;
    lines.push(line.value);
  }
  return ok(scorecardOf(name, lines));
}

/** A scorecard of these lines. */
export function scorecardOf(name: string, lines: readonly ScorecardLine[]): ReportRequest {
  const own = lines.flatMap((line) => ('request' in line ? [line.request] : []));
  return { report: own[0]?.report ?? 'assignments', filters: [], scorecard: { name, lines }, toMe: false };
}

function readLine(
  text: string,
  { start, end }: TextSpan,
  savedNames: readonly string[],
): Result<ScorecardLine, Problem> {
  const line = text.slice(0, end);
  const named = namedReportAt(line, start);
  if (named) {
    const read = parseRequest(named.request, { text, from: named.end, until: end });
    return read.ok ? withPlaceLeft(text, { start, end }, read.value.request) : read;
  }
  const saved = findSavedName(line, start, savedNames);
  if (saved && saved.end === end) return ok({ name: saved.name });
  if (saved) {
    const rest = { start: saved.end, end };
    const word = quoteTypedWord(text.slice(rest.start, end).trim());
    return refused({
      kind: 'scorecard',
      reason: 'words-after-name',
      word,
      corrected: replaceSpan(text, rest, ''),
    });
  }
  const word = wordAt(line, start);
  if (!word) throw new Error('A line has a word');
  return refused(unknownReport(text, word));
}

/** The line, unless it has what only an answer of its own has. */
function withPlaceLeft(text: string, span: TextSpan, request: ReportRequest): Result<ScorecardLine, Problem> {
  const isWhole = !request.toMe && withoutPlace.every((part) => request[part] === undefined);
  if (isWhole) return ok({ request });
  const { over: _over, figure: _figure, ...kept } = asLine(request);
  return refused({
    kind: 'scorecard',
    reason: 'not-in-a-line',
    word: quoteTypedWord(text.slice(span.start, span.end)),
    corrected: replaceSpan(text, span, formatRequest(kept)),
  });
}

import { conditionField } from '../catalogue/conditions.js';
import { memberOf, type Report, reportNamed } from '../catalogue/index.js';
import { ok, type Result, refused } from '../errors/failure.js';
import { cadenceWord } from './cadence-words.js';
import { correctAllWords } from './correct-all-words.js';
import { readOptions } from './options.js';
import { parseCadence, scheduleMissing } from './parse-cadence.js';
import { signsPutRight } from './plain-signs.js';
import { leftOut, type Problem, replaceSpan } from './problem.js';
import { formatPurpose } from './purpose.js';
import {
  anyEntry,
  asksForAny,
  asksForOpen,
  evidenceRefusal,
  type FilterChoice,
  plainRequest,
  type ReportRequest,
  rangeForEvidence,
  reportForRequest,
  type ScorecardLine,
} from './request.js';
import type { RequestOptions } from './request-options.js';
import { formatConditionOption, orderedConditions, type RowCondition } from './row-conditions.js';
import { formatTarget } from './target.js';
import { compact } from './text.js';
import { quoteEntry, readTokens, wordAt } from './tokens.js';
import {
  memberName,
  qualifiedFilters,
  qualifiedName,
  reportWord,
  reportWords,
  viewWord,
  viewWords,
} from './vocabulary.js';

/** A parsed request, with the options of a digest. */
export interface ParsedRequest {
  readonly request: ReportRequest;
  readonly skipEmpty: boolean;
  /** Delete the last message of the digest when the next one is posted. */
  readonly replace?: true | undefined;
  /** Delete messages and files of the digest after so many days. */
  readonly keepDays?: number | undefined;
  /** Who gets the digest; absent: its channel. */
  readonly audience?: 'managers' | undefined;
}

/** Options typed after a saved report's name, as a range of the command's text. The saved report decides what they mean. */
export interface TypedOptions {
  readonly text: string;
  readonly from: number;
  readonly until: number;
}

/** The report or view that a command names, as a request, and where its name ends. */
export function namedReportAt(text: string, from: number) {
  const word = wordAt(text, from);
  if (!word) return undefined;
  const request = requestsByWord.get(word.text.toLowerCase());
  return request && { request, end: word.end };
}

const requestsByWord: ReadonlyMap<string, ReportRequest> = new Map(
  [...reportWords(), ...viewWords].map((word) => [
    word,
    { ...plainRequest(reportWord(word) ?? 'assignments'), view: viewWord(word) },
  ]),
);

/** A request with options applied: they replace its range, columns, date field, sort and breakdown, and the filters that they name. */
function withOptions(request: ReportRequest, options: RequestOptions): ReportRequest {
  const report = reportNamed(request.report);
  const { sort, by, states } = options;
  const columns = options.columns.size > 0 ? [...options.columns] : undefined;
  const { titles, filters, conditions } = options;
  const isNarrowed =
    titles.length + filters.size + conditions.length + request.filters.length > 0 ||
    request.titles ||
    request.conditions;
  const applied: ReportRequest = {
    ...request,
    ...datesOf(options, request),
    ...overTimeOf(options, request),
    states: states.size > 0 ? statesIn(report, states) : request.states,
    ...(isNarrowed && narrowedBy(options, report, request)),
    sort: sort ?? request.sort,
    columns: columns ?? request.columns,
    by: by ?? request.by,
    showRows: options.showRows ?? request.showRows,
    file: options.file ?? request.file,
    purpose: options.purpose ?? request.purpose,
    target: options.target ?? request.target,
    toMe: request.toMe || options.toMe,
  };
  if (asksForOpen(applied)) return applied;
  // A saved request may have asked for open states before, which alone take `suspended:any`.
  return { ...applied, filters: applied.filters.filter((choice) => !asksForAny(choice)) };
}

/** Applies typed options to a saved request. `skip-empty`, `replace` and `keep:` need `scheduled`. */
export function applyToSaved(
  saved: ReportRequest,
  onTop: TypedOptions,
  scheduled = false,
): Result<ParsedRequest, Problem> {
  const { text, until } = onTop;
  const read = (typed: string) =>
    parseRequest(saved, { ...onTop, text: typed, until: until + typed.length - text.length }, scheduled);
  const first = read(text);
  if (first.ok) return first;
  const cadence = scheduled
    ? undefined
    : readTokens(text, onTop.from, until).find(
        (token) => token.kind === 'word' && cadenceWord(token.text) && parseCadence(text, token.start).ok,
      );
  if (cadence && parseRequest(saved, { ...onTop, until: cadence.start }, true).ok)
    return refused(scheduleMissing(text, text.slice(cadence.start).trim()));
  const problem = correctAllWords(text, first.refusal, read);
  return refused(signsPutRight(text, problem, (plain) => read(plain).ok));
}

/** Applies typed options to a request, up to the first problem. */
export function parseRequest(
  saved: ReportRequest,
  onTop: TypedOptions,
  scheduled = false,
): Result<ParsedRequest, Problem> {
  if (saved.scorecard) return parseOnScorecard(saved, onTop, scheduled);
  const { view, dateField, states } = saved;
  const report = reportForRequest(saved);
  const options = readOptions({ ...onTop, report, view, dateField, states, saved, scheduled });
  if (!options.ok) return options;
  const { skipEmpty, replace, keepDays, toManagers } = options.value;
  const audience = toManagers && ('managers' as const);
  const request = withOptions(saved, options.value);
  const problem = request.file === 'evidence' && problemOfEvidence(request, onTop);
  return problem ? refused(problem) : ok({ request, skipEmpty, replace, keepDays, audience });
}

function problemOfEvidence(request: ReportRequest, { text, from, until }: TypedOptions): Problem | undefined {
  const why = evidenceRefusal(request);
  if (!why) return undefined;
  const word = 'evidence';
  if (why === 'no-range') {
    const [typed] = readTokens(text, from, until).filter(
      (token) => token.kind === 'word' && token.text.toLowerCase() === word,
    );
    return { kind: 'evidence-no-range', word, corrected: typed && replaceSpan(text, typed, 'csv') };
  }
  const range = rangeForEvidence(request);
  const corrected = `${text.slice(0, until).trimEnd()} ${range}${text.slice(until).replace(/^(?=\S)/, ' ')}`;
  return { kind: 'evidence-range-missing', word, nearest: range, corrected };
}

/** Of the words on top of a scorecard, only those count that leave its lines as they are. */
function parseOnScorecard(
  saved: ReportRequest,
  onTop: TypedOptions,
  scheduled: boolean,
): Result<ParsedRequest, Problem> {
  const { text, from, until } = onTop;
  for (const token of readTokens(text, from, until)) {
    const { name } = token.kind === 'option' ? token : { name: text.slice(token.start, token.end) };
    const leavesLines = scheduled ? /^(?:to|keep|skip-empty|replace)$/i : /^to$/i;
    if (leavesLines.test(name)) continue;
    return refused(
      leftOut({ kind: 'scorecard', reason: 'words-on-top' }, { ...token, text: undefined }, text),
    );
  }
  const options = readOptions({ ...onTop, report: reportNamed(saved.report), scheduled });
  if (!options.ok) return options;
  const { skipEmpty, replace, keepDays, toMe } = options.value;
  return ok({ request: { ...saved, toMe: saved.toMe || toMe }, skipEmpty, replace, keepDays });
}

function statesIn(report: Report, chosen: ReadonlySet<string>) {
  return report.states.map(({ name }) => name).filter((name) => chosen.has(name));
}

/** `over:` and a range replace each other. */
function overTimeOf(options: RequestOptions, before: ReportRequest): Partial<ReportRequest> {
  const over = options.over ?? (options.rangeSpan ? undefined : before.over);
  const against = options.against ?? before.against;
  if (over === undefined) return { over, figure: undefined, against };
  return { over, figure: options.figure ?? before.figure, against, range: undefined, assigned: undefined };
}

/** `assigned:` and `on:` replace each other, with the range that the other was about. `due` has no choice of dates. */
function datesOf(
  { range, assigned, dateField, byAssignedDate }: RequestOptions,
  { view, ...before }: ReportRequest,
) {
  if (view === 'due') {
    return { range: range ?? before.range, assigned: assigned ?? before.assigned, dateField: undefined };
  }
  if (assigned !== undefined || byAssignedDate) {
    const kept = before.dateField === undefined || before.dateField === 'due_date' ? before.range : undefined;
    return { range: range ?? kept, assigned, dateField: undefined };
  }
  return {
    range: range ?? before.range,
    assigned: dateField === undefined ? before.assigned : undefined,
    dateField: dateField ?? before.dateField,
  };
}

/**
 * The typed titles, filters and conditions on top of the earlier ones, in the order of the catalogue. What is typed for a
 * member replaces its earlier entries, titles and conditions.
 */
function narrowedBy(
  { titles, filters, conditions }: RequestOptions,
  report: Report,
  before: ReportRequest,
): Pick<ReportRequest, 'titles' | 'filters' | 'conditions'> {
  const { titleFilters } = report;
  const typedConditions = conditions.map(({ condition }) => condition);
  const replaced = new Set(filters.keys());
  const replace = (one: Parameters<typeof memberOf>[1]) => {
    const known = memberOf(report, one);
    if (known) replaced.add(qualifiedName(known.object, known.member));
  };
  for (const { option, ...target } of titleFilters)
    if (titles.some((title) => title.option === option)) replace(target);
  const membersOf = ({ field }: RowCondition) =>
    (conditionField(report, field)?.members ?? []).map(({ object, member }) => qualifiedName(object, member));
  for (const name of typedConditions.flatMap(membersOf)) replaced.add(name);
  const chosen: FilterChoice[] = [];
  const kept = new Set(before.titles);
  for (const { name, object, member } of qualifiedFilters(report)) {
    const isThis = (one: { readonly object: string; readonly member: string }) =>
      one.object === object.name && one.member === member.name;
    const typed = filters.get(name);
    if (typed) chosen.push({ object: object.name, member: member.name, entries: [...typed] });
    if (!replaced.has(name)) {
      chosen.push(...before.filters.filter(isThis));
      continue;
    }
    const options = titleFilters.filter(isThis).map(({ option }) => option);
    for (const title of kept) if (options.includes(title.option)) kept.delete(title);
  }
  const all = [...kept, ...titles];
  const inOrder = titleFilters.flatMap(({ option }) => all.filter((title) => title.option === option));
  const isReplaced = (condition: RowCondition) =>
    typedConditions.some(({ field }) => field === condition.field) ||
    membersOf(condition).some((name) => replaced.has(name));
  const keptConditions = (before.conditions ?? []).filter((condition) => !isReplaced(condition));
  const together = orderedConditions(report, [...keptConditions, ...typedConditions]);
  return {
    titles: inOrder.length > 0 ? inOrder : undefined,
    filters: chosen,
    conditions: together.length > 0 ? together : undefined,
  };
}

/** A request as the words after `/report`. Parsing them gives the same request. */
export function formatRequest(request: ReportRequest): string {
  if (request.scorecard)
    return compact(formatLines(request.scorecard.lines), request.toMe && 'to:me').join(' ');
  const { range, assigned, over, figure, against, states, columns, dateField, sort, by } = request;
  const { target, purpose } = request;
  return compact(
    request.view ?? request.report,
    range,
    assigned && `assigned:${assigned}`,
    over && `over:${over}`,
    figure && `figure:${figure}`,
    against && `against:${against}`,
    states && `only:${states.join(',')}`,
    request.titles && formatTitleOptions(request),
    request.filters.map((choice) => formatFilterOption(request, choice)),
    request.conditions?.map((condition) => formatConditionOption({ name: request.report }, condition)),
    columns && `fields:${columns.join(',')}`,
    dateField && `on:${dateField}`,
    sort && `sort:${sort}`,
    by && `by:${by}`,
    request.showRows && 'rows',
    request.file,
    target && `target:${formatTarget(target)}`,
    purpose && formatPurpose(purpose),
    request.toMe && 'to:me',
  ).join(' ');
}

/** `overdue; Team pulse; tracks last-month` */
function formatLines(lines: readonly ScorecardLine[]): string {
  return lines.map((line) => ('request' in line ? formatRequest(line.request) : line.name)).join('; ');
}

/** `content:"GDPR basics",Fire` */
function formatTitleOptions({ report, titles = [] }: ReportRequest): readonly string[] {
  return reportNamed(report).titleFilters.flatMap(({ option }) => {
    const chosen = titles.filter((title) => title.option === option);
    return chosen.length === 0 ? [] : [`${option}:${chosen.map(({ text }) => quoteEntry(text)).join(',')}`];
  });
}

/** `departments:Sales,"Field Operations"` */
function formatFilterOption(request: ReportRequest, choice: FilterChoice): string {
  const { object, member, entries } = choice;
  const report = reportNamed(request.report);
  const known = memberOf(report, choice);
  const name = known ? memberName(report, known.object, known.member) : `${object}.${member}`;
  const typed = known?.member.kind === 'yes-no' ? entries.map(formatYesOrNo) : entries.map(quoteEntry);
  return `${name}:${typed.join(',')}`;
}

function formatYesOrNo(entry: string): string {
  if (entry === anyEntry) return entry;
  return entry === 'true' ? 'yes' : 'no';
}

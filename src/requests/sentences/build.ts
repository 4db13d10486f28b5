import { addDays } from 'date-fns/addDays';
import { fieldOf, type Report, reportNamed } from '../../catalogue/index.js';
import { addUnits, type CalendarUnit, dayAt } from '../../time/calendar.js';
import { previousPeriod, resolveRange } from '../date-range.js';
import { parseCommand } from '../parse-command.js';
import { formatRequest } from '../parse-request.js';
import {
  asksForOpen,
  type FilterChoice,
  ownRangeOfEvidence,
  plainRequest,
  type ReportRequest,
  type ResolvedRange,
  reportForRequest,
} from '../request.js';
import { optionsOf, qualifiedFilters } from '../vocabulary.js';
import { endOfUnits, spanWords, wordsOfSpan } from './dates.js';
import { type Fact, factsOf, hasFact, type SpokenRange } from './facts.js';
import { alsoKnownAs, isAssigned, isSelf, nextFact, type Subject, strongReports } from './subjects.js';
import type { Moment } from './words.js';

/** All requests that the facts can mean for a subject; none if something in them does not fit it. */
export function requestsFor(
  facts: readonly Fact[],
  subject: Subject,
  moment: Moment,
): readonly ReportRequest[] {
  const { above, view } = subject;
  const report = reportNamed(subject.report);
  const base: ReportRequest = {
    ...(above ?? { ...plainRequest(report.name), view }),
    ...typedDateField(facts),
  };
  const parts = {
    states: statesFor(facts, subject),
    titles: titlesFor(facts, report),
    by: breakdownFor(facts, report),
    filters: filtersFor(facts, subject),
    columns: columnsFor(facts, report),
    sorts: sortsFor(facts, report, base.view),
    ranges: rangesFor(facts, base, moment),
  };
  const fits = Object.values(parts).every((part) => part !== undefined);
  // Who came is in no report. With a title, its sessions say how many.
  const asksForPeople = hasFact(facts, 'people') && report.name === 'workshops' && !hasFact(facts, 'title');
  // `overdue` and `due` mean not completed.
  const contradicts = base.view && parts.states?.some((state) => state === 'completed' || state === 'late');
  const files = factsOf(facts, 'file');
  const [format, another] = new Set(files.filter(({ weakly }) => !weakly).map(({ file }) => file));
  if (!fits || asksForPeople || contradicts || another) return [];
  const { states = [], titles = [], by = [], filters = [], columns = [], sorts = [], ranges = [] } = parts;
  const file = format ?? files.at(-1)?.file ?? base.file;
  const request: ReportRequest = {
    ...base,
    states: states.length > 0 ? states : base.states,
    titles: titles.length > 0 ? titles : base.titles,
    by: by[0] ?? base.by,
    columns: columns.length > 0 ? columns : base.columns,
    sort: sorts[0] ?? base.sort,
    filters: mergedFilters(base.filters, filters, report),
    showRows: wantsRows(facts, file !== undefined) || base.showRows ? true : undefined,
    file,
    toMe: base.toMe || hasFact(facts, 'to-me'),
    assigned: assignedFor(facts, base) ?? base.assigned,
  };
  const dateField = dateFieldFor(facts, request) ?? request.dateField;
  // Evidence names its range, so that of the default is shown before anything runs.
  const ownRange = base.range ?? ownRangeOfEvidence(request);
  return (ranges.length > 0 ? ranges : [ownRange])
    .map((range) => ({ ...request, dateField, range }))
    .filter((made) => made.range === undefined || resolved(made.range, made, moment) !== undefined);
}

/** `on:due_date` decides which ranges there are, and what a range is about. */
function typedDateField(facts: readonly Fact[]) {
  const option = factsOf(facts, 'option').find(({ text }) => /^on:/i.test(text));
  const dateField = /^on:\s*"?(\w+)/i.exec(option?.text ?? '')?.[1]?.toLowerCase();
  return dateField === undefined ? {} : { dateField };
}

/** The range of a request that is made now; undefined: there is none. */
function resolved(
  words: string | undefined,
  request: ReportRequest,
  { now, zone, weekStart }: Moment,
): ResolvedRange | undefined {
  if (words === undefined) return undefined;
  const range = resolveRange(words, reportForRequest(request), now, zone, weekStart);
  return range.ok ? range.value : undefined;
}

/** The values, each once; undefined if one of them is missing, or there are too many. */
function allOf<Value>(
  values: readonly (Value | undefined)[],
  max = Number.POSITIVE_INFINITY,
): readonly Value[] | undefined {
  const once = [...new Set(values)];
  const known = once.filter((value) => value !== undefined);
  return known.length === once.length && known.length <= max ? known : undefined;
}

function statesFor(facts: readonly Fact[], { report, view }: Subject): readonly string[] | undefined {
  const found = allOf(factsOf(facts, 'state').map(({ states }) => states[report]));
  if (!found) return undefined;
  if (found.length > 1 && factsOf(facts, 'state').some(({ isAlone }) => isAlone)) return undefined;
  const wanted = new Set(found);
  // `completed … late` is one state.
  if (wanted.has('late') || hasFact(facts, 'share')) wanted.delete('completed');
  // A share is a figure of all rows.
  if (hasFact(facts, 'share')) for (const state of ['active', 'passed']) wanted.delete(state);
  // What is overdue or due is not completed.
  if (view) wanted.delete('not-completed');
  return reportNamed(report).states.flatMap(({ name }) => (wanted.has(name) ? [name] : []));
}

function titlesFor(facts: readonly Fact[], { titleFilters }: Report): ReportRequest['titles'] | undefined {
  const options = titleFilters.map(({ option }) => option);
  const titles = factsOf(facts, 'title').map(({ option, text }) => {
    const other = option && alsoKnownAs[option];
    // An assignment can be of a track. Then `content:` takes the title of the track.
    const isFirst =
      option === undefined || options.includes(option === 'track' ? 'content' : (other ?? option));
    const first = isFirst ? options[0] : undefined;
    const known = option && options.includes(option) ? option : first;
    return known && { option: known, text };
  });
  return allOf(titles);
}

/** The columns that are named; undefined: the report does not have one of them. */
function columnsFor(facts: readonly Fact[], report: Report) {
  const named = factsOf(facts, 'columns').flatMap(({ columns }) => columns);
  const isColumn = (flag: string) => fieldOf(report, flag) !== undefined;
  const columns = allOf(named.map((possible) => possible.find((all) => all.split(' ').every(isColumn))));
  return columns && [...new Set(columns.flatMap((all) => all.split(' ')))];
}

function sortsFor(
  facts: readonly Fact[],
  { sorts }: Report,
  view: ReportRequest['view'],
): readonly string[] | undefined {
  const asked = factsOf(facts, 'sort').filter((sort) => sort.view === undefined || sort.view !== view);
  return allOf(
    asked.map(({ flags }) => flags.find((flag) => sorts.includes(flag))),
    1,
  );
}

/** The field of the breakdown, if one is asked for; undefined: the report has no such field, or there are two. */
function breakdownFor(facts: readonly Fact[], report: Report) {
  const wanted = factsOf(facts, 'by').map(({ by }) => by.find((flag) => fieldOf(report, flag)));
  const compared =
    hasFact(facts, 'compare') && wanted.length === 0 ? comparedMember(facts, report) : undefined;
  return allOf(compared === undefined ? wanted : [compared], 1);
}

/** `compare Sales and HR`: the member whose entries are compared. */
function comparedMember(facts: readonly Fact[], report: Report): string | undefined {
  const entries = factsOf(facts, 'value');
  const [member, another] = new Set(entries.map((entry) => entry.member));
  if (member === undefined || another !== undefined || entries.length < 2) return undefined;
  const known = optionsOf(report).get(member);
  const field = known?.kind === 'filter' ? known.member.valueSources?.[0]?.field : undefined;
  return field !== undefined && fieldOf(report, field) ? field : undefined;
}

/** The entries by member, in the terms of the report. */
function filtersFor(facts: readonly Fact[], { report, view }: Subject): readonly FilterChoice[] | undefined {
  const options = optionsOf(reportNamed(report));
  const chosen = new Map<string, FilterChoice>();
  const isManagerMissing = facts.some((fact, index) => {
    const next = facts[index + 1];
    return fact.kind === 'managed-by' && !(next?.kind === 'filter' && next.member === 'email');
  });
  if (isManagerMissing) return undefined;
  const said = [...managedPeople(facts), ...factsOf(facts, 'value')];
  const typesStates = factsOf(facts, 'option').some(({ text }) => /^only:/i.test(text));
  const canBeAny = typesStates || asksForOpen({ report, view, states: statesFor(facts, { report, view }) });
  const isTeam = said.some(({ member }) => member === 'manager_email');
  for (const { member, entry } of said) {
    // “Who do I have in my team”: the asker is not one of them.
    if (isTeam && isSelf({ member, entry })) continue;
    const meaning = options.get(member);
    if (meaning?.kind !== 'filter' || entry.includes(',')) return undefined;
    const isYesNo = meaning.member.kind === 'yes-no';
    if (entry === 'any' && isYesNo && !canBeAny) return undefined;
    const stored = isYesNo ? ({ yes: 'true', no: 'false' }[entry] ?? entry) : entry;
    const entries = [...new Set([...(chosen.get(member)?.entries ?? []), stored])];
    if (isYesNo && entries.length > 1) return undefined;
    chosen.set(member, { object: meaning.object.name, member: meaning.member.name, entries });
  }
  return [...chosen.values()];
}

/** The filters; an address after “reporting to” is that of the manager. */
function managedPeople(facts: readonly Fact[]) {
  return facts.flatMap((fact, index) => {
    if (fact.kind !== 'filter') return [];
    const isManager = fact.member === 'email' && facts[index - 1]?.kind === 'managed-by';
    return isManager ? [{ ...fact, member: 'manager_email' }] : [fact];
  });
}

/** In the order of the catalogue. A member that is said replaces the entries it had. */
function mergedFilters(before: readonly FilterChoice[], said: readonly FilterChoice[], report: Report) {
  return qualifiedFilters(report).flatMap(({ object, member }) => {
    const isThis = (choice: FilterChoice) => choice.object === object.name && choice.member === member.name;
    return said.find(isThis) ?? before.find(isThis) ?? [];
  });
}

function wantsRows(facts: readonly Fact[], hasFile: boolean): boolean {
  if (factsOf(facts, 'rows').some(({ always }) => always)) return true;
  const asks = facts.find((fact) => fact.kind === 'people' || (fact.kind === 'what' && fact.counts));
  return !hasFile && (asks?.kind === 'people' || hasFact(facts, 'which', 'rows'));
}

/** `assignments completed in march`: the range is about the completed date. */
function dateFieldFor(facts: readonly Fact[], { report, view }: ReportRequest): string | undefined {
  if (view) return undefined;
  const dates = reportNamed(report).dateField?.choices.map(({ flag }) => flag) ?? [];
  const [field] = factsOf(facts, 'date-field');
  if (field && dates.includes(field.flag)) return field.flag;
  const isAssignedIn = facts.some((_, index) => isAssigned(facts, index));
  if (isAssignedIn && report === 'tracks') return 'assigned_date';
  const isDoneIn = facts.some((fact, index) => {
    const isDone = fact.kind === 'state' && fact.states[report] === 'completed';
    return isDone && nextFact(facts, index)?.kind === 'range';
  });
  if (!isDoneIn || !strongReports(facts).includes(report)) return undefined;
  return { assignments: 'completed_date', tracks: 'track_completed_date' }[report as string];
}

function assignedFor(facts: readonly Fact[], { view }: ReportRequest): string | undefined {
  const range = facts.find((_, index) => isAssigned(facts, index));
  return view !== undefined && range?.kind === 'range' ? range.range.past[0] : undefined;
}

/** The possible ranges; none: no range is said. Undefined: what is said is no range of the report. */
function rangesFor(facts: readonly Fact[], request: ReportRequest, moment: Moment) {
  const { view } = request;
  const ofAssigned = facts.filter((_, index) => isAssigned(facts, index));
  const ranges = factsOf(view ? facts.filter((fact) => !ofAssigned.includes(fact)) : facts, 'range');
  const [first, second, third] = ranges.map(({ range }) => range);
  const [before] = factsOf(facts, 'before');
  if (before && !first) return unitBefore(before.unit, request, moment);
  if (before) {
    // Every answer is compared with the unit before.
    const isItsUnit = first?.past.some((words) => words.endsWith(`-${before.unit}`));
    return hasFact(facts, 'compare') && !second && isItsUnit ? first?.past : undefined;
  }
  if (!first) return [];
  const { range } = reportForRequest(request);
  const hasFuture = view === 'due' || (range?.hasFuture ?? false);
  const possible = (spoken: SpokenRange) => (hasFuture ? spoken.future : spoken.past);
  // “Overdue today” means overdue now.
  const isNow = view === 'overdue' && request.dateField === undefined;
  const fell = factsOf(facts, 'view').some((said) => said.fell);
  if (isNow && !fell && !second && first.past[0] === 'today') return [];
  if (third || !range) return undefined;
  if (!second) {
    const today = dayAt(Math.floor(moment.now / 1000), moment.zone);
    const words = first.last && hasFuture ? [spanWords(today, first.last)] : possible(first);
    return words.length > 0 ? words : undefined;
  }
  const [start, end] = first.last ? [second, first] : [first, second];
  if (start.first && end.last) return [spanWords(start.first, end.last)];
  if (!hasFact(facts, 'compare')) return undefined;
  return comparedRange(possible(first)[0], possible(second)[0], request, moment);
}

/** The unit before the range of the answer above. */
function unitBefore(
  unit: CalendarUnit,
  { range, report }: ReportRequest,
  moment: Moment,
): readonly string[] | undefined {
  const { zone } = moment;
  const above = resolved(range, plainRequest(report), moment);
  if (!above) return undefined;
  const first = dayAt(above.from, zone);
  const last = dayAt(above.until - 1, zone);
  const isWhole = last.getTime() === endOfUnits(first, unit).getTime();
  const end = isWhole ? addDays(first, -1) : addUnits(last, unit, -1);
  return [wordsOfSpan(addUnits(first, unit, -1), end)];
}

/** `this month compared with last month`: the later of the two, since it is compared with the one before anyway. */
function comparedRange(
  first: string | undefined,
  second: string | undefined,
  request: ReportRequest,
  moment: Moment,
) {
  const [one, two] = [first, second].map((words) => resolved(words, request, moment));
  if (!one || !two) return undefined;
  const [later, earlier] = one.from > two.from ? [one, two] : [two, one];
  const before = previousPeriod(later, {
    requestedAt: moment.now,
    weekStart: moment.weekStart,
    hasFuture: reportForRequest(request).range?.hasFuture ?? false,
  });
  return before?.firstDay === earlier.firstDay ? [later.words] : undefined;
}

/** The command of a request with options on top, in its canonical words; undefined if it is none. */
export function commandOfRequest(request: ReportRequest, options: readonly string[]): string | undefined {
  const parsed = parseCommand([formatRequest(request), ...options].join(' '), { savedNames: [] });
  return parsed.ok && parsed.value.kind === 'run' ? formatRequest(parsed.value.request) : undefined;
}

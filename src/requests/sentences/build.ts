import { addDays } from 'date-fns/addDays';
import {
  allReports,
  fieldOf,
  type Report,
  type ReportName,
  reportNamed,
  type TitleOption,
} from '../../catalogue/index.js';
import { addUnits, type CalendarDay, type CalendarUnit, dayAt, type WeekStart } from '../../time/calendar.js';
import { previousPeriod, resolveRange } from '../date-range.js';
import { parseCommand } from '../parse-command.js';
import { formatRequest } from '../parse-request.js';
import { type FilterChoice, plainRequest, type ReportRequest, type RequestView } from '../request.js';
import { asksForOpen, reportForRequest } from '../request-defaults.js';
import { optionsOf } from '../vocabulary.js';
import type { Fact } from './lexicon.js';
import { type SpokenRange, spanWords, wordsOfSpan } from './ranges.js';

type FactOf<Kind extends Fact['kind']> = Extract<Fact, { readonly kind: Kind }>;

/** The moment and the zone of the ranges of a sentence. */
export interface Moment {
  readonly now: number;
  readonly zone: string;
  readonly weekStart: WeekStart;
  readonly today: CalendarDay;
}

/** A report, or a view of the assignments. */
export interface Subject {
  readonly report: ReportName;
  readonly view?: RequestView | undefined;
}

/**
 * Resolves facts that depend on others. “To do” with a range means due in it, and otherwise not completed.
 *
 * @param asksWhether the sentence asks for yes or no: “did I pass”. Then the state is the question and not a filter.
 */
export function settleFacts(facts: readonly Fact[], asksWhether: boolean): readonly Fact[] {
  const isNamed = strongReports(facts).length > 0 || has(facts, 'view');
  const isState = asksWhether && !has(facts, 'people') && !has(facts, 'range');
  const isTrack = factsOf(facts, 'title').some(({ option }) => option === 'track');
  return facts.flatMap((fact, index): readonly Fact[] => {
    if (fact.kind === 'to-me' && isAssignedTo(facts[index - 1])) return [self];
    if (fact.kind === 'to-do') return [has(facts, 'range') && !isNamed ? due : openOf(isTrack)];
    if (fact.kind === 'state') {
      if (fact.ofPeople && !has(facts, 'people')) return [{ kind: 'report', report: 'engagement' }];
      if (asksWhether && !has(facts, 'people') && fact.states.engagement === 'active') return [activity];
      if (isState && fact.states.completions !== undefined) return [{ kind: 'share' }];
      if (isState && fact.states.assessments === 'passed') return [results];
      if (isState && fact.states.assessments === 'failed' && isAboutSelf(facts)) return [results];
    }
    if (fact.kind === 'filler' && fact.isDid && isDoneTitle(facts, index)) return [completed];
    if (fact.kind !== 'upcoming') return [fact];
    const range: readonly Fact[] = has(facts, 'range') ? [] : [soon];
    return isNamed || impliedReports(facts).length > 0 ? range : [due, ...range];
  });
}

/** In `assigned to me`, “to me” means the learner, not where the answer goes. */
function isAssignedTo(before: Fact | undefined): boolean {
  return before?.kind === 'report' && before.report === 'assignments' && before.weakly === true;
}

const self: Fact = { kind: 'filter', member: 'email', entry: 'me' };
const due: Fact = { kind: 'view', view: 'due' };
const activity: Fact = { kind: 'report', report: 'engagement', weakly: true };
const results: Fact = { kind: 'report', report: 'assessments', weakly: true };

const completed: Fact = {
  kind: 'state',
  states: { assignments: 'completed', tracks: 'completed', completions: '' },
};

/** “Who did Fire Safety” */
function isDoneTitle(facts: readonly Fact[], index: number): boolean {
  const next = facts.slice(index + 1).find(({ kind }) => kind !== 'filler');
  return next?.kind === 'title' && facts.slice(0, index).some(({ kind }) => kind === 'people');
}

function openOf(isTrack: boolean): Fact {
  const name = 'not-completed';
  return { kind: 'state', states: isTrack ? { assignments: name, tracks: name } : { assignments: name } };
}

function isAboutSelf(facts: readonly Fact[]): boolean {
  return factsOf(facts, 'filter').some(({ member, entry }) => member === 'email' && entry === 'me');
}

const soon: Fact = { kind: 'range', range: { past: [], future: ['next-30-days'] } };

/** The facts of one kind, in the order of the sentence. */
export function factsOf<Kind extends Fact['kind']>(
  facts: readonly Fact[],
  kind: Kind,
): readonly FactOf<Kind>[] {
  return facts.filter((fact): fact is FactOf<Kind> => fact.kind === kind);
}

function has(facts: readonly Fact[], kind: Fact['kind']): boolean {
  return facts.some((fact) => fact.kind === kind);
}

/** True if a sentence says by itself which report it is about. */
export function namesReport(facts: readonly Fact[]): boolean {
  return has(facts, 'view') || strongReports(facts).length > 0;
}

const reportOfThing: Readonly<Record<TitleOption, ReportName | undefined>> = {
  content: undefined,
  track: 'tracks',
  assessment: 'assessments',
  workshop: 'workshops',
};

function strongReports(facts: readonly Fact[]): readonly ReportName[] {
  const named = facts.flatMap((fact): readonly (ReportName | undefined)[] => {
    if (fact.kind === 'report' && !fact.weakly) return [fact.report];
    if (fact.kind === 'thing') return [reportOfThing[fact.option]];
    if (fact.kind === 'by' && fact.of) return [reportOfThing[fact.of]];
    return [];
  });
  return [...new Set(named.filter((report) => report !== undefined))];
}

/** The subjects that the facts can be about, the likeliest first; none: no report is named, or they contradict. */
export function subjectsOf(facts: readonly Fact[]): readonly Subject[] {
  const views = [...new Set(factsOf(facts, 'view').map(({ view }) => view))];
  const strong = strongReports(facts);
  const [view] = views;
  if (view) {
    const fits = views.length === 1 && strong.every((report) => report === 'assignments');
    return fits ? [{ report: 'assignments', view }] : [];
  }
  if (strong.length > 0) return strong.map((report) => ({ report }));
  return impliedReports(facts).map((report) => ({ report }));
}

/** “Tracks and assessments” are two requests. “Track completions” can mean either. */
export function joinsTwo(facts: readonly Fact[]): boolean {
  let named: string | undefined;
  let weak: string | undefined;
  let isJoined = false;
  let asksAgain = false;
  for (const fact of facts) {
    if (fact.kind === 'filler' && fact.isJoint) isJoined = true;
    if (isJoined && /^(?:people|which|what)$/.test(fact.kind)) asksAgain = true;
    if (fact.kind === 'report' && fact.weakly) weak ??= fact.report;
    const subject = fact.kind === 'view' ? fact.view : strongReports([fact])[0];
    if (subject === undefined) continue;
    const before = named ?? (asksAgain ? weak : undefined);
    const isSame =
      subject === before || (subject === 'assignments' && /^(?:overdue|due)$/.test(before ?? ''));
    if (before !== undefined && isJoined && !isSame) return true;
    named ??= subject;
    isJoined = false;
  }
  return false;
}

/** True if two reports are named, or two ranges that make no range together. */
export function namesTwo(facts: readonly Fact[]): boolean {
  const views = new Set(factsOf(facts, 'view').map(({ view }) => view));
  const isOfOther = factsOf(facts, 'state').some(({ states }) => states.assignments === undefined);
  const ofView = views.size > 0 && (views.size > 1 || isOfOther);
  const ranges = facts.filter(
    (fact, index) =>
      fact.kind === 'range' && !fact.range.first && !fact.range.last && !isAssigned(facts, index),
  );
  return ofView || strongReports(facts).length > 1 || (ranges.length > 1 && !has(facts, 'compare'));
}

const reportsWithOption = (option: TitleOption | undefined): readonly ReportName[] =>
  allReports
    .filter(({ titleFilters }) => titleFilters.some((title) => title.option === (option ?? 'content')))
    .map(({ name }) => name);

/** The reports that take a title; where it is known which of them have it, only those. */
export function reportsWithTitle({ option, reports = [] }: FactOf<'title'>): readonly ReportName[] {
  const possible = reportsWithOption(option);
  const held = possible.filter((name) => reports.includes(name));
  return held.length > 0 ? held : possible;
}

/** What can be assigned is known by its title as content too: a test that was not done is one of the assignments. */
const alsoKnownAs: Readonly<Partial<Record<TitleOption, TitleOption>>> = {
  content: 'assessment',
  assessment: 'content',
};

/** The reports that states, titles and things allow, without one being named. */
function impliedReports(facts: readonly Fact[]): readonly ReportName[] {
  const weak = factsOf(facts, 'report').map(({ report }) => report);
  const states = factsOf(facts, 'state').map((state) => Object.keys(state.states));
  const titles = factsOf(facts, 'title');
  const limits = [...states, ...titles.map(reportsWithTitle)];
  const within = (all: readonly (readonly string[])[]) =>
    allReports.map(({ name }) => name).filter((name) => all.every((limit) => limit.includes(name)));
  const exact = within(limits);
  const possible = exact.length > 0 ? exact : within([...states, ...titles.map(reportsWithThing)]);
  const narrow = (to: readonly ReportName[]) => {
    const both = possible.filter((name) => to.includes(name));
    return both.length > 0 ? both : possible;
  };
  if (limits.length === 0) {
    if (has(facts, 'thing'))
      return weak.some((name) => contentReports.includes(name)) ? weak : contentReports;
    if (weak.length > 0) return weak.slice(0, 1);
    if (has(facts, 'share')) return ['assignments'];
    return has(facts, 'compare') ? ['engagement'] : [];
  }
  if (weak.some((name) => possible.includes(name))) return narrow(weak);
  // Progress in a training is that of its assignments.
  if (weak.includes('tracks')) return narrow(['assignments']);
  if (has(facts, 'share')) return narrow(['assignments', 'tracks']);
  const isDone = factsOf(facts, 'state').some(({ states }) => states.completions !== undefined);
  if (isDone) return reportsOfDone(facts, narrow);
  if (titles.some(({ option }) => option === 'track')) return narrow(['tracks']);
  return has(facts, 'thing') && has(facts, 'state') ? narrow(contentReports) : possible;
}

function reportsWithThing({ option }: FactOf<'title'>): readonly ReportName[] {
  const other = option && alsoKnownAs[option];
  return [...reportsWithOption(option), ...(other ? reportsWithOption(other) : [])];
}

const contentReports: readonly ReportName[] = ['assignments', 'completions'];

/** Completions tell what was finished in a range; assignments and tracks tell who has finished something at all. */
function reportsOfDone(
  facts: readonly Fact[],
  narrow: (to: readonly ReportName[]) => readonly ReportName[],
): readonly ReportName[] {
  if (factsOf(facts, 'title').some(({ option }) => option === 'track')) return narrow(['tracks']);
  const asksForPeople = has(facts, 'people') || factsOf(facts, 'title').length > 0;
  return has(facts, 'range') || !asksForPeople ? narrow(['completions']) : narrow(contentReports);
}

/** How strictly facts become a request. */
export interface BuildOptions {
  readonly moment: Moment;
  /** The request of an answer, whose parts are kept where the facts do not say otherwise. */
  readonly context?: ReportRequest | undefined;
}

/** All requests that the facts can mean for a subject; none if something in them does not fit it. */
export function requestsFor(
  facts: readonly Fact[],
  subject: Subject,
  options: BuildOptions,
): readonly ReportRequest[] {
  const { context } = options;
  const report = reportNamed(subject.report);
  const base: ReportRequest = {
    ...(context ?? { ...plainRequest(subject.report), view: subject.view }),
    ...typedDateField(facts),
  };
  const parts = {
    states: statesFor(facts, subject),
    titles: titlesFor(facts, subject.report),
    by: breakdownFor(facts, subject.report),
    filters: filtersFor(facts, subject),
    columns: columnsFor(facts, report),
    sorts: sortsFor(facts, report, base.view),
    ranges: rangesFor(base.view ? withoutAssigned(facts) : facts, base, options),
  };
  const fits = Object.values(parts).every((part) => part !== undefined);
  // Who came is in no report. With a title, its sessions say how many.
  const asksForPeople = has(facts, 'people') && report.name === 'workshops' && !has(facts, 'title');
  // `overdue` and `due` mean not completed.
  const contradicts = base.view !== undefined && parts.states?.some((state) => closedStates.has(state));
  if (!fits || asksForPeople) return [];
  if (contradicts) return [];
  const { states = [], titles = [], by = [], filters = [], columns = [], sorts = [], ranges = [] } = parts;
  const files = factsOf(facts, 'file');
  const formats = new Set(files.filter(({ weakly }) => !weakly).map(({ file }) => file));
  if (formats.size > 1) return [];
  const file = [...formats][0] ?? files.at(-1)?.file ?? base.file;
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
    toMe: base.toMe || has(facts, 'to-me'),
  };
  const dateField = dateFieldFor(facts, request) ?? request.dateField;
  return (ranges.length > 0 ? ranges : [base.range])
    .map((range) => ({ ...request, dateField, range, assigned: assignedFor(facts, base) ?? base.assigned }))
    .filter((made) => isPossible(made, options.moment));
}

/** `on:due_date` decides which ranges there are, and what a range is about. */
function typedDateField(facts: readonly Fact[]): Pick<ReportRequest, 'dateField'> {
  const option = factsOf(facts, 'option').find(({ text }) => /^on:/i.test(text));
  const dateField = /^on:\s*"?(\w+)/i.exec(option?.text ?? '')?.[1]?.toLowerCase();
  return dateField === undefined ? {} : { dateField };
}

/** True for a range that exists now. */
function isPossible(request: ReportRequest, { now, zone, weekStart }: Moment): boolean {
  if (request.range === undefined) return true;
  const report = reportForRequest(request);
  return report.range !== undefined && resolveRange(request.range, report, now, zone, weekStart).ok;
}

const closedStates: ReadonlySet<string> = new Set(['completed', 'late']);

function statesFor(facts: readonly Fact[], { report, view }: Subject): readonly string[] | undefined {
  const asksForShare = has(facts, 'share');
  const found = factsOf(facts, 'state').map(({ states }) => states[report]);
  if (found.some((state) => state === undefined)) return undefined;
  const wanted = new Set(found.filter((state) => state && !(asksForShare && state === 'completed')));
  // `completed … late` is one state.
  if (wanted.has('late')) wanted.delete('completed');
  // What is overdue or due is not completed.
  if (view) wanted.delete('not-completed');
  return reportNamed(report)
    .states.map(({ name }) => name)
    .filter((name) => wanted.has(name));
}

function titlesFor(facts: readonly Fact[], report: ReportName): ReportRequest['titles'] | undefined {
  const options = reportNamed(report).titleFilters.map(({ option }) => option);
  const titles = factsOf(facts, 'title').map(({ option, text }) => {
    const [first] = options;
    const other = option && alsoKnownAs[option];
    // An assignment can be of a track. Then `content:` takes the title of the track.
    const isFirst =
      option === undefined ||
      (option === 'track' && options.includes('content')) ||
      (other !== undefined && options.includes(other));
    const own = isFirst ? first : option;
    const known = option !== undefined && options.includes(option) ? option : own;
    return known !== undefined && options.includes(known) ? { option: known, text } : undefined;
  });
  return titles.some((title) => title === undefined)
    ? undefined
    : titles.filter((title) => title !== undefined);
}

/** The columns that are named; undefined: the report does not have one of them. */
function columnsFor(facts: readonly Fact[], report: Report): readonly string[] | undefined {
  const named = factsOf(facts, 'columns').flatMap(({ columns }) => columns);
  const flags = named.map((possible) =>
    possible.map((all) => all.split(' ')).find((all) => all.every((flag) => fieldOf(report, flag))),
  );
  return flags.includes(undefined) ? undefined : [...new Set(flags.flatMap((all) => all ?? []))];
}

function sortsFor(
  facts: readonly Fact[],
  { sorts }: Report,
  view: RequestView | undefined,
): readonly string[] | undefined {
  const flags = factsOf(facts, 'sort')
    .filter((sort) => sort.view === undefined || sort.view !== view)
    .map(({ flags }) => flags.find((flag) => sorts.includes(flag)));
  const known = flags.filter((flag) => flag !== undefined);
  return known.length === flags.length && known.length <= 1 ? known : undefined;
}

/** The field of the breakdown, if one is asked for; undefined: the report has no such field, or there are two. */
function breakdownFor(facts: readonly Fact[], report: ReportName): readonly string[] | undefined {
  const wanted = factsOf(facts, 'by').map(({ by }) => by.find((flag) => fieldOf(reportNamed(report), flag)));
  const compared = has(facts, 'compare') && wanted.length === 0 ? comparedMember(facts, report) : undefined;
  const fields = [...new Set(compared === undefined ? wanted : [compared])];
  const known = fields.filter((field) => field !== undefined);
  return known.length === fields.length && known.length <= 1 ? known : undefined;
}

/** `compare Sales and HR`: the member whose entries are compared. */
function comparedMember(facts: readonly Fact[], report: ReportName): string | undefined {
  const entries = factsOf(facts, 'value');
  const [first] = entries;
  if (!first || entries.length < 2 || !entries.every(({ member }) => member === first.member))
    return undefined;
  const known = optionsOf(reportNamed(report)).get(first.member);
  const field = known?.kind === 'filter' ? known.member.valueSources?.[0]?.field : undefined;
  return field !== undefined && fieldOf(reportNamed(report), field) ? field : undefined;
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
  const typed = [...managedPeople(facts), ...factsOf(facts, 'value')];
  const typesStates = factsOf(facts, 'option').some(({ text }) => /^only:/i.test(text));
  const canBeAny = typesStates || asksForOpen({ report, view, states: statesFor(facts, { report, view }) });
  const isTeam = typed.some(({ member }) => member === 'manager_email');
  for (const { member, entry } of typed) {
    // “Who do I have in my team”: the asker is not one of them.
    if (isTeam && member === 'email' && entry === 'me') continue;
    const meaning = options.get(member);
    if (meaning?.kind !== 'filter' || entry.includes(',')) return undefined;
    const { object } = meaning;
    const isYesNo = meaning.member.kind === 'yes-no';
    if (entry === 'any' && isYesNo && !canBeAny) return undefined;
    const stored = isYesNo ? ({ yes: 'true', no: 'false' }[entry] ?? entry) : entry;
    const known = chosen.get(member)?.entries ?? [];
    if (isYesNo && known.length > 0 && !known.includes(stored)) return undefined;
    chosen.set(member, {
      object: object.name,
      member: meaning.member.name,
      entries: [...new Set([...known, stored])],
    });
  }
  return [...chosen.values()];
}

/** The filters; an address after “reporting to” is that of the manager. */
function managedPeople(facts: readonly Fact[]): readonly FactOf<'filter'>[] {
  return facts.flatMap((fact, index) => {
    if (fact.kind !== 'filter') return [];
    const isManager = fact.member === 'email' && facts[index - 1]?.kind === 'managed-by';
    return isManager ? [{ ...fact, member: 'manager_email' }] : [fact];
  });
}

/** In the order of the catalogue. A member that is said replaces the entries it had. */
function mergedFilters(
  before: readonly FilterChoice[],
  said: readonly FilterChoice[],
  report: Report,
): readonly FilterChoice[] {
  const isFor = (object: string, member: string) => (choice: FilterChoice) =>
    choice.object === object && choice.member === member;
  return report.filters.flatMap((object) =>
    object.members.flatMap(({ name }) => {
      const found = said.find(isFor(object.name, name)) ?? before.find(isFor(object.name, name));
      return found ? [found] : [];
    }),
  );
}

function wantsRows(facts: readonly Fact[], hasFile: boolean): boolean {
  if (factsOf(facts, 'rows').some(({ always }) => always)) return true;
  const asks = facts.find((fact) => fact.kind === 'people' || (fact.kind === 'what' && fact.counts));
  return !hasFile && (asks?.kind === 'people' || has(facts, 'which') || has(facts, 'rows'));
}

/** `assignments completed in march`: the range is about the completed date. */
function dateFieldFor(facts: readonly Fact[], { report, view }: ReportRequest): string | undefined {
  if (view) return undefined;
  const dates = reportNamed(report).dateField?.choices.map(({ flag }) => flag) ?? [];
  const [field] = factsOf(facts, 'date-field');
  if (field && dates.includes(field.flag)) return field.flag;
  const isAssignedIn = facts.some((_, index) => isAssigned(facts, index));
  if (isAssignedIn && report === 'tracks') return 'assigned_date';
  const isDone = facts.some(
    (fact, index) =>
      fact.kind === 'state' &&
      fact.states[report] === 'completed' &&
      facts.slice(index + 1).find(({ kind }) => kind !== 'filler')?.kind === 'range',
  );
  if (!isDone || !strongReports(facts).includes(report)) return undefined;
  return { assignments: 'completed_date', tracks: 'track_completed_date' }[report as string];
}

/** True for a range right after “assigned”. With `overdue` and `due`, it is about that date. */
function isAssigned(facts: readonly Fact[], index: number): boolean {
  return facts[index]?.kind === 'range' && isAssignedTo(facts[index - 1]);
}

function withoutAssigned(facts: readonly Fact[]): readonly Fact[] {
  return facts.filter((_, index) => !isAssigned(facts, index));
}

function assignedFor(facts: readonly Fact[], { view }: ReportRequest): string | undefined {
  const range = facts.find((_, index) => isAssigned(facts, index));
  return view !== undefined && range?.kind === 'range' ? range.range.past[0] : undefined;
}

/** The possible ranges; none: no range is said. Undefined: what is said is no range of the report. */
function rangesFor(
  facts: readonly Fact[],
  request: ReportRequest,
  { moment }: BuildOptions,
): readonly string[] | undefined {
  const ranges = factsOf(facts, 'range').map(({ range }) => range);
  const [before] = factsOf(facts, 'before');
  if (before) return rangeBefore(before.unit, ranges, request, { moment, has: (kind) => has(facts, kind) });
  if (ranges.length === 0) return [];
  const hasFuture = request.view === 'due' || (reportForRequest(request).range?.hasFuture ?? false);
  const possible = (range: SpokenRange) => (hasFuture ? range.future : range.past);
  const [first, second, third] = ranges;
  // “Overdue today” means overdue now.
  const isNow = request.dateField === undefined && !facts.some((_, index) => isAssigned(facts, index));
  const fell = factsOf(facts, 'view').some((view) => view.fell);
  if (request.view === 'overdue' && isNow && !fell && !second && first?.past[0] === 'today') return [];
  if (!first || third || !reportForRequest(request).range) return undefined;
  if (!second) {
    const words = first.last && hasFuture ? [spanWords(moment.today, first.last)] : possible(first);
    return words.length > 0 ? words : undefined;
  }
  const [start, end] = first.last ? [second, first] : [first, second];
  if (start.first && end.last) return [spanWords(start.first, end.last)];
  return has(facts, 'compare')
    ? comparedRange(possible(first), possible(second), request, moment)
    : undefined;
}

/**
 * The unit before the range of the answer above. Compared with the unit before is what is said beside it: every answer
 * is.
 */
function rangeBefore(
  unit: CalendarUnit,
  ranges: readonly SpokenRange[],
  { range, report }: ReportRequest,
  { moment, has: says }: { readonly moment: Moment; readonly has: (kind: Fact['kind']) => boolean },
): readonly string[] | undefined {
  const [said, another] = ranges;
  if (said) {
    const isItsUnit = said.past.some((words) => words.endsWith(`-${unit}`));
    return says('compare') && !another && isItsUnit ? said.past : undefined;
  }
  const { now, zone, weekStart } = moment;
  const resolved =
    range === undefined
      ? undefined
      : resolveRange(range, reportForRequest(plainRequest(report)), now, zone, weekStart);
  if (!resolved?.ok) return undefined;
  const first = dayAt(resolved.value.from, zone);
  const last = dayAt(resolved.value.until - 1, zone);
  const isWhole = addDays(last, 1).getTime() === addUnits(first, unit, 1).getTime();
  const start = addUnits(first, unit, -1);
  return [isWhole ? wordsOfSpan(start, addDays(first, -1)) : wordsOfSpan(start, addUnits(last, unit, -1))];
}

/** `this month compared with last month`: the later of the two, since it is compared with the one before anyway. */
function comparedRange(
  first: readonly string[],
  second: readonly string[],
  request: ReportRequest,
  { now, zone, weekStart }: Moment,
): readonly string[] | undefined {
  const report = reportForRequest(request);
  const resolved = [first[0], second[0]].map((words) => {
    const range = words === undefined ? undefined : resolveRange(words, report, now, zone, weekStart);
    return range?.ok ? range.value : undefined;
  });
  const [one, two] = resolved;
  if (!one || !two) return undefined;
  const later = one.from > two.from ? one : two;
  const earlier = later === one ? two : one;
  const before = previousPeriod(later, {
    requestedAt: now,
    weekStart,
    hasFuture: report.range?.hasFuture ?? false,
  });
  return before?.firstDay === earlier.firstDay ? [later.words] : undefined;
}

/** The command of a request with options on top, in its canonical words; undefined if it is none. */
export function commandOfRequest(request: ReportRequest, options: readonly string[]): string | undefined {
  const parsed = parseCommand([formatRequest(request), ...options].join(' '), { savedNames: [] });
  return parsed.ok && parsed.value.kind === 'run' ? formatRequest(parsed.value.request) : undefined;
}

import { allReports, type ReportName, type TitleOption } from '../../catalogue/index.js';
import type { ReportRequest, RequestView } from '../request.js';
import { compact } from '../text.js';
import { reportsWithOption } from '../vocabulary.js';
import { type Fact, type FactOf, factsOf, hasFact } from './facts.js';

/** A report, or a view of the assignments. */
export interface Subject {
  readonly report: ReportName;
  readonly view?: RequestView | undefined;
  /** The request of the answer above, whose parts are kept where the facts do not say otherwise. */
  readonly above?: ReportRequest | undefined;
}

/**
 * Resolves facts that depend on others. “To do” with a range means due in it, and otherwise not completed.
 *
 * @param asksWhether the sentence asks for yes or no: “did I pass”. Then the state is the question and not a filter.
 */
export function settleFacts(facts: readonly Fact[], asksWhether: boolean): readonly Fact[] {
  const isNamed = namesReport(facts);
  const isState = asksWhether && !hasFact(facts, 'people', 'range');
  const asksForPeople = hasFact(facts, 'people');
  const isAboutSelf = factsOf(facts, 'filter').some(isSelf);
  return facts.flatMap((fact, index): readonly Fact[] => {
    if (fact.kind === 'to-me' && isAssignedTo(facts[index - 1])) return [self];
    if (fact.kind === 'to-do') return [hasFact(facts, 'range') && !isNamed ? due : openOf(facts)];
    if (fact.kind === 'state') {
      if (fact.ofPeople && !asksForPeople) return [{ kind: 'report', report: 'engagement' }];
      if (asksWhether && !asksForPeople && fact.states.engagement === 'active') return [activity];
      if (isState && fact.states.completions !== undefined) return [{ kind: 'share' }];
      if (isState && fact.states.assessments === 'passed') return [results];
      const isNotPassed = fact.states.assessments === 'failed' || fact.option !== undefined;
      if (isState && isNotPassed && isAboutSelf) return [results];
    }
    if (fact.kind === 'filler' && fact.isDid && isDoneTitle(facts, index)) return [completed];
    if (fact.kind !== 'upcoming') return [fact];
    const range: readonly Fact[] = hasFact(facts, 'range') ? [] : [soon];
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

const done = 'completed';
const completed: Fact = { kind: 'state', states: { assignments: done, tracks: done, completions: '' } };

/** “Who did Fire Safety” */
function isDoneTitle(facts: readonly Fact[], index: number): boolean {
  return nextFact(facts, index)?.kind === 'title' && hasFact(facts.slice(0, index), 'people');
}

/** The next fact that is no filler. */
export function nextFact(facts: readonly Fact[], index: number): Fact | undefined {
  return facts.slice(index + 1).find(({ kind }) => kind !== 'filler');
}

function openOf(facts: readonly Fact[]): Fact {
  const assignments = 'not-completed';
  return {
    kind: 'state',
    states: namesTrack(facts) ? { assignments, tracks: assignments } : { assignments },
  };
}

function namesTrack(facts: readonly Fact[]): boolean {
  return factsOf(facts, 'title').some(({ option }) => option === 'track');
}

/** True for the learner “me”. */
export function isSelf({ member, entry }: Pick<FactOf<'filter'>, 'member' | 'entry'>): boolean {
  return member === 'email' && entry === 'me';
}

const soon: Fact = { kind: 'range', range: { past: [], future: ['next-30-days'] } };

/** True if a sentence says by itself which report it is about. */
export function namesReport(facts: readonly Fact[]): boolean {
  return hasFact(facts, 'view') || strongReports(facts).length > 0;
}

const reportOfThing: Readonly<Record<TitleOption, ReportName | undefined>> = {
  content: undefined,
  track: 'tracks',
  assessment: 'assessments',
  workshop: 'workshops',
};

export function strongReports(facts: readonly Fact[]): readonly ReportName[] {
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
  const [view, another] = views;
  if (!view) return (strong.length > 0 ? strong : impliedReports(facts)).map((report) => ({ report }));
  const fits = !another && strong.every((report) => report === 'assignments');
  return fits ? [{ report: 'assignments', view }] : [];
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
  return ofView || strongReports(facts).length > 1 || (ranges.length > 1 && !hasFact(facts, 'compare'));
}

/** The reports that take a title; where it is known which of them have it, only those. */
export function reportsWithTitle({ option, reports = [] }: FactOf<'title'>): readonly ReportName[] {
  const possible = reportsWithOption(option ?? 'content');
  const held = possible.filter((name) => reports.includes(name));
  return held.length > 0 ? held : possible;
}

/** What can be assigned is known by its title as content too: a test that was not done is one of the assignments. */
export const alsoKnownAs: Readonly<Partial<Record<TitleOption, TitleOption>>> = {
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
    if (hasFact(facts, 'thing'))
      return weak.some((name) => contentReports.includes(name)) ? weak : contentReports;
    if (weak.length > 0) return weak.slice(0, 1);
    if (hasFact(facts, 'share')) return ['assignments'];
    return hasFact(facts, 'compare') ? ['engagement'] : [];
  }
  if (weak.some((name) => possible.includes(name))) return narrow(weak);
  // Progress in a training is that of its assignments.
  if (weak.includes('tracks')) return narrow(['assignments']);
  if (hasFact(facts, 'share')) return narrow(['assignments', 'tracks']);
  const isDone = factsOf(facts, 'state').some(({ states }) => states.completions !== undefined);
  if (namesTrack(facts)) return narrow(['tracks']);
  // Completions tell what was finished in a range; assignments and tracks tell who has finished something at all.
  const asksForPeople = hasFact(facts, 'people', 'title');
  const isInRange = hasFact(facts, 'range') || !asksForPeople;
  if (isDone) return narrow(isInRange ? ['completions'] : contentReports);
  return hasFact(facts, 'thing') && hasFact(facts, 'state') ? narrow(contentReports) : possible;
}

function reportsWithThing({ option }: FactOf<'title'>): readonly ReportName[] {
  return compact(option ?? 'content', option && alsoKnownAs[option]).flatMap(reportsWithOption);
}

const contentReports: readonly ReportName[] = ['assignments', 'completions'];

/** True for a range right after “assigned”. With `overdue` and `due`, it is about that date. */
export function isAssigned(facts: readonly Fact[], index: number): boolean {
  return facts[index]?.kind === 'range' && isAssignedTo(facts[index - 1]);
}

import { parseCommand } from '../parse-command.js';
import { quoteTypedWord } from '../problem.js';
import type { ReportRequest } from '../request.js';
import { validateSavedName } from '../saved-names.js';
import { compact } from '../text.js';
import { quoteEntry } from '../tokens.js';
import { alertIn, type SpokenAlert, withCondition } from './alerts.js';
import { commandOfRequest, requestsFor } from './build.js';
import { unknownNames } from './classify-titles.js';
import { classifyWords } from './classify-words.js';
import { conditionsSpokenIn, withExclusions } from './conditions.js';
import { type Fact, type FactOf, factsOf, hasFact, type Refusal } from './facts.js';
import { isForeign } from './foreign.js';
import { canBe, type Item } from './items.js';
import { indexNames, type KnownNames, placeMembers } from './known-names.js';
import { saysEachOf, timeIn, withTime } from './over-time.js';
import { isRefusal, refusalIn } from './refusals.js';
import { correctedSentences, namesNear } from './spelling.js';
import { joinsTwo, namesReport, namesTwo, type Subject, settleFacts, subjectsOf } from './subjects.js';
import { asksForScorecard, targetIn, withTarget } from './targets.js';
import { isOneOf, type Moment, maxSentenceLength, Sentence } from './words.js';

/** What a sentence can mean, and which of its words are unknown. */
export interface SentenceReading {
  /** Commands after `/report `, the likeliest first, three at most. None: ask. */
  readonly readings: readonly string[];
  /** Unknown words as typed, cut short. If there are any, there are no readings. */
  readonly unknown: readonly string[];
  /** Why there are no readings, although all words are known. */
  readonly missing?: 'report' | 'day' | 'time' | 'fit' | 'thanks' | Refusal;
  /** Commands that keep all that was understood, three at most. All of them run. */
  readonly nearest: readonly string[];
  /** True if `nearest` are the readings of the sentence with corrected spelling. */
  readonly isCorrected?: true;
  /** True for a sentence that is not English. */
  readonly isForeign: boolean;
  /** True for a sentence that says which report it is about. It takes nothing from the answer above. */
  readonly namesReport: boolean;
}

/** Facts that reading depends on besides the sentence. */
export interface SentenceContext extends Moment {
  readonly known: KnownNames;
  readonly savedNames: readonly string[];
  /** The request of the answer above in the thread. Missing parts are taken from it. */
  readonly request?: ReportRequest | undefined;
}

const maxReadings = 3;

/** Sentences with more ways to read them are read in this many. */
const maxInterpretations = 8;

const maxUnknown = 5;

/**
 * Reads an English sentence as commands, by a grammar over the words of the catalogue and over known names. Unknown
 * words are never ignored. Never throws. The time grows faster than the length, which `maxSentenceLength` limits.
 */
export function readSentence(typed: string, context: SentenceContext): SentenceReading {
  const alert = alertIn(typed);
  const read =
    (alert && readAlert(alert, context)) ??
    readTarget(typed, context) ??
    readInTime(typed, context) ??
    readScorecard(typed, context) ??
    readAsTyped(typed, context);
  if (read.unknown.length === 0 || isRefusal(read.missing)) return read;
  const near = namesNear(typed, context.known);
  const corrected = correctedSentences(typed, near).flatMap(
    (sentence) => readAsTyped(sentence, { ...context, known: near }).readings,
  );
  if (corrected.length === 0) return read;
  // Next to a correction that says something, one that leaves the word out is none: “Sale” is Sales, and not “same”.
  const rest = read.unknown.reduce((text, word) => text.replace(word, ' '), typed);
  const left = readAsTyped(rest, context).readings;
  const telling = corrected.filter((command) => !left.includes(command));
  const nearest = [...new Set(telling.length > 0 ? telling : corrected)].slice(0, maxReadings);
  return { ...read, nearest, isCorrected: true };
}

/**
 * “Tell me when more than 50 are overdue, every day at 9”. Where it does not say how often, every day comes near.
 * Undefined where the rest is no schedule.
 */
function readAlert(alert: SpokenAlert, context: SentenceContext): SentenceReading | undefined {
  const read = readAsTyped(alert.sentence, { ...context, request: undefined });
  const [readings, nearest] = [read.readings, read.nearest].map((commands) =>
    withCondition(commands, alert, context.savedNames),
  );
  if (alert.isAsked && read.readings.length > 0 && readings?.length === 0) {
    const daily = read.readings.map((command) => `schedule ${command} daily 09:00`);
    const near = withCondition(daily, alert, context.savedNames);
    if (near.length > 0) return { ...read, readings: [], nearest: near, missing: 'time' };
  }
  const isComplete = readings && readings.length === read.readings.length;
  const isAlert = readings?.length || read.missing === 'time' || read.missing === 'day';
  return isComplete && isAlert ? { ...read, readings, nearest: nearest ?? [] } : undefined;
}

/** “Will we reach 95% by 31 December”. A report that does not take the target is left out. */
function readTarget(typed: string, context: SentenceContext): SentenceReading | undefined {
  const target = targetIn(typed, context);
  if (!target) return undefined;
  const reads = target.sentences.map((sentence) => readAsTyped(sentence, { ...context, request: undefined }));
  const readings = reads.flatMap((read) => withTarget(read.readings, target, context));
  const [first = readAsTyped(typed, context)] = reads;
  if (readings.length > 0)
    return { ...first, readings: [...new Set(readings)].slice(0, maxReadings), missing: undefined };
  return { ...first, readings: [], nearest: [], missing: 'target' };
}

/** A scorecard is saved before it is sent. Undefined where a saved report is meant. */
function readScorecard(typed: string, context: SentenceContext): SentenceReading | undefined {
  if (!asksForScorecard(typed)) return undefined;
  const read = readAsTyped(typed, context);
  return read.readings.length > 0
    ? read
    : { ...read, unknown: [], readings: [], nearest: [], missing: 'scorecard' };
}

/** “Completions of the last ten weeks, week by week”. Undefined where the rest is no request for one report. */
function readInTime(typed: string, context: SentenceContext): SentenceReading | undefined {
  const time = timeIn(typed);
  const read = time && readAsTyped(time.sentence, { ...context, request: undefined });
  const readings = time && read ? withTime(read.readings, time) : [];
  if (read && readings.length > 0) return { ...read, readings };
  // A schedule that lacks its day or its time of day.
  const nearest = time && read && isOneOf(read.missing ?? '', 'day time') ? withTime(read.nearest, time) : [];
  if (read && nearest.length > 0) return { ...read, nearest };
  // A range would leave out that it is each of several.
  if (!saysEachOf(typed)) return undefined;
  return { ...readAsTyped(typed, context), readings: [], nearest: [], missing: 'trend' };
}

/** With its conditions on rows as options, if that is a command; else as it stands. */
function readAsTyped(typed: string, context: SentenceContext): SentenceReading {
  const spoken = conditionsSpokenIn(typed, context);
  if (spoken) {
    const { text, report } = spoken;
    const read = readWords(text, context);
    if (read.readings.length > 0) return read;
    // A report that the sentence names and that has no such condition is not swapped for one that has.
    const isFree = report && !context.request && !read.namesReport;
    const ofReport = isFree && readWords(`${report} ${text}`, context);
    if (ofReport && ofReport.readings.length > 0) return ofReport;
  }
  return readWords(typed, context);
}

function readWords(typed: string, context: SentenceContext): SentenceReading {
  const sentence = new Sentence(typed, context);
  const save = saveForm(sentence);
  if (save) return readSave(save.sentence, save.name, context);
  const classified = classifyWords(sentence, indexNames(context.known, context.savedNames, sentence.words));
  const items = withExclusions(classified, sentence);
  const unknown = unknownIn(items, sentence);
  const isOther = isForeign(sentence, unknown.length);
  const refusal = isOther ? undefined : refusalIn(items, sentence);
  const interpreted = interpretations(items, asksWhether(sentence));
  // A sentence that begins so asks something now, and sets no schedule.
  const asks = sentence.is(
    0,
    'do does did who whom whose what whats how which is are was were has have when where why',
  );
  const isNamed = interpreted.some((facts) => namesReport(facts) || hasFact(facts, 'saved'));
  const question = (missing?: SentenceReading['missing'], nearest: readonly string[] = []) => {
    return { readings: [], unknown, missing, nearest, isForeign: isOther, namesReport: isNamed };
  };
  if (refusal) return question(refusal);
  const nearest = () => nearestCommands(interpreted[0] ?? [], unknownNames(items, sentence), asks, context);
  if (unknown.length > 0) return question(undefined, nearest());
  const found = interpreted.map((facts) => readFacts(facts, asks, context));
  const readings = [...new Set(found.flatMap((each) => each.readings))];
  if (readings.length > 0) return { ...question(), readings: readings.slice(0, maxReadings) };
  const missing = found[0]?.missing ?? 'report';
  return question(missing, isOneOf(missing, keepsNothing) ? [] : nearest());
}

/** What is missing where no command comes near without leaving out a part of the sentence. */
const keepsNothing = 'two two-scheduled against trend thanks';

/** “Did I pass”, and not “is there anybody who …”. */
function asksWhether(sentence: Sentence): boolean {
  let at = 0;
  while (sentence.is(at, 'please can could you hey hi hello rollcall tell me if whether know ,')) at += 1;
  const isQuestion = sentence.is(at, 'did do does has have is are was were am');
  return isQuestion && !sentence.is(at + 1, 'there any anyone anybody someone somebody you');
}

/** The unknown words. Neighbours stay together. */
function unknownIn(items: readonly Item[], { text, words }: Sentence): readonly string[] {
  const found: { start: number; end: number; last: number }[] = [];
  for (const [index, item] of items.entries()) {
    const [first, final] = [words[item.start], words[item.end - 1]];
    if (!canBe(item, 'unknown', 'refused') || !first || !final) continue;
    const before = found.at(-1);
    if (before && before.last === index - 1) Object.assign(before, { end: final.end, last: index });
    else if (found.length < maxUnknown) found.push({ start: first.start, end: final.end, last: index });
  }
  const rest = text.length > maxSentenceLength ? [text.slice(maxSentenceLength)] : [];
  const texts = found.map(({ start, end }) => {
    // All of `quarterly-numbers`, and not a part of it.
    const before = /(?:[\p{L}\p{N}]+-)+$/u.exec(text.slice(Math.max(0, start - 80), start))?.[0] ?? '';
    const after = /^(?:-[\p{L}\p{N}]+)+/u.exec(text.slice(end, end + 80))?.[0] ?? '';
    return before + text.slice(start, end) + after;
  });
  return [...texts, ...rest].map(quoteTypedWord);
}

/** The facts of a sentence; several lists where words have several meanings. */
function interpretations(items: readonly Item[], isYesNo: boolean) {
  let lists: Fact[][] = [[]];
  for (const { facts } of items) {
    // Most words mean one thing, so that a list need not be copied for each of them.
    const [only] = facts;
    if (only && facts.length === 1) for (const list of lists) list.push(only);
    else lists = lists.flatMap((list) => facts.map((fact) => [...list, fact])).slice(0, maxInterpretations);
  }
  return lists.map((facts) => settleFacts(facts, isYesNo));
}

interface Read {
  readonly readings: readonly string[];
  readonly missing?: SentenceReading['missing'];
}

function lacks(missing: SentenceReading['missing']): Read {
  return { readings: [], missing };
}

function readFacts(said: readonly Fact[], asks: boolean, context: SentenceContext): Read {
  const facts = inAnswerAbove(said, context);
  const [command] = factsOf(facts, 'command');
  const telling = facts.filter(({ kind }) => kind !== 'filler');
  if (command) {
    const isCommand = telling.every(({ kind }) => isOneOf(kind, 'command what filter rows people which'));
    return isCommand ? { readings: [command.command] } : lacks('fit');
  }
  if (telling.length === 0) {
    const fillers = factsOf(facts, 'filler');
    if (fillers.some(({ isThanks }) => isThanks)) return lacks('thanks');
    const greets = fillers.some(({ isGreeting }) => isGreeting) && !context.request;
    return greets ? { readings: ['help'] } : lacks('report');
  }
  if (hasFact(facts, 'cadence')) {
    if (!isSchedule(facts, asks)) return lacks('trend');
    if (joinsTwo(facts) || namesTwo(facts)) return lacks('two-scheduled');
  }
  if (joinsTwo(facts)) return lacks('two');
  const commands = savedCommands(facts, context) ?? requestCommands(facts, context);
  if (commands.length === 0) {
    if (hasFact(facts, 'compare')) return lacks('against');
    if (namesTwo(facts)) return lacks('two');
    return lacks(subjects(facts, context).length > 0 || hasFact(facts, 'view') ? 'fit' : 'report');
  }
  return comparesUnsaid(facts, commands) ? lacks('against') : withCadence(commands, facts, context);
}

/** “Learning hours each month” says how something is counted, and not how often it is to come. */
function isSchedule(facts: readonly Fact[], asks: boolean): boolean {
  const at = facts.findIndex(({ kind }) => kind === 'cadence');
  const [cadence] = factsOf(facts, 'cadence').map((fact) => fact.cadence);
  // “Monthly completions of this year”
  const isOfReport = hasFact(facts.slice(at + 1, at + 2), 'report', 'thing', 'state') && cadence?.isAdverb;
  const counts = isOfReport && hasFact(facts, 'range');
  const isUnclear = asks || counts || cadence?.isOnDays || cadence?.isEachUnit;
  return hasFact(facts, 'schedule', 'time') || !isUnclear;
}

/** “Only the overdue ones” of the answer above, and not a list of their own. */
function inAnswerAbove(facts: readonly Fact[], { request }: SentenceContext): readonly Fact[] {
  if (request?.report !== 'assignments' || request.view || !hasFact(facts, 'only')) return facts;
  return facts.map((fact) =>
    fact.kind === 'view' && fact.view === 'overdue'
      ? { kind: 'state', states: { assignments: 'overdue' } }
      : fact,
  );
}

/** True if the words after “compared with” are in none of the commands. Their answers compare with the period before. */
function comparesUnsaid(facts: readonly Fact[], commands: readonly string[]): boolean {
  const isBrokenDown = commands.every((command) => /(?:^|\s)by:/.test(command));
  const periods = factsOf(facts, 'range').length + factsOf(facts, 'before').length;
  return hasFact(facts, 'compare') && !isBrokenDown && periods < 2;
}

/** The subjects of the facts: the answer above, unless the facts name a report or do not fit that answer. */
function subjects(facts: readonly Fact[], { request }: SentenceContext): readonly Subject[] {
  if (!request || namesReport(facts)) return subjectsOf(facts);
  return [{ report: request.report, view: request.view, above: request }];
}

function requestCommands(facts: readonly Fact[], context: SentenceContext) {
  const inContext = commandsFor(facts, subjects(facts, context), context);
  return inContext.length > 0 || !context.request
    ? inContext
    : commandsFor(facts, subjectsOf(facts), context);
}

function commandsFor(facts: readonly Fact[], all: readonly Subject[], moment: Moment) {
  const options = optionsIn(facts);
  return all
    .flatMap((subject) => requestsFor(facts, subject, moment))
    .flatMap((request) => commandOfRequest(request, options) ?? []);
}

/** The typed options. Those of schedules alone: `keep:7d`. */
function optionsIn(facts: readonly Fact[], ofSchedule = false) {
  const ofStates = factsOf(facts, 'state').flatMap(({ option }) => option ?? []);
  const options = [...factsOf(facts, 'option').map(({ text }) => text), ...new Set(ofStates)];
  return options.filter((option) => /^keep:/i.test(option) === ofSchedule);
}

/** A saved report with what is said on top of it; undefined: none is named. */
function savedCommands(
  facts: readonly Fact[],
  { savedNames }: SentenceContext,
): readonly string[] | undefined {
  const [saved, another] = factsOf(facts, 'saved');
  if (!saved) return undefined;
  const onTop = [...factsOf(facts, 'filter'), ...factsOf(facts, 'value')].map(
    ({ member, entry }) => `${member}:${quoteEntry(entry)}`,
  );
  const ranges = factsOf(facts, 'range').map(({ range }) => range.past[0] ?? range.future[0]);
  const known =
    'saved filler filter value range file to-me option cadence time zone schedule what schedule-option';
  const isKnown = facts.every(({ kind }) => isOneOf(kind, known));
  if (another || !isKnown || ranges.length > 1 || ranges.includes(undefined)) return [];
  const files = factsOf(facts, 'file').map(({ file }) => file);
  const toMe = hasFact(facts, 'to-me') && 'to:me';
  const text = compact(saved.name, ranges, onTop, optionsIn(facts), files, toMe).join(' ');
  return validCommands([text], savedNames);
}

function validCommands(commands: readonly string[], savedNames: readonly string[]) {
  return commands.filter((command) => parseCommand(command, { savedNames }).ok);
}

/** The commands with how often they are to come, where that is said. */
function withCadence(
  commands: readonly string[],
  facts: readonly Fact[],
  { savedNames }: SentenceContext,
): Read {
  const times = factsOf(facts, 'time');
  const [cadence, another] = onceComplete(factsOf(facts, 'cadence').map((fact) => fact.cadence));
  if (!cadence) {
    const isPlain = !hasFact(facts, 'time', 'zone', 'schedule-option') && optionsIn(facts, true).length === 0;
    return isPlain ? { readings: commands } : lacks('fit');
  }
  if (another || times.length > 1 || factsOf(facts, 'zone').length > 1) return lacks('fit');
  if (cadence.needsDay) return lacks('day');
  if (cadence.needsTime && times.length === 0) return lacks('time');
  const readings = validCommands(
    commands.map((command) => scheduleOf(command, facts, cadence, times[0]?.time)),
    savedNames,
  );
  return readings.length > 0 ? { readings } : lacks('fit');
}

type Spoken = FactOf<'cadence'>['cadence'];

function scheduleOf(command: string, facts: readonly Fact[], { words }: Spoken, time?: string): string {
  const options = factsOf(facts, 'schedule-option').map(({ option }) => option);
  const zones = factsOf(facts, 'zone').map(({ zone }) => zone);
  return compact('schedule', command, options, optionsIn(facts, true), words, time, zones).join(' ');
}

/** `weekly … on mondays`: the second one says the day that the first one lacks. */
function onceComplete(cadences: readonly Spoken[]) {
  const unit = ({ words }: Spoken) => words.split(' ')[0];
  const complete = cadences.filter(({ needsDay }) => !needsDay);
  return cadences.filter((each) => !each.needsDay || !complete.some((other) => unit(other) === unit(each)));
}

/** `save engagement last week as Team pulse` */
function saveForm(sentence: Sentence) {
  const { text, words } = sentence;
  let at = 0;
  while (sentence.is(at, 'please can could you hey hi hello rollcall')) at += 1;
  const first = words[at];
  // “Save for Sales” leaves out.
  if (first?.key !== 'save' || sentence.key(at + 1) === 'for') return undefined;
  const as = words.findLast((_, index) => sentence.is(index, 'as called named'));
  if (!as) return undefined;
  const name = text
    .slice(as.end)
    .replace(/["“”„‟]/g, ' ')
    .replace(/[.!?\s]+$/, '')
    .trim();
  const inner = text.slice(first.end, as.start).trim();
  return { sentence: inner.replace(/^["“”„‟](.*)["“”„‟]$/, '$1'), name };
}

function readSave(sentence: string, name: string, context: SentenceContext): SentenceReading {
  const read = readSentence(sentence, context);
  const valid = validateSavedName(name);
  const toSave = (commands: readonly string[]) => {
    const texts = valid.ok ? commands.map((command) => `save ${valid.value}: ${command}`) : [];
    return validCommands(texts, []);
  };
  const readings = toSave(read.readings);
  const missing = read.readings.length > 0 && readings.length === 0 ? 'fit' : read.missing;
  const near = toSave(read.nearest);
  return { ...read, readings, missing, nearest: near.length > 0 ? near : read.nearest };
}

/** The commands that are offered where nothing was understood. */
const usual = ['overdue', 'engagement last-week', 'due next-week'];

const assumed: readonly Subject[] = [
  { report: 'assignments', view: 'overdue' },
  { report: 'engagement' },
  { report: 'completions' },
];

/** Commands with all that was understood. None leaves a part of it out. */
function nearestCommands(
  facts: readonly Fact[],
  [place]: readonly string[],
  asks: boolean,
  context: SentenceContext,
) {
  const known = facts.filter(({ kind }) => kind !== 'unknown');
  const hasUnknown = known.length < facts.length;
  if (known.every(({ kind }) => kind === 'filler')) return hasUnknown ? [] : usual;
  const cadences = factsOf(known, 'cadence');
  // A question is never offered as a schedule, and a time of day has no place without one.
  const isPlain = cadences.length === 0 && !hasFact(known, 'time', 'zone', 'schedule-option');
  if (!isPlain && (cadences.length === 0 || !isSchedule(known, asks))) return [];
  const named = subjects(known, context);
  const isName = place !== undefined && /^\p{Lu}.*\p{L}/u.test(place);
  const taken = isName ? placeMembers.map((member): Fact => ({ kind: 'value', member, entry: place })) : [];
  const guesses: readonly (readonly Fact[])[] = [...taken.map((fact) => [...known, fact]), known];
  // “Sales” and “last month” lack the report alone.
  const lacksReport = known.every(({ kind }) => isOneOf(kind, 'filler value filter range only'));
  const likely = named.length > 0 || hasUnknown || !lacksReport ? named : assumed;
  const candidates = likely.flatMap((subject) =>
    guesses.flatMap((guess) => commandsFor(guess, [subject], context)),
  );
  if (comparesUnsaid(known, candidates)) return [];
  const commands = cadences.flatMap(({ cadence }) => {
    const time = cadence.needsTime ? (factsOf(known, 'time')[0]?.time ?? '09:00') : undefined;
    return candidates.map((command) => scheduleOf(command, known, cadence, time));
  });
  const valid = validCommands(cadences.length > 0 ? commands : candidates, context.savedNames);
  return [...new Set(valid)].slice(0, maxReadings);
}

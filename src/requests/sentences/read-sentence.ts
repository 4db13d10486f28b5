import { dayAt, type WeekStart } from '../../time/calendar.js';
import { type Command, parseCommand } from '../parse-command.js';
import { quoteTypedWord } from '../problem.js';
import type { ReportRequest } from '../request.js';
import { validateSavedName } from '../saved-names.js';
import { quoteEntry } from '../tokens.js';
import {
  commandOfRequest,
  factsOf,
  joinsTwo,
  type Moment,
  namesReport,
  namesTwo,
  requestsFor,
  type Subject,
  settleFacts,
  subjectsOf,
} from './build.js';
import { unknownNames } from './classify-titles.js';
import { classifyWords } from './classify-words.js';
import { isForeign } from './foreign.js';
import type { Item } from './items.js';
import { indexNames, type KnownNames, placeMembers } from './known-names.js';
import type { Fact, Refusal } from './lexicon.js';
import { isRefusal, refusalIn } from './refusals.js';
import { correctedSentences, namesNear } from './spelling.js';
import { maxSentenceLength, readWords, type Word } from './words.js';

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
export interface SentenceContext {
  readonly known: KnownNames;
  readonly savedNames: readonly string[];
  /** The request of the answer above in the thread. Missing parts are taken from it. */
  readonly request?: ReportRequest | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
  /** IANA zone. */
  readonly zone: string;
  readonly weekStart: WeekStart;
}

const maxReadings = 3;

/** Sentences with more ways to read them are read in this many. */
const maxInterpretations = 8;

const maxUnknown = 5;

/**
 * Reads an English sentence as commands, by a grammar over the words of the catalogue and over known names. Unknown
 * words are never ignored. Never throws. The time is linear in the length of the sentence.
 */
export function readSentence(typed: string, context: SentenceContext): SentenceReading {
  const read = readAsTyped(typed, context);
  if (read.unknown.length === 0 || isRefusal(read.missing)) return read;
  const near = namesNear(typed, context.known);
  const corrected = correctedSentences(typed, near).flatMap(
    (sentence) => readAsTyped(sentence, { ...context, known: near }).readings,
  );
  if (corrected.length === 0) return read;
  return { ...read, nearest: [...new Set(corrected)].slice(0, maxReadings), isCorrected: true };
}

function readAsTyped(typed: string, context: SentenceContext): SentenceReading {
  const sentence = typed.trim().replace(/^\/report(?:\s+|$)/i, '');
  const words = readWords(sentence);
  const save = saveForm(words, sentence);
  if (save) return readSave(save, context);
  const moment = momentOf(context);
  const names = indexNames(context.known, context.savedNames, words);
  const items = classifyWords(words, sentence, names, moment);
  const unknown = unknownIn(items, words, sentence);
  const isOther = isForeign(sentence, words, unknown.length);
  const refusal = isOther ? undefined : refusalIn(items, words, sentence);
  const interpreted = interpretations(items, asksWhether(words));
  const asks = questionWords.test(words[0]?.key ?? '');
  const isNamed = interpreted.some((facts) => namesReport(facts) || factsOf(facts, 'saved').length > 0);
  const question = (missing?: SentenceReading['missing']): SentenceReading => ({
    readings: [],
    unknown,
    missing,
    nearest: nearestCommands(
      interpreted[0] ?? [],
      unknownNames(items, words, sentence),
      asks,
      context,
      moment,
    ),
    isForeign: isOther,
    namesReport: isNamed,
  });
  if (refusal) return { ...question(refusal), nearest: [] };
  if (unknown.length > 0) return question();
  const found = interpreted.map((facts) => readFacts(facts, asks, context, moment));
  const readings = [...new Set(found.flatMap((each) => each.readings))];
  if (readings.length === 0) {
    const asked = question(found[0]?.missing ?? 'report');
    return keepsNothing.has(asked.missing) ? { ...asked, nearest: [] } : asked;
  }
  return {
    readings: readings.slice(0, maxReadings),
    unknown: [],
    nearest: [],
    isForeign: false,
    namesReport: isNamed,
  };
}

/** What is missing where no command comes near without leaving out a part of the sentence. */
const keepsNothing: ReadonlySet<SentenceReading['missing']> = new Set([
  'two',
  'two-scheduled',
  'against',
  'trend',
  'thanks',
]);

/** A sentence that begins so asks something now, and sets no schedule. */
const questionWords =
  /^(?:do|does|did|who|whom|whose|what|whats|how|which|is|are|was|were|has|have|when|where|why)$/;

/** “Did I pass”, and not “is there anybody who …”. */
function asksWhether(words: readonly Word[]): boolean {
  const at = words.findIndex(
    ({ key }) => !/^(?:please|can|could|you|hey|hi|hello|rollcall|tell|me|if|whether|know|,)$/.test(key),
  );
  const isQuestion = /^(?:did|do|does|has|have|is|are|was|were|am)$/.test(words[at]?.key ?? '');
  return isQuestion && !/^(?:there|any|anyone|anybody|someone|somebody|you)$/.test(words[at + 1]?.key ?? '');
}

function momentOf({ now, zone, weekStart }: SentenceContext): Moment {
  return { now, zone, weekStart, today: dayAt(Math.floor(now / 1000), zone) };
}

/** The unknown words. Neighbours stay together. */
function unknownIn(items: readonly Item[], words: readonly Word[], sentence: string): readonly string[] {
  const found: { start: number; end: number; last: number }[] = [];
  for (const [index, item] of items.entries()) {
    if (!item.facts.some(({ kind }) => kind === 'unknown' || kind === 'refused')) continue;
    const [first, final] = [words[item.start], words[item.end - 1]];
    if (!first || !final) continue;
    const before = found.at(-1);
    if (before && before.last === index - 1) Object.assign(before, { end: final.end, last: index });
    else if (found.length < maxUnknown) found.push({ start: first.start, end: final.end, last: index });
  }
  const rest = sentence.length > maxSentenceLength ? [sentence.slice(maxSentenceLength)] : [];
  const texts = found.map(({ start, end }) => {
    // All of `quarterly-numbers`, and not a part of it.
    const before = /(?:[\p{L}\p{N}]+-)+$/u.exec(sentence.slice(Math.max(0, start - 80), start))?.[0] ?? '';
    const after = /^(?:-[\p{L}\p{N}]+)+/u.exec(sentence.slice(end, end + 80))?.[0] ?? '';
    return before + sentence.slice(start, end) + after;
  });
  return [...texts, ...rest].map(quoteTypedWord);
}

/** The facts of a sentence; several lists where words have several meanings. */
function interpretations(items: readonly Item[], isYesNo: boolean): readonly (readonly Fact[])[] {
  let lists: readonly (readonly Fact[])[] = [[]];
  for (const { facts } of items) {
    lists = lists.flatMap((list) => facts.map((fact) => [...list, fact])).slice(0, maxInterpretations);
  }
  return lists.map((facts) => settleFacts(facts, isYesNo));
}

interface Read {
  readonly readings: readonly string[];
  readonly missing?: SentenceReading['missing'];
}

function readFacts(said: readonly Fact[], asks: boolean, context: SentenceContext, moment: Moment): Read {
  const facts = inAnswerAbove(said, context);
  const [command] = factsOf(facts, 'command');
  const telling = facts.filter(({ kind }) => kind !== 'filler');
  if (
    command &&
    telling.every(({ kind }) => ['command', 'what', 'filter', 'rows', 'people', 'which'].includes(kind))
  ) {
    return { readings: [command.command] };
  }
  if (command) return { readings: [], missing: 'fit' };
  if (telling.length === 0) {
    const fillers = factsOf(facts, 'filler');
    if (fillers.some(({ isThanks }) => isThanks)) return { readings: [], missing: 'thanks' };
    return fillers.some(({ isGreeting }) => isGreeting) && !context.request
      ? { readings: ['help'] }
      : { readings: [], missing: 'report' };
  }
  const [cadence] = factsOf(facts, 'cadence').map((fact) => fact.cadence);
  if (cadence && !isSchedule(facts, asks)) return { readings: [], missing: 'trend' };
  if (cadence && (joinsTwo(facts) || namesTwo(facts))) return { readings: [], missing: 'two-scheduled' };
  if (joinsTwo(facts)) return { readings: [], missing: 'two' };
  const requests = savedCommands(facts, context) ?? requestCommands(facts, context, moment);
  if (requests.length === 0) {
    if (factsOf(facts, 'compare').length > 0) return { readings: [], missing: 'against' };
    if (namesTwo(facts)) return { readings: [], missing: 'two' };
    const isUnclear = subjects(facts, context).length === 0 && factsOf(facts, 'view').length === 0;
    return { readings: [], missing: isUnclear ? 'report' : 'fit' };
  }
  if (comparesUnsaid(facts, requests)) return { readings: [], missing: 'against' };
  return withCadence(requests, facts, context);
}

/** “Learning hours each month” says how something is counted, and not how often it is to come. */
function isSchedule(facts: readonly Fact[], asks: boolean): boolean {
  const saysSo = factsOf(facts, 'schedule').length > 0 || factsOf(facts, 'time').length > 0;
  const at = facts.findIndex(({ kind }) => kind === 'cadence');
  const [cadence] = factsOf(facts, 'cadence').map((fact) => fact.cadence);
  // “Monthly completions of this year”
  const isOfReport = /^(?:report|thing|state)$/.test(facts[at + 1]?.kind ?? '') && cadence?.isAdverb === true;
  const counts = isOfReport && factsOf(facts, 'range').length > 0;
  return saysSo || !(asks || counts || cadence?.isOnDays || cadence?.isEachUnit);
}

/** “Only the overdue ones” of the answer above, and not a list of their own. */
function inAnswerAbove(facts: readonly Fact[], { request }: SentenceContext): readonly Fact[] {
  const isAboutAnswer =
    request?.report === 'assignments' && !request.view && factsOf(facts, 'only').length > 0;
  if (!isAboutAnswer) return facts;
  return facts.map((fact) =>
    fact.kind === 'view' && fact.view === 'overdue'
      ? { kind: 'state', states: { assignments: 'overdue' } }
      : fact,
  );
}

/** True if the words after “compared with” are in none of the commands. Their answers compare with the period before. */
function comparesUnsaid(facts: readonly Fact[], commands: readonly string[]): boolean {
  if (factsOf(facts, 'compare').length === 0) return false;
  const isBrokenDown = commands.every((command) => /(?:^|\s)by:/.test(command));
  const periods = factsOf(facts, 'range').length + factsOf(facts, 'before').length;
  return !isBrokenDown && periods < 2;
}

/** The subjects of the facts: the answer above, unless the facts name a report or do not fit that answer. */
function subjects(
  facts: readonly Fact[],
  { request }: SentenceContext,
): readonly (Subject & { readonly context?: ReportRequest })[] {
  if (request && !namesReport(facts))
    return [{ report: request.report, view: request.view, context: request }];
  return subjectsOf(facts);
}

function requestCommands(
  facts: readonly Fact[],
  context: SentenceContext,
  moment: Moment,
): readonly string[] {
  const options = optionsIn(facts).filter((option) => !isOfSchedule(option));
  const commandsFor = (all: readonly (Subject & { readonly context?: ReportRequest })[]) =>
    all.flatMap((subject) =>
      requestsFor(facts, subject, { moment, context: subject.context }).flatMap(
        (request) => commandOfRequest(request, options) ?? [],
      ),
    );
  const inContext = commandsFor(subjects(facts, context));
  return inContext.length > 0 || !context.request ? inContext : commandsFor(subjectsOf(facts));
}

function optionsIn(facts: readonly Fact[]): readonly string[] {
  return factsOf(facts, 'option').map(({ text }) => text);
}

function scheduleOptions(facts: readonly Fact[]): readonly string[] {
  return [
    ...factsOf(facts, 'schedule-option').map(({ option }) => option),
    ...optionsIn(facts).filter(isOfSchedule),
  ];
}

/** `keep:7d` has a meaning only in a schedule. */
function isOfSchedule(option: string): boolean {
  return /^keep:/i.test(option);
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
  const known = [
    'saved',
    'filler',
    'filter',
    'value',
    'range',
    'file',
    'to-me',
    'option',
    'cadence',
    'time',
    'zone',
    'schedule',
    'what',
    'schedule-option',
  ];
  const reports = facts.every((fact) => known.includes(fact.kind));
  if (another || !reports || ranges.length > 1 || ranges.includes(undefined)) return [];
  const text = [
    saved.name,
    ...ranges,
    ...onTop,
    ...optionsIn(facts).filter((option) => !isOfSchedule(option)),
    ...factsOf(facts, 'file').map(({ file }) => file),
    ...(factsOf(facts, 'to-me').length > 0 ? ['to:me'] : []),
  ].join(' ');
  return parseCommand(text, { savedNames }).ok ? [text] : [];
}

/** The commands with how often they are to come, where that is said. */
function withCadence(
  commands: readonly string[],
  facts: readonly Fact[],
  { savedNames }: SentenceContext,
): Read {
  const cadences = onceComplete(factsOf(facts, 'cadence'));
  const times = factsOf(facts, 'time');
  const zones = factsOf(facts, 'zone');
  const options = scheduleOptions(facts);
  const [{ cadence } = {}, another] = cadences;
  if (!cadence) {
    const isPlain = times.length === 0 && zones.length === 0 && options.length === 0;
    return isPlain ? { readings: commands } : { readings: [], missing: 'fit' };
  }
  if (another || times.length > 1 || zones.length > 1) return { readings: [], missing: 'fit' };
  if (cadence.needsDay) return { readings: [], missing: 'day' };
  if (cadence.needsTime && times.length === 0) return { readings: [], missing: 'time' };
  const often = [cadence.words, times[0]?.time, zones[0]?.zone]
    .filter((part) => part !== undefined)
    .join(' ');
  const readings = commands
    .map((command) => ['schedule', command, ...options, often].join(' '))
    .filter((text) => parseCommand(text, { savedNames }).ok);
  return readings.length > 0 ? { readings } : { readings: [], missing: 'fit' };
}

/** `weekly … on mondays`: the second one says the day that the first one lacks. */
function onceComplete<Spoken extends Extract<Fact, { readonly kind: 'cadence' }>>(
  cadences: readonly Spoken[],
): readonly Spoken[] {
  const unit = ({ cadence }: Spoken) => cadence.words.split(' ')[0];
  const complete = cadences.filter(({ cadence }) => !cadence.needsDay);
  return cadences.filter(
    (each) => !each.cadence.needsDay || !complete.some((other) => unit(other) === unit(each)),
  );
}

interface SaveForm {
  readonly sentence: string;
  readonly name: string;
}

/** `save engagement last week as Team pulse` */
function saveForm(words: readonly Word[], sentence: string): SaveForm | undefined {
  const [first] = words.filter(({ key }) => !/^(?:please|can|could|you|hey|hi|hello|rollcall)$/.test(key));
  const second = words[words.indexOf(first as Word) + 1];
  // “Save for Sales” leaves out.
  if (first?.key !== 'save' || second?.key === 'for') return undefined;
  const as = words.findLast(({ key, kind }) => kind === 'word' && /^(?:as|called|named)$/.test(key));
  if (!as) return undefined;
  const name = sentence
    .slice(as.end)
    .replace(/["“”„‟]/g, ' ')
    .replace(/[.!?\s]+$/, '')
    .trim();
  const inner = sentence.slice(first.end, as.start).trim();
  return { sentence: inner.replace(/^["“”„‟](.*)["“”„‟]$/, '$1'), name };
}

function readSave({ sentence, name }: SaveForm, context: SentenceContext): SentenceReading {
  const read = readSentence(sentence, context);
  const valid = validateSavedName(name);
  const toSave = (commands: readonly string[]) =>
    valid.ok
      ? commands
          .map((command) => `save ${valid.value}: ${command}`)
          .filter((text) => parseCommand(text, { savedNames: [] }).ok)
      : [];
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
  places: readonly string[],
  asks: boolean,
  context: SentenceContext,
  moment: Moment,
): readonly string[] {
  const known = facts.filter(({ kind }) => kind !== 'unknown');
  if (known.every(({ kind }) => kind === 'filler')) return facts.length === known.length ? usual : [];
  const cadences = factsOf(known, 'cadence');
  // A question is never offered as a schedule, and a time of day has no place without one.
  const hasTime = known.some(({ kind }) => /^(?:time|zone|schedule-option)$/.test(kind));
  if (cadences.length > 0 ? !isSchedule(known, asks) : hasTime) return [];
  const named = subjects(known, context);
  const [place] = places;
  const isName = place !== undefined && /^\p{Lu}.*\p{L}/u.test(place);
  const taken = isName ? placeMembers.map((member): Fact => ({ kind: 'value', member, entry: place })) : [];
  const guesses: readonly (readonly Fact[])[] = [...taken.map((fact) => [...known, fact]), known];
  const hasUnknown = known.length < facts.length;
  // “Sales” and “last month” lack the report alone.
  const lacksReport = known.every(({ kind }) => /^(?:filler|value|filter|range|only)$/.test(kind));
  const likely: ReturnType<typeof subjects> =
    named.length > 0 || hasUnknown || !lacksReport ? named : assumed;
  const options = optionsIn(known).filter((option) => !isOfSchedule(option));
  const candidates = likely.flatMap((subject) =>
    guesses.flatMap((guess) =>
      requestsFor(guess, subject, { moment, context: subject.context }).flatMap(
        (request) => commandOfRequest(request, options) ?? [],
      ),
    ),
  );
  if (comparesUnsaid(known, candidates)) return [];
  const commands = cadences.flatMap(({ cadence }) => {
    const time = cadence.needsTime ? [factsOf(known, 'time')[0]?.time ?? '09:00'] : [];
    const often = [cadence.words, ...time, ...factsOf(known, 'zone').map(({ zone }) => zone)];
    return candidates.map((command) => ['schedule', command, ...scheduleOptions(known), ...often].join(' '));
  });
  const valid = (cadences.length > 0 ? commands : candidates).filter((command) =>
    isCommand(parseCommand(command, context)),
  );
  return [...new Set(valid)].slice(0, maxReadings);
}

function isCommand(parsed: ReturnType<typeof parseCommand>): parsed is { ok: true; value: Command } {
  return parsed.ok;
}

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Access } from '../../access/scope.js';
import { allReports, type ReportName, type TitleOption } from '../../catalogue/index.js';
import { isFailure } from '../../errors/failure.js';
import { parseCommand } from '../../requests/parse-command.js';
import { namesPeople } from '../../requests/person-level.js';
import type { Problem } from '../../requests/problem.js';
import { withoutRemovedFields } from '../../requests/removed-fields.js';
import { type Asker, hasErasedFilter, type ReportRequest } from '../../requests/request.js';
import { type KnownValue, noKnownNames, placeMembers } from '../../requests/sentences/known-names.js';
import { possibleNames } from '../../requests/sentences/people.js';
import {
  readSentence,
  type SentenceContext,
  type SentenceReading,
} from '../../requests/sentences/read-sentence.js';
import { isRefusal } from '../../requests/sentences/refusals.js';
import { likenessTo } from '../../requests/sentences/spelling.js';
import { compact } from '../../requests/text.js';
import { suggestionLists, suggestionListsFor, titleListsFor } from '../../runner/suggestions.js';
import { allowedCommands, emptyTeamIn } from '../answers/allowed-commands.js';
import { answerRightsOf, minPeopleIn } from '../answers/answer-run.js';
import type { ListenerParts } from '../answers/context.js';
import type { PlacedContext } from '../context/request-context.js';
import { slackErrorCode } from '../delivery/clients.js';
import { findSavedElsewhere } from '../list/run-saved-report.js';
import { firstHelpMessage } from '../messages/help.js';
import { problemMessage, type Reply } from '../messages/notices.js';
import { namesSomebody, readingsMessage, unreadableMessage } from '../messages/readings.js';
import { notSavedHere, notSavedHereMessage } from '../messages/saved-reports.js';
import { peopleInWords } from './people-in-words.js';

/** Words that are no command: the commands that a sentence was read as, or the reply where there is none. */
type ReadWords = { readonly commands: readonly string[]; readonly note: string | undefined } | Reply;

/**
 * The reply to words that are no command: their readings as a sentence, else the corrected command, else near commands.
 * Nothing is run.
 */
export async function replyToWords(
  problem: Problem,
  context: PlacedContext,
  parts: ListenerParts,
): Promise<Reply> {
  const read = await readWords(problem, context, parts);
  return typeof read === 'object' && 'commands' in read ? readingsMessage(read.commands, read.note) : read;
}

export async function readWords(
  problem: Problem,
  context: PlacedContext,
  parts: ListenerParts,
): Promise<ReadWords> {
  const { typed = '', channel, member: asker } = context;
  if (typed.length > maxSentenceLength || typed.split(/[\s,;:]+/).length > maxSentenceWords)
    return problemMessage(problem);
  const emptyTeam =
    problem.corrected === undefined ? undefined : await emptyTeamIn(problem.corrected, asker, parts);
  if (emptyTeam !== undefined) return emptyTeam;
  const elsewhere = await findSavedElsewhere(context, parts);
  // A condition that was typed is never left out of a reading.
  const isWhole = wholeCommands.has(problem.kind);
  if (isWhole || isOfOption(typed, problem) || isMisspeltCommand(typed, problem))
    return elsewhere ? notSavedHereMessage(elsewhere) : problemMessage(problem);
  const accesses = await Promise.all(
    allReports.map(({ name }) => parts.access.accessOf(context.asker, name)),
  );
  const [above, savedNames] = await Promise.all([
    answerAbove(context, parts),
    parts.store.savedReports.namesIn(channel),
  ]);
  const sentence: Omit<SentenceContext, 'known'> = {
    savedNames,
    request: above.request,
    now: parts.clock.now(),
    zone: asker.zone,
    weekStart: parts.weekStart,
  };
  const findNames = () => knownNamesFor(context, typed, accesses, parts);
  const { names, note: namesNote } = await namesToRead(typed, sentence, findNames, parts);
  const readContext = { ...sentence, known: names };
  const { read, problem: whoProblem } = context.assistant
    ? { read: readSentence(typed, readContext) }
    : await readWithPeople(typed, readContext, asker, accesses, parts);
  if (whoProblem !== undefined) return whoProblem;
  const aboveNote = read.namesReport ? undefined : above.note;
  // A reading that runs at once leaves out that something is to be saved or scheduled.
  const verb = /^(?:\/report\s+)?(save|schedule)(?!\S)/i.exec(typed)?.[1]?.toLowerCase();
  const isAsTyped = (command: string) => verb === undefined || command.startsWith(`${verb} `);
  const understood = read.readings.filter(isAsTyped);
  // Help runs nothing, so it needs no press.
  if (understood.length === 1 && understood[0] === 'help')
    return firstHelpMessage(parts.managers.known(asker.id) !== false);
  const readings = await allowedCommands(understood, context, parts, understood.length === 1);
  const nearest = await allowedCommands(read.nearest.filter(isAsTyped), context, parts);
  const note = compact(aboveNote, readings.note, namesNote).join(' ') || undefined;
  if (readings.commands.length > 0) {
    const remarks = compact(elsewhere && notSavedHere(elsewhere.typed), note);
    return { commands: readings.commands, note: remarks.join(' ') || undefined };
  }
  if (elsewhere) return notSavedHereMessage(elsewhere);
  // A schedule without its time is a reading too.
  const isKnown = read.unknown.length === 0 && nearest.commands.length === 0;
  const reason = readings.refusal ?? (isKnown ? nearest.refusal : undefined);
  if (reason) return reason;
  if (isUnknownName(problem, read)) {
    const sentence = `“${problem.word}” is no report, and nothing is saved here under this name. Type /report list for what is saved here, or /report help.`;
    return problemMessage(problem, sentence);
  }
  // A corrected command may leave out what cannot be asked. A number can also be a slip of a command.
  const isRefused = isRefusal(read.missing) && (read.missing !== 'comparing' || !problem.corrected);
  const shown = { ...read, nearest: nearest.commands };
  if (isRefused || read.missing === 'thanks') return unreadableMessage(shown, note, undefined);
  const isIncomplete = read.missing === 'time' || read.missing === 'day';
  if (verb !== undefined && formProblems.has(problem.kind) && !isIncomplete) return problemMessage(problem);
  const lacksReportAlone = read.missing === 'report' && read.unknown.length === 0;
  const isNoCommand = read.isCorrected || sentenceProblems.has(problem.kind);
  const isSentence = lacksReportAlone || isIncomplete || (problem.corrected === undefined && isNoCommand);
  if (!isSentence) return problemMessage(problem);
  return unreadableMessage(shown, note, mostUnderstood(typed, problem, shown.nearest));
}

/** True if one name is unknown, the rest is a command, and nothing comes near. */
function isUnknownName({ kind, nearest, understood, otherWords, word }: Problem, read: SentenceReading) {
  const isRest = understood !== undefined && otherWords === undefined && !nearest;
  return kind === 'unknown-report' && isRest && read.unknown.includes(word) && read.nearest.length === 0;
}

/** How long a sentence waits for the names of the first look, in milliseconds. The person sees no sign of it before. */
const maxNamesWaitMs = 4_000;

const stillReadingNames =
  'I am reading the titles of your reports for the first time, so I may take a track for a content. In a minute I will know better.';

/**
 * The known names. While the first look is under way, a sentence that may name something waits for it a little: a title
 * that is not known yet could be of anything. The note is for the asker, where that was not enough.
 */
async function namesToRead(
  typed: string,
  sentence: Omit<SentenceContext, 'known'>,
  find: () => ReturnType<typeof knownNamesFor>,
  { firstLooks }: ListenerParts,
) {
  const names = await find();
  if (!firstLooks || firstLooks.areOver() || names.areComplete) return { names };
  const { readings, isForeign, missing } = readSentence(typed, { ...sentence, known: names });
  // An option with a value may hold a name.
  const isPlain = readings.length > 0 && !readings.some((command) => command.includes(':'));
  if (isPlain || isForeign || missing === 'thanks') return { names };
  await firstLooks.within(maxNamesWaitMs);
  return { names: await find(), note: firstLooks.areOver() ? undefined : stillReadingNames };
}

/** Reads a sentence, with the people whom its words name. The problem is set where it needs one of them. */
async function readWithPeople(
  typed: string,
  context: SentenceContext,
  asker: Asker,
  accesses: readonly Access[],
  parts: ListenerParts,
) {
  const first = readSentence(typed, context);
  const names = possibleNames(typed, context, first);
  if (names.length === 0) return { read: first };
  const { people, problem, isCommon } = await peopleInWords(names, asker, accesses, parts);
  const read =
    people.length === 0 ? first : readSentence(typed, { ...context, known: { ...context.known, people } });
  return { read, problem: isCommon || namesSomebody(read) ? problem : undefined };
}

/** Longer texts are no questions, and reading them would take long. */
const maxSentenceLength = 600;
const maxSentenceWords = 60;

/** The command that fills the form: what was understood, or the nearest command if that keeps more of a sentence. */
function mostUnderstood(typed: string, { understood = '' }: Problem, nearest: readonly string[]) {
  const [near = understood] = nearest;
  const isCommand = /\S:\S/.test(typed) || /^(?:save|schedule)\s/i.test(typed);
  return isCommand || understood.length > near.length ? understood : near;
}

/** Problems of the form of `save` and `schedule`, which say what to type. */
const formProblems: ReadonlySet<Problem['kind']> = new Set([
  'save-form',
  'saved-name',
  'schedule-form',
  'cadence-missing',
  'cadence',
]);

/** True for a problem of an option that was typed with its colon. Sentences have no such options. */
function isOfOption(typed: string, problem: Problem) {
  if (problem.kind === 'unknown-option') return false;
  const option = 'option' in problem ? problem.option : problem.word;
  return option.endsWith(':') && typed.toLowerCase().includes(option.toLowerCase());
}

/** Problems of commands that were understood to their end. They are never read as sentences. */
const wholeCommands: ReadonlySet<Problem['kind']> = new Set([
  'when',
  'other-signs',
  'evidence-no-range',
  'evidence-range-missing',
]);

/** Problems of words that may be a sentence. For other problems, their own message helps more. */
const sentenceProblems: ReadonlySet<Problem['kind']> = new Set([
  'unknown-report',
  'report-missing',
  'unknown-word',
  'words-too-many',
  'quote-not-closed',
  'save-form',
  'schedule-form',
  'cadence-missing',
]);

/** True for a command with one misspelt word. It is corrected instead of read as a sentence. */
function isMisspeltCommand(typed: string, { corrected, nearest }: Problem) {
  if (corrected === undefined || nearest === undefined) return false;
  // A question mark is no slip.
  const [words, right] = [typed, corrected].map((text) =>
    text
      .trim()
      .split(/\s+/)
      .map((word) => word.replace(/[?!.,;]+$/, '')),
  );
  if (!words || !right || words.length !== right.length) return false;
  const changed = words.filter((word, index) => word !== right[index]);
  return changed.length === 1 && parseCommand(corrected, { savedNames: [] }).ok;
}

/**
 * The known names that the words may mean and the person may see. None is person-level. There can be many
 * thousands, so other work runs between the lists.
 */
async function knownNamesFor(
  context: PlacedContext,
  typed: string,
  accesses: readonly Access[],
  parts: ListenerParts,
) {
  const { store } = parts;
  const allowed = accesses.map(({ level }) => level).filter((level) => level !== 'nothing');
  if (allowed.length === 0) return { ...noKnownNames, areComplete: true };
  // People with a lower level for any report get only what everybody may see.
  const minPeople = minPeopleIn(context.conversation, allowed, parts);
  const values: KnownValue[] = [];
  const titles = new Map<string, { option: TitleOption; title: string; reports: ReportName[] }>();
  const likeness = likenessTo(typed);
  let knowsPlaces = false;
  const knownOptions = new Set<TitleOption>();
  for (const list of new Set([...memberLists.keys(), ...titleLists.keys()])) {
    const members = memberLists.get(list) ?? [];
    const options = titleLists.get(list) ?? [];
    const known = await store.suggestions.all([list], minPeople);
    await yieldToEventLoop();
    if (known.length === 0) continue;
    knowsPlaces ||= members.some((member) => placeMembers.includes(member));
    const entries = members.length === 0 ? [] : known.map(({ entry }) => entry);
    for (const entry of likest(entries, likeness))
      values.push(...members.map((member) => ({ member, entry })));
    for (const option of options) knownOptions.add(option);
    const all = options.length === 0 ? [] : known.flatMap(({ title = [] }) => title);
    for (const title of likest(all, likeness)) {
      for (const option of options) {
        const named = titles.get(`${option} ${title}`) ?? { option, title, reports: [] };
        named.reports.push(...(reportsOfLists.get(list) ?? []));
        titles.set(`${option} ${title}`, named);
      }
    }
    await yieldToEventLoop();
  }
  return {
    values,
    titles: [...titles.values()],
    knowsPlaces,
    knowsTracks: knownOptions.has('track'),
    /** True if titles of all kinds are known. */
    areComplete: titleOptions.every((option) => knownOptions.has(option)),
  };
}

/** Names of one list that a sentence is read with. More of them take long, and are hardly meant. */
const maxLikely = 100;

/** The names that share most words with a sentence. */
function likest(names: readonly string[], likeness: (name: string) => number) {
  const likely = [...new Set(names)].flatMap((name) => {
    const measured = likeness(name);
    return measured > 0 ? [{ name, measured }] : [];
  });
  if (likely.length > maxLikely)
    likely.sort((one, other) => other.measured - one.measured || one.name.length - other.name.length);
  return likely.slice(0, maxLikely).map(({ name }) => name);
}

/** The members with names, by the lists of suggestions that hold their entries. */
const memberLists = byList(
  allReports
    .flatMap(({ filters }) => filters.flatMap(({ members }) => members))
    .filter(({ kind }) => kind === 'names')
    .flatMap((member) => suggestionListsFor(member).map((list) => [list, member.name] as const)),
);

/** What is a content and something else is that first: its own report knows more about it. */
const titleOptions = ['track', 'assessment', 'workshop', 'content'] as const;

const titleLists = byList(
  titleOptions.flatMap((option) => titleListsFor(option).map((list) => [list, option] as const)),
);

/** The reports whose records fill a list. */
const reportsOfLists = byList(
  [...suggestionLists].flatMap(([report, lists]) => lists.map(({ list }) => [list, report] as const)),
);

function byList<Value>(pairs: readonly (readonly [list: string, value: Value])[]) {
  const lists = new Map<string, readonly Value[]>();
  for (const [list, value] of pairs) lists.set(list, [...new Set([...(lists.get(list) ?? []), value])]);
  return lists;
}

/**
 * The request of the latest answer in the thread, from which a sentence can take parts, if its reader may repeat it; or
 * why nothing is taken from it, for the reader.
 */
async function answerAbove(
  { channel, thread, member: asker, conversation }: PlacedContext,
  parts: ListenerParts,
): Promise<{ readonly request?: ReportRequest; readonly note?: string }> {
  const entry =
    thread === undefined ? undefined : await parts.store.requestLog.latestInThread(channel, thread);
  if (!entry?.message) return {};
  const { channel: shownIn, ts: message_ts } = entry.message;
  const isDeleted = await parts.client.chat.getPermalink({ channel: shownIn, message_ts }).then(
    () => false,
    (error: unknown) => slackErrorCode(error) === 'message_not_found',
  );
  if (isDeleted) return { note: 'The answer above was deleted, so I took nothing from it.' };
  const request = withoutRemovedFields(entry.request);
  const notAllowed = { note: 'You may not repeat the answer above, so I took nothing from it.' };
  if (hasErasedFilter(request)) return notAllowed;
  const isTheirs = entry.asker === asker.id && entry.choseFilters !== false;
  // Only the person who wrote filters about people, and channels that may see them, are shown them again.
  if (namesPeople(request) && !isTheirs && conversation.personLevel !== 'allowed') return notAllowed;
  try {
    await answerRightsOf(request, asker, conversation, parts);
    return { request };
  } catch (error) {
    if (isFailure(error, 'access-refused')) return notAllowed;
    throw error;
  }
}

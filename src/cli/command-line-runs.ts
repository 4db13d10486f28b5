import { peopleSetOf } from '../access/people-set.js';
import {
  type AccessRecord,
  askedEvent,
  eventNotWritten,
  recordEvent,
  recordExport,
  searchedEvent,
} from '../access/record.js';
import { unlimitedScope } from '../access/scope.js';
import type { RunConfig } from '../config/config.js';
import { Failure } from '../errors/failure.js';
import { numberPeople, openReportingApi, type PeopleNumbers } from '../reporting-api/client.js';
import { leaveOut } from '../reporting-api/left-out.js';
import { writeTable } from '../reporting-api/table-file.js';
import { unreleasedConditions } from '../requests/person-level.js';
import type { ReportRequest } from '../requests/request.js';
import { compact, displayText } from '../requests/text.js';
import { readTokens } from '../requests/tokens.js';
import { type EntryChange, entryChangeOf, replaceEntry, titleChangeOf } from '../requests/typed-entry.js';
import { exportOf, fileName } from '../runner/answer-parts.js';
import { completeRequest, type FindTitles, findTitlesInService } from '../runner/complete-request.js';
import type { SuggestionSource } from '../runner/ports.js';
import type { UnitsRead } from '../runner/queries.js';
import { type ReportResult, runReport } from '../runner/run-report.js';
import { describeAccessRefusal } from '../slack/messages/access-levels.js';
import { entriesSentence, offeredTitles, titlesSentence } from '../slack/messages/choices.js';
import type { SentPeople } from '../slack/messages/summary-parts.js';
import { hasStore, withExistingStore } from './backup.js';

interface CommandLineRun {
  /** The words of the request. */
  readonly typed: string;
  readonly asTyped?: boolean | undefined;
  /** Where its file is written, and its name in the record of access; absent: ours. The caller deletes it. */
  readonly file?: { readonly path: string; readonly name?: string } | undefined;
  readonly rowLimit?: number | undefined;
  /** True for a summary that no one is named in. */
  readonly namesNobody?: boolean;
  readonly signal: AbortSignal;
  readonly onRecords?: (records: number) => void;
  readonly onUnits?: (read: UnitsRead) => void;
  readonly onWait?: (milliseconds: number | undefined) => void;
}

/**
 * Runs requests as the command line asks them: everything may be seen, and each run is in the record of access, if this
 * machine has one.
 */
export function commandLineRuns(
  config: RunConfig,
  origin: 'command-line' | 'command-line-assistant',
  stderr: NodeJS.WritableStream,
) {
  const { leftOut, smallestGroup, weekStart, defaultZone: zone } = config;
  const record = recordOfBot(origin, stderr);
  const reporting = openReportingApi(config.reporting, { log: silent });
  /** @param isForFile true where people whose rows cannot be recorded stop the run */
  const sourceOf = (isForFile: boolean) => {
    const numbered = record
      ? numberPeople(reporting.source, peopleNumbersOfBot(isForFile))
      : reporting.source;
    return leftOut
      ? leaveOut(numbered, { current: () => leftOut.people, smallestGroup, key: config.reporting.token })
      : numbered;
  };
  const queriesInParallel = config.reporting.maxParallelRequests > 1;
  return {
    /** @throws `run-words-refused` for what the person has to decide, and the errors of the runner */
    async run(asked: ReportRequest, how: CommandLineRun): Promise<ReportResult> {
      const { typed, asTyped, file, rowLimit, namesNobody = false, signal, onRecords, onUnits, onWait } = how;
      if (file && record && config.asksPurpose && asked.purpose === undefined)
        throw wordsRefused(
          'Files need a purpose. Say what the file is for, as in: rollcall run engagement --csv FILE \'purpose:"Audit of Q3"\'',
        );
      await refuseUnreleased(asked);
      const runParts = { source: sourceOf(file !== undefined), weekStart, queriesInParallel, writeTable };
      const scope = { ...unlimitedScope, namesPeople: !namesNobody };
      const asker = { id: 'command-line', zone };
      const reading = {
        asker,
        requestedAt: Date.now(),
        scope,
        refusesPassedTarget: true,
        signal,
        onRecords,
        onUnits,
        onWait,
      };
      for (const choice of asked.titles ?? []) {
        await record?.event(searchedEvent({ ...record.facts(), request: asked }, choice));
      }
      const findTitles: FindTitles = async (choices) =>
        (await findTitlesInService(asked, choices, { ...reading, minPeople: 1 }, runParts)).matches;
      const request = await completed(asked, typed, asTyped, config, findTitles);
      const options = { ...reading, filePath: file?.path, rowLimit, urgency: 'person' } as const;
      const result = await runReport(request, options, runParts);
      await record?.run(result, file && (file.name ?? fileName(result)));
      return result;
    },
    close: () => reporting.close(),
  };
}

/** @throws `run-words-refused` with the choices, and the errors of the search */
async function completed(
  request: ReportRequest,
  typed: string,
  asTyped: boolean | undefined,
  config: RunConfig,
  findTitles: FindTitles,
): Promise<ReportRequest> {
  const isListed = (member: string) => config.reporting.names?.has(member) ?? false;
  const completion = await completeRequest(
    request,
    { minPeople: 1, asTyped, findTitles },
    { suggestions, isListed },
  );
  if (completion.kind === 'ready') return completion.request;
  const words = (changes: readonly EntryChange[]) =>
    changes.reduce((text, change) => replaceEntry(text, change) ?? text, typed);
  if (completion.kind === 'entries') {
    const { misses } = completion;
    const changed = words(misses.map((miss) => entryChangeOf(request, miss)));
    throw wordsRefused(
      [
        entriesSentence(misses, request.report),
        `  ${shellCommand(changed)}`,
        `  ${shellCommand(typed)} --as-typed`,
      ].join('\n'),
    );
  }
  const { choice, matches } = completion;
  const commands = offeredTitles(matches).map(
    (titled) =>
      `  ${shellCommand(words([titleChangeOf(choice, titled, matches)]))}${asTyped ? ' --as-typed' : ''}`,
  );
  throw wordsRefused([titlesSentence(choice, matches, request.report), ...commands].join('\n'));
}

/**
 * Conditions on metadata need a key that an admin has released, on every way.
 *
 * @throws `run-words-refused`
 */
async function refuseUnreleased(request: ReportRequest): Promise<void> {
  if (unreleasedConditions(request, new Set()).length === 0) return;
  const keys = hasStore() ? await withExistingStore(({ approvals }) => approvals.releasedKeys()) : [];
  const released = new Set(keys.map(({ subject }) => subject));
  const [first, ...others] = unreleasedConditions(request, released).map(({ field }) => field);
  if (first === undefined) return;
  throw wordsRefused(describeAccessRefusal({ kind: 'not-released', fields: [first, ...others] }));
}

/** The words of a command as arguments of `rollcall run`, for a shell. */
export function shellCommand(words: string): string {
  const quoted = readTokens(words, 0).map(({ start, end }) => {
    const word = displayText(words.slice(start, end), maxShownWord);
    return /^[\w.:,@%+=/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  });
  return ['rollcall run', ...quoted].join(' ');
}

const maxShownWord = 500;

export function wordsRefused(sentence: string): Failure {
  return new Failure('run-words-refused', { sentence });
}

/** The record of access in the database of the bot; undefined if this machine has none. */
function recordOfBot(origin: 'command-line' | 'command-line-assistant', stderr: NodeJS.WritableStream) {
  if (!hasStore()) return undefined;
  const record: AccessRecord = {
    append: (event) => withExistingStore(({ events }) => events.append(event)),
  };
  const log = { error: (_details: object, message: string) => void stderr.write(`${message}.\n`) };
  const event = (made: Parameters<typeof recordEvent>[1]) => recordEvent(record, made, log);
  const facts = () => ({ at: Date.now(), origin });
  return {
    event,
    facts,
    /** Rows that cannot be recorded are not written. @throws `export-not-recorded` */
    async run(result: ReportResult, file: string | undefined): Promise<void> {
      const { range: days, scope } = result;
      // The words of a command line hold no file.
      const about = { ...facts(), request: { ...result.request, file: undefined }, days };
      await event(askedEvent(about, { level: 'everything', scope }));
      const sent = { at: Date.now(), report: result.report.name, place: 'command-line' } as const;
      const save = (people: SentPeople) =>
        withExistingStore(({ sentRows }) => sentRows.save({ ...sent, ...people }));
      // A summary without names has no rows either.
      if (scope.namesPeople)
        await save(peoplePrinted(result)).catch((err: unknown) => log.error({ err }, eventNotWritten));
      if (file === undefined) return;
      const { people } = result.file ?? {};
      await recordExport(record, exportOf(result, file, about, 'everything'));
      if (people) await save({ what: 'file', people }).catch(notRecorded);
    },
  };
}

function notRecorded(cause: unknown): never {
  throw new Failure('export-not-recorded', { cause });
}

/** @param isForFile true where people without numbers stop the run: their rows could not be recorded */
function peopleNumbersOfBot(isForFile: boolean): PeopleNumbers {
  return {
    numbersOf: (names) =>
      withExistingStore(({ personNumbers }) => personNumbers.numbersOf(names)).catch((error: unknown) => {
        if (isForFile) notRecorded(error);
        return new Int32Array(names.length).fill(-1);
      }),
  };
}

/** The people whose rows or names the summary prints. */
function peoplePrinted({ rows, figures }: ReportResult): SentPeople {
  const listed = rows?.listed ?? figures?.people?.listed ?? [];
  const groups = figures?.breakdown?.kind === 'groups' ? figures.breakdown.rows : undefined;
  const all = compact(listed, figures?.onlyRow && figures.onlyPerson, groups);
  return { what: rows ? 'rows' : 'people', people: peopleSetOf(all.flatMap(({ numbers = [] }) => numbers)) };
}

/** The values of recent answers of the bot; none without its database. */
const suggestions: SuggestionSource = {
  all: (...about) => fromStore((stored) => stored.all(...about)),
  ofEntries: (...about) => fromStore((stored) => stored.ofEntries(...about)),
  find: (...about) => fromStore((stored) => stored.find(...about)),
};

/** Names from the database of the bot. None if it cannot be used, because a run works without them. */
async function fromStore<Values>(
  read: (stored: SuggestionSource) => Promise<readonly Values[]>,
): Promise<readonly Values[]> {
  if (!hasStore()) return [];
  return withExistingStore((store) => read(store.suggestions)).catch(() => []);
}

const silent = { info: () => {}, warn: () => {} };

import { fieldOf, isPersonLevelFilter, memberOf, type ReportName, reportNamed } from '../catalogue/index.js';
import { userFilter } from '../catalogue/learner.js';
import { Failure } from '../errors/failure.js';
import type { AccessRefusal } from '../errors/request-failures.js';
import type { LogOf } from '../logging/logger.js';
import { formatRequest } from '../requests/parse-request.js';
import { entryRefersToAsker, type ReportRequest, type TitleChoice } from '../requests/request.js';
import { compact } from '../requests/text.js';
import type { Level } from './levels.js';
import type { PeopleSet } from './people-set.js';
import type { Scope } from './scope.js';

/** An event for the record of access: something that Rollcall did for a person. Plain data that survives JSON. */
export interface AccessEvent {
  readonly kind:
    | 'asked'
    | 'searched'
    | 'exported'
    | 'evidence-made'
    | 'evidence-zipped'
    | 'upload-failed'
    | 'shared'
    | 'record-read'
    | 'handed-over'
    | 'deleted';
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The Slack user ID of who did it; absent for the command line. */
  readonly person?: string | undefined;
  /** A conversation's ID. Direct messages are recorded without theirs, which tells whose they are. */
  readonly place?: string | undefined;
  readonly report?: ReportName | undefined;
  /** The people whom it names: Slack user IDs and e-mail addresses. */
  readonly subjects?: readonly string[] | undefined;
  /** Erased with any person of the event. */
  readonly details?: object | undefined;
  /** The post that it belongs to. The event is refused once an erasure ended the post. */
  readonly post?: string | undefined;
}

export interface AccessRecord {
  append(event: AccessEvent): Promise<unknown>;
}

/**
 * What was sent about people. `people`: names of the first rows, or lines of a breakdown by
 * people, in a summary or in details.
 */
export type SentWhat = 'file' | 'rows' | 'people';

export type SentPlace = 'direct' | 'channel' | 'command-line';

/** Rows about learners that are about to be sent. They are recorded beside the events, with the numbers of the people. */
export interface NewSentRows {
  /** The post that sends them; absent: no post does. */
  readonly post?: string | undefined;
  readonly at: number;
  /** The Slack user ID of who gets them; absent for the command line. */
  readonly recipient?: string | undefined;
  readonly report: ReportName;
  readonly what: SentWhat;
  readonly place: SentPlace;
  readonly people: PeopleSet;
}

/** A request that was refused, for metrics. */
export interface Refusal {
  /** `none` where no level was looked up. */
  readonly level: Level | 'none';
  readonly reason: string;
}

export function withRefusalListener<Record extends AccessRecord>(
  record: Record,
  onRefusal: (refusal: Refusal) => void,
): Record {
  return {
    ...record,
    append(event) {
      const { level = 'none', refused } = (
        event.kind === 'asked' ? event.details : {}
      ) as Partial<AskedDetails>;
      if (refused !== undefined) onRefusal({ level, reason: refused });
      return record.append(event);
    },
  };
}

type RequestOrigin =
  | 'request'
  | 'file-button'
  | 'details'
  | 'share'
  | 'digest'
  | 'command-line'
  | 'assistant'
  /** An assistant on the machine of the command line. */
  | 'command-line-assistant';

/** A request that was run or refused. */
export interface RequestFacts {
  readonly at: number;
  readonly person?: string | undefined;
  readonly place?: string | undefined;
  readonly request: ReportRequest;
  readonly origin: RequestOrigin;
  /** The address that `me` means in the request. */
  readonly me?: string | undefined;
  /** The range that was run; absent: as the request says. */
  readonly days?: { readonly firstDay: string; readonly lastDay: string } | undefined;
  /** The post of the answer, or of the digest's run. */
  readonly post?: string | undefined;
  /** Of a digest for managers: how many of them got a message. */
  readonly readers?: number | undefined;
}

/** The outcome of a request: what it may see, or why it was refused. */
export type RequestOutcome =
  | { readonly level: Level; readonly scope: Scope }
  /** `level`: absent where the person may not ask at all. */
  | {
      readonly level?: Level | undefined;
      readonly refused: AccessRefusal['kind'] | 'too-many-requests';
    };

/** The details of `searched`: what a person typed last into a field that suggests titles and names. */
export interface SearchedDetails {
  /** The field, such as `content` or `departments`. */
  readonly field: string;
  readonly text: string;
  /** Absent: a form. */
  readonly origin?: RequestOrigin | undefined;
}

export function searchedEvent(
  { at, person, place, request: { report }, origin }: Omit<RequestFacts, 'post' | 'days' | 'me'>,
  { option, text }: TitleChoice,
): AccessEvent {
  const details: SearchedDetails = { field: option, text: text.slice(0, maxSearchedText), origin };
  return { kind: 'searched', at, person, place, report, details };
}

const maxSearchedText = 500;

export interface RecordReadDetails {
  /** What was read: a list in words, such as `What Ada did, last week`. */
  readonly title: string;
  /** Where: a message, a file, or the command line. */
  readonly as: 'message' | 'file' | 'command-line' | 'home';
}

export function askedEvent(facts: RequestFacts, outcome: RequestOutcome) {
  const { filters, conditions, purpose } = facts.request;
  const scope = 'scope' in outcome ? outcome.scope : undefined;
  const details = {
    filters,
    conditions,
    purpose,
    level: outcome.level,
    /** Whose rows could be read. */
    rows: scope?.rows,
    smallestGroup: scope?.smallestGroup,
    refused: 'refused' in outcome ? outcome.refused : undefined,
    readers: facts.readers,
  };
  return runEvent('asked', facts, details, peopleNamedIn(facts, scope));
}

export type AskedDetails = ReturnType<typeof askedEvent>['details'];

/** A summary was shared in another channel. */
export function sharedEvent(facts: RequestFacts): AccessEvent {
  return runEvent('shared', facts, {});
}

interface ExportedFile {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rowCount: number;
  readonly scope: Scope;
  readonly level?: Level | undefined;
}

/** @param facts its place is where the file goes */
export function exportedEvent(facts: RequestFacts, { name: file, scope, ...rest }: ExportedFile) {
  const { columns, rowCount, level } = rest;
  const { purpose } = facts.request;
  const details = { file, purpose, columns, rowCount, level, people: peopleIn(facts.request, scope) };
  return runEvent('exported', facts, details, peopleNamedIn(facts, scope));
}

export type ExportedDetails = ReturnType<typeof exportedEvent>['details'];

/** With the words after `/report` that make the same request. */
function runEvent<Details extends object>(
  kind: AccessEvent['kind'],
  { at, person, place, request, origin, days, post }: RequestFacts,
  more: Details,
  subjects?: readonly string[],
) {
  const { report } = request;
  const words = formatRequest(request);
  const details = { words, origin, firstDay: days?.firstDay, lastDay: days?.lastDay, ...more };
  return { kind, at, person, place, report, subjects, details, post };
}

/**
 * A file of evidence. It stands for the export too.
 *
 * @param exported the same rows as an exported file
 * @param manifest the SHA-256 of the manifest without its last line
 */
export function evidenceMadeEvent({ details, ...exported }: AccessEvent, manifest: string) {
  const { post } = exported;
  // The post tells which events have no end after a process was killed.
  return { ...exported, kind: 'evidence-made', details: { ...details, manifest, post } } as const;
}

type EvidenceMadeDetails = ReturnType<typeof evidenceMadeEvent>['details'];

/** The details of `evidence-zipped`. They name nobody, so that no erasure takes the hash. */
export interface EvidenceZippedDetails {
  /** The position of its `evidence-made`. */
  readonly of: number;
  /** SHA-256. */
  readonly zip: string;
}

export function evidenceZippedEvent(
  { at, report, post }: Pick<AccessEvent, 'at' | 'report' | 'post'>,
  details: EvidenceZippedDetails,
): AccessEvent {
  return { kind: 'evidence-zipped', at, report, post, details };
}

/** A saved report or digest that was handed over, deleted or restored. */
export interface SavedFacts {
  readonly at: number;
  readonly person: string;
  readonly what: 'saved report' | 'digest';
  readonly name: string;
  readonly place: string;
  readonly report: ReportName;
}

/** @param to the Slack user ID of the new owner */
export function handedOverEvent({ what, name, ...facts }: SavedFacts, to: string): AccessEvent {
  return { kind: 'handed-over', ...facts, subjects: [to], details: { what, name } };
}

/** @param restored true where the deletion was undone */
export function deletedEvent({ what, name, ...facts }: SavedFacts, restored?: true): AccessEvent {
  return { kind: 'deleted', ...facts, details: { what, name, restored } };
}

/** The addresses that the filters of a request name, in lower case, with the one that its scope forces. */
function peopleNamedIn({ request, me }: RequestFacts, scope: Scope | undefined): readonly string[] {
  const report = reportNamed(request.report);
  const named = new Set(compact(scope?.address));
  const nameAll = (member: string, entries: readonly string[]) => {
    for (const entry of entries) {
      const address = entryRefersToAsker(member, entry) ? me : entry;
      if (address?.includes('@')) named.add(address.trim().toLowerCase());
    }
  };
  for (const filter of request.filters)
    if (memberOf(report, filter)?.member.kind === 'emails') nameAll(filter.member, filter.entries);
  for (const { field, values } of request.conditions ?? [])
    if (fieldOf(report, field)?.kind === 'email') nameAll(field, values);
  return [...named].sort();
}

/**
 * Whose rows a request can hold: everybody's, those of people whom a filter chose, or those of named people. A filter on
 * managers chooses people without naming them.
 */
function peopleIn({ report, filters }: ReportRequest, { rows }: Scope): 'everybody' | 'some' | 'named' {
  if (rows === 'self') return 'named';
  const onPeople = filters.filter((filter) => isPersonLevelFilter(reportNamed(report), filter));
  const namesThem = onPeople.some(({ object, member }) => object === userFilter.name && member === 'email');
  if (namesThem) return 'named';
  return rows === 'team' || onPeople.length > 0 ? 'some' : 'everybody';
}

/** Records a file before it is shared. If that fails, it is not shared. @throws `export-not-recorded` */
export async function recordExport(record: AccessRecord, event: AccessEvent): Promise<void> {
  try {
    await record.append(event);
  } catch (error) {
    throw new Failure('export-not-recorded', { cause: error });
  }
}

/** A file that `recordExport` recorded was not uploaded. Not for uploads that are unconfirmed. */
export function uploadFailedEvent({ details, ...exported }: AccessEvent, at: number): AccessEvent {
  const { file = '', post }: Partial<ExportedDetails & EvidenceMadeDetails> = details ?? {};
  return { ...exported, kind: 'upload-failed', at, details: { file, post } };
}

/** The parts of the record that tell which evidence nobody was sent. */
interface EvidenceRecord extends AccessRecord {
  /** Newest first. */
  newest(
    query: { readonly kinds: readonly ('evidence-made' | 'upload-failed')[]; readonly from: number },
    limit: number,
  ): Promise<readonly (Omit<AccessEvent, 'kind' | 'details'> & { kind: string; details: unknown })[]>;
}

/** So many events of files are looked through. */
const maxEventsOfFiles = 200;

/**
 * The record may have evidence that nobody was sent, because its process ended before the upload began: this records
 * that. Does nothing for evidence that has an end.
 *
 * @param post of the request, or of the digest's run
 * @param from when that began
 */
export async function recordUnsentEvidence(
  { post, from }: { readonly post: string; readonly from: number },
  events: EvidenceRecord,
  at: number,
  log: LogOf<'error'>,
): Promise<void> {
  const kinds = ['evidence-made', 'upload-failed'] as const;
  for (const { kind, details, person, place, report, subjects } of await events.newest(
    { kinds, from },
    maxEventsOfFiles,
  )) {
    const made = details as EvidenceMadeDetails | undefined;
    if (made?.post !== post) continue;
    if (kind === 'upload-failed') return;
    const event = {
      kind: 'evidence-made',
      at,
      person,
      place,
      report,
      subjects,
      details: made,
      post,
    } as const;
    await recordEvent(events, uploadFailedEvent(event, at), log);
  }
}

/** Operators search for this line. */
export const eventNotWritten = 'An event could not be written to the record of access';

/** Records an event whose loss stops nothing. Never throws: a failure is logged for the operator. */
export async function recordEvent(
  record: AccessRecord,
  event: AccessEvent,
  log: LogOf<'error'>,
): Promise<void> {
  try {
    await record.append(event);
  } catch (err) {
    log.error({ err, kind: event.kind }, eventNotWritten);
  }
}

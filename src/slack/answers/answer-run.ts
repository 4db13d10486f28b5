import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import type { Level } from '../../access/levels.js';
import { type DestinationKind, minPeopleOfNames, type Scope, scopeOf } from '../../access/scope.js';
import type { LearningLinks } from '../../catalogue/learning-link.js';
import { codeOf, Failure, ok, type Result } from '../../errors/failure.js';
import type { AccessRefusal } from '../../errors/request-failures.js';
import type { LogOf } from '../../logging/logger.js';
import { withoutCommand } from '../../requests/parse-command.js';
import { formatRequest } from '../../requests/parse-request.js';
import { maskPeople, type ReleasedKeys } from '../../requests/person-level.js';
import { type Asker, type ReportRequest, type ResolvedRange, requestsIn } from '../../requests/request.js';
import { type PersonLevel, type RecentAnswer, type Route, routeOf } from '../../runner/answer-parts.js';
import type { RunOrigin } from '../../runner/ports.js';
import type { RunParts } from '../../runner/queries.js';
import type { Store } from '../../store/store.js';
import type { Clock } from '../../time/clock.js';
import {
  type Conversation,
  type ConversationParts,
  type RequestContext,
  type ResponseUrl,
  resolveAsker,
  resolveConversation,
} from '../context/request-context.js';
import type { RefusedBlocks } from '../delivery/post-message.js';
import type { AnswerFiles, ShareFile } from '../delivery/upload.js';
import type { AccessDirectory } from '../directory/access.js';
import type { Memberships } from '../directory/channels.js';
import type { People } from '../directory/people.js';
import { describeAccessRefusal } from '../messages/access-levels.js';

/** A reader's rights for a request, and the destinations of its parts, at the moment when they were resolved. */
export interface AnswerRights {
  readonly conversation: Conversation;
  readonly level: Level;
  readonly scope: Scope;
  /** Names and titles that fewer people have do not exist for the reader. */
  readonly minPeople: number;
  readonly route: Route;
  readonly released: ReleasedKeys;
}

/** What a person's level allows of a request now. Destination and released keys don't decide whether it is refused. */
export async function scopeOfPerson(
  request: ReportRequest,
  { id, email: me }: Pick<Asker, 'id' | 'email'>,
  { access, smallestGroup }: AnswerRightsParts,
  destination: DestinationKind = 'direct',
  released: ReleasedKeys = new Set(),
): Promise<Result<Scope, AccessRefusal>> {
  const options = { destination, released, smallestGroup, me };
  let scope: Result<Scope, AccessRefusal> = ok(scopeOfScorecard);
  // A scorecard is allowed as long as one of its lines is.
  for (const line of requestsIn(request)) {
    scope = scopeOf(line, await access.accessOf(id, line.report), options);
    if (scope.ok) break;
  }
  return scope;
}

export interface AnswerRightsParts extends ConversationParts {
  readonly access: Pick<AccessDirectory, 'accessOf'>;
  readonly smallestGroup: number;
  readonly store: Pick<Store, 'approvals'>;
}

/**
 * Resolves the current rights of an answer's reader.
 *
 * @param asker replaces `me` in the request
 * @param conversation as it is now
 * @param onlyTeam true where rows of the asker's team are wanted, and no others may be in the answer
 * @throws `access-refused`
 */
export async function answerRightsOf(
  request: ReportRequest,
  { id, email: me }: Asker,
  conversation: Conversation,
  parts: AnswerRightsParts,
  onlyTeam = false,
): Promise<AnswerRights> {
  const [access, released] = await Promise.all([
    parts.access.accessOf(id, request.report),
    releasedNow(parts),
  ]);
  if (request.scorecard) {
    const route = { summary: request.toMe ? 'direct' : 'here', file: 'none', rows: 'none' } as const;
    const { smallestGroup: minPeople } = parts;
    return { conversation, level: access.level, scope: scopeOfScorecard, minPeople, route, released };
  }
  const { kind, testOf } = conversation;
  const personLevel = testOf ?? conversation.personLevel;
  const destination = destinationKindOf(kind === 'direct' && testOf === undefined, personLevel);
  const options = { destination, released, smallestGroup: parts.smallestGroup, me };
  const { level } = access;
  const isAssistant = conversation.assistant?.takeFigures !== undefined;
  // An assistant gets no names, those of admins among them.
  const asked = onlyTeam && level === 'everything' ? { ...access, level: 'team' as const } : access;
  const allowed = scopeOf(request, isAssistant ? { ...asked, admins: undefined } : asked, options);
  if (!allowed.ok) {
    if (!isAssistant || allowed.refusal.kind !== 'evidence-place')
      throw accessRefused(allowed.refusal, level);
    // Evidence goes where rows go.
    const direct = scopeOf(request, asked, { ...options, destination: 'direct' });
    throw accessRefused(direct.ok ? { kind: 'assistant' } : direct.refusal, level);
  }
  const scope = allowed.value;
  const route = routeOf(request, personLevel, released, scope);
  const isTotals = route.summary === 'here' && route.file === 'none' && route.rows === 'none';
  if (isAssistant && !isTotals) throw accessRefused({ kind: 'assistant' }, level);
  const minPeople = minPeopleOfNames(request, level, scope, options);
  return { conversation, level, scope, minPeople, route, released };
}

/** Each line of a scorecard has its own scope, which decides what it shows. */
const scopeOfScorecard: Scope = { rows: 'all', smallestGroup: 1, namesPeople: false, onlyDirect: false };

/** The fields and filters that admins have released. */
export async function releasedNow({ store }: AnswerRightsParts): Promise<ReleasedKeys> {
  return new Set((await store.approvals.releasedKeys()).map(({ subject }) => subject));
}

export function accessRefused(refusal: AccessRefusal, level: Level): Failure<'access-refused'> {
  return new Failure('access-refused', { refusal, level, sentence: describeAccessRefusal(refusal) });
}

/**
 * Names and titles that fewer people have do not exist for a reader of this conversation, whatever they ask there.
 *
 * @param levels of the reader for the reports that they may ask for
 */
export function minPeopleIn(
  { kind, personLevel }: Conversation,
  levels: readonly Level[],
  { smallestGroup }: AnswerRightsParts,
): number {
  const isOpen = destinationKindOf(kind === 'direct', personLevel) !== 'other';
  return isOpen && levels.every((level) => level === 'everything') ? 1 : smallestGroup;
}

export function destinationKindOf(isDirect: boolean, personLevel: PersonLevel): DestinationKind {
  if (isDirect) return 'direct';
  return personLevel === 'allowed' ? 'approved' : 'other';
}

/** True if neither the rights nor the destinations have changed. */
export function areSameRights(a: AnswerRights, b: AnswerRights): boolean {
  const [one, other] = [a, b].map(({ conversation: { kind, personLevel }, scope, route, released }) =>
    JSON.stringify([kind, personLevel, scope, route, [...released].sort()]),
  );
  return one === other;
}

/** What buttons, forms, saved reports and digests add to a run. */
interface RunSettings {
  /** The range of an earlier answer that is run again. */
  readonly range?: ResolvedRange | undefined;
  /** True for tests, *Send again* and *Share to channel*: later answers are not compared with this one. */
  readonly isRepeat?: boolean;
  /** The `ts` of a summary: only the file is wanted, in the thread of that message. */
  readonly fileInto?: string | undefined;
  /** False if another person chose the filters of the request. Messages to the asker then do not quote them. */
  readonly choseFilters?: boolean | undefined;
  /** True for *Share to channel*. */
  readonly isShare?: boolean;
  /** True for the test of a digest: it is posted once with everything in it, as the digest is. */
  readonly isTest?: boolean;
  /** True where an answer with rows of anybody but the asker's team is refused, whatever their level. */
  readonly onlyTeam?: boolean;
}

export interface AnswerOptions extends RunSettings {
  /** The digest or saved report that is run; absent for other requests. */
  readonly runOf?: RunOrigin;
  /** The asker's rights, if they were resolved just now. They are resolved again before anything is sent. */
  readonly rights?: AnswerRights | undefined;
  /** IANA zone that ranges follow; absent: the asker's. */
  readonly zone?: string;
  /** The Slack user ID that `me` means; absent: the asker. */
  readonly me?: string;
}

/** One execution of a request that was made in Slack. */
export interface RequestedRun extends RunSettings {
  /** The ID of its entry in the request log, and of its post in the ledger. */
  readonly id: string;
  readonly request: ReportRequest;
  readonly asker: Asker;
  /** What is run, for later comparisons. */
  readonly origin: RunOrigin;
  /** Milliseconds since the epoch. */
  readonly requestedAt: number;
  readonly conversation: Conversation;
  /** The words after `/report `, as typed; absent if the request came from a button or a form. */
  readonly typed?: string | undefined;
}

/** A run with the rights of its asker and the destinations of its parts. */
export interface AnswerRun extends RequestedRun, AnswerRights {}

/** *Details* that are pressed this soon show the figures of the answer itself. */
export const recentMs = 10 * 60_000;
const maxRecent = 100;

/** The answers of this process whose totals are not stored, for *Details*, by the ID of the request. */
export function recentAnswersOf() {
  return new LRUCache<string, RecentAnswer>({ max: maxRecent, ttl: recentMs, ttlAutopurge: true });
}

/** What answers to people, digests and details are made and posted with. */
export interface SendParts extends AnswerRightsParts, RunParts {
  readonly store: Pick<
    Store,
    | 'requestLog'
    | 'ledger'
    | 'approvals'
    | 'events'
    | 'evidence'
    | 'lastFigures'
    | 'answerTotals'
    | 'suggestions'
    | 'savedReports'
  >;
  readonly people: People;
  readonly memberships: Memberships;
  /** Makes each call once, without retries. */
  readonly client: WebClient;
  readonly share: ShareFile;
  readonly files: AnswerFiles;
  readonly refused: RefusedBlocks;
  readonly recentAnswers: ReturnType<typeof recentAnswersOf>;
  /** The URL of the workspace, `https://example.slack.com/`. */
  readonly workspaceUrl: string;
  /** The addresses that titles link to. */
  readonly learningLinks: LearningLinks;
  /** True where files need a purpose. */
  readonly asksPurpose?: boolean;
  readonly clock: Clock;
  /** IANA zone that readers in channels expect, and for people whose profile has none. */
  readonly defaultZone: string;
  readonly log: LogOf<'info' | 'warn' | 'error'>;
}

/** Ends a post that failed or was cancelled. Never throws: the next start finds a post without its end. */
export async function endPost(
  id: string,
  error: unknown,
  { store: { ledger }, clock, log }: SendParts,
  isCancelled = false,
): Promise<void> {
  const claim = { id, worker: null };
  const at = clock.now();
  await (isCancelled
    ? ledger.markCancelled(claim, at)
    : ledger.markFailed(claim, { code: codeOf(error) }, at)
  ).catch((err: unknown) => log.error({ err, post: id }, 'The end of a post could not be saved'));
}

/** The response URL for a summary, which cannot be edited; undefined for a message of the bot. */
export function responseUrlOf({ conversation, route }: AnswerRun): ResponseUrl | undefined {
  const { kind, responseUrl } = conversation;
  return kind === 'elsewhere' && route.summary === 'here' && responseUrl?.isOpen() ? responseUrl : undefined;
}

/** True for a summary that goes to direct messages instead of its conversation. */
export function goesDirectly(run: AnswerRun): boolean {
  const { kind } = run.conversation;
  if (kind === 'direct') return false;
  return run.route.summary === 'direct' || (kind === 'elsewhere' && !responseUrlOf(run));
}

/** The command as typed, or an equivalent command. A `/report` that was copied too is there once. */
export function commandOf(typed: string | undefined, request: ReportRequest): string {
  const words = typed === undefined ? undefined : withoutCommand(typed);
  return `/report ${words ?? request.scorecard?.name ?? formatRequest(request)}`;
}

/** A request as the readers of its answer may read it: without people whom its asker neither chose nor may ask for. */
export function requestForReader(
  request: ReportRequest,
  {
    choseFilters = true,
    level,
    conversation: { kind, personLevel },
  }: Pick<AnswerRun, 'choseFilters' | 'level' | 'conversation'>,
): ReportRequest {
  const isOpen = kind !== 'direct' && personLevel === 'allowed';
  return choseFilters || isOpen || level === 'everything' ? request : maskPeople(request);
}

/** True for a file that needs a purpose and has none. */
export function lacksPurpose(
  { file, purpose }: Pick<ReportRequest, 'file' | 'purpose'>,
  { asksPurpose }: SendParts,
): boolean {
  return asksPurpose === true && file !== undefined && purpose === undefined;
}

/**
 * The rights of an answer that is about to be sent, or edited. The asker may have left since, or become a guest. Slack is
 * asked about an approved channel now, because it can lose its approval.
 *
 * @throws `asker-refused`, `access-refused`
 */
export async function rightsToSend(
  { request, asker, conversation: { kind, personLevel }, onlyTeam }: AnswerRun,
  context: RequestContext,
  parts: SendParts,
): Promise<AnswerRights> {
  const resolved = await resolveAsker(asker.id, parts.people, parts.defaultZone);
  if (!resolved.ok) throw new Failure('asker-refused', { sentence: resolved.refusal });
  const fresh = kind !== 'direct' && personLevel === 'allowed';
  return answerRightsOf(request, asker, await resolveConversation(context, parts, fresh), parts, onlyTeam);
}

import type { WebClient } from '@slack/web-api';
import type { Level } from '../access/levels.js';
import { type DestinationKind, minPeopleOfNames, type Scope, scopeOf } from '../access/scope.js';
import type { LearningLinks } from '../catalogue/learning-link.js';
import { Failure } from '../errors/failure.js';
import { formatRequest } from '../requests/parse-request.js';
import { maskPeople, type ReleasedKeys } from '../requests/person-level.js';
import type { Asker, ReportRequest } from '../requests/request.js';
import type { RunParts } from '../runner/queries.js';
import { type PersonLevel, type Route, routeOf } from '../runner/route.js';
import type { Approvals } from '../store/access/approvals.js';
import type { Store } from '../store/store.js';
import type { Clock } from '../time/clock.js';
import type { RefusedBlocks } from './delivery/post-message.js';
import type { ResponseUrl } from './delivery/response-url.js';
import type { AnswerFiles, ShareFile } from './delivery/upload.js';
import type { AccessDirectory } from './directory/access.js';
import type { People } from './directory/people.js';
import { describeAccessRefusal } from './messages/access-levels.js';
import {
  type Conversation,
  type ConversationParts,
  type RequestContext,
  resolveAsker,
  resolveConversation,
} from './request-context.js';

/** One execution of a request that was made in Slack. */
export interface RequestedRun {
  /** The ID of its entry in the request log, and of its post in the ledger. */
  readonly id: string;
  readonly asker: Asker;
  /** Milliseconds since the epoch. */
  readonly requestedAt: number;
  readonly conversation: Conversation;
  /** The words after `/report `, as typed; absent if the request came from a button or a form. */
  readonly typed?: string | undefined;
  /** The `ts` of a summary: only the file is wanted, in the thread of that message. */
  readonly fileInto?: string | undefined;
  /** False if somebody else chose the filters of the request. Default: true. */
  readonly choseFilters?: boolean | undefined;
}

/** A run with the rights of its asker and the destinations of its parts. */
export interface AnswerRun extends RequestedRun, AnswerRights {}

/** What answers to people, digests and details are made and posted with. */
export interface SendParts extends AnswerRightsParts, RunParts {
  readonly store: Pick<
    Store,
    'requestLog' | 'ledger' | 'approvals' | 'events' | 'lastFigures' | 'answerTotals' | 'suggestions'
  >;
  readonly people: People;
  /** Makes each call once, without retries. */
  readonly client: WebClient;
  readonly share: ShareFile;
  readonly files: Pick<AnswerFiles, 'pathFor' | 'remove'>;
  readonly refused: RefusedBlocks;
  /** The URL of the workspace, `https://example.slack.com/`. */
  readonly workspaceUrl: string;
  /** The addresses that titles link to. */
  readonly learningLinks: LearningLinks;
  /** True where files need a purpose. */
  readonly asksPurpose?: boolean;
  readonly clock: Clock;
  /** IANA zone that readers in channels expect, and for people whose profile has none. */
  readonly defaultZone: string;
  readonly log: {
    info(details: object, message: string): void;
    warn(details: object, message: string): void;
    error(details: object, message: string): void;
  };
}

/** For the log. */
export const outcomeNotSaved = 'The outcome of a post could not be saved';

/** The response URL for a summary, which cannot be edited; undefined for a message of the bot. */
export function responseUrlOf({
  conversation: { kind, responseUrl },
  route,
}: Pick<AnswerRun, 'conversation' | 'route'>): ResponseUrl | undefined {
  return kind === 'elsewhere' && route.summary === 'here' && responseUrl?.isOpen() ? responseUrl : undefined;
}

/** The command as typed, or an equivalent command. */
export function commandOf(typed: string | undefined, request: ReportRequest): string {
  return `/report ${typed ?? formatRequest(request)}`;
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

/** True for a summary that goes to direct messages instead of its conversation. */
export function goesDirectly(run: Pick<AnswerRun, 'conversation' | 'route'>): boolean {
  const { kind } = run.conversation;
  if (kind === 'direct') return false;
  return run.route.summary === 'direct' || (kind === 'elsewhere' && !responseUrlOf(run));
}

/** A reader's rights for a request, and the destinations of its parts, at the moment when they were resolved. */
export interface AnswerRights {
  readonly conversation: Conversation;
  /** The reader's level for the report. */
  readonly level: Level;
  readonly scope: Scope;
  /** Names and titles that fewer people have do not exist for the reader. */
  readonly minPeople: number;
  readonly route: Route;
  readonly released: ReleasedKeys;
}

interface AccessParts {
  readonly access: Pick<AccessDirectory, 'accessOf'>;
  /** SMALLEST_GROUP. */
  readonly smallestGroup: number;
}

export interface AnswerRightsParts extends ConversationParts, AccessParts {
  readonly store: {
    readonly approvals: Pick<Approvals, 'isChannelApproved' | 'lostApproval' | 'releasedKeys'>;
  };
}

/**
 * Resolves the current rights of an answer's reader.
 *
 * @param asker replaces `me` in the request
 * @param conversation as it is now
 * @param wantsFile true if a file is made
 * @throws `access-refused`
 */
export async function answerRightsOf(
  request: ReportRequest,
  asker: Asker,
  conversation: Conversation,
  wantsFile: boolean,
  parts: AnswerRightsParts,
): Promise<AnswerRights> {
  const [access, keys] = await Promise.all([
    parts.access.accessOf(asker.id, request.report),
    parts.store.approvals.releasedKeys(),
  ]);
  const released = new Set(keys.map(({ subject }) => subject));
  const { kind, testOf } = conversation;
  const personLevel = testOf ?? conversation.personLevel;
  const destination = destinationKindOf(kind === 'direct' && testOf === undefined, personLevel);
  const { smallestGroup } = parts;
  const scope = scopeOf(request, access, {
    destination,
    wantsFile,
    released,
    smallestGroup,
    me: asker.email,
  });
  if (!scope.ok)
    throw new Failure('access-refused', {
      refusal: scope.refusal,
      level: access.level,
      sentence: describeAccessRefusal(scope.refusal),
    });
  const route = routeOf(request, personLevel, wantsFile, released, scope.value);
  const { level } = access;
  const minPeople = minPeopleOfNames(request, level, scope.value, { destination, smallestGroup });
  return { conversation, level, scope: scope.value, minPeople, route, released };
}

/**
 * The rights of an answer that is about to be sent, or edited. The asker may have left since, or become a guest.
 *
 * @param options `wantsFile`: a file is made; `fresh`: ask Slack about the conversation now
 * @throws `asker-refused`, `access-refused`
 */
export async function rightsToSend(
  request: ReportRequest,
  asker: Asker,
  context: RequestContext,
  { wantsFile, fresh }: { readonly wantsFile: boolean; readonly fresh: boolean },
  parts: AnswerRightsParts & { readonly people: People; readonly defaultZone: string },
): Promise<AnswerRights> {
  const resolved = await resolveAsker(asker.id, parts.people, parts.defaultZone);
  if (!resolved.ok) throw new Failure('asker-refused', { sentence: resolved.refusal });
  const conversation = await resolveConversation(context, parts, fresh);
  return answerRightsOf(request, asker, conversation, wantsFile, parts);
}

/**
 * Names and titles that fewer people have do not exist for a reader of this conversation, whatever they ask there.
 *
 * @param levels of the reader for the reports that they may ask for
 */
export function minPeopleIn(
  { kind, personLevel }: Conversation,
  levels: readonly Level[],
  { smallestGroup }: Pick<AccessParts, 'smallestGroup'>,
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
  return keyOf(a) === keyOf(b);
}

function keyOf({ conversation: { kind, personLevel }, scope, route, released }: AnswerRights): string {
  return JSON.stringify([kind, personLevel, scope, route, [...released].sort()]);
}

/** True for an approved channel, which can lose its approval. Slack is asked about it again before a post. */
export function needsFreshLook({ conversation: { kind, personLevel } }: AnswerRights): boolean {
  return kind !== 'direct' && personLevel === 'allowed';
}

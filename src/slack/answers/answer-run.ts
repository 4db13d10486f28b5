import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import type { LearningLinks } from '../../catalogue/learning-link.js';
import { codeOf, Failure } from '../../errors/failure.js';
import type { LogOf } from '../../logging/logger.js';
import { withoutCommand } from '../../requests/parse-command.js';
import { formatRequest } from '../../requests/parse-request.js';
import { maskPeople } from '../../requests/person-level.js';
import type { Asker, ReportRequest, ResolvedRange } from '../../requests/request.js';
import type { RecentAnswer } from '../../runner/answer-parts.js';
import type { RunOrigin } from '../../runner/ports.js';
import type { RunParts } from '../../runner/queries.js';
import type { Store } from '../../store/store.js';
import type { Clock } from '../../time/clock.js';
import {
  type Conversation,
  type RequestContext,
  type ResponseUrl,
  resolveAsker,
  resolveConversation,
} from '../context/request-context.js';
import type { RefusedBlocks } from '../delivery/post-message.js';
import type { AnswerFiles, ShareFile } from '../delivery/upload.js';
import type { Memberships } from '../directory/channels.js';
import type { People } from '../directory/people.js';
import { type AnswerRights, type AnswerRightsParts, answerRightsOf } from './answer-rights.js';

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

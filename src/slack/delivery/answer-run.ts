import type { WebClient } from '@slack/web-api';
import type { LearningLinks } from '../../catalogue/learning-link.js';
import { formatRequest } from '../../requests/parse-request.js';
import { maskPeople } from '../../requests/person-level.js';
import type { Asker, ReportRequest } from '../../requests/request.js';
import type { RunParts } from '../../runner/queries.js';
import type { Store } from '../../store/store.js';
import type { Clock } from '../../time/clock.js';
import type { AnswerRights, AnswerRightsParts } from '../answer-rights.js';
import type { People } from '../directory/people.js';
import type { Conversation } from '../request-context.js';
import type { RefusedBlocks } from './post-message.js';
import type { ResponseUrl } from './response-url.js';
import type { AnswerFiles, ShareFile } from './upload.js';

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

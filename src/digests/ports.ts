import type { Level } from '../access/levels.js';
import type { AccessRecord } from '../access/record.js';
import type { Scope } from '../access/scope.js';
import type { ReleasedKeys } from '../requests/person-level.js';
import type { Asker, ReportRequest, ResolvedRange } from '../requests/request.js';
import type { AnswerTotalsStore } from '../runner/answer-totals.js';
import type { LastFigures, ReportSource } from '../runner/ports.js';
import type { PersonLevel, Route } from '../runner/route.js';
import type { ReportResult } from '../runner/run-report.js';
import type { WeekStart } from '../time/calendar.js';
import type { Clock } from '../time/clock.js';
import type { ClaimedRun, Digest, DigestRun, RunEnd } from './digest.js';
import type { Failure } from './failure.js';
import type { Ledger } from './ledger.js';
import type { UnreadableDigest } from './quarantine.js';
import type {
  DigestNotifications,
  DigestOutages,
  Digests,
  NotificationMessage,
  Outage,
} from './store-ports.js';

/** The parts that digests use. `app.ts` creates them. */
export interface DigestParts {
  /** The name of this process, which leads: no other one runs digests. No process ever has the same name. */
  readonly worker: string;
  readonly source: ReportSource;
  readonly weekStart: WeekStart;
  /** IANA zone for people whose profile has none. */
  readonly defaultZone: string;
  /** Maximum rows of a message. */
  readonly maxListedRows: number;
  /** True where files need a purpose. */
  readonly asksPurpose?: boolean;
  /** SMALLEST_GROUP. */
  readonly smallestGroup: number;
  readonly store: DigestStore;
  readonly poster: DigestPoster;
  readonly files: ReportFiles;
  /** Slack user IDs of all named admins. */
  readonly admins: () => Promise<readonly string[]>;
  readonly clock: Clock;
  /** Monotonic milliseconds. */
  readonly monotonic: () => number;
  readonly log: {
    info(details: object, message: string): void;
    warn(details: object, message: string): void;
    error(details: object, message: string): void;
  };
  /** Called with owners whose rights will be needed soon, of whom there may be thousands. */
  readonly prepareOwners?: (owners: readonly string[]) => void;
  /** Called when Slack accepts the token again after it told that it refuses it. */
  readonly onTokenAccepted?: () => Promise<void>;
  /** Called with the outcome of each run. */
  readonly onRunEnd?: (end: RunEnd) => void;
  /** Maximum posts per second of all digests together. */
  readonly postsPerSecond?: number;
  /** Milliseconds between two posts to one channel. */
  readonly channelPostIntervalMs?: number;
  /** Milliseconds between two checks for due digests and jumps of the wall clock. */
  readonly pollIntervalMs?: number;
}

/** The part of the store that digests use. */
export interface DigestStore {
  readonly digests: Digests;
  readonly ledger: Ledger;
  readonly digestNotifications: DigestNotifications;
  readonly digestOutages: DigestOutages;
  readonly lastFigures: Pick<LastFigures, 'find' | 'save'>;
  readonly answerTotals: Pick<AnswerTotalsStore, 'keep'>;
  /** The record of access. */
  readonly events: AccessRecord;
  readonly savedReports: {
    find(id: string): Promise<NamedReport | undefined>;
  };
  readonly requestLog: {
    /** Records the request that a post answers, for the buttons under it. Returns its ID. */
    recordForPost(
      post: string,
      entry: {
        readonly channel: string;
        readonly asker: string;
        readonly request: ReportRequest;
        readonly range?: ResolvedRange | undefined;
        readonly requestedAt: number;
      },
    ): Promise<string>;
    /** The ID of the latest request of a post. */
    ofPost(post: string): Promise<string | undefined>;
    withdraw(id: string): Promise<void>;
  };
}

/** A saved report, as notifications name it. */
interface NamedReport {
  readonly name: string;
  readonly channel: string;
  readonly deletedAt?: number;
  readonly pendingOwner?: Digest['pendingOwner'];
}

/** Where files are written before they are shared. */
interface ReportFiles {
  pathFor(id: string): string;
  remove(id: string): Promise<void>;
}

/** Everything digests need from Slack. Methods throw DigestFailed when Slack refuses or cannot be reached. */
export interface DigestPoster {
  /**
   * The owner's current rights in the digest's channel.
   *
   * @param options `namesPeople`: whether what is sent names people, under these rights. In a channel, that needs fresh
   *   facts from Slack about the channel and its members; otherwise cached ones are enough.
   */
  rightsOf(
    digest: Digest,
    options?: { readonly namesPeople?: (rights: DigestRights) => boolean },
  ): Promise<DigestRights>;
  /** The channel ID of a person's direct messages with the bot. */
  directMessagesOf(user: string): Promise<string>;
  describePerson(user: string): Promise<{ readonly zone?: string | undefined; readonly hasLeft: boolean }>;
  /** Renders a summary. Nothing is posted until `post` is called, and `post` never repeats an unconfirmed one. */
  prepareSummary(summary: DigestSummary): { post(channel: string): Promise<SummaryOutcome> };
  /**
   * Sends what follows a posted run, its file or its rows, once: in its thread, or to its owner's direct messages.
   *
   * @throws FileNotShared
   */
  sendFollowUp(
    claimed: ClaimedRun,
    result: ReportResult,
    message: NonNullable<DigestRun['message']>,
  ): Promise<void>;
  /** Sends a direct message. Returns where it is, if Slack says so. */
  sendNotification(recipient: string, content: NotificationContent): Promise<NotificationMessage | undefined>;
  editNotification(
    message: NotificationMessage,
    recipient: string,
    content: NotificationContent,
  ): Promise<void>;
  /** True if Slack accepts the bot's token. */
  isTokenAccepted(): Promise<boolean>;
  /** One or two sentences for the digest's owner. `run` is the ID of the run. */
  describeFailure(error: unknown, run: string): string;
}

/** The rights of an owner, and the destinations of a digest's parts. */
export interface DigestRights {
  readonly asker: Asker;
  /** The digest goes to its owner's direct messages. */
  readonly isDirect: boolean;
  /** Whether its channel may get person-level data. */
  readonly personLevel: PersonLevel;
  /** The owner's level for the report. */
  readonly level: Level;
  /** The owner's scope there. */
  readonly scope: Scope;
  readonly route: Route;
  readonly released: ReleasedKeys;
}

export interface DigestSummary {
  readonly digest: Digest;
  readonly run: DigestRun;
  readonly result: ReportResult;
  readonly rights: DigestRights;
  /** The request log's ID of this run, for the buttons. */
  readonly requestId: string;
  readonly late: boolean;
}

export type SummaryOutcome =
  | { readonly kind: 'posted'; readonly message: NonNullable<DigestRun['message']> }
  | { readonly kind: 'unconfirmed'; readonly code: string }
  | { readonly kind: 'not-posted'; readonly failure: Failure };

export type NotificationContent =
  | { readonly kind: 'unconfirmed'; readonly deliveries: readonly UnconfirmedDelivery[] }
  | {
      readonly kind: 'failed' | 'file-failed' | 'without-owner';
      readonly digest: Digest;
      readonly run: DigestRun;
    }
  | { readonly kind: 'unreadable'; readonly digest: Digest | UnreadableDigest }
  /** A filter lost its last entry, so the digest is paused, or the saved report is refused. */
  | { readonly kind: 'person-erased'; readonly digest: Digest }
  | { readonly kind: 'saved-person-erased'; readonly saved: NamedReport }
  /** Nobody accepted a hand-over. */
  | { readonly kind: 'offer-ended'; readonly digest: Digest }
  | { readonly kind: 'saved-offer-ended'; readonly saved: NamedReport }
  | { readonly kind: 'outage'; readonly outage: Outage; readonly isOver: boolean; readonly zone: string };

/** A message or file that may or may not have arrived. */
export interface UnconfirmedDelivery {
  readonly digest: Digest;
  readonly run: DigestRun;
  readonly what: 'message' | 'file';
}

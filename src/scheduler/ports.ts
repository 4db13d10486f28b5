import type { ClaimedRun, Digest, DigestRun, RunEnd } from '../digests/digest.js';
import type { ManagersRunEnd } from '../digests/managers-plan.js';
import type { Outage } from '../digests/outage.js';
import type { UnreadableDigest } from '../digests/quarantine.js';
import type { LogOf } from '../logging/logger.js';
import type { PostedMessage } from '../posts/post.js';
import type { SavedReport } from '../store/saved/saved-reports.js';
import type { Store } from '../store/store.js';
import type { Clock } from '../time/clock.js';
import type { PostRateLimiter } from './post-rate-limiter.js';

/** The parts that digests use. `app.ts` creates them. */
export interface DigestParts {
  /** The name of this process, which leads: no other one runs digests. No process ever has the same name. */
  readonly worker: string;
  /** IANA zone for people whose profile has none. */
  readonly defaultZone: string;
  readonly store: Pick<
    Store,
    | 'digests'
    | 'ledger'
    | 'digestNotifications'
    | 'digestOutages'
    | 'events'
    | 'savedReports'
    | 'managerReaders'
  >;
  readonly poster: DigestPoster;
  /** Slack user IDs of all named admins. */
  readonly admins: () => Promise<readonly string[]>;
  readonly clock: Clock;
  /** Monotonic milliseconds. */
  readonly monotonic: () => number;
  readonly log: LogOf<'info' | 'warn' | 'error'>;
  /** Called with owners whose rights will be needed soon, of whom there may be thousands. */
  readonly prepareOwners?: (owners: readonly string[]) => void;
  /** Called when Slack accepts a token that it refused before. */
  readonly onTokenAccepted?: () => Promise<void>;
  readonly onRunEnd?: (end: RunEnd) => void;
  /** Whether a person waits for an answer. Absent: nobody does. */
  readonly isAsked?: () => boolean;
  /** Maximum posts per second of all digests together. */
  readonly postsPerSecond?: number;
  readonly channelPostIntervalMs?: number;
  /** Milliseconds between two checks for due digests and jumps of the wall clock. */
  readonly pollIntervalMs?: number;
}

/** Everything digests need from Slack. Methods throw `slack-refused` when Slack refuses or cannot be reached. */
export interface DigestPoster {
  /** Makes the report of a run and posts it once, then its file or its rows. Throws what stops the message. */
  deliver(claimed: ClaimedRun, steps: RunSteps): Promise<void>;
  /** Makes the report of a posted run again, and sends its file or rows once. @throws also `file-not-shared` */
  deliverFollowUp(claimed: ClaimedRun, message: NonNullable<DigestRun['message']>): Promise<void>;
  describePerson(user: string): Promise<{ readonly zone?: string | undefined; readonly hasLeft: boolean }>;
  /** Sends a direct message. Returns where it is, if Slack says so. */
  sendNotification(recipient: string, content: NotificationContent): Promise<PostedMessage | undefined>;
  editNotification(message: PostedMessage, recipient: string, content: NotificationContent): Promise<void>;
  isTokenAccepted(): Promise<boolean>;
  /** One or two sentences for the digest's owner. `run` is the ID of the run. */
  describeFailure(error: unknown, run: string): string;
}

/** What the queue does while a run is delivered. */
export interface RunSteps {
  readonly rateLimiter: Pick<PostRateLimiter, 'turn' | 'idleTurn' | 'limited'>;
  /** Slack has accepted one of many messages of the run. */
  accepted(): Promise<void>;
  /** Slack has the message. */
  posted(result: { readonly records: number }): Promise<void>;
  /** Slack has the message, and its file or its rows failed. */
  followUpFailed(error: unknown): Promise<void>;
}

export type NotificationContent =
  | { readonly kind: 'unconfirmed'; readonly deliveries: readonly UnconfirmedDelivery[] }
  | {
      readonly kind: 'failed' | 'file-failed' | 'without-owner' | 'alert-baseline' | 'alert-drop';
      readonly digest: Digest;
      readonly run: DigestRun;
    }
  /** How a run of a digest for managers ended. */
  | {
      readonly kind: 'managers-run';
      readonly digest: Digest;
      readonly run: DigestRun;
      readonly end: ManagersRunEnd;
    }
  | { readonly kind: 'unreadable'; readonly digest: Digest | UnreadableDigest }
  /** A filter lost its last entry, so the digest is paused or the saved report refused; or no one accepted an offer. */
  | { readonly kind: 'person-erased' | 'offer-ended'; readonly digest: Digest }
  | { readonly kind: 'saved-person-erased' | 'saved-offer-ended'; readonly saved: SavedReport }
  | { readonly kind: 'outage'; readonly outage: Outage; readonly isOver: boolean; readonly zone: string };

/** A message or file that may or may not have arrived. */
export interface UnconfirmedDelivery {
  readonly digest: Digest;
  readonly run: DigestRun;
  readonly what: 'message' | 'file';
}

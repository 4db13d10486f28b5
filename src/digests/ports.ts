import type { AccessRecord } from '../access/record.js';
import type { LogOf } from '../logging/logger.js';
import type { AttemptCount, Claim } from '../posts/post.js';
import type { Clock } from '../time/clock.js';
import type { ClaimedRun, Digest, DigestRun, DueDigest, PauseReason, RunEnd } from './digest.js';
import type { FailureReason } from './failure.js';
import type { PostRateLimiter } from './post-rate-limiter.js';
import type { UnreadableDigest } from './quarantine.js';

/** The parts that digests use. `app.ts` creates them. */
export interface DigestParts {
  /** The name of this process, which leads: no other one runs digests. No process ever has the same name. */
  readonly worker: string;
  /** IANA zone for people whose profile has none. */
  readonly defaultZone: string;
  readonly store: DigestStore;
  readonly poster: DigestPoster;
  /** Slack user IDs of all named admins. */
  readonly admins: () => Promise<readonly string[]>;
  readonly clock: Clock;
  /** Monotonic milliseconds. */
  readonly monotonic: () => number;
  readonly log: LogOf<'info' | 'warn' | 'error'>;
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
  readonly digests: {
    find(id: string): Promise<Digest | undefined>;
    due(now: number, limit: number): Promise<readonly (Digest | UnreadableDigest)[]>;
    active(limit: number, after?: string): Promise<readonly (Digest | UnreadableDigest)[]>;
    reschedule(times: readonly Rescheduling[]): Promise<void>;
    quarantine(id: string, why: PauseReason): Promise<boolean>;
    succeeded(id: string): Promise<void>;
  };
  readonly ledger: {
    enter(due: readonly DueDigest[], at: number): Promise<unknown>;
    claim(order: ClaimOptions): Promise<readonly DigestRun[]>;
    renewLeases(ids: readonly string[], worker: string, until: number): Promise<void>;
    leaseHolders(): Promise<readonly { readonly worker: string; readonly until: number }[]>;
    reclaim(
      worker: { readonly name: string; readonly expired: boolean },
      activeRuns: readonly string[],
      now: number,
    ): Promise<readonly DigestRun[]>;
    markDeleted(claim: Claim, at: number): Promise<boolean>;
    markFailed(
      claim: Claim,
      reason: FailureReason,
      at: number,
      notification?: NotificationRequest,
      pauseAfter?: number,
    ): Promise<boolean>;
    markUnconfirmed(
      claim: Claim,
      reason: FailureReason,
      at: number,
      notification?: NotificationRequest,
    ): Promise<boolean>;
    release(claim: Claim, readyAt: number, reason: FailureReason, counts: AttemptCount): Promise<boolean>;
    waitingOwners(maxRuns?: number): Promise<readonly string[]>;
    makeReady(now: number, from?: number): Promise<void>;
    find(id: string): Promise<DigestRun | undefined>;
  };
  readonly digestNotifications: {
    add(notice: NotificationAbout, at: number): Promise<boolean>;
    addForAll(
      recipients: readonly string[],
      about: Omit<NotificationAbout, 'recipient'>,
      at: number,
    ): Promise<void>;
    ready(now: number, limit: number): Promise<readonly DigestNotification[]>;
    open(recipient: string, kinds: readonly NotificationKind[]): Promise<readonly DigestNotification[]>;
    sent(ids: readonly string[], sent: NotificationSent): Promise<void>;
    resend(kind: NotificationKind, subject: string, at: number): Promise<void>;
    drop(ids: readonly string[]): Promise<void>;
    postpone(ids: readonly string[], readyAt: number): Promise<void>;
    reassign(notice: DigestNotification, to: string, at: number): Promise<boolean>;
    rescheduleWaiting(now: number, from: number, repeatBy: number): Promise<void>;
    settle(subject: string): Promise<void>;
  };
  readonly digestOutages: {
    find(id: string): Promise<Outage | undefined>;
    open(): Promise<readonly Outage[]>;
    begin(cause: OutageCause, why: FailureReason, at: number): Promise<BegunOutage>;
    end(cause: OutageCause, at: number): Promise<boolean>;
  };
  /** The record of access. */
  readonly events: AccessRecord;
  readonly savedReports: { find(id: string): Promise<NamedReport | undefined> };
}

export interface ClaimOptions {
  /** Unique for each process that uses this database. */
  readonly worker: string;
  readonly now: number;
  readonly leaseMs: number;
  /** Maximum runs. Each is for a different channel. */
  readonly limit: number;
  /** Channels to leave out. */
  readonly busyChannels: readonly string[];
  /** Leaves out the runs of owners who have one in progress. */
  readonly skipBusyOwners?: boolean;
}

/** A new due time. It applies only if the digest still has the revision and due time given here. */
export interface Rescheduling {
  readonly id: string;
  readonly revision: number;
  readonly previousDue: number | null;
  readonly nextDue: number | null;
}

/** A saved report, as notifications name it. */
interface NamedReport {
  readonly name: string;
  readonly channel: string;
  readonly deletedAt?: number;
  readonly pendingOwner?: Digest['pendingOwner'];
}

/** Everything digests need from Slack. Methods throw `slack-refused` when Slack refuses or cannot be reached. */
export interface DigestPoster {
  /** Makes the report of a run and posts it once, then its file or its rows. Throws what stops the message. */
  deliver(claimed: ClaimedRun, steps: RunSteps): Promise<void>;
  /**
   * Makes the report of a posted run again, and sends its file or its rows once.
   *
   * @throws also `file-not-shared`
   */
  deliverFollowUp(claimed: ClaimedRun, message: NonNullable<DigestRun['message']>): Promise<void>;
  describePerson(user: string): Promise<{ readonly zone?: string | undefined; readonly hasLeft: boolean }>;
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

/** What the queue does while a run is delivered. */
export interface RunSteps {
  readonly rateLimiter: Pick<PostRateLimiter, 'turn' | 'limited'>;
  /** Slack has the message. */
  posted(result: { readonly records: number }): Promise<void>;
  /** Slack has the message, and its file or its rows failed. */
  followUpFailed(error: unknown): Promise<void>;
}

export type NotificationContent =
  | { readonly kind: 'unconfirmed'; readonly deliveries: readonly UnconfirmedDelivery[] }
  | {
      readonly kind: 'failed' | 'file-failed' | 'without-owner';
      readonly digest: Digest;
      readonly run: DigestRun;
    }
  | { readonly kind: 'unreadable'; readonly digest: Digest | UnreadableDigest }
  /** A filter lost its last entry, so that the digest is paused or the saved report refused; or nobody accepted an offer. */
  | { readonly kind: 'person-erased' | 'offer-ended'; readonly digest: Digest }
  | { readonly kind: 'saved-person-erased' | 'saved-offer-ended'; readonly saved: NamedReport }
  | { readonly kind: 'outage'; readonly outage: Outage; readonly isOver: boolean; readonly zone: string };

/** A message or file that may or may not have arrived. */
export interface UnconfirmedDelivery {
  readonly digest: Digest;
  readonly run: DigestRun;
  readonly what: 'message' | 'file';
}

export type NotificationKind =
  | 'unreadable'
  | 'unknown'
  | 'file-unknown'
  | 'failed'
  | 'file-failed'
  | 'without-owner'
  | 'person-erased'
  | 'saved-person-erased'
  | 'offer-ended'
  | 'saved-offer-ended'
  | 'outage';

/** Only a person can confirm these deliveries. Rollcall asks again until they answer. */
export const unconfirmedKinds: readonly NotificationKind[] = ['unknown', 'file-unknown'];

/** Added when an offer is made, and ready when it ends. The subject is the ID of what is offered, and since when. */
export const offerKinds: readonly NotificationKind[] = ['offer-ended', 'saved-offer-ended'];

export interface NotificationAbout {
  /** A Slack user ID. */
  readonly recipient: string;
  readonly kind: NotificationKind;
  /** The ID of the run, digest, saved report or outage; of an offer as `offerKinds` says. */
  readonly subject: string;
}

export interface DigestNotification extends NotificationAbout {
  readonly id: string;
  readonly createdAt: number;
  /** When it was last sent. */
  readonly sentAt?: number;
  /** The sent message, for later edits. */
  readonly message?: NotificationMessage;
}

export interface NotificationMessage {
  readonly channel: string;
  readonly ts: string;
}

export interface NotificationSent {
  readonly at: number;
  readonly message?: NotificationMessage;
  /** When to send it again if it is still open. Absent: never. */
  readonly repeatAt?: number;
}

/** A notification that a change of a run's state causes. */
export interface NotificationRequest {
  readonly kind: NotificationKind;
  /** Slack user IDs. */
  readonly recipients: readonly string[];
}

/** `service`: the Reporting Service. `slack`: the bot's own access to Slack. */
export type OutageCause = 'service' | 'slack';

/** A period in which no digest could run. */
export interface Outage {
  readonly id: string;
  readonly cause: OutageCause;
  /** The code of the first failure. */
  readonly code: string;
  /** The first failure, in words for people. */
  readonly reason?: string;
  readonly since: number;
}

export interface BegunOutage {
  readonly outage: Outage;
  /** `open`: it was open already. `reopened`: it had ended a few minutes ago. */
  readonly state: 'new' | 'open' | 'reopened';
}

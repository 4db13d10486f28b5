import type { Digest, DigestDraft, DigestSettings, PauseReason } from './digest.js';
import type { FailureReason } from './failure.js';
import type { UnreadableDigest } from './quarantine.js';

type DigestChange = Partial<DigestSettings> & {
  readonly state?: 'active' | 'paused';
  readonly pauseReason?: PauseReason;
  /** `null`: no due time is planned. */
  readonly nextDue: number | null;
  /**
   * When the new owner accepted the digest. The change fails if the digest was not offered to that owner. Without it, a
   * new owner ends an offer.
   */
  readonly acceptedAt?: number | undefined;
  /** The change fails if it gives an owner more digests than this. */
  readonly maxOwned?: number | undefined;
};

/** The owner of a digest would own more digests than a person can. */
export class TooManyDigests extends Error {
  override readonly name = 'TooManyDigests';
}

/** A new due time. It applies only if the digest still has the revision and due time given here. */
export interface Rescheduling {
  readonly id: string;
  readonly revision: number;
  readonly previousDue: number | null;
  readonly nextDue: number | null;
}

/** Stored digests. Methods leave out unreadable ones unless they say otherwise. */
export interface Digests {
  /**
   * Returns the ID.
   *
   * @param maxOwned how many digests a person can own
   * @throws TooManyDigests
   */
  add(
    settings: DigestSettings,
    createdBy: string,
    nextDue: number | undefined,
    at: number,
    maxOwned?: number,
  ): Promise<string>;
  /**
   * Also finds a deleted digest while the deletion can be undone.
   *
   * @throws UnreadableDigest
   */
  find(id: string): Promise<Digest | undefined>;
  /** Oldest first. */
  inChannel(channel: string, limit: number, from?: number): Promise<readonly Digest[]>;
  /** Sorted by channel, then oldest first. */
  inChannels(
    channels: readonly string[],
    limit: number,
    options?: { readonly from?: number; readonly excludeOwner?: string },
  ): Promise<readonly Digest[]>;
  ownedBy(owner: string, limit: number, from?: number): Promise<readonly Digest[]>;
  countOwnedBy(owner: string): Promise<number>;
  /** Earliest due time first. */
  due(now: number, limit: number): Promise<readonly (Digest | UnreadableDigest)[]>;
  /** One page of active digests, sorted by ID. `after` is the last ID of the previous page. */
  active(limit: number, after?: string): Promise<readonly (Digest | UnreadableDigest)[]>;
  /**
   * Changes a digest. Runs that a worker has claimed but not begun to post start again with the new settings.
   * Returns false if the digest has another revision by now.
   */
  change(id: string, revision: number, change: DigestChange): Promise<boolean>;
  /**
   * Offers a digest to a new owner, or ends the offer where `to` is absent. The owner stays until the new one accepts.
   * Returns false if the digest has another revision by now, or was deleted.
   */
  offer(id: string, revision: number, to: string | undefined, at: number): Promise<boolean>;
  /** Skips digests that changed since. */
  reschedule(times: readonly Rescheduling[]): Promise<void>;
  /** Pauses a digest without reading its settings. Returns false if it is not active. */
  quarantine(id: string, why: PauseReason): Promise<boolean>;
  delete(id: string, at: number): Promise<boolean>;
  /** Undoes a deletion made at or after `since`. */
  restore(id: string, since: number, nextDue: number | null): Promise<boolean>;
  succeeded(id: string): Promise<void>;
  /** Removes at most `limit` digests deleted before `time`. Returns how many. */
  deleteBefore(time: number, limit: number): Promise<number>;
}

/** Digests that people are setting up. Only the owner can find a draft. */
export interface DigestDrafts {
  open(owner: string, draft: DigestDraft, at: number): Promise<string>;
  find(id: string, owner: string): Promise<DigestDraft | undefined>;
  /** Marks a draft as used. Only the first caller gets true. */
  use(id: string, owner: string, at: number): Promise<boolean>;
  deleteBefore(time: number, limit: number): Promise<number>;
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

export interface DigestNotification {
  readonly id: string;
  /** A Slack user ID. */
  readonly recipient: string;
  readonly kind: NotificationKind;
  /** The ID of the run, digest, saved report or outage; of an offer as `offerKinds` says. */
  readonly subject: string;
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

interface NotificationSent {
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

/** Notifications to owners and admins: the queue and the history. */
export interface DigestNotifications {
  /** Returns false if the recipient already has this notification. */
  add(notice: Pick<DigestNotification, 'recipient' | 'kind' | 'subject'>, at: number): Promise<boolean>;
  /** Skips recipients who already have this notification. */
  addForAll(
    recipients: readonly string[],
    about: Pick<DigestNotification, 'kind' | 'subject'>,
    at: number,
  ): Promise<void>;
  /** Notifications that may be sent now. */
  ready(now: number, limit: number): Promise<readonly DigestNotification[]>;
  /** A person's open notifications, sent or not, oldest first. */
  open(recipient: string, kinds: readonly NotificationKind[]): Promise<readonly DigestNotification[]>;
  sent(ids: readonly string[], sent: NotificationSent): Promise<void>;
  /** Queues an edit of messages that were already sent about a subject. */
  resend(kind: NotificationKind, subject: string, at: number): Promise<void>;
  /** Closes notifications that cannot be delivered. */
  drop(ids: readonly string[]): Promise<void>;
  postpone(ids: readonly string[], readyAt: number): Promise<void>;
  /** Hands a notification to another person. Returns false if that person already has it. */
  reassign(notice: DigestNotification, to: string, at: number): Promise<boolean>;
  /**
   * Shortens waits that a clock running ahead made too long. Offers end when they end.
   *
   * @param from notifications that wait longer than this become ready now
   * @param repeatBy the latest time to repeat a question that a person has not answered
   */
  rescheduleWaiting(now: number, from: number, repeatBy: number): Promise<void>;
  /** Closes all notifications about a subject. */
  settle(subject: string): Promise<void>;
  deleteBefore(time: number, limit: number): Promise<number>;
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

interface BegunOutage {
  readonly outage: Outage;
  /** `open`: it was open already. `reopened`: it had ended a few minutes ago. */
  readonly state: 'new' | 'open' | 'reopened';
}

export interface DigestOutages {
  find(id: string): Promise<Outage | undefined>;
  open(): Promise<readonly Outage[]>;
  /** Returns the open outage, reopens one that ended a few minutes ago, or starts a new one. */
  begin(cause: OutageCause, why: FailureReason, at: number): Promise<BegunOutage>;
  /** Returns false if no outage was open. */
  end(cause: OutageCause, at: number): Promise<boolean>;
  deleteBefore(time: number, limit: number): Promise<number>;
}

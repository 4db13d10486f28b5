import type { Digest, DigestDraft, DigestSettings, PauseReason } from './digest.js';
import type { FailureReason } from './failure.js';
import type { UnreadableDigest } from './quarantine.js';

/** What can be changed about a digest at once. */
type DigestChange = Partial<DigestSettings> & {
  readonly state?: 'active' | 'paused';
  readonly pauseReason?: PauseReason;
  /** `null`: never, for now. */
  readonly nextDue: number | null;
};

/** When a digest comes next, and what was known of it when that was worked out. */
export interface Rescheduling {
  readonly id: string;
  readonly revision: number;
  readonly previousDue: number | null;
  readonly nextDue: number | null;
}

/** Reports that come by themselves. Those that cannot be read are left out where nothing else is said. */
export interface Digests {
  add(settings: DigestSettings, madeBy: string, nextDue: number | undefined, at: number): Promise<string>;
  /**
   * Also one that was deleted, as long as that can be undone.
   *
   * @throws UnreadableDigest
   */
  find(id: string): Promise<Digest | undefined>;
  /** Those of a channel, oldest first. */
  inChannel(channel: string, limit: number, from?: number): Promise<readonly Digest[]>;
  /** Those of some channels, one channel after the other, the oldest of each first. */
  inChannels(
    channels: readonly string[],
    limit: number,
    options?: { readonly from?: number; readonly excludeOwner?: string },
  ): Promise<readonly Digest[]>;
  ownedBy(owner: string, limit: number, from?: number): Promise<readonly Digest[]>;
  countOwnedBy(owner: string): Promise<number>;
  /** Those that are due, the earliest first. */
  due(now: number, limit: number): Promise<readonly (Digest | UnreadableDigest)[]>;
  /** Active ones, a page at a time: what follows `after`, or the first ones. */
  active(limit: number, after?: string): Promise<readonly (Digest | UnreadableDigest)[]>;
  /**
   * Changes it. Its runs at work that are not being posted yet begin anew, with what it is now.
   * False where somebody has changed it since that revision.
   */
  change(id: string, revision: number, change: DigestChange): Promise<boolean>;
  /** Sets when they come next, each unless it was changed since. */
  reschedule(times: readonly Rescheduling[]): Promise<void>;
  /** Pauses one whatever stands in it, also where it cannot be read. False where it does not run anyway. */
  quarantine(id: string, why: PauseReason): Promise<boolean>;
  delete(id: string, at: number): Promise<boolean>;
  /** Takes a deletion back that is not older than `since`. */
  restore(id: string, since: number, nextDue: number | null): Promise<boolean>;
  succeeded(id: string): Promise<void>;
  /** Removes at most `limit` of those deleted before a time. Returns how many. */
  deleteBefore(time: number, limit: number): Promise<number>;
}

/** Digests that people are about to set up. Each is its maker's alone. */
export interface DigestDrafts {
  open(owner: string, draft: DigestDraft, at: number): Promise<string>;
  find(id: string, owner: string): Promise<DigestDraft | undefined>;
  /** Uses it up. True for one caller alone. */
  use(id: string, owner: string, at: number): Promise<boolean>;
  deleteBefore(time: number, limit: number): Promise<number>;
}

/** What is told: about a run, its file, a digest that has no owner who may ask or cannot be read, or an outage. */
export type NotificationKind =
  | 'unreadable'
  | 'unknown'
  | 'file-unknown'
  | 'failed'
  | 'file-failed'
  | 'without-owner'
  | 'outage';

/** What only a person can say; they are asked until they do. */
export const unconfirmedKinds: readonly NotificationKind[] = ['unknown', 'file-unknown'];

export interface DigestNotification {
  readonly id: string;
  /** A Slack user ID. */
  readonly recipient: string;
  readonly kind: NotificationKind;
  /** The ID of what it is about. */
  readonly subject: string;
  readonly createdAt: number;
  /** When Slack took it last. */
  readonly sentAt?: number;
  /** Where it stands, so that it can be brought up to date. */
  readonly message?: NotificationMessage;
}

export interface NotificationMessage {
  readonly channel: string;
  readonly ts: string;
}

/** Slack took a notice. */
interface NotificationSent {
  readonly at: number;
  readonly message?: NotificationMessage;
  /** When it is told again, unless it is settled before; absent: never. */
  readonly repeatAt?: number;
}

/** Who has to hear of what became of a run. */
export interface NotificationRequest {
  readonly kind: NotificationKind;
  /** Slack user IDs. */
  readonly recipients: readonly string[];
}

/** What people still have to be told. */
export interface DigestNotifications {
  /** Nobody is told the same twice: false where it was entered before. */
  add(notice: Pick<DigestNotification, 'recipient' | 'kind' | 'subject'>, at: number): Promise<boolean>;
  /** The same for several people at once. */
  addForAll(
    recipients: readonly string[],
    about: Pick<DigestNotification, 'kind' | 'subject'>,
    at: number,
  ): Promise<void>;
  /** Those that can be told now. */
  ready(now: number, limit: number): Promise<readonly DigestNotification[]>;
  /** All that a person has not answered yet, told or not, of one kind, the oldest first. */
  open(recipient: string, kinds: readonly NotificationKind[]): Promise<readonly DigestNotification[]>;
  sent(ids: readonly string[], sent: NotificationSent): Promise<void>;
  /** What was told of a subject is not true any more: where it stands, it is to be said anew. */
  resend(kind: NotificationKind, subject: string, at: number): Promise<void>;
  /** Nobody can be told. */
  drop(ids: readonly string[]): Promise<void>;
  postpone(ids: readonly string[], readyAt: number): Promise<void>;
  /** Somebody else is told instead. False where they were told the same before, or are to be. */
  reassign(notice: DigestNotification, to: string, at: number): Promise<boolean>;
  /**
   * A clock that was ahead may have made some of them wait for too long.
   *
   * @param from what would wait for longer than until then is told now
   * @param askedBy what people were asked already, they are asked again by then
   */
  rescheduleWaiting(now: number, from: number, askedBy: number): Promise<void>;
  /** There is nothing left to tell about it. */
  settle(subject: string): Promise<void>;
  deleteBefore(time: number, limit: number): Promise<number>;
}

/** What does not work: the Reporting Service, or the bot's own access to Slack. */
export type OutageCause = 'service' | 'slack';

/** A time in which something that all digests need did not work. */
export interface Outage {
  readonly id: string;
  readonly cause: OutageCause;
  /** The code of the failure it began with. */
  readonly code: string;
  /** The same as people are told it. */
  readonly reason?: string;
  readonly since: number;
}

interface BegunOutage {
  readonly outage: Outage;
  /** `before`: it was open already. `again`: it was over for a moment. */
  readonly state: 'new' | 'open' | 'reopened';
}

export interface DigestOutages {
  find(id: string): Promise<Outage | undefined>;
  open(): Promise<readonly Outage[]>;
  /** The outage that is open already, the last one where that ended a moment ago, or a new one. */
  begin(cause: OutageCause, why: FailureReason, at: number): Promise<BegunOutage>;
  /** False where there was none. */
  end(cause: OutageCause, at: number): Promise<boolean>;
  deleteBefore(time: number, limit: number): Promise<number>;
}

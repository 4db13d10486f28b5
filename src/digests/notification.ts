import type { PostedMessage } from '../posts/post.js';

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
  | 'outage'
  /** The first run of an alert. */
  | 'alert-baseline'
  /** A run of an alert found so few rows that its owner is asked whether that is true. */
  | 'alert-drop'
  /** How a run of a digest for managers ended. */
  | 'managers-run'
  /** A digest for managers reaches more people than its owner may decide alone. The subject is its draft. */
  | 'managers-approval';

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
  readonly sentAt?: number;
  /** The sent message, for later edits. */
  readonly message?: PostedMessage;
}

export interface NotificationSent {
  readonly at: number;
  readonly message?: PostedMessage;
  /** When to send it again if it is still open. Absent: never. */
  readonly repeatAt?: number;
}

/** A notification that a change of a run's state causes. */
export interface NotificationRequest {
  readonly kind: NotificationKind;
  /** Slack user IDs. */
  readonly recipients: readonly string[];
}

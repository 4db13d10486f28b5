import type { Digest } from '../digests/digest.js';
import { failureOf } from '../digests/failure.js';
import { type DigestNotification, unconfirmedKinds } from '../digests/notification.js';
import { catchUnreadable, UnreadableDigest } from '../digests/quarantine.js';
import { isFailure } from '../errors/failure.js';
import { yieldToEventLoop } from '../time/clock.js';
import type { Outages } from './outages.js';
import type { DigestParts, NotificationContent, UnconfirmedDelivery } from './ports.js';
import type { PostRateLimiter } from './post-rate-limiter.js';

const batchSize = 50;

/** Sends each notification as a direct message until Slack confirms it: a duplicate is better than none. */
export async function sendNotifications(context: DigestContext): Promise<void> {
  const { parts, outages, signal } = context;
  const ready = await parts.store.digestNotifications.ready(parts.clock.now(), batchSize);
  const sentTo = new Set<string>();
  for (const notification of ready) {
    if (signal.aborted || !outages.mayNotify()) return;
    if (notification.kind === 'outage') await sendOutage(notification, context);
    else if (!unconfirmedKinds.includes(notification.kind))
      await sendNotification([notification], await contentFor(notification, parts), context);
    else if (!sentTo.has(notification.recipient)) {
      sentTo.add(notification.recipient);
      await sendUnconfirmed(notification.recipient, context);
    }
  }
}

/** Sends one message that asks a person about all their unconfirmed deliveries. */
async function sendUnconfirmed(recipient: string, context: DigestContext): Promise<void> {
  const { parts } = context;
  const open = await parts.store.digestNotifications.open(recipient, unconfirmedKinds);
  const deliveries: UnconfirmedDelivery[] = [];
  const included: DigestNotification[] = [];
  for (const notification of open) {
    const found = await findRunAndDigest(notification, parts);
    if (!found) await parts.store.digestNotifications.settle(notification.subject);
    else if (await canStillAnswer(notification, found.digest, parts)) {
      deliveries.push({ ...found, what: notification.kind === 'unknown' ? 'message' : 'file' });
      included.push(notification);
    }
  }
  if (deliveries.length > 0) await sendNotification(included, { kind: 'unconfirmed', deliveries }, context);
}

/** Sends one message per outage, and edits it when the outage ends. */
async function sendOutage(notification: DigestNotification, context: DigestContext): Promise<void> {
  const { store, poster, defaultZone, clock } = context.parts;
  const { kind, subject, recipient } = notification;
  const outage = await store.digestOutages.find(subject);
  const isOpen = async () => (await store.digestOutages.open()).some(({ id }) => id === subject);
  const { zone = defaultZone } = await poster.describePerson(recipient);
  const wasOpen = await isOpen();
  const content = outage && ({ kind: 'outage', outage, isOver: !wasOpen, zone } as const);
  await sendNotification([notification], content, context);
  // The outage may have ended while the message was being sent.
  if (wasOpen && !(await isOpen())) await store.digestNotifications.resend(kind, subject, clock.now());
}

/** Undefined if the notification no longer applies. */
async function contentFor(
  notification: DigestNotification,
  parts: DigestParts,
): Promise<NotificationContent | undefined> {
  const { kind, subject } = notification;
  const { digests, savedReports } = parts.store;
  const [id = '', since] = subject.split(' ');
  switch (kind) {
    case 'unreadable': {
      const digest = await catchUnreadable(digests.find(id));
      return digest && { kind, digest };
    }
    case 'person-erased':
    case 'offer-ended': {
      const digest = await catchUnreadable(digests.find(id));
      if (digest instanceof UnreadableDigest || !isStillTrue(digest, since)) return undefined;
      return { kind, digest };
    }
    case 'saved-person-erased':
    case 'saved-offer-ended': {
      const saved = await savedReports.find(id);
      return isStillTrue(saved, since) ? { kind, saved } : undefined;
    }
  }
  const found = await findRunAndDigest(notification, parts);
  if (kind === 'alert-baseline' || kind === 'alert-drop') {
    const isOver = !found?.digest.when || found.digest.deletedAt !== undefined;
    return isOver || !(await canStillAnswer(notification, found.digest, parts))
      ? undefined
      : { kind, ...found };
  }
  if (kind === 'managers-run') {
    const end = found && (await parts.store.managerReaders.findEnds([found.run.id])).get(found.run.id);
    const isOver = !end || !(await canStillAnswer(notification, found.digest, parts));
    return isOver ? undefined : { kind, ...found, end };
  }
  if (!found || (kind !== 'file-failed' && found.run.state !== 'failed')) return undefined;
  return { kind: kind === 'file-failed' || kind === 'without-owner' ? kind : 'failed', ...found };
}

/** False once it was deleted, or its offer was accepted, declined or replaced. @param since of an offer */
function isStillTrue<Item extends Pick<Digest, 'pendingOwner' | 'deletedAt'>>(
  item: Item | undefined,
  since: string | undefined,
): item is Item {
  if (!item || item.deletedAt !== undefined) return false;
  return since === undefined || item.pendingOwner?.since === Number(since);
}

async function findRunAndDigest({ subject }: DigestNotification, { store }: DigestParts) {
  const run = await store.ledger.find(subject);
  const digest = run && (await catchUnreadable(store.digests.find(run.digest)));
  return digest && !(digest instanceof UnreadableDigest) ? { run, digest } : undefined;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Unanswered questions are repeated after this time. It is also the longest delay of any notification. */
export const repeatAfterMs = dayMs;

/** Attempts to reach a person end after this time. */
const giveUpAfterMs = 14 * dayMs;

/** Slack's error codes for people who can no longer receive messages. */
const unreachableCodes: ReadonlySet<string> = new Set(['user_not_found', 'user_disabled', 'users_not_found']);

/** What all work on digests shares. */
export interface DigestContext {
  readonly parts: DigestParts;
  readonly outages: Outages;
  readonly rateLimiter: PostRateLimiter;
  /** Aborts all work in progress. */
  readonly signal: AbortSignal;
}

/**
 * Sends one message to one person, for one or more notifications. A refused message is retried with growing delays. If
 * the person cannot be reached, admins get it instead.
 *
 * @param content absent if the notifications no longer apply
 * @throws the signal's reason
 */
async function sendNotification(
  notifications: readonly DigestNotification[],
  content: NotificationContent | undefined,
  { parts, outages, rateLimiter, signal }: DigestContext,
): Promise<void> {
  const { poster, clock, log } = parts;
  const { digestNotifications: store } = parts.store;
  const [first] = notifications;
  if (!first) return;
  const { kind, recipient } = first;
  const ids = notifications.map(({ id }) => id);
  if (!content) return store.drop(ids);
  if (!outages.mayNotify()) return;
  outages.started('message');
  // The end of an outage edits the message that announced it. Slack limits edits separately from posts.
  const edited = kind === 'outage' ? first.message : undefined;
  const queue = edited ? 'chat.update' : recipient;
  await rateLimiter.turn(queue, signal);
  try {
    if (edited) await poster.editNotification(edited, recipient, content);
    const message = edited ?? (await poster.sendNotification(recipient, content));
    const at = clock.now();
    const repeatAt = unconfirmedKinds.includes(kind) ? at + repeatAfterMs : undefined;
    await store.sent(ids, { at, message, repeatAt });
    // A successful edit does not prove that posts work.
    if (!edited) await outages.slackAccepted('message', recipient);
  } catch (error) {
    if (!isFailure(error, 'slack-refused')) throw error;
    const failure = failureOf(error);
    const { code, retryAfterSeconds } = failure;
    if (retryAfterSeconds !== undefined) {
      rateLimiter.limited(queue, retryAfterSeconds);
      return store.postpone(ids, clock.now() + retryAfterSeconds * 1000);
    }
    log.warn({ kind, code }, 'A notification could not be sent yet');
    if (failure.kind === 'slack') {
      const why = { code, reason: poster.describeFailure(error, first.id) };
      const scope = await outages.failed(failure, why, { channel: recipient });
      if (scope === 'all') return store.postpone(ids, clock.now());
    }
    const isOwn = failure.kind === 'own';
    const isGone = async () => unreachableCodes.has(code) || (await poster.describePerson(recipient)).hasLeft;
    const ageMs = clock.now() - Math.max(...notifications.map(({ createdAt, sentAt = createdAt }) => sentAt));
    const givesUp = ageMs > giveUpAfterMs || (isOwn && (await isGone()));
    // If Slack refuses an edit, the old message stays. It was right when people read it.
    if (!givesUp && !(isOwn && edited))
      return store.postpone(ids, clock.now() + Math.min(dayMs, Math.max(minuteMs, ageMs)));
    await store.drop(ids);
    if (kind !== 'outage') await notifyAdmins(notifications, parts);
  }
}

async function notifyAdmins(
  notifications: readonly DigestNotification[],
  { admins, store, clock }: DigestParts,
): Promise<void> {
  const named = await admins();
  for (const { kind, subject, recipient } of notifications) {
    if (named.includes(recipient)) continue;
    for (const admin of named) {
      await store.digestNotifications.add([admin], { kind, subject }, clock.now());
    }
  }
}

type Parts = Pick<DigestParts, 'clock' | 'admins'> & {
  readonly store: Pick<DigestParts['store'], 'digestNotifications' | 'ledger'>;
};

/**
 * Whether the recipient may still answer. If the digest has a new owner, the notification moves to them. Admins may
 * answer if the owner cannot be reached.
 */
async function canStillAnswer(
  notification: DigestNotification,
  { owner }: Pick<Digest, 'owner'>,
  { store, clock, admins }: Parts,
): Promise<boolean> {
  if (notification.recipient === owner) return true;
  if (await store.digestNotifications.reassign(notification, owner, clock.now())) return false;
  if ((await admins()).includes(notification.recipient)) return true;
  await store.digestNotifications.drop([notification.id]);
  return false;
}

/** Moves open questions about the digest's runs from the former owner to the new one. */
export async function notifyNewOwner(
  digest: Pick<Digest, 'id' | 'owner'>,
  former: string,
  parts: Parts,
): Promise<void> {
  const { digestNotifications, ledger } = parts.store;
  for (const notification of await digestNotifications.open(former, unconfirmedKinds)) {
    const run = await ledger.find(notification.subject);
    if (run?.digest === digest.id) await canStillAnswer(notification, digest, parts);
  }
}

/** Does some work for each digest. One that cannot be read, or for which the work fails, is quarantined. */
export async function forEachDigest(
  digests: readonly (Digest | UnreadableDigest)[],
  parts: DigestParts,
  work: (digest: Digest) => void,
): Promise<void> {
  const yieldIfNeeded = yieldToEventLoop(parts.monotonic);
  for (const digest of digests) {
    try {
      if (digest instanceof UnreadableDigest) throw digest;
      work(digest);
    } catch (error) {
      await quarantineDigest(digest, error, parts);
    }
    await yieldIfNeeded();
  }
}

/**
 * Pauses a digest with invalid stored settings and notifies its owner. Other digests continue. Settings become invalid
 * with a new version or an edit of the database.
 */
export async function quarantineDigest(
  { id, owner }: Pick<Digest, 'id' | 'owner'>,
  error: unknown,
  { store, clock, log }: Pick<DigestParts, 'store' | 'clock' | 'log'>,
): Promise<void> {
  // The notification comes first: if the process ends in between, the next check pauses the digest.
  await store.digestNotifications.add([owner], { kind: 'unreadable', subject: id }, clock.now());
  const isUnreadable = error instanceof UnreadableDigest;
  if (!(await store.digests.quarantine(id, isUnreadable ? error.code : 'no-next-time'))) return;
  const cause = isUnreadable ? (error.cause ?? error) : error;
  log.error({ err: cause, digest: id }, 'A digest has invalid settings and was paused');
}

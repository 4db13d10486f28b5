import type { Digest } from './digest.js';
import { DigestFailed } from './failure.js';
import type { Outages } from './outages.js';
import type { DigestParts, DigestStore, NotificationContent, UnconfirmedDelivery } from './ports.js';
import type { PostRateLimiter } from './post-rate-limiter.js';
import { catchUnreadable, UnreadableDigest } from './quarantine.js';
import { type DigestNotification, type NotificationMessage, unconfirmedKinds } from './store-ports.js';

const batch = 50;

/**
 * Tells people what they have to be told, in their direct messages. A notice counts as told when Slack says so: one that
 * nobody can be sure of is told again, since twice is better than not at all.
 */
export async function sendNotifications(telling: NotificationContext): Promise<void> {
  const { parts, outages, signal } = telling;
  const ready = await parts.store.digestNotifications.ready(parts.clock.now(), batch);
  const asked = new Set<string>();
  for (const notice of ready) {
    if (signal.aborted || !outages.mayNotify()) return;
    if (notice.kind === 'outage') await sendOutage(notice, telling);
    else if (!isUnconfirmed(notice))
      await sendNotification([notice], await contentFor(notice, parts), telling);
    else if (!asked.has(notice.recipient)) {
      asked.add(notice.recipient);
      await sendUnconfirmed(notice.recipient, telling);
    }
  }
}

function isUnconfirmed({ kind }: DigestNotification): boolean {
  return unconfirmedKinds.includes(kind);
}

/** One message for all that a person has to say something about. */
async function sendUnconfirmed(recipient: string, telling: NotificationContext): Promise<void> {
  const { parts } = telling;
  const open = await parts.store.digestNotifications.open(recipient, unconfirmedKinds);
  const all: UnconfirmedDelivery[] = [];
  const theirs: DigestNotification[] = [];
  for (const notice of open) {
    const about = await runAndDigest(notice, parts);
    if (!about) await parts.store.digestNotifications.settle(notice.subject);
    else if (await canStillAnswer(notice, about.digest, parts)) {
      all.push({ ...about, what: notice.kind === 'unknown' ? 'message' : 'file' });
      theirs.push(notice);
    }
  }
  if (all.length > 0) await sendNotification(theirs, { kind: 'unconfirmed', deliveries: all }, telling);
}

/** Once while it lasts; when it is over, the same message says so. */
async function sendOutage(notice: DigestNotification, telling: NotificationContext): Promise<void> {
  const { store, poster, defaultZone, clock } = telling.parts;
  const outage = await store.digestOutages.find(notice.subject);
  const isOpen = async () => (await store.digestOutages.open()).some(({ id }) => id === notice.subject);
  const { zone = defaultZone } = await poster.describePerson(notice.recipient);
  const wasOpen = await isOpen();
  await sendNotification([notice], outage && { kind: 'outage', outage, isOver: !wasOpen, zone }, telling);
  // It may have ended while that was on its way.
  if (wasOpen && !(await isOpen())) {
    await store.digestNotifications.resend('outage', notice.subject, clock.now());
  }
}

async function contentFor(
  notice: DigestNotification,
  parts: DigestParts,
): Promise<NotificationContent | undefined> {
  if (notice.kind === 'unreadable') {
    const digest = await catchUnreadable(parts.store.digests.find(notice.subject));
    return digest && { kind: 'unreadable', digest };
  }
  const about = await runAndDigest(notice, parts);
  if (!about) return undefined;
  const { digest, run } = about;
  if (notice.kind === 'file-failed') return { kind: 'file-failed', digest, run };
  if (run.state !== 'failed') return undefined;
  return { kind: notice.kind === 'without-owner' ? 'without-owner' : 'failed', digest, run };
}

async function runAndDigest({ subject }: DigestNotification, { store }: DigestParts) {
  const run = await store.ledger.find(subject);
  const digest = run && (await catchUnreadable(store.digests.find(run.digest)));
  return digest && !(digest instanceof UnreadableDigest) ? { run, digest } : undefined;
}

const minute = 60_000;
const day = 24 * 60 * minute;

/** What is not answered is asked again. Nothing that is to be told waits for longer. */
export const repeatAfterMs = day;

/** So long somebody is tried who gets no direct messages. */
const giveUpAfterMs = 14 * day;

/** Slack's words for somebody who gets no messages any more. */
const gone: ReadonlySet<string> = new Set(['user_not_found', 'user_disabled', 'users_not_found']);

/** What telling people needs. */
export interface NotificationContext {
  readonly parts: DigestParts;
  readonly outages: Outages;
  readonly rateLimiter: PostRateLimiter;
  readonly signal: AbortSignal;
}

/**
 * Tells one person one message, for all the notices that it says. Those without a message have nothing left to say.
 * What Slack does not take is tried again, more and more seldom; where nobody can be told, admins hear it instead.
 *
 * @throws the signal's reason
 */
async function sendNotification(
  notices: readonly DigestNotification[],
  content: NotificationContent | undefined,
  telling: NotificationContext,
): Promise<void> {
  const { parts, outages, rateLimiter, signal } = telling;
  const { store, clock } = parts;
  const [first] = notices;
  if (!first) return;
  const ids = notices.map(({ id }) => id);
  if (!content) return store.digestNotifications.drop(ids);
  if (!outages.mayNotify()) return;
  outages.started('message');
  await rateLimiter.turn(queueOf(first), signal);
  try {
    const stands = await sendOrEdit(first, content, parts);
    const isAsking = unconfirmedKinds.includes(first.kind);
    await store.digestNotifications.sent(ids, {
      at: clock.now(),
      ...(stands ? { message: stands } : {}),
      ...(isAsking ? { repeatAt: clock.now() + repeatAfterMs } : {}),
    });
    // An edit shows little about posts.
    if (!isEdit(first)) await outages.slackAccepted('message', first.recipient);
  } catch (error) {
    await handleSendFailure(notices, first, error, telling);
  }
}

/** Slack counts edits by themselves. */
function queueOf(notice: DigestNotification): string {
  return isEdit(notice) ? 'chat.update' : notice.recipient;
}

function isEdit({ kind, message }: DigestNotification): boolean {
  return kind === 'outage' && message !== undefined;
}

/** An outage that was told of is said to be over where it was told; everything else is a message of its own. */
async function sendOrEdit(
  { recipient, kind, message: stands }: DigestNotification,
  content: NotificationContent,
  { poster }: DigestParts,
): Promise<NotificationMessage | undefined> {
  if (kind === 'outage' && stands) {
    await poster.editNotification(stands, content);
    return stands;
  }
  return poster.sendNotification(recipient, content);
}

async function handleSendFailure(
  notices: readonly DigestNotification[],
  first: DigestNotification,
  error: unknown,
  { parts, outages, rateLimiter }: NotificationContext,
): Promise<void> {
  const { store, clock, log } = parts;
  const ids = notices.map(({ id }) => id);
  if (!(error instanceof DigestFailed)) throw error;
  const { failure } = error;
  const { code, retryAfterSeconds } = failure;
  if (retryAfterSeconds !== undefined) {
    rateLimiter.limited(queueOf(first), retryAfterSeconds);
    return store.digestNotifications.postpone(ids, clock.now() + retryAfterSeconds * 1000);
  }
  log.warn({ kind: first.kind, code }, 'Somebody could not be told about a digest yet');
  if (failure.kind === 'slack') {
    const reason = parts.poster.describeFailure(error, first.id);
    const whose = await outages.failed(failure, { code, reason }, { channel: first.recipient });
    if (whose === 'all') return store.digestNotifications.postpone(ids, clock.now());
  }
  const age = clock.now() - Math.max(...notices.map(({ createdAt, sentAt = createdAt }) => sentAt));
  const isHopeless = age > giveUpAfterMs || (failure.kind === 'own' && (await isGone(first, code, parts)));
  // An edit that is refused leaves a message that was right when it was read.
  if (!isHopeless && !(failure.kind === 'own' && isEdit(first))) {
    return store.digestNotifications.postpone(ids, clock.now() + Math.min(day, Math.max(minute, age)));
  }
  await store.digestNotifications.drop(ids);
  if (first.kind !== 'outage') await notifyAdmins(notices, parts);
}

async function isGone(
  { recipient }: DigestNotification,
  code: string,
  { poster }: DigestParts,
): Promise<boolean> {
  return gone.has(code) || (await poster.describePerson(recipient)).hasLeft;
}

async function notifyAdmins(
  notices: readonly DigestNotification[],
  { admins, store, clock }: DigestParts,
): Promise<void> {
  for (const { kind, subject, recipient } of notices) {
    if (admins.includes(recipient)) continue;
    for (const admin of admins) {
      await store.digestNotifications.add({ recipient: admin, kind, subject }, clock.now());
    }
  }
}

type Parts = Pick<DigestParts, 'clock' | 'admins'> & {
  readonly store: Pick<DigestStore, 'digestNotifications' | 'ledger'>;
};

/**
 * Whether the one who is asked about a run may still answer. Where the digest has another owner by now, that one is
 * asked instead; admins are asked beside an owner who cannot be told.
 */
async function canStillAnswer(
  notice: DigestNotification,
  { owner }: Pick<Digest, 'owner'>,
  { store, clock, admins }: Parts,
): Promise<boolean> {
  if (notice.recipient === owner) return true;
  if (await store.digestNotifications.reassign(notice, owner, clock.now())) return false;
  if (admins.includes(notice.recipient)) return true;
  await store.digestNotifications.drop([notice.id]);
  return false;
}

/** A digest has another owner: whatever the former one was asked about its runs. */
export async function notifyNewOwner(
  digest: Pick<Digest, 'id' | 'owner'>,
  former: string,
  parts: Parts,
): Promise<void> {
  const { digestNotifications, ledger } = parts.store;
  for (const notice of await digestNotifications.open(former, unconfirmedKinds)) {
    const run = await ledger.find(notice.subject);
    if (run?.digest === digest.id) await canStillAnswer(notice, digest, parts);
  }
}

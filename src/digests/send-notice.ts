import type { OutgoingMessage } from '../slack/delivery/outgoing-message.js';
import { outcomeOfFailure } from '../slack/delivery/post-outcome.js';
import { wordsForFailure } from '../slack/messages/failures.js';
import { type DigestNotice, doubtKinds, type NoticeMessage } from '../store/digests/notifications.js';
import { DigestFailed, failureOfSlack } from './failure.js';
import type { Outages } from './outages.js';
import type { DigestParts } from './ports.js';
import type { Pace } from './post-rate-limiter.js';

const minute = 60_000;
const day = 24 * 60 * minute;

/** What is not answered is asked again. Nothing that is to be told waits for longer. */
export const askAgainAfter = day;

/** So long somebody is tried who gets no direct messages. */
const triedFor = 14 * day;

/** Slack's words for somebody who gets no messages any more. */
const gone: ReadonlySet<string> = new Set(['user_not_found', 'user_disabled', 'users_not_found']);

/** What telling people needs. */
export interface Telling {
  readonly parts: DigestParts;
  readonly outages: Outages;
  readonly pace: Pace;
  readonly signal: AbortSignal;
}

/**
 * Tells one person one message, for all the notices that it says. Those without a message have nothing left to say.
 * What Slack does not take is tried again, more and more seldom; where nobody can be told, admins hear it instead.
 *
 * @throws the signal's reason
 */
export async function sendNotice(
  notices: readonly DigestNotice[],
  message: OutgoingMessage | undefined,
  telling: Telling,
): Promise<void> {
  const { parts, outages, pace, signal } = telling;
  const { store, clock } = parts;
  const [first] = notices;
  if (!first) return;
  const ids = notices.map(({ id }) => id);
  if (!message) return store.digestNotices.giveUp(ids);
  if (!outages.mayTell()) return;
  outages.began('message');
  await pace.turn(queueOf(first), signal);
  try {
    const stands = await show(first, message, parts);
    const isAsking = doubtKinds.includes(first.kind);
    await store.digestNotices.sent(ids, {
      at: clock.now(),
      ...(stands ? { message: stands } : {}),
      ...(isAsking ? { repeatAt: clock.now() + askAgainAfter } : {}),
    });
    // An edit shows little about posts.
    if (!isEdit(first)) await outages.slackTook('message', first.recipient);
  } catch (error) {
    await notTold(notices, first, error, telling);
  }
}

/** Slack counts edits by themselves. */
function queueOf(notice: DigestNotice): string {
  return isEdit(notice) ? 'chat.update' : notice.recipient;
}

function isEdit({ kind, message }: DigestNotice): boolean {
  return kind === 'outage' && message !== undefined;
}

/** An outage that was told of is said to be over where it was told; everything else is a message of its own. */
async function show(
  { recipient, kind, message: stands }: DigestNotice,
  { text, blocks = [] }: OutgoingMessage,
  { client }: DigestParts,
): Promise<NoticeMessage | undefined> {
  const content = { text, blocks: [...blocks] };
  if (kind === 'outage' && stands) {
    await client.chat.update({ ...stands, ...content });
    return stands;
  }
  const posted = await client.chat.postMessage({
    channel: recipient,
    ...content,
    unfurl_links: false,
    unfurl_media: false,
  });
  return posted.channel && posted.ts ? { channel: posted.channel, ts: posted.ts } : undefined;
}

async function notTold(
  notices: readonly DigestNotice[],
  first: DigestNotice,
  error: unknown,
  { parts, outages, pace }: Telling,
): Promise<void> {
  const { store, clock, log } = parts;
  const ids = notices.map(({ id }) => id);
  const outcome = outcomeOfFailure(error);
  const { code } = outcome;
  if (outcome.kind === 'not-posted' && outcome.retryAfterSeconds !== undefined) {
    pace.limited(queueOf(first), outcome.retryAfterSeconds);
    return store.digestNotices.later(ids, clock.now() + outcome.retryAfterSeconds * 1000);
  }
  const failure = failureOfSlack(code);
  log.warn({ kind: first.kind, code }, 'Somebody could not be told about a digest yet');
  if (failure.kind === 'slack') {
    const { reason } = wordsForFailure(new DigestFailed(failure), first.id);
    const whose = await outages.failed(failure, { code, reason }, { channel: first.recipient });
    if (whose === 'everybody') return store.digestNotices.later(ids, clock.now());
  }
  const age = clock.now() - Math.max(...notices.map(({ madeAt, sentAt = madeAt }) => sentAt));
  const isHopeless = age > triedFor || (failure.kind === 'own' && (await isGone(first, code, parts)));
  // An edit that is refused leaves a message that was right when it was read.
  if (!isHopeless && !(failure.kind === 'own' && isEdit(first))) {
    return store.digestNotices.later(ids, clock.now() + Math.min(day, Math.max(minute, age)));
  }
  await store.digestNotices.giveUp(ids);
  if (first.kind !== 'outage') await tellAdmins(notices, parts);
}

async function isGone({ recipient }: DigestNotice, code: string, { people }: DigestParts): Promise<boolean> {
  return gone.has(code) || (await people.find(recipient)).standing === 'gone';
}

async function tellAdmins(
  notices: readonly DigestNotice[],
  { admins, store, clock }: DigestParts,
): Promise<void> {
  for (const { kind, subject, recipient } of notices) {
    if (admins.includes(recipient)) continue;
    for (const admin of admins) {
      await store.digestNotices.add({ recipient: admin, kind, subject }, clock.now());
    }
  }
}

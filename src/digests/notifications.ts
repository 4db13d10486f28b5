import type { OutgoingMessage } from '../slack/delivery/outgoing-message.js';
import {
  type Doubt,
  digestFailedMessage,
  doubtsMessage,
  fileFailedMessage,
  outageMessage,
  withoutOwnerMessage,
} from '../slack/messages/digest-notifications.js';
import { unreadableDigestMessage } from '../slack/messages/digest-unreadable.js';
import { type DigestNotice, doubtKinds } from '../store/digests/notifications.js';
import { mayStillAnswer } from './ask-owner.js';
import type { DigestParts } from './ports.js';
import { sendNotice, type Telling } from './send-notice.js';
import { evenUnreadable, UnreadableDigest } from './unreadable.js';

const batch = 50;

/**
 * Tells people what they have to be told, in their direct messages. A notice counts as told when Slack says so: one that
 * nobody can be sure of is told again, since twice is better than not at all.
 */
export async function tellNotices(telling: Telling): Promise<void> {
  const { parts, outages, signal } = telling;
  const ready = await parts.store.digestNotices.ready(parts.clock.now(), batch);
  const asked = new Set<string>();
  for (const notice of ready) {
    if (signal.aborted || !outages.mayTell()) return;
    if (notice.kind === 'outage') await tellOfOutage(notice, telling);
    else if (!isDoubt(notice)) await sendNotice([notice], await messageFor(notice, parts), telling);
    else if (!asked.has(notice.recipient)) {
      asked.add(notice.recipient);
      await askAbout(notice.recipient, telling);
    }
  }
}

function isDoubt({ kind }: DigestNotice): boolean {
  return doubtKinds.includes(kind);
}

/** One message for all that a person has to say something about. */
async function askAbout(recipient: string, telling: Telling): Promise<void> {
  const { parts } = telling;
  const open = await parts.store.digestNotices.open(recipient, doubtKinds);
  const all: Doubt[] = [];
  const theirs: DigestNotice[] = [];
  for (const notice of open) {
    const about = await runAndDigest(notice, parts);
    if (!about) await parts.store.digestNotices.settle(notice.subject);
    else if (await mayStillAnswer(notice, about.digest, parts)) {
      all.push({ ...about, what: notice.kind === 'unknown' ? 'message' : 'file' });
      theirs.push(notice);
    }
  }
  if (all.length > 0) await sendNotice(theirs, doubtsMessage(all), telling);
}

/** Once while it lasts; when it is over, the same message says so. */
async function tellOfOutage(notice: DigestNotice, telling: Telling): Promise<void> {
  const { store, people, defaultZone, clock } = telling.parts;
  const outage = await store.digestOutages.find(notice.subject);
  const isOpen = async () => (await store.digestOutages.open()).some(({ id }) => id === notice.subject);
  const { zone = defaultZone } = await people.find(notice.recipient);
  const wasOpen = await isOpen();
  await sendNotice([notice], outage && outageMessage(outage, !wasOpen, zone), telling);
  // It may have ended while that was on its way.
  if (wasOpen && !(await isOpen())) {
    await store.digestNotices.sayAgain('outage', notice.subject, clock.now());
  }
}

async function messageFor(notice: DigestNotice, parts: DigestParts): Promise<OutgoingMessage | undefined> {
  if (notice.kind === 'unreadable') {
    const digest = await evenUnreadable(parts.store.digests.find(notice.subject));
    return digest && unreadableDigestMessage(digest);
  }
  const about = await runAndDigest(notice, parts);
  if (!about) return undefined;
  const { digest, run } = about;
  if (notice.kind === 'file-failed') return fileFailedMessage(digest, run);
  if (run.state !== 'failed') return undefined;
  return notice.kind === 'without-owner'
    ? withoutOwnerMessage(digest, run)
    : digestFailedMessage(digest, run);
}

async function runAndDigest({ subject }: DigestNotice, { store }: DigestParts) {
  const run = await store.ledger.find(subject);
  const digest = run && (await evenUnreadable(store.digests.find(run.digest)));
  return digest && !(digest instanceof UnreadableDigest) ? { run, digest } : undefined;
}

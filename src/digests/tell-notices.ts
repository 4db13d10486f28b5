import type { OutgoingMessage } from '../slack/outgoing-message.js';
import { outcomeOfFailure } from '../slack/post-outcome.js';
import {
  type Doubt,
  digestFailedMessage,
  doubtsMessage,
  fileFailedMessage,
  outageMessage,
  ownerLeftMessage,
} from '../slack/views/digest-notices.js';
import type { DigestNotice } from '../store/digests-notices.js';
import { failureOfSlack } from './failure.js';
import type { Outages } from './outages.js';
import type { DigestParts } from './parts.js';

const minute = 60_000;
/** What is not answered is asked again. */
const askAgainAfter = 24 * 60 * minute;
const batch = 50;

const doubts = ['unknown', 'file-unknown'] as const;

/**
 * Tells people what they have to be told, in their direct messages. A notice counts as told when Slack says so: one that
 * nobody can be sure of is told again, since twice is better than not at all.
 */
export async function tellNotices(parts: DigestParts, outages: Outages, signal: AbortSignal): Promise<void> {
  const ready = await parts.store.digestNotices.ready(parts.clock.now(), batch);
  const asked = new Set<string>();
  for (const notice of ready) {
    if (signal.aborted || outages.open().some(({ cause }) => cause === 'slack')) return;
    if (!isDoubt(notice)) await tell([notice], await messageFor(notice, parts), parts, outages);
    else if (!asked.has(notice.recipient)) {
      asked.add(notice.recipient);
      await askAbout(notice.recipient, parts, outages);
    }
  }
}

function isDoubt({ kind }: DigestNotice): boolean {
  return kind === 'unknown' || kind === 'file-unknown';
}

/** One message for all that a person has to say something about. */
async function askAbout(recipient: string, parts: DigestParts, outages: Outages): Promise<void> {
  const open = await parts.store.digestNotices.open(recipient, doubts);
  const all: Doubt[] = [];
  for (const notice of open) {
    const about = await runAndDigest(notice, parts);
    if (about) all.push({ ...about, what: notice.kind === 'unknown' ? 'message' : 'file' });
    else await parts.store.digestNotices.settle(notice.subject);
  }
  if (all.length > 0) await tell(open, doubtsMessage(all), parts, outages);
}

async function messageFor(notice: DigestNotice, parts: DigestParts): Promise<OutgoingMessage | undefined> {
  const { store } = parts;
  if (notice.kind === 'outage') {
    const outage = await store.digestOutages.find(notice.subject);
    if (!outage) return undefined;
    const { zone = parts.defaultZone } = await parts.people.find(notice.recipient);
    const isOver = !(await store.digestOutages.open()).some(({ id }) => id === outage.id);
    return outageMessage(outage, isOver, zone);
  }
  if (notice.kind === 'owner-left') {
    const digest = await store.digests.find(notice.subject);
    return digest && ownerLeftMessage(digest);
  }
  const about = await runAndDigest(notice, parts);
  if (!about) return undefined;
  if (notice.kind === 'file-failed') return fileFailedMessage(about.digest, about.run);
  return about.run.state === 'failed' ? digestFailedMessage(about.digest, about.run) : undefined;
}

async function runAndDigest({ subject }: DigestNotice, { store }: DigestParts) {
  const run = await store.ledger.find(subject);
  const digest = run && (await store.digests.find(run.digest));
  return run && digest ? { run, digest } : undefined;
}

async function tell(
  notices: readonly DigestNotice[],
  message: OutgoingMessage | undefined,
  { client, clock, store, log }: DigestParts,
  outages: Outages,
): Promise<void> {
  const [first] = notices;
  if (!first) return;
  const ids = notices.map(({ id }) => id);
  if (!message) return store.digestNotices.sent(ids, clock.now());
  try {
    const { text, blocks = [] } = message;
    await client.chat.postMessage({
      channel: first.recipient,
      text,
      blocks: [...blocks],
      unfurl_links: false,
      unfurl_media: false,
    });
    const repeatAt = isDoubt(first) ? clock.now() + askAgainAfter : undefined;
    await store.digestNotices.sent(ids, clock.now(), repeatAt);
  } catch (error) {
    const outcome = outcomeOfFailure(error);
    log.warn({ kind: first.kind, code: outcome.code }, 'Somebody could not be told about a digest yet');
    const failure = failureOfSlack(outcome.code);
    if (failure.kind === 'slack') await outages.failed(failure, 'notice', 1);
    await store.digestNotices.later(ids, clock.now() + (failure.kind === 'own' ? 60 : 1) * minute);
  }
}

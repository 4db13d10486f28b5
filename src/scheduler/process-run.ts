import { askedEvent, recordEvent } from '../access/record.js';
import { type ClaimedRun, type DigestRun, followUpClaim, type RunEnd } from '../digests/digest.js';
import { catchUnreadable, UnreadableDigest } from '../digests/quarantine.js';
import { isFailure } from '../errors/failure.js';
import { type DigestContext, quarantineDigest } from './notifications.js';
import type { DigestParts } from './ports.js';
import { followUpFailed, runFailed } from './retry.js';

/** Processes a claimed run until it ends or is released for another attempt. Never throws. */
export async function processRun(run: DigestRun, context: DigestContext): Promise<void> {
  const { parts, signal } = context;
  const { store, clock, log } = parts;
  const claim = { id: run.id, worker: parts.worker };
  // Of a posted run, only its file is missing, or its rows where they go elsewhere.
  const isPosted = run.state === 'posted';
  const post = isPosted ? followUpClaim({ run, claim }) : claim;
  try {
    const digest = await catchUnreadable(store.digests.find(run.digest));
    if (digest instanceof UnreadableDigest) {
      await store.ledger.markFailed(post, { code: digest.code }, clock.now());
      return await quarantineDigest(digest, digest, parts);
    }
    if (!digest || digest.deletedAt !== undefined) {
      if (isPosted) await store.ledger.markFailed(post, { code: 'deleted' }, clock.now());
      else await store.ledger.markDeleted(post, clock.now());
      return;
    }
    const claimed = { run, digest, claim, signal };
    if (isPosted) {
      const { message } = run;
      const sent = message
        ? parts.poster.deliverFollowUp(claimed, message)
        : Promise.reject(new Error('A posted run has no message'));
      await sent.catch((error: unknown) => followUpFailed(claimed, error, parts));
    } else await deliverRun(claimed, context);
  } catch (error) {
    // The lease expires, and another attempt follows.
    log.error({ err: error, run: run.id }, 'Processing a digest run failed');
  }
}

async function deliverRun(
  claimed: ClaimedRun,
  { parts, rateLimiter, outages }: DigestContext,
): Promise<void> {
  const { digest, run } = claimed;
  const { store, poster, clock, log } = parts;
  try {
    await poster.deliver(claimed, {
      rateLimiter,
      accepted: () => outages.slackAccepted('run', digest.channel),
      async posted({ records }) {
        log.info({ digest: digest.id, run: run.id, records }, 'A digest was delivered');
        await outages.slackAccepted('run', digest.channel);
        await store.digests.succeeded(digest.id);
      },
      followUpFailed: (error) => followUpFailed(claimed, error, parts),
    });
  } catch (error) {
    if (isFailure(error, 'access-refused')) {
      const { owner: person, channel: place, request } = digest;
      const facts = { at: clock.now(), person, place, request, origin: 'digest', post: run.id } as const;
      const refused = askedEvent(facts, { refused: error.details.refusal.kind });
      await recordEvent(store.events, refused, log);
    }
    await runFailed(claimed, error, parts, outages);
  }
}

/** Reports the end of a run; does nothing if the run waits again or no longer exists. */
export async function reportRunEnd(
  id: string,
  { store, onRunEnd }: Pick<DigestParts, 'store' | 'onRunEnd'>,
): Promise<void> {
  if (!onRunEnd) return;
  const run = await store.ledger.find(id);
  const outcome = run && outcomes[run.state];
  if (!outcome) return;
  const { dueAt, finishedAt = dueAt, errorCode } = run;
  const code = outcome === 'delivered' ? undefined : errorCode;
  const digest = await catchUnreadable(store.digests.find(run.digest));
  const isAlert = digest && !(digest instanceof UnreadableDigest) && digest.when;
  const alert = isAlert ? alertEnds[outcome === 'delivered' ? 'posted' : (errorCode ?? '')] : undefined;
  onRunEnd({
    outcome,
    code,
    alert: isAlert ? (alert ?? 'not-run') : undefined,
    secondsLate: Math.max(0, finishedAt - dueAt) / 1000,
  });
}

/** How runs of alerts end, by their error code. */
const alertEnds: Readonly<Record<string, RunEnd['alert']>> = {
  posted: 'posted',
  'alert-quiet': 'quiet',
  'alert-baseline': 'baseline',
  'alert-met': 'baseline',
  'alert-drop': 'held',
};

const outcomes: Partial<Record<DigestRun['state'], RunEnd['outcome']>> = {
  posted: 'delivered',
  skipped: 'skipped',
  failed: 'failed',
  unknown: 'unknown',
};

import { askedEvent, recordEvent } from '../access/record.js';
import { summaryFits } from '../access/scope.js';
import { retryWrite } from '../posts/post.js';
import { requestIsPersonLevel } from '../requests/person-level.js';
import { keptAnswer } from '../runner/answer-totals.js';
import { followUpOf } from '../runner/route.js';
import type { ReportResult } from '../runner/run-report.js';
import type { ClaimedRun, Digest, DigestRun } from './digest.js';
import { accessChanged, DigestFailed } from './failure.js';
import type { DigestParts, DigestRights } from './ports.js';
import type { PostRateLimiter } from './post-rate-limiter.js';

/** A summary that is this much later than its due time says so. */
const lateAfterMs = 10 * 60_000;

/** The posted summary, or why nothing follows it: another worker has the run, or delivery is unconfirmed. */
export type PostedSummary =
  | {
      readonly message: NonNullable<DigestRun['message']>;
      /** What comes after it, entered in the ledger. */
      readonly followUp: ReturnType<typeof followUpOf>;
    }
  | 'claim-lost'
  | 'unconfirmed';

/**
 * Posts a run's summary once. The ledger records the attempt before the call and Slack's answer after it.
 *
 * @param before the rights the report was made with; the rights at the time of posting decide where it goes
 * @throws DigestFailed if Slack refused it
 */
export async function postSummary(
  claimed: ClaimedRun,
  result: ReportResult,
  before: DigestRights,
  parts: DigestParts,
  rateLimiter: PostRateLimiter,
): Promise<PostedSummary> {
  const { digest, run, claim } = claimed;
  const { store, poster, clock } = parts;
  const { rights, channel } = await waitForTurn(claimed, before, parts, rateLimiter);
  const late = run.late || clock.now() - run.dueAt > lateAfterMs;
  const requestId = await store.requestLog.recordForPost(run.id, {
    channel,
    asker: digest.owner,
    request: digest.request,
    range: result.range,
    requestedAt: run.dueAt,
  });
  // Direct messages have everything in one message.
  if (rights.route.summary === 'here' && !rights.isDirect)
    await keepTotals(requestId, claimed, result, parts);
  const prepared = poster.prepareSummary({ digest, run, result, rights, requestId, late });
  if (!(await store.ledger.markPosting(claim, { rows: result.rowCount, late }))) {
    await store.requestLog.withdraw(requestId);
    return 'claim-lost';
  }
  const outcome = await prepared.post(channel);
  const at = clock.now();
  if (outcome.kind !== 'not-posted') await recordDelivery(claimed, result, { rights, place: channel }, parts);
  if (outcome.kind === 'posted') {
    const { message } = outcome;
    const followUp = followUpOf(rights.route, result);
    const posted = {
      message,
      fileFollows: followUp !== undefined,
      holdsRows: rights.route.rows === 'in-summary',
    };
    await retryWrite(() => store.ledger.markPosted(claim, posted, at));
    return { message, followUp };
  }
  if (outcome.kind === 'unconfirmed') {
    await store.ledger.markUnconfirmed(claim, { code: outcome.code }, at, {
      kind: 'unknown',
      recipients: [digest.owner],
    });
    return 'unconfirmed';
  }
  await store.requestLog.withdraw(requestId);
  const { retryAfterSeconds } = outcome.failure;
  if (retryAfterSeconds !== undefined) rateLimiter.limited(channel, retryAfterSeconds);
  throw new DigestFailed(outcome.failure);
}

/** Stores what *Details* shows, before anybody can press it. If nothing is stored, *Details* runs the report again. */
async function keepTotals(
  requestId: string,
  { digest: { owner }, run }: ClaimedRun,
  result: ReportResult,
  { store, clock, log, smallestGroup }: DigestParts,
): Promise<void> {
  const answer = keptAnswer(owner, result, smallestGroup);
  if (!answer) return;
  await store.answerTotals
    .keep(requestId, run.id, answer, clock.now())
    .catch((err: unknown) => log.warn({ err, run: run.id }, 'The totals of a digest could not be kept'));
}

/** Records that a digest's owner got a report, or may have got it. */
export async function recordDelivery(
  { digest, run }: Pick<ClaimedRun, 'digest' | 'run'>,
  result: ReportResult,
  { rights, place }: { readonly rights: DigestRights; readonly place: string },
  { store, clock, log }: DigestParts,
): Promise<void> {
  const { level, scope } = rights;
  const facts = {
    at: clock.now(),
    person: digest.owner,
    place,
    request: digest.request,
    origin: 'digest',
    me: result.asker.email,
    days: result.range,
    post: run.id,
  } as const;
  await recordEvent(store.events, askedEvent(facts, { level, scope }), log);
}

/** Waits for a turn in the channel that the rights lead to, again if they lead elsewhere when the turn comes. */
async function waitForTurn(
  { digest, signal }: ClaimedRun,
  before: DigestRights,
  parts: DigestParts,
  rateLimiter: PostRateLimiter,
): Promise<{ readonly rights: DigestRights; readonly channel: string }> {
  let channel = await channelFor(digest, before, parts);
  for (;;) {
    await rateLimiter.turn(channel, signal);
    const rights = await parts.poster.rightsOf(digest, {
      namesPeople: ({ route, released }) =>
        route.rows === 'in-summary' ||
        (route.summary === 'here' && requestIsPersonLevel(digest.request, released)),
    });
    signal.throwIfAborted();
    if (!summaryFits(before.scope, rights.scope)) throw new DigestFailed(accessChanged);
    const now = await channelFor(digest, rights, parts);
    if (now === channel) return { rights, channel };
    channel = now;
  }
}

async function channelFor(
  { channel, owner }: Digest,
  { route, isDirect }: DigestRights,
  { poster }: DigestParts,
) {
  return route.summary === 'direct' && !isDirect ? poster.directMessagesOf(owner) : channel;
}

import type { ClaimedRun, Digest } from '../../digests/digest.js';
import { Failure, isNotPosted } from '../../errors/failure.js';
import type { RunSteps } from '../../scheduler/ports.js';
import type { Store } from '../../store/store.js';
import { areSameRights, type SendParts } from '../answers/answer-run.js';
import { keptScorecard, maxWaitForLinesMs, shownLines } from '../answers/answer-scorecard.js';
import {
  assertSameRights,
  runScorecard,
  saveLastFigures,
  withRightsOfNow,
} from '../answers/scorecard-lines.js';
import { deliver, EndedElsewhere, permalinkOf, postOnce } from '../delivery/post-message.js';
import { scorecardVariants } from '../messages/scorecard.js';
import type { OwnerRights } from './rights.js';

interface SendingScorecard {
  readonly waitForTurn: (
    before: OwnerRights,
    rateLimiter: RunSteps['rateLimiter'],
  ) => Promise<{ readonly rights: OwnerRights; readonly channel: string }>;
  readonly rightsNow: () => Promise<OwnerRights>;
  readonly late: () => boolean;
  readonly remarksOf: (late: boolean, isRedirected: boolean) => readonly string[];
}

/** Equal runs are due together, but a channel or an outage may delay some of them. */
const maxSharedAgeMs = 10 * 60_000;

/** Runs the lines of a scorecard with its owner's rights, and posts them as one message, once. */
export async function deliverScorecard(
  { digest, run, claim, signal }: ClaimedRun & { readonly digest: Digest },
  before: OwnerRights,
  steps: RunSteps,
  { waitForTurn, rightsNow, late, remarksOf }: SendingScorecard,
  parts: SendParts & { readonly store: SendParts['store'] & Pick<Store, 'digests'> },
): Promise<void> {
  const { id, owner, request, schedule } = digest;
  const { store, clock, log } = parts;
  const { scorecard } = request;
  if (!scorecard) throw new Error('It is no scorecard');
  const { asker, conversation } = before;
  const origin = { kind: 'digest', id } as const;
  const facts = {
    person: owner,
    place: digest.channel,
    origin: 'digest',
    me: asker.email,
    post: run.id,
  } as const;
  const made = await runScorecard(
    request,
    {
      asker,
      conversation,
      origin,
      requestedAt: run.dueAt,
      urgency: 'digest',
      maxSharedAgeMs,
      signal,
      maxWaitMs: maxWaitForLinesMs.posted,
      facts,
    },
    parts,
  );
  const isEmpty = made.every(
    ({ result }) => !result || result.rowCount === 0 || result.figures.tooFew !== undefined,
  );
  if (digest.skipEmpty && isEmpty) {
    await store.digests.succeeded(id);
    await store.ledger.markSkipped(claim, clock.now());
    return;
  }
  const { rights, channel } = await waitForTurn(before, steps.rateLimiter);
  const here = (now: OwnerRights) => ({ asker, conversation: now.conversation });
  const lines = await withRightsOfNow(made, false, here(rights), parts);
  if (lines.every(({ result }) => !result)) throw new Failure('access-changed');
  const entry = { channel, asker: owner, request, requestedAt: run.dueAt };
  const requestId = await store.requestLog.recordForPost(run.id, entry);
  const isDirect = rights.conversation.kind === 'direct';
  await store.answerTotals
    .keep(requestId, run.id, keptScorecard({ asker, request }, lines, requestId, parts), clock.now())
    .catch((err: unknown) => log.warn({ err, run: run.id }, 'The totals of a digest could not be stored'));
  const isLate = late();
  const variants = scorecardVariants({
    name: scorecard.name,
    lines: shownLines(lines, {
      id: run.id,
      isDirect,
      isOwner: true,
      choseFilters: false,
      zone: schedule.zone,
    }),
    requestedAt: run.dueAt,
    zone: schedule.zone,
    // The line with the cadence names it.
    readersZone: schedule.zone,
    askedBy: owner,
    digest: id,
    isDirect,
    remarks: remarksOf(isLate, false),
    requestId,
  });
  const lookAgain = async () => {
    const now = await rightsNow();
    if (!areSameRights(rights, now)) throw new Failure('access-changed');
    await assertSameRights(lines, false, here(now), parts);
  };
  const rows = lines.reduce((sum, { result }) => sum + (result?.rowCount ?? 0), 0);
  try {
    await lookAgain();
    const posted = await postOnce(
      {
        claim,
        facts: { rows, late: isLate },
        question: { kind: 'unknown', recipients: [owner] },
        async send() {
          const options = { maxTries: 1, lookAgain };
          const { outcome } = await deliver(variants, { channel, answer: requestId }, parts, options);
          if (outcome.kind === 'not-posted' && outcome.retryAfterSeconds !== undefined)
            steps.rateLimiter.limited(channel, outcome.retryAfterSeconds);
          return outcome;
        },
        posted: ({ channel: place, ts }) => ({
          message: { channel: place, ts, link: permalinkOf(parts.workspaceUrl, { channel: place, ts }) },
          fileFollows: false,
          holdsRows: false,
        }),
      },
      parts,
    );
    if (posted.kind === 'unknown') return;
  } catch (error) {
    if (isNotPosted(error) || error instanceof EndedElsewhere) await store.requestLog.withdraw(requestId);
    if (error instanceof EndedElsewhere) return;
    throw error;
  }
  try {
    await steps.posted({ records: rows });
    if (run.settled !== 'sent-again')
      await saveLastFigures(lines, { asker, origin, requestedAt: run.dueAt }, parts);
  } catch (err) {
    log.error({ err, run: run.id }, 'Something failed after a digest was delivered');
  }
}

import { randomUUID } from 'node:crypto';
import { SlackError } from '@slack/web-api';
import { askedEvent, recordEvent } from '../../access/record.js';
import { fileFits, summaryFits } from '../../access/scope.js';
import { type ClaimedRun, type Digest, followUpClaim, withMessageChannel } from '../../digests/digest.js';
import type { RunSteps } from '../../digests/ports.js';
import { catchUnreadable, UnreadableDigest } from '../../digests/quarantine.js';
import { Failure, isFailure, isNotPosted } from '../../errors/failure.js';
import { comparableNumbers } from '../../figures/changes.js';
import { formatMoment } from '../../figures/format/dates.js';
import type { PostedMessage } from '../../posts/post.js';
import { describeCadence } from '../../requests/cadence-words.js';
import { compact } from '../../requests/compact.js';
import { hasErasedFilter } from '../../requests/erased-people.js';
import { formatRequest } from '../../requests/parse-request.js';
import { requestIsPersonLevel } from '../../requests/person-level.js';
import { holdsPersonLevel } from '../../runner/answer-file.js';
import { keptAnswer } from '../../runner/answer-totals.js';
import { followUpOf } from '../../runner/route.js';
import { type ReportResult, startComparedReport, withPeriodBefore } from '../../runner/run-report.js';
import type { Store } from '../../store/store.js';
import { rowLimitOf } from '../answer-report.js';
import { areSameRights, type SendParts } from '../answer-rights.js';
import {
  deliver,
  EndedElsewhere,
  outcomeOfFailure,
  permalinkOf,
  postOnce,
} from '../delivery/post-message.js';
import { type FollowUp, sendFile, sendRows } from '../delivery/send-follow-up.js';
import { summaryVariants } from '../messages/summary.js';
import type { SummaryMessageInput } from '../messages/summary-text.js';
import { type OwnerRights, ownerRights, type RightsParts } from './rights.js';

export interface DeliveryParts extends SendParts, RightsParts {
  readonly store: SendParts['store'] & Pick<Store, 'digests'>;
}

/** A summary that is this much later than its due time says so. */
const lateAfterMs = 10 * 60_000;

/** Equal runs are due together, but a channel or an outage may delay some of them. */
const maxSharedAgeMs = 10 * 60_000;

/** Takes a run from the owner's rights to its file. Throws what stops the message; a failure after it is logged. */
export async function deliverRun(claimed: ClaimedRun, steps: RunSteps, parts: DeliveryParts): Promise<void> {
  const { digest, run, claim } = claimed;
  const { store, clock, log } = parts;
  const before = await ownerRights(digest, parts);
  await withReport(claimed, before, false, parts, async (result) => {
    if (digest.skipEmpty && (result.rowCount === 0 || result.figures?.tooFew !== undefined)) {
      await store.digests.succeeded(digest.id);
      await recordDelivery(claimed, result, before, digest.channel, parts);
      await store.ledger.markSkipped(claim, clock.now());
      return;
    }
    const sent = await postSummary(claimed, result, before, steps, parts);
    if (!sent) return;
    try {
      await steps.posted(result);
      await saveFigures(claimed, result, parts);
      if (sent.hasFollowUp)
        await sendFollowUp(claimed, result, sent.message, parts).catch((error: unknown) =>
          steps.followUpFailed(asSlackFailure(error)),
        );
    } catch (err) {
      log.error({ err, run: run.id }, 'Something failed after a digest was delivered');
    }
  });
}

/** Sends what follows a posted run and is missing: its file, or its rows where they go elsewhere. */
export async function deliverFollowUp(
  claimed: ClaimedRun,
  message: PostedMessage,
  parts: DeliveryParts,
): Promise<void> {
  const { digest } = claimed;
  const rights = await ownerRights(withMessageChannel(digest, message), parts);
  await withReport(claimed, rights, digest.request.file !== undefined, parts, (result) =>
    sendFollowUp(claimed, result, message, parts),
  );
}

/** Makes the report with the rights of the owner. Its file is deleted after `use`. */
async function withReport(
  { digest: { id, request }, run, signal }: ClaimedRun,
  { asker, route, scope }: OwnerRights,
  fileOnly: boolean,
  parts: DeliveryParts,
  use: (result: ReportResult) => Promise<void>,
): Promise<void> {
  const { files } = parts;
  const file = route.file === 'none' ? undefined : randomUUID();
  try {
    const started = await startComparedReport(
      request,
      {
        asker,
        requestedAt: run.dueAt,
        filePath: file && files.pathFor(file),
        rowLimit: fileOnly ? undefined : rowLimitOf(request, {}),
        fileOnly,
        scope,
        urgency: 'digest',
        maxSharedAgeMs,
        signal,
      },
      { kind: 'digest', id },
      parts,
    );
    await use(await withPeriodBefore(started));
  } finally {
    if (file !== undefined) await files.remove(file);
  }
}

/** Undefined: another worker has the run, or delivery is unconfirmed, so that nothing follows. */
async function postSummary(
  claimed: ClaimedRun,
  result: ReportResult,
  before: OwnerRights,
  { rateLimiter }: RunSteps,
  parts: DeliveryParts,
): Promise<{ readonly message: PostedMessage; readonly hasFollowUp: boolean } | undefined> {
  const { digest, run, claim } = claimed;
  const { owner, request } = digest;
  const { store, clock, client, refused, workspaceUrl } = parts;
  const { rights, channel } = await waitForTurn(claimed, before, { rateLimiter }, parts);
  const late = run.late || clock.now() - run.dueAt > lateAfterMs;
  const requestId = await store.requestLog.recordForPost(run.id, {
    channel,
    asker: owner,
    request,
    range: result.range,
    requestedAt: run.dueAt,
  });
  // Direct messages have everything in one message.
  if (rights.route.summary === 'here' && rights.conversation.kind === 'member')
    await keepTotals(requestId, claimed, result, parts);
  const first = refused.firstVariant();
  const variants = summaryVariants(summaryInput(claimed, result, rights, { requestId, late }, parts));
  const lookAgain = async () => {
    if (!areSameRights(rights, await rightsToPost(digest, parts))) throw new Failure('access-changed');
  };
  const messageAt = ({ channel, ts }: PostedMessage): PostedMessage => ({
    channel,
    ts,
    link: permalinkOf(workspaceUrl, { channel, ts }),
  });
  const hasFollowUp = followUpOf(rights.route, result) !== undefined;
  try {
    const { outcome } = await postOnce(
      {
        claim,
        facts: { rows: result.rowCount, late },
        question: { kind: 'unknown', recipients: [owner] },
        // The rights were found when the turn came.
        lookAgain: async () => {},
        async send(begin) {
          await begin();
          const destination = { kind: 'channel', channel } as const;
          const options = { maxTries: 1, lookAgain };
          const { outcome, variant } = await deliver(variants.slice(first), destination, client, options);
          if (outcome.kind !== 'not-posted') await recordDelivery(claimed, result, rights, channel, parts);
          if (outcome.kind === 'posted') refused.posted(requestId, first + variant);
          return outcome;
        },
        posted: (message) => ({
          message: messageAt(message),
          fileFollows: hasFollowUp,
          holdsRows: rights.route.rows === 'in-summary',
        }),
      },
      parts,
    );
    if (outcome.kind === 'unknown') return undefined;
    if (outcome.kind === 'posted') return { message: messageAt(outcome), hasFollowUp };
    const { code, retryAfterSeconds } = outcome;
    if (retryAfterSeconds !== undefined) rateLimiter.limited(channel, retryAfterSeconds);
    throw new Failure('answer-not-posted', { reason: code, retryAfterSeconds });
  } catch (error) {
    if (isNotPosted(error) || error instanceof EndedElsewhere) await store.requestLog.withdraw(requestId);
    if (error instanceof EndedElsewhere) return undefined;
    throw error;
  }
}

/** Waits for a turn in the channel that the rights lead to, again if they lead elsewhere when the turn comes. */
async function waitForTurn(
  { digest, signal }: ClaimedRun,
  before: OwnerRights,
  { rateLimiter }: Pick<RunSteps, 'rateLimiter'>,
  parts: DeliveryParts,
): Promise<{ readonly rights: OwnerRights; readonly channel: string }> {
  const channelFor = ({ route, conversation: { kind } }: OwnerRights) =>
    route.summary === 'direct' && kind === 'member'
      ? parts.channels.directWith(digest.owner)
      : digest.channel;
  let channel = await channelFor(before);
  for (;;) {
    await rateLimiter.turn(channel, signal);
    const rights = await rightsToPost(digest, parts);
    signal.throwIfAborted();
    if (!summaryFits(before.scope, rights.scope)) throw new Failure('access-changed');
    const now = await channelFor(rights);
    if (now === channel) return { rights, channel };
    channel = now;
  }
}

function rightsToPost(digest: Digest, parts: DeliveryParts): Promise<OwnerRights> {
  return rightsNow(digest, parts, ({ route, released }) => {
    const namesHere = route.summary === 'here' && requestIsPersonLevel(digest.request, released);
    return namesHere || route.rows === 'in-summary';
  });
}

/** The rights of now, with fresh facts about a channel that would get what names people. Cached ones do otherwise. */
async function rightsNow(
  digest: Digest,
  parts: DeliveryParts,
  namesPeople: (rights: OwnerRights) => boolean,
): Promise<OwnerRights> {
  const rights = await ownerRights(digest, parts);
  const { kind, personLevel } = rights.conversation;
  const namesHere = kind === 'member' && personLevel === 'allowed' && namesPeople(rights);
  return namesHere ? ownerRights(digest, parts, true) : rights;
}

async function sendFollowUp(
  claimed: ClaimedRun,
  result: ReportResult,
  message: PostedMessage,
  parts: DeliveryParts,
): Promise<void> {
  const { digest, run, signal } = claimed;
  const { owner, request } = digest;
  const { store } = parts;
  const hasFile = request.file !== undefined;
  if (hasFile && !result.file) throw new Failure('no-file');
  if (hasFile && parts.asksPurpose && request.purpose === undefined) throw new Failure('no-purpose');
  const followUp: FollowUp = {
    claim: followUpClaim(claimed),
    root: message,
    isOfDigest: true,
    command: `/report ${formatRequest(request)}`,
    requestId: hasFile ? undefined : await store.requestLog.ofPost(run.id),
    facts: { person: owner, origin: 'digest', post: run.id },
    async lookAgain() {
      const now = await store.digests.find(digest.id);
      if (!now || now.deletedAt !== undefined) throw new Failure('deleted');
      const place = withMessageChannel({ ...digest, owner: now.owner }, message);
      // A file that an unapproved channel would not get.
      const rights = await rightsNow(
        place,
        parts,
        ({ route, released }) => route.file === 'here' && holdsPersonLevel(result, 'not-approved', released),
      );
      if (!fileFits(result.scope, rights.scope)) throw new Failure('access-changed');
      signal.throwIfAborted();
      return rights;
    },
    maxTries: 1,
    signal,
    question: { kind: 'file-unknown', recipients: [owner] },
  };
  try {
    await (hasFile ? sendFile : sendRows)(result, followUp, parts);
  } catch (error) {
    // Another worker has the run.
    if (!(error instanceof EndedElsewhere)) throw error;
  }
}

/** Stores what *Details* shows, before anybody can press it. If nothing is stored, *Details* runs the report again. */
async function keepTotals(
  requestId: string,
  { digest: { owner }, run }: ClaimedRun,
  result: ReportResult,
  { store, clock, log, smallestGroup }: DeliveryParts,
): Promise<void> {
  const answer = keptAnswer(owner, result, smallestGroup);
  if (!answer) return;
  await store.answerTotals
    .keep(requestId, run.id, answer, clock.now())
    .catch((err: unknown) => log.warn({ err, run: run.id }, 'The totals of a digest could not be kept'));
}

/** Saves the figures that the next run compares with. A run that was sent again is not a new run. */
async function saveFigures(
  { digest: { id, owner, request }, run }: ClaimedRun,
  { figures, scope }: ReportResult,
  { store }: DeliveryParts,
): Promise<void> {
  if (!figures || run.settled === 'sent-again') return;
  // The owner or a person in a filter may have been erased since.
  const current = await catchUnreadable(store.digests.find(id));
  if (!current || current instanceof UnreadableDigest || current.owner !== owner) return;
  if (hasErasedFilter(current.request)) return;
  const key = { run: { kind: 'digest', id }, asker: owner, request, scope } as const;
  await store.lastFigures.save(key, comparableNumbers(figures, ['last-run']), run.dueAt);
}

async function recordDelivery(
  { digest: { owner, request }, run: { id: post } }: ClaimedRun,
  { asker, range: days }: ReportResult,
  { level, scope }: OwnerRights,
  place: string,
  { store, clock, log }: DeliveryParts,
): Promise<void> {
  const at = clock.now();
  const facts = { at, person: owner, place, request, origin: 'digest', me: asker.email, days, post } as const;
  await recordEvent(store.events, askedEvent(facts, { level, scope }), log);
}

function summaryInput(
  { digest, run }: ClaimedRun,
  result: ReportResult,
  { route, conversation }: OwnerRights,
  { requestId, late }: { readonly requestId: string; readonly late: boolean },
  { learningLinks: links }: DeliveryParts,
): SummaryMessageInput {
  const { figures, rows } = result;
  if (!figures) throw new Error('A digest without figures has no summary');
  const { cadence, zone } = digest.schedule;
  const isDirect = route.summary === 'direct' || conversation.kind === 'direct';
  const isRedirected = route.summary === 'direct' && conversation.kind === 'member';
  const ofAnswer = compact(figures.counted > 0 && 'details', 'csv', 'xlsx', 'change', 'save');
  return {
    // The report may have been made for another owner of the same request.
    result: { ...result, figures },
    command: `/report ${formatRequest(digest.request)}`,
    askedBy: digest.owner,
    isDigest: true,
    remarks: compact(
      late && `Late: this was due ${formatMoment(run.dueAt, zone)} (${zone}).${formatMissed(run.missed)}`,
      isRedirected && 'It names people, so it is sent here and not to its channel.',
      `Comes ${describeCadence(cadence)}, ${zone}.`,
    ),
    rows: route.rows === 'in-summary' && rows ? { rows, links } : undefined,
    isDirect,
    // The line with the cadence names it.
    zone,
    buttons: [...ofAnswer.map((kind) => ({ kind, value: requestId })), { kind: 'manage', value: digest.id }],
  };
}

function formatMissed(missed: number): string {
  if (missed === 0) return '';
  return missed === 1 ? ' 1 earlier run was missed.' : ` ${missed} earlier runs were missed.`;
}

/** What Slack refuses becomes `slack-refused`. */
export async function asSlackFailures<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    throw asSlackFailure(error);
  }
}

/** A failed call to Slack as `slack-refused`; any other error as it is. */
export function asSlackFailure(error: unknown): unknown {
  if (isFailure(error, 'answer-not-posted')) return new Failure('slack-refused', error.details);
  if (!(error instanceof SlackError)) return error;
  const outcome = outcomeOfFailure(error);
  const retryAfterSeconds = outcome.kind === 'not-posted' ? outcome.retryAfterSeconds : undefined;
  return new Failure('slack-refused', { reason: outcome.code, retryAfterSeconds });
}

import { randomUUID } from 'node:crypto';
import { SlackError } from '@slack/web-api';
import { askedEvent, recordEvent } from '../../access/record.js';
import { fitsAlone, summaryFits } from '../../access/scope.js';
import type { AlertWords } from '../../digests/alert-words.js';
import {
  type ClaimedRun,
  type Digest,
  followUpClaim,
  requestOfRuns,
  withMessageChannel,
} from '../../digests/digest.js';
import { catchUnreadable, UnreadableDigest } from '../../digests/quarantine.js';
import { Failure, isFailure, isNotPosted } from '../../errors/failure.js';
import { formatMoment } from '../../figures/format/values.js';
import { comparableNumbers } from '../../figures/summary/changes.js';
import type { PostedMessage } from '../../posts/post.js';
import { describeCadence } from '../../requests/cadence-words.js';
import { requestIsPersonLevel } from '../../requests/person-level.js';
import { hasErasedFilter, showsRows } from '../../requests/request.js';
import { compact } from '../../requests/text.js';
import { followUpOf, holdsPersonLevel, keptAnswer } from '../../runner/answer-parts.js';
import {
  type ReportResult,
  type StartedReport,
  startComparedReport,
  withPeriodBefore,
} from '../../runner/run-report.js';
import type { RunSteps } from '../../scheduler/ports.js';
import type { Store } from '../../store/store.js';
import { areSameRights, commandOf, lacksPurpose, type SendParts } from '../answers/answer-run.js';
import { type FollowUp, placeOf, sendFile, sendRows } from '../answers/send-follow-up.js';
import {
  deliver,
  EndedElsewhere,
  outcomeOfFailure,
  permalinkOf,
  postOnce,
} from '../delivery/post-message.js';
import { maxListedRows, shownRows } from '../messages/rows.js';
import { type SummaryMessageInput, summaryWithPeople } from '../messages/summary.js';
import { type AlertDecision, type AlertRun, alertOfRun } from './alert-run.js';
import { deliverScorecard } from './deliver-scorecard.js';
import { type OwnerRights, ownerRights, type RightsParts } from './rights.js';

export interface DeliveryParts extends SendParts, RightsParts {
  readonly store: SendParts['store'] & Pick<Store, 'digests' | 'alertStates'>;
}

/** A summary that is this much later than its due time says so. */
const lateAfterMs = 10 * 60_000;

/** An alert lists so many new rows, and says how many there are. */
const maxNewRows = 10;

/** Equal runs are due together, but a channel or an outage may delay some of them. */
const maxSharedAgeMs = 10 * 60_000;

/** Delivers a claimed run. What Slack refuses becomes `slack-refused`. */
export function deliveryOf(claimed: ClaimedRun, parts: DeliveryParts) {
  const { run, claim, signal } = claimed;
  const digest = { ...claimed.digest, request: requestOfRuns(claimed.digest) };
  const { id, owner, request, when } = digest;
  const { store, channels, clock, log } = parts;
  const hasFile = request.file !== undefined;
  const asked = claimed.digest.request;
  const command = commandOf(undefined, asked);

  const isLate = () => run.late || clock.now() - run.dueAt > lateAfterMs;

  const remarksOf = (late: boolean, isRedirected: boolean) => {
    const { cadence, zone } = digest.schedule;
    return compact(
      late &&
        `Late: this was due ${formatMoment(run.dueAt, zone)} (${zone}).${run.missed > 0 ? formatMissed(run.missed) : ''}`,
      isRedirected && 'It names people, so it is sent here and not to its channel.',
      `Comes ${describeCadence(cadence)}, ${zone}.`,
    );
  };

  /** Makes the report with the rights of the owner. Its file is deleted after `use`. */
  async function withReport(
    { asker, scope }: OwnerRights,
    fileOnly: boolean,
    newRows: AlertRun['newRows'],
    use: (started: StartedReport) => Promise<void>,
  ) {
    const { files } = parts;
    const file = hasFile ? randomUUID() : undefined;
    const maxRows = newRows ? maxNewRows : maxListedRows;
    try {
      const started = await startComparedReport(
        request,
        {
          asker,
          requestedAt: run.dueAt,
          filePath: file && files.pathFor(file),
          rowLimit: !fileOnly && showsRows(request) ? maxRows : undefined,
          newRows,
          fileOnly,
          comparesLater: when !== undefined,
          scope,
          urgency: 'digest',
          maxSharedAgeMs,
          signal,
        },
        { kind: 'digest', id },
        parts,
      );
      try {
        await use(started);
      } finally {
        started.before.stop();
      }
    } finally {
      if (file !== undefined) await files.remove(file);
    }
  }

  /** Undefined: another worker has the run, or delivery is unconfirmed, so that nothing follows. */
  async function postSummary(
    result: ReportResult,
    before: OwnerRights,
    rateLimiter: RunSteps['rateLimiter'],
    decision: Extract<AlertDecision, { posts: true }> | undefined,
  ) {
    const { rights, channel } = await waitForTurn(before, rateLimiter);
    const { route } = rights;
    const late = isLate();
    const { range, rowCount: rows } = result;
    const entry = { channel, asker: owner, request: asked, range, requestedAt: run.dueAt };
    const requestId = await store.requestLog.recordForPost(run.id, entry);
    // Direct messages have everything in one message.
    if (route.summary === 'here' && rights.conversation.kind === 'member')
      await keepTotals(requestId, result);
    const input = summaryInputOf(result, rights, requestId, late, decision?.words);
    const { variants, people } = summaryWithPeople(input);
    const lookAgain = async () => {
      if (!areSameRights(rights, await rightsNow(digest))) throw new Failure('access-changed');
    };
    const hasFollowUp = followUpOf(route, result) !== undefined;
    try {
      // The rights were found when the turn came.
      const posted = await postOnce(
        {
          claim,
          facts: { rows, late, alert: decision?.alert },
          sent: people && {
            ...people,
            recipient: owner,
            report: result.report.name,
            place: placeOf(channel),
          },
          question: { kind: 'unknown', recipients: [owner] },
          async send() {
            const options = { maxTries: 1, lookAgain };
            const { outcome } = await deliver(variants, { channel, answer: requestId }, parts, options);
            if (outcome.kind !== 'not-posted') await recordDelivery(result, rights, channel);
            else if (outcome.retryAfterSeconds !== undefined)
              rateLimiter.limited(channel, outcome.retryAfterSeconds);
            return outcome;
          },
          posted: ({ channel, ts }) => ({
            message: { channel, ts, link: permalinkOf(parts.workspaceUrl, { channel, ts }) },
            fileFollows: hasFollowUp,
            holdsRows: route.rows === 'in-summary',
          }),
        },
        parts,
      );
      return posted.kind === 'unknown' ? undefined : { message: posted.noted.message, hasFollowUp };
    } catch (error) {
      if (isNotPosted(error) || error instanceof EndedElsewhere) await store.requestLog.withdraw(requestId);
      if (error instanceof EndedElsewhere) return undefined;
      throw error;
    }
  }

  /** What the message of the summary is made of. */
  function summaryInputOf(
    { figures, ...result }: ReportResult,
    { route, conversation: { kind } }: OwnerRights,
    requestId: string,
    late: boolean,
    alert: AlertWords | undefined,
  ): SummaryMessageInput {
    if (!figures) throw new Error('A digest without figures has no summary');
    const { zone } = digest.schedule;
    const isRedirected = route.summary === 'direct' && kind === 'member';
    const ofAnswer = compact(figures.counted > 0 && 'details', 'csv', 'xlsx', 'change', 'save');
    return {
      // The report may have been made for another owner of the same request.
      result: { ...result, figures },
      command,
      askedBy: owner,
      isDigest: true,
      alert,
      remarks: remarksOf(late, isRedirected),
      rows: route.rows === 'in-summary' ? shownRows(result, parts.learningLinks) : undefined,
      isDirect: route.summary === 'direct' || kind === 'direct',
      // The line with the cadence names it.
      zone,
      buttons: [...ofAnswer.map((kind) => ({ kind, value: requestId })), { kind: 'manage', value: id }],
    };
  }

  /** Waits for a turn in the channel that the rights lead to, again if they lead elsewhere when the turn comes. */
  async function waitForTurn(before: OwnerRights, rateLimiter: RunSteps['rateLimiter']) {
    let rights = before;
    let turnIn: string | undefined;
    for (;;) {
      const isRedirected = rights.route.summary === 'direct' && rights.conversation.kind === 'member';
      const channel = isRedirected ? await channels.directWith(owner) : digest.channel;
      if (channel === turnIn) return { rights, channel };
      await rateLimiter.turn(channel, signal);
      rights = await rightsNow(digest);
      signal.throwIfAborted();
      if (!summaryFits(before.scope, rights.scope)) throw new Failure('access-changed');
      turnIn = channel;
    }
  }

  /**
   * The rights of now, with fresh facts about a channel that would get what names people. Cached ones do otherwise.
   *
   * @param result of a file or rows that follow; absent: of the summary
   */
  async function rightsNow(place: Digest, result?: ReportResult) {
    const rights = await ownerRights(place, parts);
    const { conversation, route, released } = rights;
    if (conversation.kind !== 'member' || conversation.personLevel !== 'allowed') return rights;
    const namesHere = result
      ? // A file that an unapproved channel would not get.
        route.file === 'here' && holdsPersonLevel(result, 'not-approved', released)
      : route.rows === 'in-summary' || (route.summary === 'here' && requestIsPersonLevel(request, released));
    return namesHere ? ownerRights(place, parts, true) : rights;
  }

  async function sendFollowUp(result: ReportResult, message: PostedMessage) {
    if (hasFile && !result.file) throw new Failure('no-file');
    if (lacksPurpose(request, parts)) throw new Failure('no-purpose');
    const followUp: FollowUp = {
      claim: followUpClaim({ run, claim }),
      root: message,
      isOfDigest: true,
      command,
      requestId: hasFile ? undefined : await store.requestLog.ofPost(run.id),
      facts: { person: owner, origin: 'digest', post: run.id },
      async lookAgain() {
        const now = await store.digests.find(id);
        if (!now || now.deletedAt !== undefined) throw new Failure('deleted');
        const place = withMessageChannel({ ...digest, owner: now.owner }, message);
        const rights = await rightsNow(place, result);
        if (!fitsAlone(request)(result.scope, rights.scope)) throw new Failure('access-changed');
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

  /** Stores what *Details* shows, before anyone can press it. If nothing is stored, *Details* runs the report again. */
  async function keepTotals(requestId: string, result: ReportResult) {
    const answer = keptAnswer(owner, result, parts.smallestGroup);
    if (!answer) return;
    await store.answerTotals
      .keep(requestId, run.id, answer, clock.now())
      .catch((err: unknown) => log.warn({ err, run: run.id }, 'The totals of a digest could not be stored'));
  }

  /** Saves the figures that the next run compares with. A run that was sent again is not a new run. */
  async function saveFigures({ figures, scope }: ReportResult) {
    if (!figures || run.settled === 'sent-again') return;
    // The owner or a person in a filter may have been erased since.
    const current = await catchUnreadable(store.digests.find(id));
    if (!current || current instanceof UnreadableDigest || current.owner !== owner) return;
    if (hasErasedFilter(current.request)) return;
    const key = { run: { kind: 'digest', id }, asker: owner, request, scope } as const;
    await store.lastFigures.save(key, comparableNumbers(figures, ['last-run']), run.dueAt);
  }

  async function recordDelivery(
    { asker: { email: me }, range: days }: ReportResult,
    rights: OwnerRights,
    place: string,
  ) {
    const at = clock.now();
    const facts = { at, person: owner, place, request, origin: 'digest', me, days, post: run.id } as const;
    await recordEvent(store.events, askedEvent(facts, rights), log);
  }

  return {
    /** From the owner's rights to its file. Throws what stops the message; a failure after it is logged. */
    deliver: async (steps: RunSteps) => {
      const before = await ownerRights(digest, parts);
      if (request.scorecard) {
        const sending = { waitForTurn, late: isLate, remarksOf, rightsNow: () => rightsNow(digest) };
        return deliverScorecard({ ...claimed, digest }, before, steps, sending, parts);
      }
      const alert = when && (await alertOfRun({ digest, run }, when, before, store));
      await withReport(before, false, alert?.newRows, async (started) => {
        const decision = alert?.decide(started.result);
        if (decision && !decision.posts) {
          await store.digests.succeeded(id);
          await recordDelivery(started.result, before, digest.channel);
          await store.ledger.markSkipped(claim, clock.now(), decision);
          return;
        }
        const result = await withPeriodBefore(started);
        if (digest.skipEmpty && (result.rowCount === 0 || result.figures?.tooFew !== undefined)) {
          await store.digests.succeeded(id);
          await recordDelivery(result, before, digest.channel);
          await store.ledger.markSkipped(claim, clock.now());
          return;
        }
        const sent = await postSummary(result, before, steps.rateLimiter, decision);
        if (!sent) return;
        try {
          await steps.posted(result);
          await saveFigures(result);
          if (sent.hasFollowUp)
            await sendFollowUp(result, sent.message).catch((error: unknown) =>
              steps.followUpFailed(asSlackFailure(error)),
            );
        } catch (err) {
          log.error({ err, run: run.id }, 'Something failed after a digest was delivered');
        }
      });
    },

    /** Sends what follows a posted run and is missing: its file, or its rows where they go elsewhere. */
    deliverFollowUp: async (message: PostedMessage) => {
      const rights = await ownerRights(withMessageChannel(digest, message), parts);
      const alert = hasFile || !when ? undefined : await alertOfRun({ digest, run }, when, rights, store);
      await withReport(rights, hasFile, alert?.newRows, ({ result }) => sendFollowUp(result, message));
    },
  };
}

function formatMissed(missed: number): string {
  return missed === 1 ? ' 1 earlier run was missed.' : ` ${missed} earlier runs were missed.`;
}

/** For rejected promises. */
export function throwAsSlackFailure(error: unknown): never {
  throw asSlackFailure(error);
}

/** A failed call to Slack as `slack-refused`; any other error as it is. */
export function asSlackFailure(error: unknown): unknown {
  if (isFailure(error, 'answer-not-posted')) return new Failure('slack-refused', error.details);
  if (!(error instanceof SlackError)) return error;
  const outcome = outcomeOfFailure(error);
  const retryAfterSeconds = outcome.kind === 'not-posted' ? outcome.retryAfterSeconds : undefined;
  return new Failure('slack-refused', { reason: outcome.code, retryAfterSeconds });
}

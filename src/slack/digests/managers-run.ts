import { askedEvent, recordEvent } from '../../access/record.js';
import { unlimitedScope } from '../../access/scope.js';
import type { ClaimedRun, Digest } from '../../digests/digest.js';
import { failureOfSlack } from '../../digests/failure.js';
import type { ManagersRunEnd, NotReached, PlannedMessage } from '../../digests/managers-plan.js';
import { Failure, isFailure } from '../../errors/failure.js';
import { formatMoment } from '../../figures/format/values.js';
import { noKnownRows } from '../../figures/known-rows.js';
import type { TeamFindings } from '../../figures/reports/team-rows.js';
import type { Claim } from '../../posts/post.js';
import type { PostState } from '../../posts/states.js';
import { lastReaderRun } from '../../schedule/reader-runs.js';
import type { RunSteps } from '../../scheduler/ports.js';
import { dayNumberAt } from '../../time/calendar.js';
import { deliver, EndedElsewhere, permalinkOf, postOnce } from '../delivery/post-message.js';
import { digestAccessRefusal } from '../messages/access-levels.js';
import { countReasons, managerVariants } from '../messages/managers.js';
import { checkRows } from './alert-run.js';
import {
  type ManagersParts,
  type ManagersReading,
  mayReadTeam,
  readForManagers,
  type Wave,
} from './managers-facts.js';

/** Nobody gets rows that are an hour old: the service is asked again before. */
const maxRowsAgeMs = 55 * 60_000;

/** More readers than this need the word of an admin. */
export const maxReadersAlone = 25;

/** Readers are looked up together, so many at a time. */
const preparedAtOnce = 300;

/** Slack takes longer to answer than until it takes the next message. */
const sentAtOnce = 2;

/** After so many messages in a row of which Slack does not say whether it has them, the rest wait. */
const maxLost = 2;

/** Slack may ask to wait so often for one message. */
const maxWaits = 12;

/** A message that comes so much after its hour says so. */
const lateAfterMs = 30 * 60_000;

/** The first of those who could not be reached are named. */
const maxNotReached = 100;

/** Delivers a claimed run of a digest for managers: a wave of readers, or everybody where a person started it. */
export async function deliverToManagers(
  { digest, run, claim, signal }: ClaimedRun,
  steps: RunSteps,
  parts: ManagersParts,
): Promise<void> {
  const { store, clock, log } = parts;
  await ownerMayStillSend(digest, parts);
  const wave = run.isByHand ? undefined : waveOf(digest, run.dueAt);
  const failed = new Map<string, NotReached>();
  const progress = { isAccepted: false, rows: 0, lost: 0 };
  for (;;) {
    const options = { wave, requestedAt: run.dueAt, urgency: 'digest', signal } as const;
    const reading = await readForManagers(digest, options, parts);
    try {
      const { plan, readers } = reading;
      if (readers > maxReadersAlone && !digest.approvedBy)
        throw new Failure('managers-not-approved', { readers, most: maxReadersAlone });
      const check = digest.when && (await checkRows({ digest, run }, digest.when, reading.allRows, store));
      if (check?.isHeld) {
        await store.ledger.markSkipped(claim, clock.now(), check.checked);
        return;
      }
      for (const one of plan.quiet) await keepQuiet(one, reading);
      const ended = await sendAll(reading);
      if (ended === 'again') continue;
      if (ended === 'elsewhere') return;
      const end = await endOf(reading, ended === 'stopped');
      const at = clock.now();
      const line = { kind: 'managers-run', recipients: [digest.owner] } as const;
      if (ended === 'stopped') {
        const wasBegun = end.sent + end.unconfirmed > 0;
        const stopped = { end, digest: digest.id };
        await store.ledger.keepStoppedManagersRun(claim, stopped, wasBegun ? line : undefined, at);
        return;
      }
      await recordRun(reading, end);
      const isWorthALine =
        end.sent + end.unconfirmed + end.declined + plan.notReached.length + failed.size > 0;
      const tells = isWorthALine || run.isByHand || end.nothingToTell > 0;
      // A wave of whose zone nobody is left has nothing to say.
      const notification = tells ? line : undefined;
      // A run by hand serves everybody, and takes no other run's place.
      const { alert } = check ?? {};
      const outcome = { end, digest: digest.id, coveredUntil: wave?.until, zones: reading.zones, alert };
      if (await store.ledger.endManagersRun(claim, outcome, notification, at))
        log.info({ digest: digest.id, run: run.id, sent: end.sent }, 'A digest for managers was delivered');
      parts.onManagersRun?.(end);
      return;
    } finally {
      await reading.close();
    }
  }

  /** Sends what is not sent yet. `again`: the rows have become too old. `elsewhere`: another worker has the run. */
  async function sendAll(reading: ManagersReading): Promise<'all' | 'again' | 'stopped' | 'elsewhere'> {
    const { messages } = reading.plan;
    let ended: 'all' | 'again' | 'stopped' | 'elsewhere' | 'failed' = 'all';
    let place = 0;
    const prepare = (from: number) =>
      parts.directory.prepare(messages.slice(from, from + preparedAtOnce).map(({ account }) => account.id));
    const sendInTurn = async () => {
      for (let message = messages[place]; message && ended === 'all'; message = messages[place]) {
        if (place % preparedAtOnce === 0) prepare(place);
        place += 1;
        if (clock.now() - reading.askedAt >= maxRowsAgeMs) ended = 'again';
        else {
          const sent = await sendOne(message, reading);
          if (sent !== 'done') ended = sent;
        }
      }
    };
    const senders = Array.from({ length: sentAtOnce }, () =>
      sendInTurn().catch((error: unknown) => {
        ended = 'failed';
        throw error;
      }),
    );
    // The others end the message that they have begun.
    await Promise.allSettled(senders);
    await Promise.all(senders);
    return ended;
  }

  async function sendOne(message: PlannedMessage, reading: ManagersReading) {
    const { address, account } = message;
    const occurrence = occurrenceOf(account.zone);
    const post = { run: run.id, digest: digest.id, user: account.id, occurrence };
    for (let waits = 0; ; waits += 1) {
      signal.throwIfAborted();
      const begun = await store.ledger.beginManagerPost(post, claim.worker, clock.now());
      if (typeof begun === 'string') return sentBefore(begun, message, reading);
      try {
        await steps.rateLimiter.idleTurn(signal);
        await mayStillRead(message);
        await postTo(begun, message, reading);
        return 'done';
      } catch (error) {
        if (error instanceof EndedElsewhere) return 'elsewhere';
        if (isFailure(error, 'access-changed')) {
          await store.ledger.markFailed(begun, { code: 'level' }, clock.now());
          failed.set(address, { who: address, why: 'level' });
          return 'done';
        }
        const seconds = await refusedBySlack(error, begun, address);
        if (seconds === undefined) return 'done';
        if (waits >= maxWaits) throw error;
        await clock.sleep(seconds * 1000, signal);
      }
    }
  }

  /** @throws `access-changed` */
  async function mayStillRead({ account, address }: PlannedMessage): Promise<void> {
    if (!(await mayReadTeam(account.id, address, digest.request.report, parts)))
      throw new Failure('access-changed');
  }

  /**
   * Ends or releases a message that Slack did not take.
   *
   * @returns after how many seconds to try again; undefined: never
   * @throws what is about more than this reader
   */
  async function refusedBySlack(error: unknown, begun: Claim, address: string): Promise<number | undefined> {
    if (!isFailure(error, 'answer-not-posted')) {
      // After an unexpected error during the post, it is unknown whether the message arrived.
      const isUnknown = await store.ledger.markUnconfirmed(begun, { code: 'unexpected' }, clock.now());
      if (!isUnknown) await store.ledger.releaseManagerPost(begun);
      throw error;
    }
    const { reason, retryAfterSeconds } = error.details;
    const failure = failureOfSlack(reason, retryAfterSeconds);
    if (failure.kind === 'own') {
      await store.ledger.markFailed(begun, { code: reason }, clock.now());
      failed.set(address, { who: address, why: 'slack-refused' });
      return undefined;
    }
    await store.ledger.releaseManagerPost(begun);
    if (retryAfterSeconds === undefined) throw error;
    steps.rateLimiter.limited(address, retryAfterSeconds);
    return retryAfterSeconds;
  }

  async function postTo(begun: Claim, message: PlannedMessage, reading: ManagersReading) {
    const { account, team } = message;
    const { zone = digest.schedule.zone } = account;
    const findings = team && (await reading.findingsOf(team));
    const variants = managerVariants({
      digest,
      findings,
      before: lastRun(message),
      requestedAt: run.dueAt,
      zone,
      late: lateWords(zone),
      leavesOutPeople: reading.leavesOutPeople,
      links: parts.learningLinks,
    });
    await recordSent(begun, account.id, findings);
    const posted = await postOnce(
      {
        claim: begun,
        async send() {
          const to = { channel: account.id, answer: begun.id };
          const lookAgain = () => mayStillRead(message);
          return (await deliver(variants, to, parts, { maxTries: 1, lookAgain })).outcome;
        },
        posted: ({ channel, ts }) => ({
          message: { channel, ts, link: permalinkOf(parts.workspaceUrl, { channel, ts }) },
          fileFollows: false,
          holdsRows: true,
          isToManager: true,
        }),
      },
      parts,
    );
    progress.rows += findings?.rows ?? 0;
    await keep(account.id, findings);
    if (posted.kind === 'unknown') {
      progress.lost += 1;
      // If Slack does not answer, each further message would be unconfirmed too.
      if (progress.lost >= maxLost) throw new Failure('slack-refused', { reason: posted.code });
      return;
    }
    progress.lost = 0;
    if (!progress.isAccepted) await steps.accepted();
    progress.isAccepted = true;
  }

  /** Whose rows the message holds is recorded before it is sent. */
  async function recordSent(begun: Claim, recipient: string, findings: TeamFindings | undefined) {
    if (!findings) return;
    const { report } = digest.request;
    const sent = {
      post: begun.id,
      at: clock.now(),
      recipient,
      report,
      what: 'rows',
      place: 'direct',
    } as const;
    await store.sentRows.saveOf(
      sent,
      findings.listed.map(({ who }) => who),
    );
  }

  /** The next run of this reader is compared with what this one found. */
  async function keep(user: string, findings: TeamFindings | undefined) {
    const { rows = 0, knownRows = digest.when ? noKnownRows : undefined } = findings ?? {};
    await store.managerReaders.keep(digest.id, user, { rows, takenAt: run.dueAt, knownRows });
  }

  async function sentBefore(state: PostState | 'stopped', message: PlannedMessage, reading: ManagersReading) {
    const { address, account, team, known } = message;
    if (state === 'stopped') return state;
    if (state === 'failed') failed.set(address, { who: address, why: 'slack-refused' });
    // The process may have ended between the message and this.
    else if (known?.takenAt !== run.dueAt) await keep(account.id, team && (await reading.findingsOf(team)));
    return 'done';
  }

  /** The next run is compared with what this one found, though there is nothing to tell. */
  async function keepQuiet({ account, team, known }: PlannedMessage, reading: ManagersReading) {
    // Whoever has never had anything is not remembered, but where rows are compared.
    if (!digest.when && !known) return;
    await keep(account.id, team && (await reading.findingsOf(team)));
  }

  /** The day on which the hour of a reader came; of a run by hand that run. */
  function occurrenceOf(zone: string | undefined = digest.schedule.zone): string {
    const due = wave && lastReaderRun(digest.schedule, zone, wave.after, wave.until);
    return due === undefined ? run.id : String(dayNumberAt(due / 1000, zone));
  }

  function lateWords(zone: string): string | undefined {
    const due = wave && lastReaderRun(digest.schedule, zone, wave.after, wave.until);
    return due === undefined || clock.now() - due < lateAfterMs
      ? undefined
      : `Late: this was due ${formatMoment(due, zone)} (${zone}).`;
  }

  async function endOf(
    { plan, withoutManager, severalManagers, ownManager }: ManagersReading,
    isStopped: boolean,
  ) {
    const counts = await store.ledger.countManagerPosts(run.id);
    const notReached = [...plan.notReached, ...failed.values()];
    const end: ManagersRunEnd = {
      sent: counts.get('posted') ?? 0,
      unconfirmed: counts.get('unknown') ?? 0,
      nothingToTell: plan.nothingToTell,
      declined: plan.declined,
      failed: countReasons(notReached),
      rows: progress.rows,
      withoutManager,
      severalManagers,
      ownManager,
      isStopped: isStopped || undefined,
      notReached: notReached.slice(0, maxNotReached),
    };
    return end;
  }

  /** One event, with the number of readers. */
  async function recordRun({ range: days }: ManagersReading, { sent, unconfirmed }: ManagersRunEnd) {
    const { request, owner: person } = digest;
    const facts = {
      at: clock.now(),
      person,
      place: digest.channel,
      request,
      origin: 'digest',
      days,
      post: run.id,
      readers: sent + unconfirmed,
    } as const;
    await recordEvent(store.events, askedEvent(facts, { level: 'everything', scope: unlimitedScope }), log);
  }
}

/** The readers of a run: those whose hour came since the last one, and most of them are in the zone of its due time. */
function waveOf(digest: Digest, dueAt: number): Wave {
  const { schedule, zones, coveredUntil, createdAt } = digest;
  const isDue = (zone: string) => lastReaderRun(schedule, zone, dueAt - 1, dueAt) === dueAt;
  const zone = [schedule.zone, ...(zones ?? [])].find(isDue) ?? schedule.zone;
  return { zone, after: Math.min(coveredUntil ?? createdAt, dueAt - 1), until: dueAt };
}

/**
 * Only whoever has `everything` sends to managers.
 *
 * @throws Failure
 */
async function ownerMayStillSend(
  { owner, request }: Digest,
  { people, access }: ManagersParts,
): Promise<void> {
  const { standing } = await people.find(owner);
  if (standing === 'unknown') throw new Failure('owner-not-described');
  if (standing === 'gone') throw new Failure('owner-left');
  if (standing !== 'member') throw new Failure('owner-may-not-ask');
  const { level, isUncertain } = await access.accessOf(owner, request.report);
  if (level === 'everything') return;
  if (isUncertain) throw new Failure('owner-level-unknown');
  const refusal = { kind: 'not-everything' } as const;
  const reason = digestAccessRefusal(refusal, 'its owner’s');
  throw new Failure('access-refused', { refusal, sentence: reason, reason });
}

function lastRun({ known }: PlannedMessage) {
  const { lastRows: rows, takenAt } = known ?? {};
  return rows === undefined || takenAt === undefined ? undefined : { rows, takenAt };
}

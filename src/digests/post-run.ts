import { formatMoment } from '../figures/format/dates.js';
import { describeCadence } from '../requests/cadence-words.js';
import { formatRequest } from '../requests/parse-request.js';
import { requestIsPersonLevel } from '../requests/person-level.js';
import type { ReportResult } from '../runner/run-report.js';
import { deliver, surely } from '../slack/delivery/post-message.js';
import { type SummaryMessageInput, summaryVariants } from '../slack/messages/summary.js';
import type { Digest } from './digest.js';
import { DigestFailed, failureOfSlack } from './failure.js';
import type { DigestParts } from './ports.js';
import type { PostRateLimiter } from './post-rate-limiter.js';
import { type ClaimedRun, rightsNow } from './process-run.js';
import type { Rights } from './rights.js';

/** A run that is so much later than it was due says so. */
const lateAfter = 10 * 60_000;

/** Where a summary stands; `lost`: somebody else has the run; `unknown`: nobody can know whether it arrived. */
export type Posted =
  | { readonly channel: string; readonly ts: string; readonly link?: string }
  | 'lost'
  | 'unknown';

/**
 * Posts the summary of a run, once. That it is about to be posted is in the ledger before, and what became of it after,
 * from Slack's own answer.
 *
 * @param before the rights with which its report was made; it goes where those lead that hold when its turn has come
 * @throws DigestFailed where Slack did not take it
 */
export async function postSummary(
  work: ClaimedRun,
  result: ReportResult,
  before: Rights,
  parts: DigestParts,
  pace: PostRateLimiter,
): Promise<Posted> {
  const { digest, run, held } = work;
  const { store, client, clock, refused } = parts;
  const { rights, channel } = await inTurn(work, before, parts, pace);
  const late = run.late || clock.now() - run.dueAt > lateAfter;
  const askId = await store.requestLog.recordForPost(run.id, {
    team: parts.team,
    channel,
    asker: digest.owner,
    request: digest.request,
    ...(result.range ? { range: result.range } : {}),
    askedAt: run.dueAt,
  });
  const first = refused.firstVariant();
  const variants = summaryVariants(summaryInput(work, result, rights, askId, late)).slice(first);
  if (!(await store.ledger.markPosting(held, { rows: result.rows, late }))) {
    await store.requestLog.withdraw(askId);
    return 'lost';
  }
  const { outcome, variant } = await deliver(variants, { kind: 'channel', channel }, client, 1);
  const at = clock.now();
  if (outcome.kind === 'posted') {
    const link = linkTo(parts.workspaceUrl, outcome.channel, outcome.ts);
    const message = { channel: outcome.channel, ts: outcome.ts, ...(link ? { link } : {}) };
    const fileFollows = rights.route.csv !== 'none' && result.csv !== undefined;
    await surely(() => store.ledger.markPosted(held, { message, fileFollows }, at));
    refused.posted(askId, first + variant);
    return message;
  }
  if (outcome.kind === 'unknown') {
    await store.ledger.markUnconfirmed(held, { code: outcome.code }, at, {
      kind: 'unknown',
      recipients: [digest.owner],
    });
    return 'unknown';
  }
  await store.requestLog.withdraw(askId);
  if (outcome.retryAfterSeconds !== undefined) pace.limited(channel, outcome.retryAfterSeconds);
  throw new DigestFailed(failureOfSlack(outcome.code, outcome.retryAfterSeconds));
}

/** Waits for a turn in the channel that the rights lead to, until they still lead there when it has come. */
async function inTurn(
  { digest, signal }: ClaimedRun,
  before: Rights,
  parts: DigestParts,
  pace: PostRateLimiter,
): Promise<{ readonly rights: Rights; readonly channel: string }> {
  let channel = await channelFor(digest, before, parts);
  for (;;) {
    await pace.turn(channel, signal);
    const rights = await rightsNow(
      digest,
      ({ route, released }) => route.summary === 'here' && requestIsPersonLevel(digest.request, released),
      parts,
    );
    signal.throwIfAborted();
    const now = await channelFor(digest, rights, parts);
    if (now === channel) return { rights, channel };
    channel = now;
  }
}

async function channelFor({ channel, owner }: Digest, rights: Rights, { channels }: DigestParts) {
  return goesElsewhere(rights) ? channels.directWith(owner) : channel;
}

/** True when the summary goes to its owner's direct messages although it was meant for a channel. */
function goesElsewhere({ route, place }: Rights): boolean {
  return route.summary === 'direct' && place.kind !== 'direct';
}

function summaryInput(
  { digest, run }: ClaimedRun,
  result: ReportResult,
  rights: Rights,
  askId: string,
  late: boolean,
): SummaryMessageInput {
  const { figures } = result;
  if (!figures) throw new Error('A digest without figures has no summary');
  const { cadence, zone } = digest.schedule;
  return {
    // The report may have been made for somebody else who asks the same.
    facts: { ...result, figures },
    command: `/report ${formatRequest(digest.request)}`,
    askedBy: digest.owner,
    isDigest: true,
    remarks: [
      ...(late ? [`Late, was due ${formatMoment(run.dueAt, zone)} (${zone}).${sayMissed(run.missed)}`] : []),
      ...(goesElsewhere(rights) ? ['It names people, so it comes here rather than to its channel.'] : []),
      `Comes ${describeCadence(cadence)}, ${zone}.`,
    ],
    withPeople: rights.route.summary === 'direct' || rights.place.kind === 'direct',
    buttons: [
      { kind: 'csv', value: askId },
      { kind: 'change', value: askId },
      { kind: 'save', value: askId },
      { kind: 'schedule', value: askId },
      { kind: 'meanings', value: result.report.name },
    ],
  };
}

function sayMissed(missed: number): string {
  if (missed === 0) return '';
  return missed === 1 ? ' One before it was missed.' : ` ${missed} before it were missed.`;
}

/** The address of a message, as Slack forms it. */
function linkTo(workspaceUrl: string, channel: string, ts: string): string | undefined {
  if (workspaceUrl === '' || ts === '') return undefined;
  return `${workspaceUrl.replace(/\/?$/, '/')}archives/${channel}/p${ts.replace('.', '')}`;
}

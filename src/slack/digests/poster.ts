import { SlackError } from '@slack/web-api';
import { fileFits } from '../../access/scope.js';
import { type ClaimedRun, type Digest, followUpClaim, withMessageChannel } from '../../digests/digest.js';
import { accessChanged, DigestFailed, failureOf, failureOfSlack } from '../../digests/failure.js';
import type {
  DigestPoster,
  DigestRights,
  DigestSummary,
  NotificationContent,
  SummaryOutcome,
} from '../../digests/ports.js';
import { formatMoment } from '../../figures/format/dates.js';
import type { PostedMessage } from '../../posts/post.js';
import { describeCadence } from '../../requests/cadence-words.js';
import { formatRequest } from '../../requests/parse-request.js';
import { holdsPersonLevel } from '../../runner/answer-file.js';
import type { ReportResult } from '../../runner/run-report.js';
import type { Store } from '../../store/store.js';
import type { Clock } from '../../time/clock.js';
import {
  AnswerNotPosted,
  deliver,
  EndedElsewhere,
  type OutgoingMessage,
  outcomeOfFailure,
  type PostOutcome,
} from '../delivery/post-message.js';
import { type FollowUp, type FollowUpParts, sendFile, sendRows } from '../delivery/send-follow-up.js';
import type { Channels } from '../directory/channels.js';
import { permalinkOf } from '../directory/links.js';
import {
  digestFailedMessage,
  fileFailedMessage,
  outageMessage,
  personErasedMessage,
  savedPersonErasedMessage,
  unconfirmedMessage,
  unreadableDigestMessage,
  withoutOwnerMessage,
} from '../messages/digest-notifications.js';
import { describeFailure } from '../messages/failures.js';
import { offerEndedMessage, wordsForDigest, wordsForSaved } from '../messages/offers.js';
import { type SummaryMessageInput, summaryVariants } from '../messages/summary.js';
import { type RightsParts, rightsOf } from './rights.js';

export interface PosterParts extends RightsParts, FollowUpParts {
  readonly store: RightsParts['store'] & FollowUpParts['store'] & Pick<Store, 'digests' | 'requestLog'>;
  readonly channels: Channels;
  readonly clock: Clock;
  /** True where files need a purpose. */
  readonly asksPurpose?: boolean;
  /** Whether the app has the scope with which it joins channels. Absent: true. */
  readonly mayJoinChannels?: boolean;
  /** `https://example.slack.com/`, or empty if unknown. */
  readonly workspaceUrl: string;
}

/** Posts digests, their files and their notifications to Slack. */
export function digestPoster(parts: PosterParts): DigestPoster {
  const { client, channels, people, refused } = parts;
  return {
    rightsOf: (digest, { namesPeople } = {}) => asDigestFailures(rightsNow(digest, parts, namesPeople)),

    directMessagesOf: (user) => asDigestFailures(channels.directWith(user)),

    async describePerson(user) {
      const { zone, standing } = await people.find(user);
      return { zone, hasLeft: standing === 'gone' };
    },

    prepareSummary(summary) {
      const first = refused.firstVariant();
      const variants = summaryVariants(summaryInput(summary, parts)).slice(first);
      return {
        async post(channel) {
          const { outcome, variant } = await deliver(variants, { kind: 'channel', channel }, client, {
            maxTries: 1,
          });
          if (outcome.kind === 'posted') refused.posted(summary.requestId, first + variant);
          return summaryOutcome(outcome, parts);
        },
      };
    },

    sendFollowUp: (claimed, result, message) =>
      asDigestFailures(sendFollowUp(claimed, result, message, parts)),

    async sendNotification(recipient, content) {
      const posted = await asDigestFailures(
        client.chat.postMessage({
          channel: recipient,
          ...messageArguments(notificationMessage(content, recipient, parts.mayJoinChannels)),
          unfurl_links: false,
          unfurl_media: false,
        }),
      );
      return posted.channel && posted.ts ? { channel: posted.channel, ts: posted.ts } : undefined;
    },

    async editNotification(message, recipient, content) {
      const edited = messageArguments(notificationMessage(content, recipient, parts.mayJoinChannels));
      await asDigestFailures(client.chat.update({ ...message, ...edited }));
    },

    async isTokenAccepted() {
      try {
        await client.auth.test();
        return true;
      } catch (error) {
        // Any other error still means that Slack accepts the token.
        return failureOf(asDigestFailure(error)).kind === 'own';
      }
    },

    describeFailure: (error, run) => describeFailure(error, run).reason,
  };
}

/** The rights of now, with fresh facts about a channel that would get what names people. */
async function rightsNow(
  digest: Digest,
  parts: PosterParts,
  namesPeople: (rights: DigestRights) => boolean = () => false,
): Promise<DigestRights> {
  const rights = await rightsOf(digest, parts, false);
  const namesHere = !rights.isDirect && rights.personLevel === 'allowed' && namesPeople(rights);
  return namesHere ? rightsOf(digest, parts, true) : rights;
}

async function sendFollowUp(
  claimed: ClaimedRun,
  result: ReportResult,
  message: PostedMessage,
  parts: PosterParts,
): Promise<void> {
  const { digest, run, signal } = claimed;
  const { owner, request } = digest;
  const { store } = parts;
  const hasFile = request.file !== undefined;
  if (hasFile && !result.file) throw new DigestFailed({ kind: 'own', code: 'no-file' });
  if (hasFile && parts.asksPurpose && request.purpose === undefined)
    throw new DigestFailed({ kind: 'own', code: 'no-purpose' });
  const followUp: FollowUp = {
    claim: followUpClaim(claimed),
    root: message,
    isOfDigest: true,
    command: `/report ${formatRequest(request)}`,
    requestId: hasFile ? undefined : await store.requestLog.ofPost(run.id),
    facts: { person: owner, origin: 'digest', post: run.id },
    async lookAgain() {
      const now = await store.digests.find(digest.id);
      if (!now || now.deletedAt !== undefined) throw new DigestFailed({ kind: 'own', code: 'deleted' });
      const place = withMessageChannel({ ...digest, owner: now.owner }, message);
      // A file that an unapproved channel would not get.
      const rights = await rightsNow(
        place,
        parts,
        ({ route, released }) => route.file === 'here' && holdsPersonLevel(result, 'not-approved', released),
      );
      if (!fileFits(result.scope, rights.scope)) throw new DigestFailed(accessChanged);
      signal.throwIfAborted();
      const { isDirect, personLevel } = rights;
      const kind = isDirect ? ('direct' as const) : ('member' as const);
      return { ...rights, conversation: { channel: place.channel, kind, personLevel } };
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

function summaryOutcome(
  outcome: PostOutcome,
  { workspaceUrl }: Pick<PosterParts, 'workspaceUrl'>,
): SummaryOutcome {
  if (outcome.kind === 'unknown') return { kind: 'unconfirmed', code: outcome.code };
  if (outcome.kind === 'not-posted') {
    return { kind: 'not-posted', failure: failureOfSlack(outcome.code, outcome.retryAfterSeconds) };
  }
  const { channel, ts } = outcome;
  return { kind: 'posted', message: { channel, ts, link: permalinkOf(workspaceUrl, { channel, ts }) } };
}

async function asDigestFailures<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    throw asDigestFailure(error);
  }
}

/** A failed call to Slack as DigestFailed; any other error as it is. */
export function asDigestFailure(error: unknown): unknown {
  if (error instanceof AnswerNotPosted)
    return new DigestFailed(failureOfSlack(error.reason, error.retryAfterSeconds));
  if (!(error instanceof SlackError)) return error;
  const outcome = outcomeOfFailure(error);
  const retryAfter = outcome.kind === 'not-posted' ? outcome.retryAfterSeconds : undefined;
  return new DigestFailed(failureOfSlack(outcome.code, retryAfter));
}

function summaryInput(
  { digest, run, result, rights, requestId, late }: DigestSummary,
  { learningLinks: links }: PosterParts,
): SummaryMessageInput {
  const { figures, rows } = result;
  if (!figures) throw new Error('A digest without figures has no summary');
  const { cadence, zone } = digest.schedule;
  const isDirect = rights.route.summary === 'direct' || rights.isDirect;
  const isRedirected = rights.route.summary === 'direct' && !rights.isDirect;
  return {
    // The report may have been made for another owner of the same request.
    result: { ...result, figures },
    command: `/report ${formatRequest(digest.request)}`,
    askedBy: digest.owner,
    isDigest: true,
    remarks: [
      ...(late
        ? [`Late: this was due ${formatMoment(run.dueAt, zone)} (${zone}).${formatMissed(run.missed)}`]
        : []),
      ...(isRedirected ? ['It names people, so it is sent here and not to its channel.'] : []),
      `Comes ${describeCadence(cadence)}, ${zone}.`,
    ],
    rows: rights.route.rows === 'in-summary' && rows ? { rows, links } : undefined,
    isDirect,
    // The line with the cadence names it.
    zone,
    buttons: [
      ...(figures.counted === 0 ? [] : [{ kind: 'details', value: requestId } as const]),
      { kind: 'csv', value: requestId },
      { kind: 'xlsx', value: requestId },
      { kind: 'change', value: requestId },
      { kind: 'save', value: requestId },
      { kind: 'manage', value: digest.id },
    ],
  };
}

function formatMissed(missed: number): string {
  if (missed === 0) return '';
  return missed === 1 ? ' 1 earlier run was missed.' : ` ${missed} earlier runs were missed.`;
}

function notificationMessage(
  content: NotificationContent,
  recipient: string,
  mayJoinChannels?: boolean,
): OutgoingMessage {
  switch (content.kind) {
    case 'unconfirmed':
      return unconfirmedMessage(content.deliveries);
    case 'failed':
      return digestFailedMessage(content.digest, content.run, recipient, mayJoinChannels);
    case 'file-failed':
      return fileFailedMessage(content.digest, content.run, recipient);
    case 'without-owner':
      return withoutOwnerMessage(content.digest, content.run, recipient);
    case 'unreadable':
      return unreadableDigestMessage(content.digest);
    case 'person-erased':
      return personErasedMessage(content.digest);
    case 'saved-person-erased':
      return savedPersonErasedMessage(content.saved);
    case 'offer-ended':
      return offerEndedMessage(wordsForDigest(content.digest));
    case 'saved-offer-ended':
      return offerEndedMessage(wordsForSaved(content.saved));
    case 'outage':
      return outageMessage(content.outage, content.isOver, content.zone);
  }
}

function messageArguments({ text, blocks = [] }: OutgoingMessage) {
  return { text, blocks: [...blocks] };
}

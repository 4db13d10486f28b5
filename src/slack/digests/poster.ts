import { SlackError, type WebClient } from '@slack/web-api';
import type { LearningLinks } from '../../catalogue/learning-link.js';
import { DigestFailed, failureOf, failureOfSlack } from '../../digests/failure.js';
import type { DigestPoster, DigestSummary, FileTarget, NotificationContent } from '../../digests/ports.js';
import { formatMoment } from '../../figures/format/dates.js';
import { formatLimit } from '../../figures/format/request.js';
import { describeCadence } from '../../requests/cadence-words.js';
import { formatRequest } from '../../requests/parse-request.js';
import { fileName, notesOnFile } from '../../runner/answer-file.js';
import type { ReportResult } from '../../runner/run-report.js';
import {
  deliver,
  type OutgoingMessage,
  outcomeOfFailure,
  type PostOutcome,
} from '../delivery/post-message.js';
import type { RefusedBlocks } from '../delivery/refused-blocks.js';
import type { FileDestination, ShareFile } from '../delivery/upload.js';
import { permalinkOf } from '../directory/links.js';
import { escaped } from '../markup.js';
import { levelsMessage, levelsSummaryMessage } from '../messages/digest-levels.js';
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
import { rowsVariants } from '../messages/rows.js';
import { type SummaryMessageInput, summaryVariants } from '../messages/summary.js';
import { type RightsParts, rightsOf } from './rights.js';

export interface PosterParts extends RightsParts {
  /** Whether the app has the scope with which it joins channels. Absent: true. */
  readonly mayJoinChannels?: boolean;
  /** `https://example.slack.com/`, or empty if unknown. */
  readonly workspaceUrl: string;
  /** Makes each call once, without retries, and rejects rate-limited calls at once. */
  readonly client: WebClient;
  readonly share: ShareFile;
  readonly refused: RefusedBlocks;
  readonly learningLinks: LearningLinks;
}

/** Posts digests, their files and their notifications to Slack. */
export function digestPoster(parts: PosterParts): DigestPoster {
  const { client, channels, people, refused } = parts;
  return {
    rightsOf: (digest, { fresh = false } = {}) => asDigestFailures(rightsOf(digest, parts, fresh)),

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

    async shareFile(result, destination, signal) {
      const { file } = result;
      if (!file) throw new DigestFailed({ kind: 'own', code: 'no-file' });
      const name = fileName(result);
      const into = async () => fileDestination(await destination(), result);
      return asDigestFailures(
        parts.share({ path: file.path, bytes: file.bytes, name, title: name, into }, signal),
      );
    },

    async sendRows(digest, result, channel, requestId) {
      const { rows } = result;
      if (!rows) throw new DigestFailed({ kind: 'own', code: 'no-file' });
      const command = `/report ${formatRequest(digest.request)}`;
      const variants = rowsVariants({ rows, links: parts.learningLinks }, command, result, requestId);
      const destination = { kind: 'channel', channel } as const;
      const { outcome } = await deliver(variants.slice(refused.firstVariant()), destination, client, {
        maxTries: 1,
      });
      return summaryOutcome(outcome, parts);
    },

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

function summaryOutcome(
  outcome: PostOutcome,
  { workspaceUrl }: Pick<PosterParts, 'workspaceUrl'>,
): Awaited<ReturnType<DigestPoster['sendRows']>> {
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

/** The comment says whose rows the file is limited to. */
function fileDestination(target: FileTarget, result: ReportResult): FileDestination {
  const notes = notesOnFile(result);
  if ('thread' in target) {
    const limit = formatLimit(result.scope, 'owner');
    return { ...target, comment: [...(limit ? [`${limit}.`] : []), ...notes].join(' ') || undefined };
  }
  const limit = formatLimit(result.scope, 'you');
  const why = target.namesPeople ? ' names people, so it comes to you alone.' : '';
  const command = escaped(`/report ${formatRequest(target.request)}`);
  const end = why || (limit ? '.' : '');
  const comment = `The file for ${command}${end}${limit ? ` ${limit}.` : ''}`;
  return { channel: target.channel, comment: [comment, ...notes].join(' ') };
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
    case 'levels':
      return levelsMessage(content.digests, content.until, content.zone);
    case 'levels-summary':
      return levelsSummaryMessage(content);
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

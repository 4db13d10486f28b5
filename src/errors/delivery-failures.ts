import { failure } from './failure-entry.js';
import { describeSlackError, isTemporarySlackError } from './slack-errors.js';

/** A run of a digest ends with it before its post. */
const stopsRun = (scope: 'asker' | 'slack', reason: string) => failure({ scope, isNotPosted: true, reason });

/** Failures of files, of posts, and of runs of digests. */
export const deliveryFailures = {
  /** `reason`: the code of the operating system, `ENOSPC` for a full disk. */
  'file-not-written': failure<{ readonly reason: string }>({
    canRetry: true,
    log: ({ reason }) => `The file could not be written (${reason})`,
    reason: ({ reason }) =>
      reason === 'ENOSPC'
        ? 'The file could not be written: my disk is almost full.'
        : `The file could not be written (${reason}). If this happens again, tell your admin.`,
    advice: ({ reason }) => (reason === 'ENOSPC' ? 'Tell your admin.' : ''),
    others: 'The file could not be written.',
  }),
  'export-not-recorded': failure({
    canRetry: true,
    log: 'The record of access could not be written, so the file was not shared',
    reason: 'The file was not sent, because it could not be recorded.',
    advice: 'Try again in a minute.',
    others: 'The file could not be recorded, so it was not sent.',
  }),
  /** `reason`: Slack's own error. `retryAfterSeconds`: from its `Retry-After` header. */
  'answer-not-posted': failure<{
    readonly reason: string;
    readonly retryAfterSeconds?: number | undefined;
  }>({
    scope: 'slack',
    isNotPosted: true,
    canRetry: true,
    log: ({ reason }) => `Slack did not take the answer: ${reason}`,
    reason: ({ reason }) => `The answer could not be posted. ${describeSlackError(reason)}`,
    advice: ({ reason }) => (isTemporarySlackError(reason) ? 'Try again in a minute.' : ''),
    others: 'The answer could not be posted.',
  }),
  /** `reason`: Slack's own error, `http_503` or `connection_lost`. `mayHaveArrived`: the last response was lost. */
  'file-not-shared': failure<{
    readonly reason: string;
    readonly mayHaveArrived: boolean;
    readonly retryAfterSeconds?: number | undefined;
  }>({
    scope: 'slack',
    canRetry: true,
    log: ({ reason }) => `Slack did not take the file: ${reason}`,
    reason: ({ reason, mayHaveArrived }) =>
      mayHaveArrived
        ? 'Delivery of the file is unconfirmed.'
        : `The file could not be uploaded to Slack. ${describeSlackError(reason)}`,
    advice({ reason, mayHaveArrived }) {
      if (mayHaveArrived) return 'If you cannot see it, ask for it again.';
      return isTemporarySlackError(reason) ? 'Try again in a minute.' : '';
    },
    others: 'The file could not be uploaded to Slack.',
  }),
  /** A call for a digest. What is stored of it is `reason`, Slack's own error. */
  'slack-refused': failure<{ readonly reason: string; readonly retryAfterSeconds?: number | undefined }>({
    scope: 'slack',
    isNotPosted: true,
    log: ({ reason }) => `Slack refused a call: ${reason}`,
    reason: ({ reason }) => describeSlackError(reason),
    others: 'Slack refused it.',
  }),
  'owner-left': stopsRun('asker', 'Its owner has left this workspace.'),
  'owner-may-not-ask': stopsRun('asker', 'Its owner can no longer request reports.'),
  'owner-not-member': stopsRun('asker', 'Its owner is no longer a member of the channel.'),
  'owner-level-unknown': stopsRun('slack', 'Slack did not say which user groups its owner is in.'),
  'owner-not-described': stopsRun('slack', 'Slack did not return the profile of its owner.'),
  'channel-not-described': stopsRun('slack', 'Slack did not return details of the channel.'),
  'no-file': stopsRun('asker', 'The report has no file.'),
  'no-purpose': stopsRun('asker', 'Files need a purpose now. Edit the digest, and say what its file is for.'),
  deleted: stopsRun('asker', 'It was deleted.'),
  unreadable: failure<{ readonly id: string }>({
    log: ({ id }) => `A digest cannot be read: ${id}`,
    reason: "I can't read this digest's settings.",
  }),
} as const;

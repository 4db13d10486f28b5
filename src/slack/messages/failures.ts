import { DigestFailed, describeReason } from '../../digests/failure.js';
import { KnownError } from '../../errors/known-error.js';
import { FileNotShared } from '../../posts/post.js';
import {
  AnswerCutShort,
  AnswerGoesOn,
  AnswerNotAnArray,
  AnswerNotJson,
  Cancelled,
  ConnectionLost,
  CsvNotWritten,
  DamagedAnswer,
  EmptyAnswer,
  NoSuchReport,
  QueryRefused,
  RangeTooLong,
  ReadingThreadDied,
  RecordNotAnObject,
  RecordTooBig,
  ServiceBroken,
  ServiceRedirects,
  ServiceTimedOut,
  ServiceUnreachable,
  TokenRefused,
  TooManyRequests,
  UnknownName,
  WaitTooLong,
} from '../../reporting-api/errors.js';
import { quoteTypedWord } from '../../requests/problem.js';
import { rangeRefusalText } from '../../requests/problem-messages.js';
import { rangeAsTyped } from '../../requests/range-options.js';
import { AskerHasNoAddress, RangeRefused } from '../../requests/request.js';
import { AnswerNotPosted, Stopping } from '../delivery/post-message.js';

/** What a person is told of a failure: plain text, which the view escapes. */
export interface FailureMessage {
  /** What went wrong and what to do about it, in one or two sentences. */
  readonly sentence: string;
  /** The same for people who read it later, when trying again at once is over: what digests keep. */
  readonly reason: string;
  /** True where asking the same again may well work. */
  readonly tryAgain: boolean;
}

/** The words for a failure. */
interface FailureText {
  readonly reason: string;
  /** What to do now, for the person who asked just now. */
  readonly advice?: string | undefined;
  /** Instead of the reason and the advice, for the person who asked just now. */
  readonly sentence?: string | undefined;
}

/**
 * The one place that turns a failure into words for the person who asked, or whose digest it is.
 * Something unknown becomes a reference that also stands in the log.
 *
 * @param reference what the log knows this run by
 * @param typed the command, where words asked
 */
export function describeFailure(error: unknown, reference: string, typed?: string): FailureMessage {
  const words =
    wordsForRequest(error, typed) ??
    wordsForService(error) ??
    wordsForAnswer(error) ??
    wordsForOurs(error) ??
    wordsForDigest(error);
  if (!(error instanceof KnownError) || !words) {
    return {
      sentence: `Something went wrong. Try again, or give your admin this ID: ${reference}.`,
      reason: `Something went wrong. Give your admin this ID: ${reference}.`,
      tryAgain: true,
    };
  }
  const { reason, advice, sentence = advice === undefined ? reason : `${reason} ${advice}` } = words;
  return { sentence, reason, tryAgain: error.isRetryable };
}

function text(reason: string, advice?: string): FailureText {
  return { reason, advice };
}

/** What the asker can put right. */
function wordsForRequest(error: unknown, typed: string | undefined): FailureText | undefined {
  if (error instanceof RangeRefused) {
    const { reason, words } = error.refusal;
    const said = typed === undefined ? words : rangeAsTyped(typed, words);
    return { reason: `I can't use “${quoteTypedWord(said)}”. ${rangeRefusalText(reason, error.report)}` };
  }
  if (error instanceof AskerHasNoAddress) {
    return {
      sentence: '“me” needs your e-mail address, and I do not know it. Type the address instead.',
      reason: '“me” needs its owner’s e-mail address, and I do not know it. Type the address instead.',
    };
  }
  if (error instanceof RangeTooLong) {
    return {
      reason: `That range has ${days(error.days)}, and the Reporting Service takes at most ${days(error.maximumDays)} at once. Its figures per person cannot be added up over several ranges: ask for a shorter one.`,
    };
  }
  if (error instanceof UnknownName) {
    const known = error.nearest.length > 0 ? ` Near it: ${error.nearest.join(', ')}.` : '';
    return {
      reason: `“${error.entry}” is not in the list of names for ${error.member}.${known} Check the spelling.`,
    };
  }
  if (error instanceof QueryRefused) {
    const says = error.serviceMessage ? ` It says: “${error.serviceMessage}”` : '';
    return { reason: `The Reporting Service did not accept this request (status ${error.status}).${says}` };
  }
  return undefined;
}

/** The Reporting Service cannot be asked now. */
function wordsForService(error: unknown): FailureText | undefined {
  if (error instanceof ServiceUnreachable) {
    return text(
      `The Reporting Service cannot be reached (${error.systemCode}).`,
      'Try again in a few minutes; if it goes on, tell your operator.',
    );
  }
  if (error instanceof ConnectionLost) {
    return text(
      'The connection to the Reporting Service broke several times.',
      'Try again in a few minutes.',
    );
  }
  if (error instanceof ServiceTimedOut) {
    return text(
      `The Reporting Service sent nothing for ${seconds(error.idleTimeoutMs)}, so I stopped waiting.`,
      'Try a shorter range or more filters, or try again later.',
    );
  }
  if (error instanceof TokenRefused) {
    return {
      reason: `The Reporting Service refused my token (status ${error.status}). Tell your operator to check REPORTING_API_TOKEN and REPORTING_AUTH_SCHEME.`,
    };
  }
  if (error instanceof NoSuchReport) {
    return {
      reason:
        'The Reporting Service does not have this report at its address (status 404). Tell your operator to check REPORTING_BASE_URL.',
    };
  }
  if (error instanceof ServiceRedirects) {
    return {
      reason: `The Reporting Service sent me to another address (status ${error.status}), where I do not follow. Tell your operator to check REPORTING_BASE_URL.`,
    };
  }
  if (error instanceof ServiceBroken) {
    return text(
      `The Reporting Service has a problem (status ${error.status}).`,
      'Try again in a few minutes.',
    );
  }
  if (error instanceof TooManyRequests) {
    return text('The Reporting Service is rate-limiting us.', 'Try again in a few minutes.');
  }
  if (error instanceof WaitTooLong) {
    return text('The Reporting Service is rate-limiting us.', `Try again in ${seconds(error.waitMs)}.`);
  }
  return undefined;
}

/** An answer came, but it cannot be trusted: none of it is shown. */
function wordsForAnswer(error: unknown): FailureText | undefined {
  if (error instanceof AnswerCutShort) {
    return text(
      'The answer of the Reporting Service ended early several times, so no report was made.',
      'Try again.',
    );
  }
  if (error instanceof AnswerNotAnArray) {
    return {
      reason:
        'The Reporting Service answered with something that is not a list of records, so no report was made. Tell your operator.',
    };
  }
  if (error instanceof AnswerNotJson) {
    return {
      reason:
        'The Reporting Service answered with something that is not JSON, so no report was made. Tell your operator.',
    };
  }
  if (error instanceof AnswerGoesOn) {
    return {
      reason:
        'The answer of the Reporting Service goes on after its end, so no report was made. Tell your operator.',
    };
  }
  if (error instanceof RecordNotAnObject) {
    return {
      reason: `Record ${error.record} of the answer is not a record at all, so no report was made. Tell your operator.`,
    };
  }
  if (error instanceof RecordTooBig) {
    return {
      reason: `Record ${error.record} of the answer is too big to be real, so no report was made. Tell your operator.`,
    };
  }
  if (error instanceof EmptyAnswer) {
    return {
      reason:
        'The Reporting Service answered with nothing at all, so no report was made. Tell your operator.',
    };
  }
  if (error instanceof DamagedAnswer) {
    return text('The answer of the Reporting Service arrived damaged, so no report was made.', 'Try again.');
  }
  return undefined;
}

/** What broke between here and Slack, or on this machine. */
function wordsForOurs(error: unknown): FailureText | undefined {
  if (error instanceof ReadingThreadDied) {
    return text('Something went wrong on our side while the answer was read.', 'Try again.');
  }
  if (error instanceof CsvNotWritten) {
    return text(
      `The file could not be written on our side (${error.reason}). Tell your operator if it happens again.`,
    );
  }
  if (error instanceof Stopping) {
    return text('I was stopped while this was running, and nothing was posted.', 'Ask again in a minute.');
  }
  if (error instanceof Cancelled) return text('Cancelled: nothing was posted.');
  if (error instanceof AnswerNotPosted) {
    return ofSlack('The answer could not be posted.', error.reason);
  }
  if (error instanceof FileNotShared) {
    if (error.mayHaveArrived) {
      return text('Slack did not say whether the file arrived.', 'If it is not there, ask for it again.');
    }
    return ofSlack('The file could not be put into Slack.', error.reason);
  }
  return undefined;
}

function ofSlack(what: string, code: string): FailureText {
  const reason = `${what} ${describeSlackError(code)}`;
  return passesSoon(code) ? text(reason, 'Try again in a minute.') : text(reason);
}

/** What stands between a digest and its channel, or its owner. */
function wordsForDigest(error: unknown): FailureText | undefined {
  if (!(error instanceof DigestFailed)) return undefined;
  return { reason: describeReason(error.code, undefined) ?? describeSlackError(error.code) };
}

function days(count: number): string {
  return count === 1 ? '1 day' : `${count} days`;
}

/** A stretch of time, rounded up, in the largest unit that fits. */
function seconds(milliseconds: number): string {
  const count = Math.ceil(milliseconds / 1000);
  if (count === 1) return '1 second';
  if (count < 120) return `${count} seconds`;
  return `${Math.ceil(count / 60)} minutes`;
}

const slackErrors: Readonly<Record<string, string>> = {
  not_in_channel: 'I am not a member of that channel. Type /invite @Rollcall there.',
  channel_not_found: 'I cannot see that channel. If it is private, type /invite @Rollcall there.',
  is_archived: 'That channel is archived.',
  restricted_action: 'This workspace does not let me post there.',
  restricted_action_read_only_channel: 'That channel is read-only.',
  restricted_action_thread_only_channel: 'That channel takes threads only.',
  restricted_action_non_threadable_channel: 'That channel has no threads.',
  restricted_action_thread_locked: 'That thread is locked.',
  posting_to_channel_denied: 'This workspace does not let me post there.',
  ekm_access_denied: 'Your security team has suspended my access.',
  messages_tab_disabled: 'Direct messages with me are switched off.',
  msg_too_long: 'The message is longer than Slack takes. Ask for fewer columns or filters.',
  message_limit_exceeded: 'This workspace has reached its message limit.',
  missing_scope: 'I lack a permission that the operator has to add in Slack.',
  token_revoked: 'My access to Slack was revoked.',
  account_inactive: 'My account in Slack is switched off.',
  invalid_auth: 'My access to Slack is no longer valid.',
  team_access_not_granted: 'I was not given access to this workspace.',
  slack_connect_file_link_sharing_blocked: 'Files are blocked in channels shared with other organizations.',
  file_uploads_disabled: 'File uploads are switched off in this workspace.',
  file_upload_size_restricted: 'The file is larger than this workspace allows.',
  storage_limit_reached: 'This workspace has no room for more files.',
  ratelimited: 'Slack asks me to slow down.',
  connection_refused: 'Slack cannot be reached.',
  connection_lost: 'The connection to Slack broke.',
};

/** What an error of Slack's means for the person who asked: one or two sentences. */
function describeSlackError(code: string): string {
  return slackErrors[code] ?? `Slack answered ${code.replace(/[^a-z0-9_]/gi, '')}.`;
}

/** Whether the same may well work a minute later. */
function passesSoon(code: string): boolean {
  return ['ratelimited', 'connection_refused', 'connection_lost'].includes(code);
}

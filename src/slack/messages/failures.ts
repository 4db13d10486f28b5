import { DigestFailed, describeReason } from '../../digests/failure.js';
import {
  AnswerCutShort,
  AnswerGoesOn,
  AnswerNotAnArray,
  AnswerNotJson,
  CsvNotWritten,
  RecordNotAnObject,
  RecordTooBig,
} from '../../reporting-api/answer/errors.js';
import {
  Cancelled,
  ConnectionLost,
  DamagedAnswer,
  EmptyAnswer,
  NoSuchReport,
  QueryRefused,
  RangeTooLong,
  ReadingThreadDied,
  ServiceBroken,
  ServiceRedirects,
  ServiceTimedOut,
  ServiceUnreachable,
  TokenRefused,
  TooManyRequests,
  UnknownName,
  WaitTooLong,
} from '../../reporting-api/errors.js';
import { rangeAsTyped } from '../../requests/options.js';
import { quoteTypedWord } from '../../requests/problem.js';
import { rangeRefusalText } from '../../requests/problem-messages.js';
import { AskerHasNoAddress, RangeRefused } from '../../requests/request.js';
import { AnswerNotPosted, FileNotShared, Stopping } from '../delivery/post-message.js';

/** What a person is told of a failure: plain text, which the view escapes. */
export interface FailureMessage {
  /** What went wrong and what to do about it, in one or two sentences. */
  readonly sentence: string;
  /** The same for whoever reads it later, when the moment to ask again has passed: what digests keep. */
  readonly reason: string;
  /** True where asking the same again may well work. */
  readonly tryAgain: boolean;
}

/**
 * The one place that turns a failure into words for the person who asked, or whose digest it is.
 * Something unknown becomes a reference that also stands in the log.
 *
 * @param reference what the log knows this run by
 * @param typed the command, where words asked
 */
export function describeFailure(error: unknown, reference: string, typed?: string): FailureMessage {
  return (
    wordsForRequest(error, typed) ??
    wordsForService(error) ??
    wordsForAnswer(error) ??
    wordsForOurs(error) ??
    wordsForDigest(error) ?? {
      sentence: `Something went wrong. Try again, or give your admin this ID: ${reference}.`,
      reason: `Something went wrong. Give your admin this ID: ${reference}.`,
      tryAgain: true,
    }
  );
}

const no = (reason: string): FailureMessage => ({ sentence: reason, reason, tryAgain: false });

/** @param advice what only the moment's asker can do */
function again(reason: string, advice?: string): FailureMessage {
  return { sentence: advice === undefined ? reason : `${reason} ${advice}`, reason, tryAgain: true };
}

/** What the asker can put right. */
function wordsForRequest(error: unknown, typed: string | undefined): FailureMessage | undefined {
  if (error instanceof RangeRefused) {
    const { refused, words } = error.refusal;
    const said = typed === undefined ? words : rangeAsTyped(typed, words);
    return no(`I can't use “${quoteTypedWord(said)}”. ${rangeRefusalText(refused, error.report)}`);
  }
  if (error instanceof AskerHasNoAddress) {
    return {
      ...no('“me” needs your e-mail address, and I do not know it. Type the address instead.'),
      reason: '“me” needs its owner’s e-mail address, and I do not know it. Type the address instead.',
    };
  }
  if (error instanceof RangeTooLong) {
    return no(
      `That range has ${days(error.days)}, and the Reporting Service takes at most ${days(error.maximumDays)} at once. Its figures per person cannot be added up over several ranges: ask for a shorter one.`,
    );
  }
  if (error instanceof UnknownName) {
    const known = error.nearest.length > 0 ? ` Near it: ${error.nearest.join(', ')}.` : '';
    return no(
      `“${error.entry}” is not in the list of names for ${error.member}.${known} Check the spelling.`,
    );
  }
  if (error instanceof QueryRefused) {
    const says = error.serviceMessage ? ` It says: “${error.serviceMessage}”` : '';
    return no(`The Reporting Service did not accept this question (status ${error.status}).${says}`);
  }
  return undefined;
}

/** The Reporting Service cannot be asked now. */
function wordsForService(error: unknown): FailureMessage | undefined {
  if (error instanceof ServiceUnreachable) {
    return again(
      `The Reporting Service cannot be reached (${error.systemCode}).`,
      'Try again in a few minutes; if it goes on, tell your operator.',
    );
  }
  if (error instanceof ConnectionLost) {
    return again(
      'The connection to the Reporting Service broke, several times over.',
      'Try again in a few minutes.',
    );
  }
  if (error instanceof ServiceTimedOut) {
    return again(
      `The Reporting Service said nothing for ${seconds(error.idleTimeoutMs)}, so I stopped waiting.`,
      'Try a shorter range or more filters, or try again later.',
    );
  }
  if (error instanceof TokenRefused) {
    return no(
      `The Reporting Service refused my token (status ${error.status}). Tell your operator: REPORTING_API_TOKEN or REPORTING_AUTH_SCHEME needs a look.`,
    );
  }
  if (error instanceof NoSuchReport) {
    return no(
      'The Reporting Service does not have this report at its address (status 404). Tell your operator: REPORTING_BASE_URL needs a look.',
    );
  }
  if (error instanceof ServiceRedirects) {
    return no(
      `The Reporting Service sent me to another address (status ${error.status}), where I do not follow. Tell your operator: REPORTING_BASE_URL needs a look.`,
    );
  }
  if (error instanceof ServiceBroken) {
    return again(
      `The Reporting Service has a problem of its own (status ${error.status}).`,
      'Try again in a few minutes.',
    );
  }
  if (error instanceof TooManyRequests) {
    return again('The Reporting Service takes no more questions for now.', 'Try again in a few minutes.');
  }
  if (error instanceof WaitTooLong) {
    return again(
      `The Reporting Service asks to be left alone for ${seconds(error.waitMs)}.`,
      'Try again after that.',
    );
  }
  return undefined;
}

/** An answer came, but it cannot be trusted: none of it is shown. */
function wordsForAnswer(error: unknown): FailureMessage | undefined {
  if (error instanceof AnswerCutShort) {
    return again(
      'The answer of the Reporting Service broke off, several times over, so no report was made.',
      'Try again.',
    );
  }
  if (error instanceof AnswerNotAnArray) {
    return no(
      'The Reporting Service answered with something that is not a list of records, so no report was made. Tell your operator.',
    );
  }
  if (error instanceof AnswerNotJson) {
    return no(
      'The Reporting Service answered with something that is not JSON, so no report was made. Tell your operator.',
    );
  }
  if (error instanceof AnswerGoesOn) {
    return no(
      'The answer of the Reporting Service goes on after its end, so no report was made. Tell your operator.',
    );
  }
  if (error instanceof RecordNotAnObject) {
    return no(
      `Record ${error.record} of the answer is not a record at all, so no report was made. Tell your operator.`,
    );
  }
  if (error instanceof RecordTooBig) {
    return no(
      `Record ${error.record} of the answer is too big to be real, so no report was made. Tell your operator.`,
    );
  }
  if (error instanceof EmptyAnswer) {
    return no(
      'The Reporting Service answered with nothing at all, so no report was made. Tell your operator.',
    );
  }
  if (error instanceof DamagedAnswer) {
    return again('The answer of the Reporting Service arrived damaged, so no report was made.', 'Try again.');
  }
  return undefined;
}

/** What broke between here and Slack, or on this machine. */
function wordsForOurs(error: unknown): FailureMessage | undefined {
  if (error instanceof ReadingThreadDied) {
    return again('Something went wrong on our side while the answer was read.', 'Try again.');
  }
  if (error instanceof CsvNotWritten) {
    return again(
      `The file could not be written on our side (${error.reason}). Tell your operator if it happens again.`,
    );
  }
  if (error instanceof Stopping) {
    return again('I was stopped while this was running, and nothing was posted.', 'Ask again in a minute.');
  }
  if (error instanceof Cancelled) return again('Cancelled: nothing was posted.');
  if (error instanceof AnswerNotPosted) {
    return ofSlack('The answer could not be posted.', error.reason);
  }
  if (error instanceof FileNotShared) {
    if (error.mayHaveArrived) {
      return again('Slack did not say whether the file arrived.', 'If it is not there, ask for it again.');
    }
    return ofSlack('The file could not be put into Slack.', error.reason);
  }
  return undefined;
}

function ofSlack(what: string, code: string): FailureMessage {
  const reason = `${what} ${describeSlackError(code)}`;
  return passesSoon(code) ? again(reason, 'Try again in a minute.') : again(reason);
}

/** What stands between a digest and its channel, or its owner. */
function wordsForDigest(error: unknown): FailureMessage | undefined {
  if (!(error instanceof DigestFailed)) return undefined;
  return no(describeReason(error.code, undefined) ?? describeSlackError(error.code));
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

const words: Readonly<Record<string, string>> = {
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
export function describeSlackError(code: string): string {
  return words[code] ?? `Slack answered ${code.replace(/[^a-z0-9_]/gi, '')}.`;
}

/** Whether the same may well work a minute later. */
export function passesSoon(code: string): boolean {
  return ['ratelimited', 'connection_refused', 'connection_lost'].includes(code);
}

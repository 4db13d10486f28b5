import { ExportNotRecorded } from '../../access/record.js';
import {
  type AccessRefusal,
  AccessRefused,
  type PersonLevelPart,
  RowsOutsideScope,
} from '../../access/scope.js';
import { DigestFailed, describeReason, OwnerAccessRefused } from '../../digests/failure.js';
import { KnownError } from '../../errors/known-error.js';
import { supportIdOf } from '../../logging/log-id.js';
import { FileNotShared } from '../../posts/post.js';
import {
  AnswerCutShort,
  AnswerGoesOn,
  AnswerNotAnArray,
  AnswerNotJson,
  AnswerTooLarge,
  Cancelled,
  ConnectionLost,
  DamagedAnswer,
  EmptyAnswer,
  FileNotWritten,
  FileTooLargeForExcel,
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
import { FilterErased } from '../../requests/erased-people.js';
import { joinWords } from '../../requests/join-words.js';
import { quoteTypedWord } from '../../requests/problem.js';
import { rangeRefusalText } from '../../requests/problem-messages.js';
import { rangeAsTyped } from '../../requests/range-options.js';
import { AskerHasNoAddress, RangeRefused, TitleUndecided } from '../../requests/request.js';
import { EmptyTeam } from '../../runner/empty-team.js';
import { type DatabaseTrouble, DatabaseUnusable } from '../../store/errors.js';
import { AccessChanged, AnswerNotPosted, DataErased, Stopping } from '../delivery/post-message.js';
import { AskerRefused } from '../request-context.js';
import { whomToAsk } from './access-levels.js';
import { digestAccessRefusal } from './digest-access.js';
import { describeFailureCode, describeSlackError } from './failure-codes.js';

/** The message for a failure: plain text, which the view escapes. */
export interface FailureMessage {
  /** What went wrong and how to fix it, in one or two sentences. */
  readonly sentence: string;
  /** The text for people who read it later, in the history of a digest. It leaves out advice for now. */
  readonly reason: string;
  /** True if the same request may work when a person tries again. */
  readonly tryAgain: boolean;
  /** True if a CSV may work where a workbook failed. */
  readonly asCsv?: boolean;
  /** The ID in the log, for failures that the asker cannot fix; absent if the sentence has it. */
  readonly reference?: string | undefined;
}

/** The texts for a failure. */
interface FailureText {
  readonly reason: string;
  /** What to do now, for a person who is waiting for the answer. */
  readonly advice?: string | undefined;
  /** Replaces the reason and the advice for a person who is waiting for the answer. */
  readonly sentence?: string | undefined;
  /** True if it quotes filters of the request, or the service, which may quote them. */
  readonly quotesFilters?: boolean;
}

/** For whom a failure is described. */
interface FailureReader {
  /** The typed command; absent for forms, buttons and digests. */
  readonly typed?: string | undefined;
  /** False if somebody else chose the filters of the request. Then they are not quoted. Default: true. */
  readonly choseFilters?: boolean;
}

/**
 * Returns the message for a failure, for the asker or the owner of a digest. An unknown failure gets an ID, which is
 * also in the log.
 *
 * @param work the ID of the run, which is not shown itself
 */
export function describeFailure(
  error: unknown,
  work: string,
  { typed, choseFilters = true }: FailureReader = {},
): FailureMessage {
  const reference = supportIdOf(work);
  const found =
    textForAccess(error) ??
    textForRequest(error, typed) ??
    textForService(error) ??
    textForAnswer(error) ??
    textForRollcall(error) ??
    textForDigest(error);
  if (!(error instanceof KnownError) || !found) {
    return {
      sentence: `Something went wrong. Try again, or give your admin this ID: ${reference}.`,
      reason: `Something went wrong. Give your admin this ID: ${reference}.`,
      tryAgain: true,
    };
  }
  const shownId = isForOperator(error) ? reference : undefined;
  if (found.quotesFilters && !choseFilters) {
    const sentence = describeFailureCode(error.code) ?? 'The report could not be made.';
    return { sentence, reason: sentence, tryAgain: error.isRetryable, reference: shownId };
  }
  const { reason, advice, sentence = advice === undefined ? reason : `${reason} ${advice}` } = found;
  const asCsv = error instanceof FileTooLargeForExcel;
  return { sentence, reason, tryAgain: error.isRetryable, asCsv, reference: shownId };
}

/** False for refusals, and for what the asker chose. Their sentences say all. */
function isForOperator(error: KnownError): boolean {
  return error.scope !== 'asker' && !(error instanceof AccessRefused || error instanceof Cancelled);
}

function text(reason: string, advice?: string): FailureText {
  return { reason, advice };
}

/** Refusals by the level of access. Only the asker reads the sentence; others read the reason. */
function textForAccess(error: unknown): FailureText | undefined {
  if (error instanceof AccessRefused) {
    return {
      reason: 'The level of access does not allow this request.',
      sentence: describeAccessRefusal(error.refusal),
    };
  }
  if (error instanceof AskerRefused) {
    return { reason: 'The person who asked may no longer ask for reports.', sentence: error.sentence };
  }
  if (error instanceof AccessChanged) {
    return text('The access rules changed while this was running, so nothing was posted.', 'Try again.');
  }
  if (error instanceof RowsOutsideScope) {
    return {
      reason:
        'The Reporting Service returned records of other people, so nothing was shown. Your operator has been told.',
    };
  }
  return undefined;
}

/** Says what somebody may not ask, and what to do instead. */
export function describeAccessRefusal(refusal: AccessRefusal): string {
  switch (refusal.kind) {
    case 'nothing':
      return `You may not ask for this report. To change that, ask ${whomToAsk(refusal.admins ?? [])}.`;
    case 'other-team':
      return 'You may ask about your own team only. Type manager_email:me for your team.';
    case 'totals-only':
      if (refusal.noAddress) {
        return 'Slack has no confirmed email address for you, so I cannot tell which team is yours. Confirm it in your Slack account, or ask for totals.';
      }
      return `You may ask for totals only, so leave out ${listed.format(refusal.wants.map((part) => personLevelParts[part]))}.${ownRecords(refusal)}`;
  }
}

/** `the columns and the file` */
const listed = new Intl.ListFormat('en-GB');

const personLevelParts: Readonly<Record<PersonLevelPart, string>> = {
  filter: 'any filter on people',
  breakdown: 'the breakdown by person',
  columns: 'the columns',
  rows: 'the rows',
  file: 'the file',
};

/** Another filter on people beside `email:me` would leave no records. */
function ownRecords({ mayAskForSelf, wants }: AccessRefusal & { readonly kind: 'totals-only' }): string {
  if (!mayAskForSelf) return '';
  return wants.includes('filter')
    ? ' For your own records, type email:me as the only filter on people.'
    : ' For your own records, add email:me.';
}

/** Failures that the asker can fix. */
function textForRequest(error: unknown, typed: string | undefined): FailureText | undefined {
  if (error instanceof RangeRefused) {
    const { reason, words } = error.refusal;
    const said = typed === undefined ? words : rangeAsTyped(typed, words);
    return { reason: `I can't use “${quoteTypedWord(said)}”. ${rangeRefusalText(reason, error.report)}` };
  }
  if (error instanceof AskerHasNoAddress) {
    return {
      sentence: "“me” needs your email address, and I don't know it. Type the address instead.",
      reason: "“me” needs its owner's email address, and I don't know it. Type the address instead.",
    };
  }
  if (error instanceof EmptyTeam) {
    const managers = joinWords(error.managers.map(quoteTypedWord), 'or');
    const fix = error.isOwn
      ? 'Your learning account may have another address than your Slack profile.'
      : 'Check the address.';
    return {
      reason: `Nobody reports to ${managers} in the Reporting Service, so there is no team to show. ${fix}`,
      quotesFilters: !error.isOwn,
    };
  }
  if (error instanceof TitleUndecided) {
    const reason = `“${quoteTypedWord(error.choice.text)}” names no single title. Run it again, and choose one.`;
    return { reason, quotesFilters: true };
  }
  if (error instanceof FilterErased) {
    return text('A filter of this report named a person whose data was erased.', 'Change the filter.');
  }
  if (error instanceof RangeTooLong) {
    return {
      reason: `That range has ${days(error.days)}, and this report allows at most ${days(error.maximumDays)}. Choose a shorter range.`,
    };
  }
  if (error instanceof FileTooLargeForExcel) {
    const limit =
      error.limit === 'rows' ? 'has more than 1,048,575 rows, the limit of Excel' : 'is too large for Excel';
    return {
      sentence: `The answer ${limit}. Get it as a CSV instead.`,
      reason: `The answer ${limit}. Choose a CSV as its file.`,
    };
  }
  if (error instanceof UnknownName) {
    const fix =
      error.nearest.length > 0 ? `Did you mean ${error.nearest.join(', ')}?` : 'Check the spelling.';
    return {
      reason: `“${error.entry}” is not in the list of names for ${error.member}. ${fix}`,
      quotesFilters: true,
    };
  }
  if (error instanceof QueryRefused) {
    const says = error.serviceMessage ? ` It says: “${error.serviceMessage}”` : '';
    return {
      reason: `The Reporting Service did not accept this request (status ${error.status}).${says}`,
      quotesFilters: true,
    };
  }
  return undefined;
}

/** Failures of the Reporting Service that affect every request. */
function textForService(error: unknown): FailureText | undefined {
  if (error instanceof ServiceUnreachable) {
    return text(
      `The Reporting Service cannot be reached (${error.systemCode}).`,
      'Try again in a few minutes, or tell your admin.',
    );
  }
  if (error instanceof ConnectionLost) {
    return text(
      'The connection to the Reporting Service was lost several times.',
      'Try again in a few minutes.',
    );
  }
  if (error instanceof ServiceTimedOut) {
    return text(
      `The Reporting Service sent no data for ${seconds(error.idleTimeoutMs)}, so I stopped waiting.`,
      'Choose a shorter range or more filters, or try again later.',
    );
  }
  if (error instanceof TokenRefused) {
    return {
      reason: `The Reporting Service refused my token (status ${error.status}). Ask your admin to check REPORTING_API_TOKEN and REPORTING_AUTH_SCHEME.`,
    };
  }
  if (error instanceof NoSuchReport) {
    return {
      reason:
        'The Reporting Service has no such report (status 404). Ask your admin to check REPORTING_BASE_URL.',
    };
  }
  if (error instanceof ServiceRedirects) {
    return {
      reason: `The Reporting Service redirected me (status ${error.status}), and I don't follow redirects. Ask your admin to check REPORTING_BASE_URL.`,
    };
  }
  if (error instanceof ServiceBroken) {
    return text(
      `The Reporting Service has a problem (status ${error.status}).`,
      'Try again in a few minutes.',
    );
  }
  if (error instanceof TooManyRequests) {
    return text('The Reporting Service accepts no more requests for now.', 'Try again in a few minutes.');
  }
  if (error instanceof WaitTooLong) {
    return text(
      'The Reporting Service accepts no more requests for now.',
      `Try again in ${seconds(error.waitMs)}.`,
    );
  }
  return undefined;
}

/** Invalid answers. No part of them is shown. */
function textForAnswer(error: unknown): FailureText | undefined {
  if (error instanceof AnswerCutShort) {
    return text(
      'No report was made: the answer of the Reporting Service ended early several times.',
      'Try again.',
    );
  }
  if (error instanceof AnswerNotAnArray) {
    return {
      reason:
        'No report was made: the answer of the Reporting Service is not a list of records. Tell your admin.',
    };
  }
  if (error instanceof AnswerNotJson) {
    return {
      reason: 'No report was made: the answer of the Reporting Service is not JSON. Tell your admin.',
    };
  }
  if (error instanceof AnswerGoesOn) {
    return {
      reason:
        'No report was made: the answer of the Reporting Service continues after its end. Tell your admin.',
    };
  }
  if (error instanceof RecordNotAnObject) {
    return {
      reason: `No report was made: record ${error.record} of the answer is not an object. Tell your admin.`,
    };
  }
  if (error instanceof RecordTooBig) {
    return {
      reason: `No report was made: record ${error.record} of the answer is too large. Tell your admin.`,
    };
  }
  if (error instanceof AnswerTooLarge) {
    return text(
      `No report was made: the answer is larger than ${formatBytes(error.maxBytes)}, the limit that is set for me.`,
      'Ask for a shorter range or fewer columns.',
    );
  }
  if (error instanceof EmptyAnswer) {
    return {
      reason: 'No report was made: the answer of the Reporting Service is empty. Tell your admin.',
    };
  }
  if (error instanceof DamagedAnswer) {
    return text('No report was made: the answer of the Reporting Service arrived damaged.', 'Try again.');
  }
  return undefined;
}

/** Why the database cannot be used, and what to do. */
const databaseTroubles: Readonly<Record<DatabaseTrouble, readonly [string, string]>> = {
  full: ['my disk is full', 'Tell your admin.'],
  'read-only': ['it is read-only', 'Tell your admin.'],
  locked: ['another program has locked it', 'Try again in a minute.'],
  damaged: ['it is damaged', 'Tell your admin to restore a backup.'],
  unsaved: ['the disk failed to save it', 'Tell your admin to check the disk.'],
  unreachable: ['it cannot be reached', 'Try again in a minute.'],
  refused: ['it refuses my account', 'Tell your admin.'],
  other: ['the system reports an error', 'Tell your admin.'],
};

/** Failures of Rollcall, of its machine, and of posting to Slack. */
function textForRollcall(error: unknown): FailureText | undefined {
  if (error instanceof DatabaseUnusable) {
    const [why, advice] = databaseTroubles[error.trouble];
    return text(`My database cannot be used: ${why}.`, advice);
  }
  if (error instanceof ReadingThreadDied) {
    return text('Something went wrong while I was reading the answer.', 'Try again.');
  }
  if (error instanceof FileNotWritten) {
    if (error.reason === 'ENOSPC') {
      return text('The file could not be written: my disk is almost full.', 'Tell your admin.');
    }
    return text(`The file could not be written (${error.reason}). If this happens again, tell your admin.`);
  }
  if (error instanceof ExportNotRecorded) {
    return text('The file was not sent, because it could not be recorded.', 'Try again in a minute.');
  }
  if (error instanceof Stopping) {
    return text('I was stopped while this was running, so nothing was posted.', 'Try again in a minute.');
  }
  if (error instanceof Cancelled) return text('Cancelled. Nothing was posted.');
  if (error instanceof DataErased) {
    return text('Data was erased while this was running, so nothing was posted.', 'You can ask again.');
  }
  if (error instanceof AnswerNotPosted) {
    return textForSlack('The answer could not be posted.', error.reason);
  }
  if (error instanceof FileNotShared) {
    if (error.mayHaveArrived) {
      return text('Delivery of the file is unconfirmed.', 'If you cannot see it, ask for it again.');
    }
    return textForSlack('The file could not be uploaded to Slack.', error.reason);
  }
  return undefined;
}

function formatBytes(bytes: number): string {
  if (bytes >= 1e9) return `${Math.round(bytes / 1e9)} GB`;
  return bytes >= 1e6 ? `${Math.round(bytes / 1e6)} MB` : `${Math.round(bytes / 1e3)} KB`;
}

function textForSlack(what: string, code: string): FailureText {
  const reason = `${what} ${describeSlackError(code)}`;
  return isTemporary(code) ? text(reason, 'Try again in a minute.') : text(reason);
}

/** Failures to deliver a digest. */
function textForDigest(error: unknown): FailureText | undefined {
  if (!(error instanceof DigestFailed)) return undefined;
  if (error instanceof OwnerAccessRefused) {
    return { reason: digestAccessRefusal(error.refusal, 'its owner’s') };
  }
  return { reason: describeReason(error.code, undefined) ?? describeSlackError(error.code) };
}

function days(count: number): string {
  return count === 1 ? '1 day' : `${count} days`;
}

/** Rounded up. Two minutes and more are in minutes. */
function seconds(milliseconds: number): string {
  const count = Math.ceil(milliseconds / 1000);
  if (count === 1) return '1 second';
  if (count < 120) return `${count} seconds`;
  return `${Math.ceil(count / 60)} minutes`;
}

/** Whether the same call may work a minute later. */
function isTemporary(code: string): boolean {
  return ['ratelimited', 'connection_refused', 'connection_lost'].includes(code);
}

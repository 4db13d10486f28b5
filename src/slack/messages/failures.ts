import { type AccessRefusal, AccessRefused, type PersonLevelPart } from '../../access/scope.js';
import { DigestFailed, describeReason, OwnerAccessRefused } from '../../digests/failure.js';
import { isFailure, textsOf } from '../../errors/failure.js';
import { KnownError } from '../../errors/known-error.js';
import { supportIdOf } from '../../logging/log-id.js';
import { FileNotShared } from '../../posts/post.js';
import { quoteTypedWord } from '../../requests/problem.js';
import { rangeAsTyped } from '../../requests/range-options.js';
import { type DatabaseTrouble, DatabaseUnusable } from '../../store/errors.js';
import { AccessChanged, AnswerNotPosted, DataErased } from '../delivery/post-message.js';
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
  const reader = {
    asTyped: (words: string) => quoteTypedWord(typed === undefined ? words : rangeAsTyped(typed, words)),
  };
  const found: FailureText | undefined =
    (isFailure(error) ? textsOf(error, reader) : undefined) ??
    textForAccess(error) ??
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
  const asCsv = isFailure(error, 'too-large-for-excel');
  return { sentence, reason, tryAgain: error.isRetryable, asCsv, reference: shownId };
}

/** False for refusals, and for what the asker chose. Their sentences say all. */
function isForOperator(error: KnownError): boolean {
  return error.scope !== 'asker' && !(error instanceof AccessRefused);
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

/** Whether the same call may work a minute later. */
function isTemporary(code: string): boolean {
  return ['ratelimited', 'connection_refused', 'connection_lost'].includes(code);
}

import { describeSlackError, isTemporarySlackError } from './slack-errors.js';

/**
 * The part that failed.
 * - `asker`: the request cannot be run as it is; the person who asked, or the owner of the digest, can change that.
 * - `service`: the Reporting Service cannot be used now, by any request.
 * - `answer`: the service answered this query with something that cannot be used.
 * - `slack`: Slack did not take what was sent.
 * - `ours`: this program, its settings or its machine.
 */
export type ErrorScope = 'asker' | 'service' | 'answer' | 'slack' | 'ours';

/** A text, or how it is made of the details of a failure. */
type Text<Details> = string | ((details: Details, reader: FailureReader) => string);

/** For whom a failure is described. */
export interface FailureReader {
  /** The words of a range as the reader typed them. */
  asTyped(range: string): string;
}

/** What is decided and said about a failure. */
export interface FailureEntry<Details> {
  /** Default: `ours`. */
  readonly scope?: ErrorScope;
  /** True where the same request may well work when a person tries again. Default: false. */
  readonly canRetry?: boolean | ((details: Details) => boolean);
  /** For the log; holds no token, address or row. Default: `others`. */
  readonly log?: Text<Details>;
  /** What happened, and how to fix it: for the asker, and later for the owner of a digest in its history. */
  readonly reason?: Text<Details>;
  /** What to do now, for the asker alone. */
  readonly advice?: Text<Details>;
  /** For the asker, in place of the reason and the advice. */
  readonly asker?: Text<Details>;
  /** True if the reason quotes filters of the request, or the service, which may quote them. */
  readonly quotesFilters?: boolean | ((details: Details) => boolean);
  /** For people who did not make the request. It holds no details. Default: the reason. */
  readonly others?: string;
}

/** A reason that is made of details needs another text for other readers. */
function failure<Details = object>(
  entry: FailureEntry<Details> & ({ readonly reason: string } | { readonly others: string }),
): FailureEntry<Details> {
  return entry;
}

/** Why there is no connection. */
export type NoConnection =
  /** Nobody listens there. */
  | 'refused'
  /** The host's name is not known. */
  | 'unknown-host'
  /** No secure connection: certificate or protocol. */
  | 'not-secure'
  /** The proxy refused the connection. */
  | 'proxy'
  /** The answer is not HTTP. */
  | 'not-http'
  /** The host cannot be reached, or does not respond. */
  | 'unreachable';

/** Why a level does not allow a request. */
export type AccessRefusal =
  | { readonly kind: 'nothing'; readonly admins?: readonly string[] | undefined }
  /** The level allows totals only, and the request wants more. */
  | {
      readonly kind: 'totals-only';
      /** One at least. */
      readonly wants: readonly PersonLevelPart[];
      /** True if the level is `team`, but the reader has no confirmed address. */
      readonly noAddress: boolean;
      /** True where the reader may ask for their own records instead, with `email:me`. */
      readonly mayAskForSelf: boolean;
    }
  /** Somebody else's team was requested. */
  | { readonly kind: 'other-team' };

/** A part of a request that makes it person-level. Refusals name it. */
export type PersonLevelPart = 'file' | 'rows' | 'columns' | 'breakdown' | 'filter';

/**
 * All failures that Rollcall knows about, by their codes. Codes are stable: they are in logs, metrics and the database.
 * Details are never logged, so they may quote people and the service.
 */
export const failures = {
  /** `systemCode`: the code of the system or library, such as `ENOTFOUND` or `CERT_HAS_EXPIRED`. */
  'service-unreachable': failure<{ readonly reason: NoConnection; readonly systemCode: string }>({
    scope: 'service',
    canRetry: true,
    log: ({ reason, systemCode }) => `No connection to the Reporting Service: ${reason} (${systemCode})`,
    reason: ({ systemCode }) => `The Reporting Service cannot be reached (${systemCode}).`,
    advice: 'Try again in a few minutes, or tell your admin.',
    others: 'The Reporting Service cannot be reached.',
  }),
  /** The connection broke before the answer was complete. */
  'connection-lost': failure<{ readonly afterFirstByte: boolean }>({
    scope: 'service',
    canRetry: true,
    log: ({ afterFirstByte }) =>
      `The Reporting Service closed the connection ${afterFirstByte ? 'during' : 'before'} its answer`,
    reason: 'The connection to the Reporting Service was lost several times.',
    advice: 'Try again in a few minutes.',
  }),
  /** The service sent nothing for longer than the timeout. */
  'service-timed-out': failure<{ readonly idleTimeoutMs: number; readonly afterFirstByte: boolean }>({
    scope: 'service',
    canRetry: true,
    log: ({ idleTimeoutMs, afterFirstByte }) =>
      `The Reporting Service was silent for ${idleTimeoutMs / 1000} s ${afterFirstByte ? 'within' : 'before'} its answer`,
    reason: ({ idleTimeoutMs }) =>
      `The Reporting Service sent no data for ${seconds(idleTimeoutMs)}, so I stopped waiting.`,
    advice: 'Choose a shorter range or more filters, or try again later.',
    others: 'The Reporting Service sent no data for too long.',
  }),
  /** 401 or 403: the token is missing, wrong or not allowed to read this. */
  'token-refused': failure<{ readonly status: number }>({
    scope: 'service',
    log: ({ status }) => `The Reporting Service refused the token: status ${status}`,
    reason: ({ status }) =>
      `The Reporting Service refused my token (status ${status}). Ask your admin to check REPORTING_API_TOKEN and REPORTING_AUTH_SCHEME.`,
    others: 'The Reporting Service refused my token.',
  }),
  /** 404: the address has no such report; most often the base address is wrong. */
  'no-such-report': failure({
    scope: 'service',
    reason:
      'The Reporting Service has no such report (status 404). Ask your admin to check REPORTING_BASE_URL.',
    others: 'The Reporting Service has no such report.',
  }),
  /** 400, 422 or another 4xx. `serviceMessage`: one line of at most 200 characters. Only the asker may see it. */
  'query-refused': failure<{ readonly status: number; readonly serviceMessage?: string | undefined }>({
    scope: 'asker',
    log: ({ status }) => `The Reporting Service refused the query: status ${status}`,
    reason: ({ status, serviceMessage }) =>
      `The Reporting Service did not accept this request (status ${status}).${serviceMessage ? ` It says: “${serviceMessage}”` : ''}`,
    quotesFilters: true,
    others: 'The Reporting Service did not accept this request.',
  }),
  /** 5xx or a status outside HTTP. `retryAfterMs`: the wait that the service asks for. */
  'service-broken': failure<{ readonly status: number; readonly retryAfterMs?: number | undefined }>({
    scope: 'service',
    canRetry: true,
    log: ({ status }) => `The Reporting Service failed: status ${status}`,
    reason: ({ status }) => `The Reporting Service has a problem (status ${status}).`,
    advice: 'Try again in a few minutes.',
    others: 'The Reporting Service has a problem.',
  }),
  /** 429 after the last retry. `retryAfterMs`: the wait that the service asks for. */
  'too-many-requests': failure<{ readonly retryAfterMs?: number | undefined }>({
    scope: 'service',
    canRetry: true,
    reason: 'The Reporting Service accepts no more requests for now.',
    advice: 'Try again in a few minutes.',
  }),
  /** The service asks for a longer wait than a query may take. */
  'wait-too-long': failure<{ readonly waitMs: number }>({
    scope: 'service',
    canRetry: true,
    log: ({ waitMs }) =>
      `The Reporting Service asks to wait ${Math.ceil(waitMs / 1000)} s, which is too long`,
    reason: 'The Reporting Service accepts no more requests for now.',
    advice: ({ waitMs }) => `Try again in ${seconds(waitMs)}.`,
  }),
  /** 3xx: redirects are not followed, since they would carry the token to another address. */
  'service-redirects': failure<{ readonly status: number }>({
    scope: 'service',
    log: ({ status }) => `The Reporting Service redirects to another address: status ${status}`,
    reason: ({ status }) =>
      `The Reporting Service redirected me (status ${status}), and I don't follow redirects. Ask your admin to check REPORTING_BASE_URL.`,
    others: "The Reporting Service redirected me, and I don't follow redirects.",
  }),
  /** A successful status without content: 204 or 205. */
  'empty-answer': failure<{ readonly status: number }>({
    scope: 'service',
    log: ({ status }) => `The Reporting Service answered without content: status ${status}`,
    reason: 'No report was made: the answer of the Reporting Service is empty. Tell your admin.',
    others: 'The answer of the Reporting Service is empty.',
  }),
  /** The compression or the chunks of an answer are damaged. `cutShort`: the bytes only end too early. */
  'damaged-answer': failure<{ readonly cutShort: boolean }>({
    scope: 'answer',
    canRetry: true,
    log: ({ cutShort }) =>
      `The answer of the Reporting Service ${cutShort ? 'ends too early' : 'is damaged'}`,
    reason: 'No report was made: the answer of the Reporting Service arrived damaged.',
    advice: 'Try again.',
    others: 'The answer of the Reporting Service arrived damaged.',
  }),
  /** `record`: number of the broken record, from 1; 0: before the first record. */
  'answer-not-json': failure<{ readonly record: number }>({
    scope: 'answer',
    log: ({ record }) =>
      record === 0 ? 'The answer is not JSON' : `The answer is not JSON from record ${record} on`,
    reason: 'No report was made: the answer of the Reporting Service is not JSON. Tell your admin.',
    others: 'The answer of the Reporting Service is not JSON.',
  }),
  /** An answer that is JSON but not an array, such as an error object. */
  'answer-not-an-array': failure({
    scope: 'answer',
    reason:
      'No report was made: the answer of the Reporting Service is not a list of records. Tell your admin.',
    others: 'The answer of the Reporting Service is not a list of records.',
  }),
  /** `record`: its number, from 1. */
  'record-not-an-object': failure<{ readonly record: number }>({
    scope: 'answer',
    log: ({ record }) => `Record ${record} of the answer is not an object`,
    reason: ({ record }) =>
      `No report was made: record ${record} of the answer is not an object. Tell your admin.`,
    others: 'A record of the answer is not an object.',
  }),
  /** An answer that ended after so many complete records. */
  'answer-cut-short': failure<{ readonly records: number }>({
    scope: 'answer',
    canRetry: true,
    log: ({ records }) => `The answer was cut short after ${records} records`,
    reason: 'No report was made: the answer of the Reporting Service ended early several times.',
    advice: 'Try again.',
    others: 'The answer of the Reporting Service ended early several times.',
  }),
  /** An answer with more bytes after its end. */
  'answer-goes-on': failure<{ readonly records: number }>({
    scope: 'answer',
    log: ({ records }) => `The answer goes on after its end, behind ${records} records`,
    reason:
      'No report was made: the answer of the Reporting Service continues after its end. Tell your admin.',
    others: 'The answer of the Reporting Service continues after its end.',
  }),
  /** A record above the limit of bytes or of nesting. `record`: its number, from 1. */
  'record-too-big': failure<{
    readonly record: number;
    readonly limit: 'bytes' | 'levels';
    readonly maximum: number;
  }>({
    scope: 'answer',
    log: ({ record, limit, maximum }) => `Record ${record} of the answer has more than ${maximum} ${limit}`,
    reason: ({ record }) =>
      `No report was made: record ${record} of the answer is too large. Tell your admin.`,
    others: 'A record of the answer is too large.',
  }),
  /** The answer is larger than REPORTING_MAX_BYTES, decompressed. */
  'answer-too-large': failure<{ readonly maxBytes: number }>({
    scope: 'answer',
    log: ({ maxBytes }) => `The answer has more than ${maxBytes} bytes`,
    reason: ({ maxBytes }) =>
      `No report was made: the answer is larger than ${formatBytes(maxBytes)}, the limit that is set for me.`,
    advice: 'Ask for a shorter range or fewer columns.',
    others: 'The answer of the Reporting Service is larger than the limit.',
  }),
  /** The service returned a row that the forced filter excludes. Nothing of the answer is used. */
  'rows-outside-scope': failure({
    scope: 'answer',
    log: 'The service returned rows that the forced filter excludes',
    reason:
      'The Reporting Service returned records of other people, so nothing was shown. Your operator has been told.',
    others: 'The Reporting Service returned records of other people.',
  }),
  /**
   * The thread that reads answers ended; the next query starts a new one. `reason`: a code such as
   * `ERR_WORKER_OUT_OF_MEMORY`, or the name of what was thrown there.
   */
  'reading-thread-died': failure<{ readonly reason: string }>({
    canRetry: true,
    log: ({ reason }) => `The thread that reads answers ended unexpectedly (${reason})`,
    reason: 'Something went wrong while I was reading the answer.',
    advice: 'Try again.',
  }),
  /** The asker cancelled the query. */
  cancelled: failure({
    scope: 'asker',
    canRetry: true,
    reason: 'Cancelled. Nothing was posted.',
    others: 'It was cancelled.',
  }),
  /** The bot is stopping, so the run ends. */
  stopped: failure({
    scope: 'asker',
    canRetry: true,
    reason: 'I was stopped while this was running, so nothing was posted.',
    advice: 'Try again in a minute.',
    others: 'I was stopped while it was running.',
  }),
  /** `because`: why there is no such range now, and what to do. */
  'range-refused': failure<{ readonly words: string; readonly because: string }>({
    scope: 'asker',
    reason: ({ words, because }, { asTyped }) => `I can't use “${asTyped(words)}”. ${because}`,
    others: 'Its range cannot be used.',
  }),
  /**
   * The range is longer than the service accepts, and the report's figures cannot be added up over several ranges.
   * `days` is rounded up to a tenth of a day.
   */
  'range-too-long': failure<{
    readonly operation: string;
    readonly days: number;
    readonly maximumDays: number;
  }>({
    scope: 'asker',
    log: ({ operation, days, maximumDays }) =>
      `A range of ${days} days for ${operation}: the service accepts at most ${maximumDays}`,
    reason: ({ days, maximumDays }) =>
      `That range has ${formatDays(days)}, and this report allows at most ${formatDays(maximumDays)}. Choose a shorter range.`,
    others: 'Its range is longer than this report allows.',
  }),
  /** A name in a filter for which the operator's list has no identifier. `nearest`: the most similar names first. */
  'unknown-name': failure<{
    /** The name of the filter object on the wire, and of its member. */
    readonly object: string;
    readonly member: string;
    readonly entry: string;
    readonly nearest: readonly string[];
  }>({
    scope: 'asker',
    log: ({ object, member }) => `No identifier is known for an entry of ${object}.${member}`,
    reason: ({ entry, member, nearest }) =>
      `“${entry}” is not in the list of names for ${member}. ${nearest.length > 0 ? `Did you mean ${nearest.join(', ')}?` : 'Check the spelling.'}`,
    quotesFilters: true,
    others: 'A name in its filters is not in the list of names.',
  }),
  /** The request contains `me`. */
  'asker-has-no-address': failure({
    scope: 'asker',
    reason: "“me” needs its owner's email address, and I don't know it. Type the address instead.",
    asker: "“me” needs your email address, and I don't know it. Type the address instead.",
    others: "“me” needs its owner's email address, and I don't know it.",
  }),
  /** `managers`: in words. `isOwn`: it is the asker's own team alone. */
  'empty-team': failure<{ readonly managers: string; readonly isOwn: boolean }>({
    scope: 'asker',
    reason: ({ managers, isOwn }) =>
      `Nobody reports to ${managers} in the Reporting Service, so there is no team to show. ${isOwn ? 'Your learning account may have another address than your Slack profile.' : 'Check the address.'}`,
    quotesFilters: ({ isOwn }) => !isOwn,
    others: 'Nobody reports to the manager whose team it is about.',
  }),
  /** A title matches several things or none, and nobody has chosen one. */
  'title-undecided': failure<{ readonly title: string }>({
    scope: 'asker',
    reason: ({ title }) => `“${title}” names no single title. Run it again, and choose one.`,
    quotesFilters: true,
    others: 'A title in it fits several items.',
  }),
  /** A filter named a person whose data was erased. */
  'person-erased': failure({
    scope: 'asker',
    reason: 'A filter of this report named a person whose data was erased.',
    advice: 'Change the filter.',
    others: 'A filter named a person whose data was erased. Change the filters to run it again.',
  }),
  /** The answer does not fit into a sheet of Excel. `limit`: what there is too much of. */
  'too-large-for-excel': failure<{ readonly limit: 'rows' | 'bytes' }>({
    scope: 'asker',
    log: ({ limit }) => `The answer has more ${limit} than a sheet of Excel takes`,
    reason: ({ limit }) => `The answer ${excelLimits[limit]}. Choose a CSV as its file.`,
    asker: ({ limit }) => `The answer ${excelLimits[limit]}. Get it as a CSV instead.`,
    others: 'The answer is too large for Excel. A CSV has no such limit.',
  }),
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
  /** A file was not shared, because the record of access could not be written. */
  'export-not-recorded': failure({
    canRetry: true,
    log: 'The record of access could not be written, so the file was not shared',
    reason: 'The file was not sent, because it could not be recorded.',
    advice: 'Try again in a minute.',
    others: 'The file could not be recorded, so it was not sent.',
  }),
  /** The reader's level does not allow the request. */
  'access-refused': failure<{
    readonly refusal: AccessRefusal;
    readonly level?: 'everything' | 'team' | 'totals' | 'nothing';
    /** For the asker alone: it says what the level allows. */
    readonly sentence: string;
    /** For the owner of a digest. */
    readonly reason?: string;
  }>({
    scope: 'asker',
    log: ({ refusal }) => `The level of access does not allow this: ${refusal.kind}`,
    asker: ({ sentence }) => sentence,
    reason: ({ reason }) => reason ?? 'The level of access does not allow this request.',
    others: 'Its owner’s access level does not allow it.',
  }),
  /** The asker may no longer request reports. `sentence`: why, for the asker. */
  'asker-refused': failure<{ readonly sentence: string }>({
    scope: 'asker',
    asker: ({ sentence }) => sentence,
    reason: 'The person who asked may no longer ask for reports.',
  }),
  /** The rights where the answer goes have changed. The next attempt makes it again. */
  'access-changed': failure({
    scope: 'asker',
    canRetry: true,
    reason: 'The access rules changed while this was running, so nothing was posted.',
    advice: 'Try again.',
    others: 'The access rules changed while the report was made.',
  }),
  /** The data of the asker, or of a person in a filter, was erased, so the run ends. */
  'data-erased': failure({
    scope: 'asker',
    reason: 'Data was erased while this was running, so nothing was posted.',
    advice: 'You can ask again.',
    others: 'The data of the person who asked was erased meanwhile.',
  }),
  /** `reason`: Slack's own error. `retryAfterSeconds`: from its `Retry-After` header. */
  'answer-not-posted': failure<{
    readonly reason: string;
    readonly retryAfterSeconds?: number | undefined;
  }>({
    scope: 'slack',
    canRetry: true,
    log: ({ reason }) => `Slack did not take the answer: ${reason}`,
    reason: ({ reason }) => `The answer could not be posted. ${describeSlackError(reason)}`,
    advice: ({ reason }) => (isTemporarySlackError(reason) ? 'Try again in a minute.' : ''),
    others: 'The answer could not be posted.',
  }),
  /**
   * `reason`: Slack's own error, `http_503` or `connection_lost`. `mayHaveArrived`: the response to the last step was
   * lost.
   */
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
    log: ({ reason }) => `Slack refused a call: ${reason}`,
    reason: ({ reason }) => describeSlackError(reason),
    others: 'Slack refused it.',
  }),
  'owner-left': failure({ scope: 'asker', reason: 'Its owner has left this workspace.' }),
  'owner-may-not-ask': failure({ scope: 'asker', reason: 'Its owner can no longer request reports.' }),
  'owner-not-member': failure({
    scope: 'asker',
    reason: 'Its owner is no longer a member of the channel.',
  }),
  'owner-level-unknown': failure({
    scope: 'slack',
    reason: 'Slack did not say which user groups its owner is in.',
  }),
  'owner-not-described': failure({
    scope: 'slack',
    reason: 'Slack did not return the profile of its owner.',
  }),
  'channel-not-described': failure({
    scope: 'slack',
    reason: 'Slack did not return details of the channel.',
  }),
  'no-file': failure({ scope: 'asker', reason: 'The report has no file.' }),
  'no-purpose': failure({
    scope: 'asker',
    reason: 'Files need a purpose now. Edit the digest, and say what its file is for.',
  }),
  deleted: failure({ scope: 'asker', reason: 'It was deleted.' }),
} as const;

/** Texts for codes that no failure causes: why a run was skipped, or a digest is paused. */
export const otherEnds: Readonly<Record<string, string>> = {
  superseded: 'A later run replaced it.',
  'by-hand': 'Someone paused it.',
  unreadable: "I can't read this digest's settings.",
  'no-next-time': "I can't work out when it runs next.",
  interrupted: 'I was stopped while it was running.',
  'owner-erased': 'Its owner’s data was erased.',
  uninstalled: 'Rollcall was uninstalled from this workspace.',
  unexpected: 'Something went wrong.',
};

const excelLimits = {
  rows: 'has more than 1,048,575 rows, the limit of Excel',
  bytes: 'is too large for Excel',
} as const;

function formatBytes(bytes: number): string {
  if (bytes >= 1e9) return `${Math.round(bytes / 1e9)} GB`;
  return bytes >= 1e6 ? `${Math.round(bytes / 1e6)} MB` : `${Math.round(bytes / 1e3)} KB`;
}

function formatDays(count: number): string {
  return count === 1 ? '1 day' : `${count} days`;
}

/** Rounded up. Two minutes and more are in minutes. */
function seconds(milliseconds: number): string {
  const count = Math.ceil(milliseconds / 1000);
  if (count === 1) return '1 second';
  if (count < 120) return `${count} seconds`;
  return `${Math.ceil(count / 60)} minutes`;
}

import { failure } from './failure-entry.js';

/** Why there is no connection. */
export type NoConnection =
  /** Nothing listens at the port. */
  | 'refused'
  | 'unknown-host'
  /** No secure connection: certificate or protocol. */
  | 'not-secure'
  /** The proxy refused the connection. */
  | 'proxy'
  | 'not-http'
  /** The host cannot be reached, or does not respond. */
  | 'unreachable';
/** Failures of the Reporting Service, and of reading its answers. */
export const serviceFailures = {
  /** `systemCode`: the code of the system or library, such as `ENOTFOUND` or `CERT_HAS_EXPIRED`. */
  'service-unreachable': failure<{ readonly reason: NoConnection; readonly systemCode: string }>({
    scope: 'service',
    canRetry: true,
    log: ({ reason, systemCode }) => `No connection to the Reporting Service: ${reason} (${systemCode})`,
    reason: ({ systemCode }) => `The Reporting Service cannot be reached (${systemCode}).`,
    advice: 'Try again in a few minutes, or tell your admin.',
    others: 'The Reporting Service cannot be reached.',
  }),
  'connection-lost': failure<{ readonly afterFirstByte: boolean }>({
    scope: 'service',
    canRetry: true,
    log: ({ afterFirstByte }) =>
      `The Reporting Service closed the connection ${afterFirstByte ? 'during' : 'before'} its answer`,
    reason: 'The connection to the Reporting Service was lost several times.',
    advice: 'Try again in a few minutes.',
  }),
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
  'answer-cut-short': failure<{ readonly records: number }>({
    scope: 'answer',
    canRetry: true,
    log: ({ records }) => `The answer was cut short after ${records} records`,
    reason: 'No report was made: the answer of the Reporting Service ended early several times.',
    advice: 'Try again.',
    others: 'The answer of the Reporting Service ended early several times.',
  }),
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
} as const;

function formatBytes(bytes: number): string {
  if (bytes >= 1e9) return `${Math.round(bytes / 1e9)} GB`;
  return bytes >= 1e6 ? `${Math.round(bytes / 1e6)} MB` : `${Math.round(bytes / 1e3)} KB`;
}
/** Rounded up. Two minutes and more are in minutes. */
function seconds(milliseconds: number): string {
  const count = Math.ceil(milliseconds / 1000);
  if (count === 1) return '1 second';
  if (count < 120) return `${count} seconds`;
  return `${Math.ceil(count / 60)} minutes`;
}

import { KnownError } from '../errors/known-error.js';

/*
 * The errors of the client of the Reporting Service. Messages and enumerable fields hold no token, no address, and no
 * text from the service or from a person, so a logger can write them out. Fields that only the asker may see are not
 * enumerable: loggers and JSON leave them out.
 */

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

export class ServiceUnreachable extends KnownError {
  readonly code = 'service-unreachable';
  override readonly scope = 'service';
  override readonly isRetryable = true;
  /** @param systemCode the code of the system or library, such as `ENOTFOUND` or `CERT_HAS_EXPIRED` */
  constructor(
    readonly reason: NoConnection,
    readonly systemCode: string,
  ) {
    super(`No connection to the Reporting Service: ${reason} (${systemCode})`);
  }
}

/** The connection broke before the answer was complete. */
export class ConnectionLost extends KnownError {
  readonly code = 'connection-lost';
  override readonly scope = 'service';
  override readonly isRetryable = true;
  constructor(readonly afterFirstByte: boolean) {
    super(`The Reporting Service closed the connection ${afterFirstByte ? 'during' : 'before'} its answer`);
  }
}

/** The service sent nothing for longer than the timeout. */
export class ServiceTimedOut extends KnownError {
  readonly code = 'service-silent';
  override readonly scope = 'service';
  override readonly isRetryable = true;
  constructor(
    readonly idleTimeoutMs: number,
    readonly afterFirstByte: boolean,
  ) {
    super(
      `The Reporting Service was silent for ${idleTimeoutMs / 1000} s ${afterFirstByte ? 'within' : 'before'} its answer`,
    );
  }
}

/** 401 or 403: the token is missing, wrong or not allowed to read this. */
export class TokenRefused extends KnownError {
  readonly code = 'token-refused';
  override readonly scope = 'service';
  constructor(readonly status: number) {
    super(`The Reporting Service refused the token: status ${status}`);
  }
}

/** 404: the address has no such report; most often the base address is wrong. */
export class NoSuchReport extends KnownError {
  readonly code = 'no-such-report';
  override readonly scope = 'service';
  readonly status = 404;
  constructor() {
    super('The Reporting Service knows no such address: status 404');
  }
}

/** An error status, with the message of the service if there is one that can be shown. */
abstract class FailureWithMessage extends KnownError {
  /** The message of the service: one line of at most 200 characters. Not enumerable: only the asker may see it. */
  declare readonly serviceMessage: string | undefined;
  constructor(message: string, serviceMessage: string | undefined) {
    super(message);
    Object.defineProperty(this, 'serviceMessage', { value: serviceMessage, enumerable: false });
  }
}

/** 400, 422 or another 4xx: the service refuses the query. */
export class QueryRefused extends FailureWithMessage {
  readonly code = 'question-refused';
  override readonly scope = 'asker';
  constructor(
    readonly status: number,
    serviceMessage?: string,
  ) {
    super(`The Reporting Service refused the query: status ${status}`, serviceMessage);
  }
}

/** 5xx or a status outside HTTP: the service failed. */
export class ServiceBroken extends FailureWithMessage {
  readonly code = 'service-broken';
  override readonly scope = 'service';
  override readonly isRetryable = true;
  /** @param retryAfterMs the wait that the service asks for; absent: it names none */
  constructor(
    readonly status: number,
    serviceMessage?: string,
    readonly retryAfterMs?: number,
  ) {
    super(`The Reporting Service failed: status ${status}`, serviceMessage);
  }
}

/** 429 after the last retry. */
export class TooManyRequests extends KnownError {
  readonly code = 'too-many-requests';
  override readonly scope = 'service';
  override readonly isRetryable = true;
  readonly status = 429;
  /** @param retryAfterMs the wait that the service asks for; absent: it names none */
  constructor(readonly retryAfterMs?: number) {
    super('The Reporting Service takes no more requests for now: status 429');
  }
}

/** The service asks for a longer wait than a query may take. */
export class WaitTooLong extends KnownError {
  readonly code = 'wait-too-long';
  override readonly scope = 'service';
  override readonly isRetryable = true;
  /** @param waitMs the wait that the service asks for */
  constructor(readonly waitMs: number) {
    super(`The Reporting Service asks to wait ${Math.ceil(waitMs / 1000)} s, which is too long`);
  }
}

/** 3xx: redirects are not followed, since they would carry the token to another address. */
export class ServiceRedirects extends KnownError {
  readonly code = 'service-redirects';
  override readonly scope = 'service';
  constructor(readonly status: number) {
    super(`The Reporting Service redirects to another address: status ${status}`);
  }
}

/** A successful status without content: 204 or 205. */
export class EmptyAnswer extends KnownError {
  readonly code = 'empty-answer';
  override readonly scope = 'service';
  constructor(readonly status: number) {
    super(`The Reporting Service answered without content: status ${status}`);
  }
}

/** The compression or the chunks of an answer are damaged. */
export class DamagedAnswer extends KnownError {
  readonly code = 'damaged-answer';
  override readonly scope = 'answer';
  override readonly isRetryable = true;
  /** @param cutShort true when the bytes only end too early */
  constructor(readonly cutShort: boolean) {
    super(`The answer of the Reporting Service ${cutShort ? 'ends too early' : 'is damaged'}`);
  }
}

/** The asker cancelled the query. */
export class Cancelled extends KnownError {
  readonly code = 'cancelled';
  override readonly scope = 'asker';
  override readonly isRetryable = true;
  constructor(options?: { cause?: unknown }) {
    super('The query was cancelled', options);
  }
}

/** The thread that reads answers ended; the next query starts a new one. */
export class ReadingThreadDied extends KnownError {
  readonly code = 'reading-thread-died';
  override readonly isRetryable = true;
  /** @param reason a code such as `ERR_WORKER_OUT_OF_MEMORY`, or the name of what was thrown there */
  constructor(readonly reason: string) {
    super(`The thread that reads answers ended unexpectedly (${reason})`);
  }
}

/** The range is longer than the service accepts, and the report's figures cannot be added up over several ranges. */
export class RangeTooLong extends KnownError {
  readonly code = 'range-too-long';
  override readonly scope = 'asker';
  /** @param days the range's length, rounded up to a tenth of a day */
  constructor(
    readonly operation: string,
    readonly days: number,
    readonly maximumDays: number,
  ) {
    super(`A range of ${days} days for ${operation}: the service accepts at most ${maximumDays}`);
  }
}

/** A name in a filter for which the operator's list has no identifier. */
export class UnknownName extends KnownError {
  readonly code = 'unknown-name';
  override readonly scope = 'asker';
  /** The entry. Not enumerable, since it may name a person. */
  declare readonly entry: string;
  /** The nearest known names, nearest first; empty for members whose entries are people. Not enumerable. */
  declare readonly nearest: readonly string[];
  /**
   * @param object the filter object's name on the wire
   * @param member the member's name on the wire
   */
  constructor(
    readonly object: string,
    readonly member: string,
    entry: string,
    nearest: readonly string[],
  ) {
    super(`No identifier is known for an entry of ${object}.${member}`);
    Object.defineProperty(this, 'entry', { value: entry, enumerable: false });
    Object.defineProperty(this, 'nearest', { value: nearest, enumerable: false });
  }
}

/** An answer that is not valid JSON. */
export class AnswerNotJson extends KnownError {
  readonly code = 'answer-not-json';
  override readonly scope = 'answer';

  /** @param record number of the broken record, from 1; 0: before the first record */
  constructor(readonly record: number) {
    super(record === 0 ? 'The answer is not JSON' : `The answer is not JSON from record ${record} on`);
  }
}

/** An answer that is JSON but not an array, such as an error object. */
export class AnswerNotAnArray extends KnownError {
  readonly code = 'answer-not-an-array';
  override readonly scope = 'answer';

  constructor() {
    super('The answer is JSON, but not an array');
  }
}

/** An element of the answer that is not an object. */
export class RecordNotAnObject extends KnownError {
  readonly code = 'record-not-an-object';
  override readonly scope = 'answer';

  /** @param record its number, from 1 */
  constructor(readonly record: number) {
    super(`Record ${record} of the answer is not an object`);
  }
}

/** An answer that ended before it was complete. A retry can help. */
export class AnswerCutShort extends KnownError {
  readonly code = 'answer-cut-short';
  override readonly scope = 'answer';
  override readonly isRetryable = true;

  /** @param records number of complete records */
  constructor(readonly records: number) {
    super(`The answer was cut short after ${records} records`);
  }
}

/** An answer with more bytes after its end. */
export class AnswerGoesOn extends KnownError {
  readonly code = 'answer-goes-on';
  override readonly scope = 'answer';

  /** @param records number of records in the array */
  constructor(readonly records: number) {
    super(`The answer goes on after its end, behind ${records} records`);
  }
}

/** A record above the limit of bytes or of nesting. */
export class RecordTooBig extends KnownError {
  readonly code = 'record-too-big';
  override readonly scope = 'answer';

  /**
   * @param record its number, from 1
   * @param limit the limit that it exceeds
   * @param maximum the highest allowed number
   */
  constructor(
    readonly record: number,
    readonly limit: 'bytes' | 'levels',
    readonly maximum: number,
  ) {
    super(`Record ${record} of the answer has more than ${maximum} ${limit}`);
  }
}

/** The answer is larger than REPORTING_MAX_BYTES. Trying again does not help. */
export class AnswerTooLarge extends KnownError {
  readonly code = 'answer-too-large';
  override readonly scope = 'answer';
  /** @param maxBytes of an answer, decompressed */
  constructor(readonly maxBytes: number) {
    super(`The answer has more than ${maxBytes} bytes`);
  }
}

/** The answer does not fit into a sheet of Excel. A CSV takes it. */
export class FileTooLargeForExcel extends KnownError {
  readonly code = 'too-large-for-excel';
  override readonly scope = 'asker';

  /** @param limit what there is too much of */
  constructor(readonly limit: 'rows' | 'bytes') {
    super(`The answer has more ${limit} than a sheet of Excel takes`);
  }
}

/** The file of an answer could not be written: the disk is full, or the folder cannot be written to. */
export class FileNotWritten extends KnownError {
  readonly code = 'csv-not-written';
  override readonly isRetryable = true;

  /** @param reason the operating system's code, `ENOSPC` for a full disk */
  constructor(
    readonly reason: string,
    cause: unknown,
  ) {
    super(`The file could not be written (${reason})`, { cause });
  }
}

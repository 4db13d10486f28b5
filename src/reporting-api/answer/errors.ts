import { KnownError } from '../../errors/known-error.js';

/** An answer that breaks JSON's grammar. */
export class AnswerNotJson extends KnownError {
  readonly code = 'answer-not-json';
  override readonly scope = 'answer';

  /** @param record the number of the record it broke in, from 1; 0: before the first */
  constructor(readonly record: number) {
    super(record === 0 ? 'The answer is not JSON' : `The answer is not JSON from record ${record} on`);
  }
}

/** An answer that is JSON, but no array: an error object, for example. */
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

/** An answer that ended before it was complete. Asking again can help. */
export class AnswerCutShort extends KnownError {
  readonly code = 'answer-cut-short';
  override readonly scope = 'answer';
  override readonly isRetryable = true;

  /** @param records how many had come whole */
  constructor(readonly records: number) {
    super(`The answer was cut short after ${records} records`);
  }
}

/** An answer with more behind its end. */
export class AnswerGoesOn extends KnownError {
  readonly code = 'answer-goes-on';
  override readonly scope = 'answer';

  /** @param records how many the array held */
  constructor(readonly records: number) {
    super(`The answer goes on after its end, behind ${records} records`);
  }
}

/** One record that is longer, or nested deeper, than any real one. */
export class RecordTooBig extends KnownError {
  readonly code = 'record-too-big';
  override readonly scope = 'answer';

  /**
   * @param record its number, from 1
   * @param limit what it is too big in: bytes, or levels of nesting
   * @param most the most that is read
   */
  constructor(
    readonly record: number,
    readonly limit: 'bytes' | 'levels',
    readonly most: number,
  ) {
    super(`Record ${record} of the answer has more than ${most} ${limit}`);
  }
}

/** The CSV could not be written: the disk is full, or the folder cannot be written to. */
export class CsvNotWritten extends KnownError {
  readonly code = 'csv-not-written';
  override readonly isRetryable = true;

  /** @param reason the operating system's code, `ENOSPC` for a full disk */
  constructor(
    readonly reason: string,
    cause: unknown,
  ) {
    super(`The CSV file could not be written (${reason})`, { cause });
  }
}

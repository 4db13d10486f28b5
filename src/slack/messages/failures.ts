import { describeFailureCode, isFailure, textsOf } from '../../errors/failure.js';
import { supportIdOf } from '../../logging/log-id.js';
import { rangeAsTyped } from '../../requests/options.js';
import { quoteTypedWord } from '../../requests/problem.js';

/** The message for a failure: plain text, which the view escapes. */
export interface FailureMessage {
  /** What went wrong and how to fix it, in one or two sentences. */
  readonly sentence: string;
  /** The text for people who read it later, in the history of a digest. It leaves out advice for now. */
  readonly reason: string;
  readonly tryAgain: boolean;
  /** True if a CSV may work where a workbook failed. */
  readonly asCsv?: boolean;
  /** The ID in the log, for failures that the asker cannot fix; absent if the sentence has it. */
  readonly reference?: string | undefined;
}

interface FailureReader {
  /** The typed command; absent for forms, buttons and digests. */
  readonly typed?: string | undefined;
  /** False if another person chose the filters of the request. Then they are not quoted. Default: true. */
  readonly choseFilters?: boolean;
}

/** An unknown failure gets an ID, also in the log. `work` is the ID of the run, which is not shown itself. */
export function describeFailure(
  error: unknown,
  work: string,
  { typed, choseFilters = true }: FailureReader = {},
): FailureMessage {
  const reference = supportIdOf(work);
  const reader = {
    asTyped: (words: string) => quoteTypedWord(typed === undefined ? words : rangeAsTyped(typed, words)),
  };
  const texts = isFailure(error) ? textsOf(error, reader) : undefined;
  if (!isFailure(error) || !texts) {
    return {
      sentence: `Something went wrong. Try again, or give your admin this ID: ${reference}.`,
      reason: `Something went wrong. Give your admin this ID: ${reference}.`,
      tryAgain: true,
    };
  }
  const { code, isRetryable: tryAgain } = error;
  // The sentences of refusals, and of what the asker chose, say all.
  const shownId = error.scope === 'asker' ? undefined : reference;
  if (texts.quotesFilters && !choseFilters) {
    const sentence = describeFailureCode(code) ?? 'The report could not be made.';
    return { sentence, reason: sentence, tryAgain, reference: shownId };
  }
  const { sentence, reason } = texts;
  return { sentence, reason, tryAgain, asCsv: code === 'too-large-for-excel', reference: shownId };
}

import { describeFailureCode, isFailure, textsOf } from '../../errors/failure.js';
import { supportIdOf } from '../../logging/logger.js';
import { quoteTypedRange } from '../../requests/range-option.js';

interface FailureReader {
  /** The typed command; absent for forms, buttons and digests. */
  readonly typed?: string | undefined;
  /** False if another person chose the filters of the request. Then they are not quoted. Default: true. */
  readonly choseFilters?: boolean;
}

/**
 * The message for a failure: plain text, which the view escapes. `sentence`: what went wrong and how to fix it, in one or
 * two sentences. `reason`: for people who read it later, without advice for now. `asCsv`: a CSV may work where a workbook
 * failed. `reference`: the ID in the log, for failures that the asker cannot fix; absent if the sentence has it.
 *
 * @param work the ID of the run, which is not shown itself
 */
export function describeFailure(
  error: unknown,
  work: string,
  { typed, choseFilters = true }: FailureReader = {},
) {
  const reference = supportIdOf(work);
  const reader = {
    asTyped: (words: string) => quoteTypedRange(words, typed),
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

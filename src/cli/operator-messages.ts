import { Failure, isFailure, operatorTextOf } from '../errors/failure.js';
import { redactedMessage } from '../logging/logger.js';
import { describeFailure } from '../slack/messages/failures.js';

/** The message for the terminal: one or two sentences, or a line for each problem with settings. */
export function describeForOperator(error: unknown): string {
  if (isFailure(error)) return operatorTextOf(error) ?? describeFailure(error, error.code).sentence;
  return `Something went wrong: ${error instanceof Error ? redactedMessage(error) : 'the cause is unknown'}.`;
}

export function wrongUsage(sentence: string): Failure {
  return new Failure('wrong-usage', { sentence });
}

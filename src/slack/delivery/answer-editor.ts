import { isFailure } from '../../errors/failure.js';
import type { PostedMessage } from '../../posts/post.js';
import { keptAnswer } from '../../runner/answer-totals.js';
import type { PeriodBefore } from '../../runner/period-before.js';
import type { ReportResult } from '../../runner/run-report.js';
import { rowsOutsideScope } from '../answer-report.js';
import type { AnswerRun, SendParts } from './answer-run.js';
import { deliver } from './post-message.js';
import { summaryVariantsOf } from './send-answer.js';

/** The period before of a posted answer may take this much longer than the answer. */
export const maxWaitForBeforeMs = 60_000;

/** An answer that was posted without the period before. */
export interface PostedAnswer {
  /** Its `before` is `not-yet`. */
  readonly result: ReportResult;
  readonly run: AnswerRun;
  readonly before: PeriodBefore;
  readonly message: PostedMessage;
  /** The variant that Slack accepted. */
  readonly variant: number;
  /** Throws if the asker no longer has the same rights in the same conversation. */
  readonly lookAgain: () => Promise<unknown>;
}

/**
 * Waits for the period before of a posted answer, and edits the answer once. Nothing here ever posts. An edit that a stop
 * interrupts is not made, because the message is complete without it. Never throws.
 */
export async function addChanges(
  answer: PostedAnswer,
  parts: SendParts,
  stopping: AbortSignal,
): Promise<void> {
  const { result, before, run } = answer;
  const { store, log } = parts;
  const stop = () => before.stop();
  stopping.addEventListener('abort', stop);
  if (stopping.aborted) stop();
  /** Before the edit, because Details may be pressed as soon as the message has changes. False after an erasure. */
  const save = (changed: ReportResult) =>
    store.answerTotals.addChanges(run.id, keptAnswer(run.asker.id, changed, parts.smallestGroup)?.totals);
  try {
    const figures = await before.within(maxWaitForBeforeMs).catch(async (error: unknown) => {
      await save({ ...result, before: 'late' });
      throw error;
    });
    const changed: ReportResult = { ...result, before: figures ?? 'late' };
    if ((await save(changed)) && !stopping.aborted) await edit(changed, answer, parts);
  } catch (err) {
    if (stopping.aborted) return;
    if (isFailure(err, 'rows-outside-scope'))
      log.error({ requestId: run.id, code: err.code }, rowsOutsideScope);
    else if (isFailure(err)) log.info({ requestId: run.id, code: err.code }, notEdited);
    else log.warn({ err, requestId: run.id }, notEdited);
  } finally {
    stopping.removeEventListener('abort', stop);
    stop();
  }
}

async function edit(
  result: ReportResult,
  { run, message: { channel, ts }, variant, lookAgain }: PostedAnswer,
  parts: SendParts,
): Promise<void> {
  const variants = summaryVariantsOf(result, run, parts);
  const withoutChanges = summaryVariantsOf({ ...result, before: 'not-yet' }, run, parts);
  if (JSON.stringify(variants) === JSON.stringify(withoutChanges)) return;
  await lookAgain();
  const destination = { kind: 'edit', channel, ts } as const;
  const { outcome } = await deliver(variants.slice(variant), destination, parts.client, { lookAgain });
  if (outcome.kind !== 'posted') parts.log.info({ requestId: run.id, code: outcome.code }, notEdited);
}

const notEdited = 'An answer was not edited, so it has no changes';

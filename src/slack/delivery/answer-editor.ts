import { RowsOutsideScope } from '../../access/scope.js';
import { KnownError } from '../../errors/known-error.js';
import type { PostedMessage } from '../../posts/post.js';
import { keptAnswer } from '../../runner/answer-totals.js';
import type { PeriodBefore } from '../../runner/period-before.js';
import type { ReportResult } from '../../runner/run-report.js';
import type { Store } from '../../store/store.js';
import { type Deadline, stopDeadline } from '../../time/clock.js';
import { rowsOutsideScope } from '../answer-report.js';
import type { AnswerRun, SendParts } from './answer-run.js';
import { deliver } from './post-message.js';
import { summaryVariantsOf } from './send-answer.js';

/** The period before of a posted answer may take this much longer than the answer. */
export const maxWaitForBeforeMs = 60_000;

/** An answer that was posted without the period before. */
interface PostedAnswer {
  /** Its `before` is `not-yet`. */
  readonly result: ReportResult;
  readonly run: AnswerRun;
  readonly before: PeriodBefore;
  readonly message: PostedMessage;
  /** The variant that Slack accepted. */
  readonly variant: number;
  /** True if the asker still has the same rights in the same conversation. */
  readonly isStillAllowed: () => Promise<boolean>;
}

/**
 * Edits answers that were posted before the period before was read. Nothing here ever posts. An edit that the end of the
 * process interrupts is not made, because the message is complete without it.
 */
export interface AnswerEditor {
  /** Waits for the period before, and edits the answer once. Never rejects. `stop` waits for it. */
  editLater(answer: PostedAnswer): Promise<void>;
  /** Ends all waiting. */
  stop(deadline?: Deadline): Promise<void>;
}

export interface EditorParts extends SendParts {
  readonly store: SendParts['store'] & Pick<Store, 'answerTotals'>;
  readonly log: SendParts['log'] & { info(details: object, message: string): void };
}

export function answerEditor(parts: EditorParts): AnswerEditor {
  const { store, client, log } = parts;
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();

  function logFailure(err: unknown, requestId: string): void {
    if (stopping.signal.aborted) return;
    if (err instanceof RowsOutsideScope) log.error({ requestId, code: err.code }, rowsOutsideScope);
    else if (err instanceof KnownError) log.info({ requestId, code: err.code }, notEdited);
    else log.warn({ err, requestId }, notEdited);
  }

  /** False once an erasure has ended the request. */
  function saveChanges(result: ReportResult, { id, asker }: AnswerRun): Promise<boolean> {
    return store.answerTotals.addChanges(id, keptAnswer(asker.id, result, parts.smallestGroup)?.totals);
  }

  async function addChanges(answer: PostedAnswer): Promise<void> {
    const { result, before, run } = answer;
    const stop = () => before.stop();
    stopping.signal.addEventListener('abort', stop);
    if (stopping.signal.aborted) stop();
    try {
      const figures = await before.within(maxWaitForBeforeMs).catch(async (error: unknown) => {
        await saveChanges({ ...result, before: 'late' }, run);
        throw error;
      });
      const changed: ReportResult = { ...result, before: figures ?? 'late' };
      // Before the edit, because Details may be pressed as soon as the message has changes.
      if ((await saveChanges(changed, run)) && !stopping.signal.aborted) await edit(changed, answer);
    } finally {
      stopping.signal.removeEventListener('abort', stop);
      stop();
    }
  }

  async function edit(
    result: ReportResult,
    { run, message: { channel, ts }, variant, isStillAllowed }: PostedAnswer,
  ): Promise<void> {
    const variants = summaryVariantsOf(result, run, parts);
    const withoutChanges = summaryVariantsOf({ ...result, before: 'not-yet' }, run, parts);
    if (JSON.stringify(variants) === JSON.stringify(withoutChanges) || !(await isStillAllowed())) return;
    const { outcome } = await deliver(variants.slice(variant), { kind: 'edit', channel, ts }, client, {
      isStillAllowed,
    });
    if (outcome.kind !== 'posted') log.info({ requestId: run.id, code: outcome.code }, notEdited);
  }

  return {
    editLater(answer) {
      const work = addChanges(answer)
        .catch((error: unknown) => logFailure(error, answer.run.id))
        .finally(() => underWay.delete(work));
      underWay.add(work);
      return work;
    },

    async stop(deadline = stopDeadline()) {
      stopping.abort();
      await deadline.waitFor(Promise.all(underWay));
    },
  };
}

const notEdited = 'An answer was not edited, so it has no changes';

import type { LogOf } from '../logging/logger.js';
import { type Clock, repeated } from '../time/clock.js';
import type { DeletionOutcome, DueDeletion, PostedItem } from './posted-items.js';

const minute = 60_000;

/** Milliseconds after each refusal. After the last one, Rollcall gives up. */
const retryDelaysMs = [minute, 5 * minute, 30 * minute, 2 * 60 * minute, 12 * 60 * minute];
/** Slack takes about 50 deletions a minute. */
const intervalMs = 1300;
const pollIntervalMs = 5000;
const batchSize = 20;

export interface DeletionParts {
  readonly store: {
    readonly postedItems: {
      due(now: number, limit: number): Promise<readonly DueDeletion[]>;
      end(item: PostedItem, at: number): Promise<void>;
      postpone(item: PostedItem, readyAt: number, isRefusal: boolean): Promise<void>;
    };
  };
  /** Asks Slack once. Never throws for an answer of Slack. */
  readonly deleteItem: (item: PostedItem) => Promise<DeletionOutcome>;
  readonly clock: Clock;
  readonly log: LogOf<'info' | 'warn'>;
  readonly deletionIntervalMs?: number;
  readonly deletionPollMs?: number;
}

/**
 * Deletes what is due, one item at a time. A crash between Slack's answer and its record repeats a deletion, which
 * changes nothing. Returns a function that stops it.
 */
export function startDeleting(parts: DeletionParts): () => Promise<void> {
  const { deleteItem, clock, log, deletionIntervalMs = intervalMs, deletionPollMs = pollIntervalMs } = parts;
  const { postedItems } = parts.store;
  const stop = new AbortController();
  let pausedUntil = 0;

  /** Returns for how many milliseconds Slack takes no deletions, if it says so. */
  async function deleteOne(due: DueDeletion) {
    const outcome = await deleteItem(due);
    const now = clock.now();
    const { kind, channel, refusals } = due;
    if (outcome.kind === 'wait') {
      const pausedMs = outcome.seconds * 1000;
      await postedItems.postpone(due, now + pausedMs, false);
      return pausedMs;
    }
    const delayMs = retryDelaysMs[refusals];
    if (outcome.kind === 'refused' && delayMs !== undefined) {
      await postedItems.postpone(due, now + delayMs, true);
      return undefined;
    }
    await postedItems.end(due, now);
    if (outcome.kind === 'deleted')
      log.info({ kind, channel }, 'Deleted from Slack what a setting said to delete');
    else
      log.warn(
        { kind, channel, code: outcome.code },
        'Slack does not let Rollcall delete this, so it stays in Slack',
      );
    return undefined;
  }

  async function deleteDue() {
    for (;;) {
      const due = await postedItems.due(clock.now(), batchSize);
      for (const item of due) {
        if (stop.signal.aborted) return;
        const pausedMs = await deleteOne(item);
        if (pausedMs !== undefined) {
          pausedUntil = performance.now() + pausedMs;
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, deletionIntervalMs));
      }
      if (due.length < batchSize) return;
    }
  }

  const deleting = repeated(
    async () => {
      if (!stop.signal.aborted && performance.now() >= pausedUntil) await deleteDue();
    },
    (err) => log.warn({ err }, 'Could not work on the queue of deletions. Rollcall tries again'),
  );
  void deleting.now();
  deleting.every(deletionPollMs);
  const stopListening = clock.onJump(() => {
    pausedUntil = 0;
    void deleting.now();
  });
  return () => {
    stop.abort();
    stopListening();
    return deleting.stop();
  };
}

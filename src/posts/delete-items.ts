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
  /** Milliseconds between two deletions. */
  readonly deletionIntervalMs?: number;
  /** Milliseconds between two looks at the queue. */
  readonly deletionPollMs?: number;
}

/**
 * Deletes what is due, one item at a time. A crash between Slack's answer and its record repeats a deletion, which
 * changes nothing. Returns a function that stops it.
 */
export function startDeleting(parts: DeletionParts): () => Promise<void> {
  const { clock, log, deletionPollMs = pollIntervalMs } = parts;
  const stop = new AbortController();
  let pausedUntil = 0;
  const deleting = repeated(
    async () => {
      if (stop.signal.aborted || performance.now() < pausedUntil) return;
      const pausedMs = await deleteDue(parts, stop.signal);
      pausedUntil = performance.now() + pausedMs;
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

/** Works through the queue. Returns for how many milliseconds Slack takes no deletions. */
async function deleteDue(parts: DeletionParts, signal: AbortSignal): Promise<number> {
  const { store, deleteItem, clock, deletionIntervalMs = intervalMs } = parts;
  for (;;) {
    const due = await store.postedItems.due(clock.now(), batchSize);
    for (const item of due) {
      if (signal.aborted) return 0;
      const outcome = await deleteItem(item);
      await record(item, outcome, parts);
      if (outcome.kind === 'wait') return outcome.seconds * 1000;
      await new Promise((resolve) => setTimeout(resolve, deletionIntervalMs));
    }
    if (due.length < batchSize) return 0;
  }
}

async function record(
  item: DueDeletion,
  outcome: DeletionOutcome,
  { store, clock, log }: DeletionParts,
): Promise<void> {
  const now = clock.now();
  const { kind, channel } = item;
  if (outcome.kind === 'deleted') {
    await store.postedItems.end(item, now);
    log.info({ kind, channel }, 'Deleted from Slack what a setting said to delete');
    return;
  }
  if (outcome.kind === 'wait') {
    await store.postedItems.postpone(item, now + outcome.seconds * 1000, false);
    return;
  }
  const { code } = outcome;
  const delayMs = retryDelaysMs[item.refusals];
  if (delayMs !== undefined) {
    await store.postedItems.postpone(item, now + delayMs, true);
    return;
  }
  await store.postedItems.end(item, now);
  log.warn({ kind, channel, code }, 'Slack does not let Rollcall delete this, so it stays in Slack');
}

import type { DigestRun, RunEnd } from './digest.js';
import type { DigestParts } from './ports.js';

/** Tells of a run as it stands in the ledger; nothing, where it waits again or is gone. */
export async function tellRunEnd(
  id: string,
  { store, onRunEnd }: Pick<DigestParts, 'store' | 'onRunEnd'>,
): Promise<void> {
  if (!onRunEnd) return;
  const run = await store.ledger.find(id);
  const outcome = run && outcomeOf(run);
  if (!outcome) return;
  const { dueAt, finishedAt = dueAt, errorCode } = run;
  const code = outcome !== 'delivered' && errorCode !== undefined ? { code: errorCode } : {};
  onRunEnd({ outcome, ...code, secondsLate: Math.max(0, finishedAt - dueAt) / 1000 });
}

function outcomeOf({ state }: DigestRun): RunEnd['outcome'] | undefined {
  if (state === 'posted') return 'delivered';
  return state === 'skipped' || state === 'failed' || state === 'unknown' ? state : undefined;
}

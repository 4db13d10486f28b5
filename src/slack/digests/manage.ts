import type { Digest } from '../../digests/digest.js';
import type { DigestDraft } from '../../digests/draft.js';
import { enterBeforeChange } from '../../digests/enter-due.js';
import { nextRuns } from '../../schedule/next-runs.js';
import type { ListenerParts } from '../listeners/context.js';
import { scheduleFor } from '../modals/schedule-for.js';

/** Saves a confirmed draft that was judged before. Gives the digest, or why it could not be saved. */
export async function keepDigest(
  draft: DigestDraft,
  maker: string,
  parts: ListenerParts,
): Promise<{ readonly digest: Digest } | { readonly refused: string }> {
  const { store, clock } = parts;
  const now = clock.now();
  const { request, channel, owner, skipEmpty, changes } = draft;
  const schedule = await scheduleFor(draft, store, now);
  const nextDue = nextRuns(schedule, now, 1)[0];
  const settings = { request, channel, owner, schedule, skipEmpty };
  if (!changes) {
    const id = await store.digests.add(settings, maker, nextDue, now);
    return found(await store.digests.find(id));
  }
  const before = await store.digests.find(changes.id);
  if (before?.revision === changes.revision) await enterBeforeChange(before, parts);
  const changed = await store.digests.change(changes.id, changes.revision, {
    ...settings,
    ...(before && isPausedByHand(before) ? { nextDue: null } : { state: 'active', nextDue: nextDue ?? null }),
  });
  if (!changed) return { refused: 'Somebody has changed or deleted this digest meanwhile. Look again.' };
  return found(await store.digests.find(changes.id));
}

function found(digest: Digest | undefined) {
  return digest ? { digest } : { refused: 'This digest is not there any more.' };
}

/** Somebody wanted it to pause, so that editing does not resume it, as it does one that failed. */
export function isPausedByHand({ state, pausedWhy = 'by-hand' }: Digest): boolean {
  return state === 'paused' && pausedWhy === 'by-hand';
}

/** Pauses a digest: what waits is dropped, since runs that came due while it was paused are not made up. */
export async function pauseDigest(
  digest: Digest,
  { store, clock }: Pick<ListenerParts, 'store' | 'clock'>,
): Promise<boolean> {
  const change = { state: 'paused', pausedWhy: 'by-hand', nextDue: null } as const;
  const paused = await store.digests.change(digest.id, digest.revision, change);
  if (paused) await store.ledger.dropWaiting(digest.id, 'by-hand', clock.now());
  return paused;
}

export async function resumeDigest(
  digest: Digest,
  { store, clock }: Pick<ListenerParts, 'store' | 'clock'>,
): Promise<boolean> {
  const nextDue = nextRuns(digest.schedule, clock.now(), 1)[0] ?? null;
  return store.digests.change(digest.id, digest.revision, { state: 'active', nextDue });
}

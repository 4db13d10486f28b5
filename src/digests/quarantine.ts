import type { Digest } from './digest.js';
import type { DigestParts } from './ports.js';
import { UnreadableDigest } from './unreadable.js';

/**
 * Pauses a digest that nothing can be worked out for, and has its owner told: the others go on. What was a digest when
 * it was kept may not be one for a later version, or somebody has written to the database.
 */
export async function setAside(
  { id, owner }: Pick<Digest, 'id' | 'owner'>,
  error: unknown,
  { store, clock, log }: Pick<DigestParts, 'store' | 'clock' | 'log'>,
): Promise<void> {
  // First the notice: should the process end in between, it is paused the next time.
  await store.digestNotices.add({ recipient: owner, kind: 'unreadable', subject: id }, clock.now());
  const isUnreadable = error instanceof UnreadableDigest;
  if (!(await store.digests.setAside(id, isUnreadable ? error.code : 'no-next-time'))) return;
  const cause = isUnreadable ? (error.cause ?? error) : error;
  log.error({ err: cause, digest: id }, 'A digest cannot be understood, and was paused');
}

import { KnownError } from '../errors/known-error.js';
import type { Digest } from './digest.js';
import type { DigestParts } from './ports.js';

/**
 * Pauses a digest that nothing can be worked out for, and has its owner told: the others go on. What was a digest when
 * it was kept may not be one for a later version, or somebody has written to the database.
 */
export async function quarantineDigest(
  { id, owner }: Pick<Digest, 'id' | 'owner'>,
  error: unknown,
  { store, clock, log }: Pick<DigestParts, 'store' | 'clock' | 'log'>,
): Promise<void> {
  // First the notice: should the process end in between, it is paused the next time.
  await store.digestNotifications.add({ recipient: owner, kind: 'unreadable', subject: id }, clock.now());
  const isUnreadable = error instanceof UnreadableDigest;
  if (!(await store.digests.quarantine(id, isUnreadable ? error.code : 'no-next-time'))) return;
  const cause = isUnreadable ? (error.cause ?? error) : error;
  log.error({ err: cause, digest: id }, 'A digest cannot be understood, and was paused');
}

/** A digest of which something is kept that this version cannot make sense of. */
export class UnreadableDigest extends KnownError {
  readonly code = 'unreadable';
  constructor(
    readonly id: string,
    /** The Slack user ID of its owner. */
    readonly owner: string,
    readonly channel: string,
    options?: { cause?: unknown },
  ) {
    super(`A digest cannot be read: ${id}`, options);
  }
}

/** What `find` says, with the error in the place of a digest that cannot be read. */
export async function catchUnreadable<Found>(found: Promise<Found>): Promise<Found | UnreadableDigest> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof UnreadableDigest) return error;
    throw error;
  }
}

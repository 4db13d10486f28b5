import { Failure } from '../errors/failure.js';
import type { Digest } from './digest.js';
import type { DigestParts } from './ports.js';

/**
 * Pauses a digest with invalid stored settings and notifies its owner. Other digests continue. Settings become invalid
 * with a new version or an edit of the database.
 */
export async function quarantineDigest(
  { id, owner }: Pick<Digest, 'id' | 'owner'>,
  error: unknown,
  { store, clock, log }: Pick<DigestParts, 'store' | 'clock' | 'log'>,
): Promise<void> {
  // The notification comes first: if the process ends in between, the next check pauses the digest.
  await store.digestNotifications.add({ recipient: owner, kind: 'unreadable', subject: id }, clock.now());
  const isUnreadable = error instanceof UnreadableDigest;
  if (!(await store.digests.quarantine(id, isUnreadable ? error.code : 'no-next-time'))) return;
  const cause = isUnreadable ? (error.cause ?? error) : error;
  log.error({ err: cause, digest: id }, 'A digest has invalid settings and was paused');
}

/** The stored settings of a digest are invalid for this version. */
export class UnreadableDigest extends Failure<'unreadable'> {
  constructor(
    readonly id: string,
    /** The Slack user ID of its owner. */
    readonly owner: string,
    readonly channel: string,
    options?: { cause?: unknown },
  ) {
    super('unreadable', { id, ...options });
  }
}

/** Returns UnreadableDigest as a value, so that callers can handle it without `catch`. */
export async function catchUnreadable<Found>(found: Promise<Found>): Promise<Found | UnreadableDigest> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof UnreadableDigest) return error;
    throw error;
  }
}

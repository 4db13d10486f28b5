import { Failure } from '../errors/failure.js';

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

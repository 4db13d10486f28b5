import { KnownError } from '../errors/known-error.js';

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
export async function evenUnreadable<Found>(found: Promise<Found>): Promise<Found | UnreadableDigest> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof UnreadableDigest) return error;
    throw error;
  }
}

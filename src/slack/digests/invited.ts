import type { ListenerParts } from '../listeners/parts.js';
import { resumeDigest } from './keep.js';

const curedByInvitation: ReadonlySet<string> = new Set(['not_in_channel', 'channel_not_found']);

/** The bot was invited to a channel: what failed because it was not there is tried again, and not paused any more. */
export async function retryAfterInvitation(channel: string, parts: ListenerParts): Promise<void> {
  const { store, clock } = parts;
  for (const digest of await store.digests.inChannel(channel)) {
    if (digest.state === 'paused' && curedByInvitation.has(digest.pausedWhy ?? '')) {
      await resumeDigest(digest, parts);
    } else if (digest.state === 'paused') continue;
    const [last] = await store.ledger.history(digest.id, 1);
    if (last?.state === 'failed' && curedByInvitation.has(last.errorCode ?? '')) {
      await store.ledger.retry(last.id, clock.now());
    }
  }
  parts.scheduler.poke();
}

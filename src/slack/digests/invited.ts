import type { Digest } from '../../digests/digest.js';
import type { ListenerParts } from '../listeners/context.js';
import { resumeDigest } from './manage.js';

const pageSize = 100;
const curedByInvitation: ReadonlySet<string> = new Set(['not_in_channel', 'channel_not_found']);

/** The bot was invited to a channel: what failed because it was not there is tried again, and not paused any more. */
export async function retryAfterInvitation(channel: string, parts: ListenerParts): Promise<void> {
  let from = 0;
  let page: readonly Digest[];
  do {
    page = await parts.store.digests.inChannel(channel, pageSize, from);
    for (const digest of page) await retryWhatItCured(digest, parts);
    from += pageSize;
  } while (page.length > 0);
  parts.scheduler.poke();
}

async function retryWhatItCured(digest: Digest, parts: ListenerParts): Promise<void> {
  const { store, clock } = parts;
  if (digest.state === 'paused') {
    if (!curedByInvitation.has(digest.pausedWhy ?? '')) return;
    await resumeDigest(digest, parts);
  }
  const [last] = await store.ledger.history(digest.id, 1);
  if (last?.state === 'failed' && curedByInvitation.has(last.errorCode ?? '')) {
    await store.ledger.retry(last.id, clock.now());
  }
}

import { type DigestNotice, doubtKinds } from '../store/digests/notifications.js';
import type { Store } from '../store/store.js';
import type { Digest } from './digest.js';
import type { DigestParts } from './ports.js';

type Parts = Pick<DigestParts, 'clock' | 'admins'> & {
  readonly store: Pick<Store, 'digestNotices' | 'ledger'>;
};

/**
 * Whether the one who is asked about a run may still answer. Where the digest has another owner by now, that one is
 * asked instead; admins are asked beside an owner who cannot be told.
 */
export async function mayStillAnswer(
  notice: DigestNotice,
  { owner }: Pick<Digest, 'owner'>,
  { store, clock, admins }: Parts,
): Promise<boolean> {
  if (notice.recipient === owner) return true;
  if (await store.digestNotices.handOver(notice, owner, clock.now())) return false;
  if (admins.includes(notice.recipient)) return true;
  await store.digestNotices.giveUp([notice.id]);
  return false;
}

/** A digest has another owner: whatever the former one was asked about its runs. */
export async function askNewOwner(
  digest: Pick<Digest, 'id' | 'owner'>,
  former: string,
  parts: Parts,
): Promise<void> {
  const { digestNotices, ledger } = parts.store;
  for (const notice of await digestNotices.open(former, doubtKinds)) {
    const run = await ledger.find(notice.subject);
    if (run?.digest === digest.id) await mayStillAnswer(notice, digest, parts);
  }
}

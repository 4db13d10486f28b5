import type { Digest } from '../../digests/digest.js';
import type { Store } from '../../store/store.js';
import type { DigestReader, DigestRow } from '../messages/digest-list.js';
import { mayChange } from '../saved/rights.js';

/** Digests with their newest runs, as they are listed. */
export async function rowsOf(
  digests: readonly Digest[],
  { ledger }: Pick<Store, 'ledger'>,
): Promise<readonly DigestRow[]> {
  if (digests.length === 0) return [];
  const newest = await ledger.newest(digests.map(({ id }) => id));
  return digests.map((digest) => {
    const last = newest.get(digest.id);
    return { digest, ...(last ? { last } : {}) };
  });
}

export function digestReader(
  { user, seesPeople }: Pick<DigestReader, 'user' | 'seesPeople'>,
  withChannel: boolean,
  parts: { readonly admins: readonly string[] },
): DigestReader {
  return { user, seesPeople, withChannel, mayChange: (digest) => mayChange(digest, user, parts) };
}

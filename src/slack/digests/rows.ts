import type { Digest } from '../../digests/digest.js';
import type { Store } from '../../store/store.js';
import { mayChange } from '../saved/rights.js';
import type { DigestReader, DigestRow } from '../views/digest-list.js';

/** Digests with their newest runs, as they are listed. */
export async function rowsOf(
  digests: readonly Digest[],
  { ledger }: Pick<Store, 'ledger'>,
): Promise<readonly DigestRow[]> {
  return Promise.all(
    digests.map(async (digest) => {
      const [last] = await ledger.history(digest.id, 1);
      return { digest, ...(last ? { last } : {}) };
    }),
  );
}

export function digestReader(
  user: string,
  withChannel: boolean,
  parts: { readonly admins: readonly string[] },
): DigestReader {
  return { withChannel, mayChange: (digest) => mayChange(digest, user, parts) };
}

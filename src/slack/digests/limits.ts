import type { Store } from '../../store/store.js';

/** The digests that one person can own. */
export const maxDigests = 50;

/** Why a person cannot own one more digest; undefined if they can. */
export async function tooManyDigests(
  owner: string,
  { digests }: Pick<Store, 'digests'>,
): Promise<string | undefined> {
  if ((await digests.countOwnedBy(owner)) < maxDigests) return undefined;
  return tooManyOwned;
}

export const tooManyOwned = `You own ${maxDigests} digests, which is the limit. Delete one first: your Home tab lists them.`;

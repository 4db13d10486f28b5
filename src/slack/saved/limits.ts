import type { Store } from '../../store/store.js';

export const maxDigests = 50;

export const maxOwnedReports = 100;

export const maxSavedReports = 200;

export const maxSaved = { inChannel: maxSavedReports, owned: maxOwnedReports };

/** Why a person cannot own one more, for that person or for somebody else. */
export function ownsTooMany(what: 'digest' | 'saved report', isOwn = true): string {
  const limit = `${what === 'digest' ? maxDigests : maxOwnedReports} ${what}s, which is the limit`;
  return isOwn
    ? `You own ${limit}. Delete one first: your Home tab lists them.`
    : `Its owner owns ${limit}. They have to delete one first.`;
}

export async function hasTooManyDigests(
  owner: string,
  { digests }: Pick<Store, 'digests'>,
): Promise<boolean> {
  return (await digests.countOwnedBy(owner)) >= maxDigests;
}

export const tooManySavedThere = `${maxSavedReports} reports are saved there, which is the limit. Delete one first: type /report list there.`;

import { changeRows } from '../database/rows.js';
import type { Db } from '../database/schema.js';

export const noOffer = { pending_owner: null, pending_since: null } as const;

type OfferColumns = { readonly pending_owner: string | null; readonly pending_since: number | null };

export function pendingOwnerOf({ pending_owner: id, pending_since: since }: OfferColumns) {
  return id === null || since === null ? undefined : { id, since };
}

/**
 * Offers a digest or saved report to a new owner, or ends the offer where `to` is absent. Returns false if it has
 * another revision by now, or was deleted.
 */
export async function setOffer(
  db: Db,
  table: 'digests' | 'saved_reports',
  { id, revision }: { readonly id: string; readonly revision: number },
  to: string | undefined,
  at: number,
): Promise<boolean> {
  const offered = to === undefined ? noOffer : { pending_owner: to, pending_since: at };
  return (await changeRows(db, table, { id, revision, deleted_at: null }, offered)) > 0;
}

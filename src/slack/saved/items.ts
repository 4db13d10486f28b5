import { deletedEvent, handedOverEvent, recordEvent, type SavedFacts } from '../../access/record.js';
import type { Digest } from '../../digests/digest.js';
import type { SavedReport } from '../../store/saved-reports/saved-reports.js';
import type { ListenerParts } from '../listeners/context.js';
import { digestName } from '../messages/digest-notifications.js';
import { type ItemKind, maxOwned } from './limits.js';

/** What people own, share in a channel, and hand over. */
export type Item = Digest | SavedReport;

export const isDigest = (item: Item): item is Digest => 'schedule' in item;

export const kindOf = (item: Item): ItemKind => (isDigest(item) ? 'digest' : 'saved report');

export function storeOf(kind: ItemKind, { store }: ListenerParts) {
  return kind === 'digest' ? store.digests : store.savedReports;
}

/** Why a person cannot own one more, for that person or for another. Undefined if they can. */
export async function ownedLimitReached(
  kind: ItemKind,
  owner: string,
  parts: ListenerParts,
  isOwn = true,
): Promise<string | undefined> {
  const count = await storeOf(kind, parts).countOwnedBy(owner);
  return count < maxOwned[kind] ? undefined : ownsTooMany(kind, isOwn);
}

export function ownsTooMany(kind: ItemKind, isOwn = true): string {
  const limit = `${maxOwned[kind]} ${kind}s, which is the limit`;
  return isOwn
    ? `You own ${limit}. Delete one first: your Home tab lists them.`
    : `Its owner owns ${limit}. They have to delete one first.`;
}

function factsOf(item: Item, person: string, { clock }: ListenerParts): SavedFacts {
  const { channel: place, request } = item;
  const name = isDigest(item) ? digestName(item) : item.name;
  return { at: clock.now(), person, place, report: request.report, what: kindOf(item), name };
}

/** @param restored true where the deletion was undone */
export async function recordDeletion(
  item: Item,
  person: string,
  parts: ListenerParts,
  restored?: true,
): Promise<void> {
  await recordEvent(parts.store.events, deletedEvent(factsOf(item, person, parts), restored), parts.log);
}

export async function recordHandOver(item: Item, owner: string, parts: ListenerParts): Promise<void> {
  await recordEvent(parts.store.events, handedOverEvent(factsOf(item, owner, parts), owner), parts.log);
}

import { type AccessEvent, recordEvent, type SavedFacts } from '../../access/record.js';
import type { Digest } from '../../digests/digest.js';
import { ok, type Result, refused } from '../../errors/failure.js';
import type { SavedReport } from '../../store/saved/saved-reports.js';
import type { ListenerParts } from '../answers/context.js';
import { maySee, type RequestContext } from '../context/request-context.js';
import { type ItemKind, maxOwned } from '../limits.js';
import { digestName } from '../messages/digests.js';

/** What people own, share in a channel, and hand over. */
export interface Items {
  readonly digest: Digest;
  readonly 'saved report': SavedReport;
}

export type Item = Items[ItemKind];

export const isDigest = (item: Item): item is Digest => 'schedule' in item;

export const kindOf = (item: Item): ItemKind => (isDigest(item) ? 'digest' : 'saved report');

export function storeOf(kind: ItemKind, { store }: ListenerParts) {
  return kind === 'digest' ? store.digests : store.savedReports;
}

/** Who may do something with an item: everybody who can see it, or those who may change it. */
export type Rule = 'see' | 'change';

/**
 * The item with this ID, or a sentence that refuses it. Whoever may change a digest sees it without seeing its channel.
 *
 * @param context `channel`: where its button is
 * @param canBeDeleted true for an item that is restored
 */
export async function findItem<Kind extends ItemKind>(
  kind: Kind,
  id: string,
  rule: Rule,
  { asker, channel }: Pick<RequestContext, 'asker' | 'channel'>,
  parts: ListenerParts,
  canBeDeleted = false,
): Promise<Result<Items[Kind]>> {
  const finders: { readonly [Some in ItemKind]: () => Promise<Items[Some] | undefined> } = {
    digest: () => parts.store.digests.find(id),
    'saved report': () => parts.store.savedReports.find(id),
  };
  const item = await finders[kind]();
  const gone = refused(`That ${kind} no longer exists. Type /report list to see the current ones.`);
  if (!item || (item.deletedAt !== undefined && !canBeDeleted)) return gone;
  const may = await mayChange(item, asker, parts);
  const isShown = (may && isDigest(item)) || item.channel === channel;
  if (!isShown && !(await maySee(item.channel, asker, parts))) return gone;
  return may || rule === 'see' ? ok(item) : refused(changeNotAllowed);
}

export const changeNotAllowed = 'Only its owner and admins can change it.';

interface Owned extends Pick<SavedReport, 'owner' | 'createdBy'> {
  readonly handedOverAt?: number;
}

/**
 * True for the owner of a saved report or digest, the person who made it, and admins. Once a new owner has accepted it,
 * the person who made it may no longer change it.
 */
export async function mayChange(item: Owned, user: string, { access }: ListenerParts): Promise<boolean> {
  return changesAs(user, false)(item) || access.isAdmin(user);
}

/** The same for many items, where the caller knows whether the person is an admin. */
export function changesAs(user: string, isAdmin: boolean) {
  return ({ owner, createdBy, handedOverAt }: Owned): boolean =>
    isAdmin || user === owner || (user === createdBy && handedOverAt === undefined);
}

export const undoWindowMs = 10 * 60_000;

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

/** Writes into the record what a person did with an item. */
export async function recordItem(
  eventOf: (facts: SavedFacts) => AccessEvent,
  item: Item,
  person: string,
  { store, clock, log }: ListenerParts,
): Promise<void> {
  const { channel: place, request } = item;
  const name = isDigest(item) ? digestName(item) : item.name;
  const facts = { at: clock.now(), person, place, report: request.report, what: kindOf(item), name };
  await recordEvent(store.events, eventOf(facts), log);
}

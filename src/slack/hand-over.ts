import type { Result } from '../errors/result.js';
import { ok, refused } from '../errors/result.js';
import type { SavedReport } from '../store/saved-reports/saved-reports.js';
import type { Clock } from '../time/clock.js';
import type { ListenerParts } from './listeners/context.js';
import type { OfferWords } from './messages/offers.js';

/** An offer that nobody accepted ends after this time. */
export const offerTtlMs = 14 * 24 * 60 * 60_000;

/** A digest or saved report that can be handed over. */
export type Offered = Pick<
  SavedReport,
  'id' | 'owner' | 'createdBy' | 'revision' | 'pendingOwner' | 'handedOverAt' | 'deletedAt'
>;

/** How digests or saved reports are handed over. The refusals are sentences for people. */
export interface HandOvers<Item extends Offered> {
  wordsFor(item: Item): OfferWords;
  find(id: string): Promise<Item | undefined>;
  /** Offers it to a person, or ends the offer where `to` is absent. Returns false if it changed meanwhile. */
  offer(item: Item, to: string | undefined): Promise<boolean>;
  /** Why a person cannot be offered it; undefined if they can. */
  offerRefusal(item: Item, person: string): Promise<string | undefined>;
  /** Why a person to whom it is offered cannot accept it now; undefined if they can. */
  acceptRefusal(item: Item, person: string): Promise<string | undefined>;
  /**
   * Makes a person the owner of what is offered to them, and records it. Returns it as it is then; undefined if it
   * changed or the offer ended meanwhile.
   */
  accept(item: Item, owner: string): Promise<Item | undefined>;
}

/** The hand-over that its new owner can accept now. */
export function openOffer(
  { pendingOwner, deletedAt }: Pick<Offered, 'pendingOwner' | 'deletedAt'>,
  now: number,
): Offered['pendingOwner'] {
  if (!pendingOwner || deletedAt !== undefined) return undefined;
  return now - pendingOwner.since < offerTtlMs ? pendingOwner : undefined;
}

/** Identifies an offer and the person who made it. The value of the buttons under an offer. */
export interface OfferReference {
  /** A digest or saved report. */
  readonly id: string;
  readonly since: number;
  readonly by: string;
}

export function formatOffer({ id, since, by }: OfferReference): string {
  return `${id} ${since} ${by}`;
}

export function parseOffer(value: string): OfferReference {
  const [id = '', since, by = ''] = value.split(' ');
  return { id, since: Number(since), by };
}

/** The offered item, while this person can accept or decline it. */
export async function findOffered<Item extends Offered>(
  { id, since }: OfferReference,
  person: string,
  handOvers: HandOvers<Item>,
  clock: Clock,
): Promise<Item | undefined> {
  const item = await handOvers.find(id);
  const offer = item && openOffer(item, clock.now());
  return offer?.id === person && offer.since === since ? item : undefined;
}

/** Offers something to a new owner. Returns the time of the offer, or refuses if it changed meanwhile. */
export async function offerTo<Item extends Offered>(
  item: Item,
  to: string,
  handOvers: HandOvers<Item>,
): Promise<Result<number>> {
  const offered = (await handOvers.offer(item, to)) ? await handOvers.find(item.id) : undefined;
  return offered?.pendingOwner
    ? ok(offered.pendingOwner.since)
    : refused(`Not handed over: somebody else just changed the ${handOvers.wordsFor(item).what}. Try again.`);
}

/** A person's name in Slack, for texts that mention nobody. */
export async function nameOf(user: string, { people }: Pick<ListenerParts, 'people'>): Promise<string> {
  return (await people.find(user)).name ?? 'Somebody';
}

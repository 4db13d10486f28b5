import type { Digest } from '../digests/digest.js';
import { ownerFailures } from '../digests/failure.js';
import { refersToAsker } from '../requests/request.js';
import { nextRuns } from '../schedule/next-runs.js';
import { notifyNewOwner } from '../scheduler/notifications.js';
import type { SavedReport } from '../store/saved-reports/saved-reports.js';
import { ownerRefusalOf } from './digests/rights.js';
import type { ListenerParts } from './listeners/context.js';
import { digestAccessRefusal } from './messages/digest-access.js';
import { hasTooManyDigests, maxDigests, maxOwnedReports, ownsTooMany } from './saved/limits.js';
import { recordHandOver } from './saved/recorded-changes.js';
import { maySee } from './saved/saved-reports.js';

/** An offer that nobody accepted ends after this time. */
export const offerTtlMs = 14 * 24 * 60 * 60_000;

/** What can be handed over. */
export type Offered = Digest | SavedReport;

/** How digests or saved reports are handed over. The refusals are sentences for people. */
export interface HandOvers<Item extends Offered> {
  find(id: string): Promise<Item | undefined>;
  /** Offers it to a person, or ends the offer where `to` is absent. Returns false if it changed meanwhile. */
  offer(item: Item, to: string | undefined): Promise<boolean>;
  /** Why a person cannot be offered it; undefined if they can. */
  offerRefusal(item: Item, person: string): Promise<string | undefined>;
  /** Why a person to whom it is offered cannot accept it now; undefined if they can. */
  acceptRefusal(item: Item, person: string): Promise<string | undefined>;
  /** Makes a person the owner of what is offered to them, and records it. Returns false if it changed or the offer ended meanwhile. */
  accept(item: Item, owner: string): Promise<boolean>;
}

/** A saved report runs with the permissions of the person who runs it, so the level of its owner does not matter. */
export function savedHandOvers(parts: ListenerParts): HandOvers<SavedReport> {
  const { savedReports } = parts.store;
  const { clock } = parts;
  async function offerRefusal({ channel, owner }: SavedReport, person: string) {
    if (channel.startsWith('D'))
      return 'This report is saved in direct messages, so it cannot be handed over. Duplicate it to a channel.';
    if (owner === person) return 'They own this saved report already.';
    if ((await parts.people.find(person)).standing !== 'member')
      return 'Only members of this workspace can own a saved report.';
    if (await maySee(channel, person, parts)) return undefined;
    return 'The new owner must be able to see the channel of this saved report.';
  }
  return {
    find: (id) => savedReports.find(id),
    offer: ({ id, revision }, to) => savedReports.offer(id, revision, to, clock.now()),
    offerRefusal,
    async acceptRefusal(saved, person) {
      const reason = await offerRefusal(saved, person);
      if (reason !== undefined) return reason;
      const isFull = (await savedReports.countOwnedBy(person)) >= maxOwnedReports;
      return isFull ? ownsTooMany('saved report') : undefined;
    },
    async accept(saved, owner) {
      const isAccepted = await savedReports.accept(saved.id, saved.revision, owner, clock.now());
      if (isAccepted) await recordHandOver(saved, owner, parts);
      return isAccepted;
    },
  };
}

/** A digest runs with the permissions of its owner, so these are checked when the new owner accepts. */
export function digestHandOvers(parts: ListenerParts): HandOvers<Digest> {
  const { store, clock, people, memberships } = parts;
  async function offerRefusal({ channel, owner }: Digest, person: string) {
    if (channel.startsWith('D'))
      return 'This digest goes to its owner’s direct messages, so it cannot be handed over.';
    if (owner === person) return 'They own this digest already.';
    if ((await people.find(person)).standing !== 'member')
      return 'Only members of this workspace can own a digest.';
    const isMember = await memberships.isMember(channel, person, { fresh: true });
    if (isMember === 'unknown') return 'Slack did not say who is in its channel. Try again.';
    return isMember ? undefined : 'The new owner must be a member of the channel of this digest.';
  }
  return {
    find: (id) => store.digests.find(id),
    offer: ({ id, revision }, to) => store.digests.offer(id, revision, to, clock.now()),
    offerRefusal,
    async acceptRefusal(digest, person) {
      const reason = await offerRefusal(digest, person);
      if (reason !== undefined) return reason;
      if (refersToAsker(digest.request) && !(await people.find(person)).email)
        return '“me” needs your e-mail address, and Slack does not give me one.';
      const refusal = await ownerRefusalOf({ ...digest, owner: person }, parts);
      if (refusal) return `${digestAccessRefusal(refusal, 'your')} Ask an admin for access first.`;
      return (await hasTooManyDigests(person, store)) ? ownsTooMany('digest') : undefined;
    },
    /** A digest that was paused because of its former owner runs again. */
    async accept(digest, owner) {
      const { id, state, pauseReason = '', schedule, nextDue = null } = digest;
      const now = clock.now();
      const isResumed = state === 'paused' && ownerFailures.has(pauseReason);
      const isChanged = await store.digests.change(id, digest.revision, {
        owner,
        acceptedAt: now,
        maxOwned: maxDigests,
        state: isResumed ? 'active' : undefined,
        nextDue: isResumed ? (nextRuns(schedule, now, 1)[0] ?? null) : nextDue,
      });
      if (!isChanged) return false;
      await recordHandOver(digest, owner, parts);
      const { admins } = parts.access;
      await notifyNewOwner({ id, owner }, digest.owner, { store, clock, admins });
      parts.scheduler.checkNow();
      return true;
    },
  };
}

/** The item as it is with its new owner. Undefined if it changed meanwhile. */
export async function acceptItem<Item extends Offered>(
  item: Item,
  owner: string,
  handOvers: HandOvers<Item>,
  parts: ListenerParts,
): Promise<Item | undefined> {
  if (!(await handOvers.accept(item, owner))) return undefined;
  parts.home.changed(owner);
  parts.home.changed(item.owner);
  return handOvers.find(item.id);
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
interface OfferReference {
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

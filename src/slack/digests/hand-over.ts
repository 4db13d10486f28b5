import { handedOverEvent } from '../../access/record.js';
import { type Digest, nextDueOf } from '../../digests/digest.js';
import { ownerFailures } from '../../digests/failure.js';
import { refersToAsker } from '../../requests/request.js';
import { notifyNewOwner } from '../../scheduler/notifications.js';
import type { ListenerParts } from '../answers/context.js';
import { maySee } from '../context/request-context.js';
import { maxOwned } from '../limits.js';
import { digestAccessRefusal } from '../messages/access-levels.js';
import { type Item, isDigest, kindOf, ownedLimitReached, recordItem } from '../saved/items.js';
import { ownerRefusalOf } from './rights.js';

/** An offer that is not accepted ends after this time. */
export const offerTtlMs = 14 * 24 * 60 * 60_000;

/** Why a person cannot be offered a digest or saved report; undefined if they can. */
export async function offerRefusal(
  item: Item,
  person: string,
  parts: ListenerParts,
): Promise<string | undefined> {
  const { channel, owner } = item;
  const what = kindOf(item);
  const isForManagers = isDigest(item) && item.audience === 'managers';
  if (channel.startsWith('D') && !isForManagers) {
    return isDigest(item)
      ? 'This digest goes to its owner’s direct messages, so it cannot be handed over.'
      : 'This report is saved in direct messages, so it cannot be handed over. Duplicate it to a channel.';
  }
  if (owner === person) return `They own this ${what} already.`;
  if ((await parts.people.find(person)).standing !== 'member')
    return `Only members of this workspace can own a ${what}.`;
  // It posts nothing in its channel.
  if (isForManagers) return undefined;
  if (!isDigest(item)) {
    return (await maySee(channel, person, parts))
      ? undefined
      : 'The new owner must be able to see the channel of this saved report.';
  }
  const isMember = await parts.memberships.isMember(channel, person, true);
  if (isMember === 'unknown') return 'Slack did not say who is in its channel. Try again.';
  return isMember ? undefined : 'The new owner must be a member of the channel of this digest.';
}

/** Why a person to whom it is offered cannot accept it now; undefined if they can. */
export async function acceptRefusal(
  item: Item,
  person: string,
  parts: ListenerParts,
): Promise<string | undefined> {
  const reason = await offerRefusal(item, person, parts);
  if (reason !== undefined) return reason;
  // A saved report runs with the permissions of the person who runs it, a digest with those of its owner.
  if (isDigest(item)) {
    if (refersToAsker(item.request) && !(await parts.people.find(person)).email)
      return '“me” needs your e-mail address, and Slack does not give me one.';
    const refusal = await ownerRefusalOf({ ...item, owner: person }, parts);
    if (refusal) return `${digestAccessRefusal(refusal, 'your')} Ask an admin for access first.`;
  }
  return ownedLimitReached(kindOf(item), person, parts);
}

/**
 * Makes a person the owner of what is offered to them, and records it. False if it changed or the offer ended meanwhile.
 */
export async function acceptItem(item: Item, owner: string, parts: ListenerParts): Promise<boolean> {
  const { store, clock, access, scheduler, home } = parts;
  const { id, revision } = item;
  const isAccepted = isDigest(item)
    ? await acceptDigest(item, owner, parts)
    : await store.savedReports.accept(id, revision, owner, clock.now());
  if (!isAccepted) return false;
  await recordItem((facts) => handedOverEvent(facts, owner), item, owner, parts);
  if (isDigest(item)) {
    await notifyNewOwner({ id, owner }, item.owner, { store, clock, admins: access.admins });
    scheduler.checkNow();
  }
  home.changed(owner);
  home.changed(item.owner);
  return true;
}

/** A digest that was paused because of its former owner runs again. */
async function acceptDigest(digest: Digest, owner: string, { store, clock, channels }: ListenerParts) {
  const { id, revision, state, pauseReason = '' } = digest;
  const now = clock.now();
  const isResumed = state === 'paused' && ownerFailures.has(pauseReason);
  return store.digests.change(id, revision, {
    owner,
    channel: digest.channel.startsWith('D') ? await channels.directWith(owner) : undefined,
    acceptedAt: now,
    maxOwned: maxOwned.digest,
    state: isResumed ? 'active' : undefined,
    nextDue: (isResumed ? nextDueOf(digest, now) : digest.nextDue) ?? null,
    coveredUntil: isResumed ? now : undefined,
  });
}

/** The hand-over that its new owner can accept now. */
export function openOffer(
  { pendingOwner, deletedAt }: Pick<Item, 'pendingOwner' | 'deletedAt'>,
  now: number,
): Item['pendingOwner'] {
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

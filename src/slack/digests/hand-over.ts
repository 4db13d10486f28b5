import { handedOverEvent, recordEvent } from '../../access/record.js';
import type { Digest } from '../../digests/digest.js';
import { ownerFailures } from '../../digests/failure.js';
import { notifyNewOwner } from '../../digests/notifications.js';
import { ok, type Result, refused } from '../../errors/result.js';
import { meansTheAsker } from '../../requests/request.js';
import { nextRuns } from '../../schedule/next-runs.js';
import type { Store } from '../../store/store.js';
import type { ListenerParts } from '../listeners/context.js';
import { digestAccessRefusal } from '../messages/digest-access.js';
import { resolveAsker } from '../request-context.js';
import { digestFacts } from '../saved/recorded-changes.js';
import { tooManyDigests } from './limits.js';
import { ownerRefusalOf } from './rights.js';

/** An offer that nobody accepted ends after this time. */
const offerTtlMs = 14 * 24 * 60 * 60_000;

/** The hand-over of a digest that its new owner can accept now. */
export function openOffer({ pendingOwner, deletedAt }: Digest, now: number): Digest['pendingOwner'] {
  if (!pendingOwner || deletedAt !== undefined) return undefined;
  return now - pendingOwner.since < offerTtlMs ? pendingOwner : undefined;
}

/** Identifies an offer and the person who made it. The value of the buttons under an offer. */
export interface OfferReference {
  readonly digest: string;
  readonly since: number;
  readonly by: string;
}

export function formatOffer({ digest, since, by }: OfferReference): string {
  return `${digest} ${since} ${by}`;
}

export function parseOffer(value: string): OfferReference {
  const [digest = '', since, by = ''] = value.split(' ');
  return { digest, since: Number(since), by };
}

/** The digest of an offer, while this person can accept or decline it. */
export async function findOffered(
  { digest: id, since }: OfferReference,
  person: string,
  { store, clock }: { readonly store: Pick<Store, 'digests'>; readonly clock: ListenerParts['clock'] },
): Promise<Digest | undefined> {
  const digest = await store.digests.find(id);
  const offer = digest && openOffer(digest, clock.now());
  return offer?.id === person && offer.since === since ? digest : undefined;
}

/** Why a person cannot be offered a digest; undefined if they can. */
export async function offerRefusal(
  digest: Digest,
  person: string,
  parts: ListenerParts,
): Promise<string | undefined> {
  if (digest.channel.startsWith('D'))
    return 'This digest goes to its owner’s direct messages, so it cannot be handed over.';
  if (digest.owner === person) return 'They own this digest already.';
  const resolved = await resolveAsker(person, parts.people, parts.defaultZone);
  if (!resolved.ok) return 'Only members of this workspace can own a digest.';
  const isMember = await parts.memberships.isMember(digest.channel, person, { fresh: true });
  if (isMember === 'unknown') return 'Slack did not say who is in its channel. Try again.';
  return isMember ? undefined : 'The new owner must be a member of the channel of this digest.';
}

/** Why a digest cannot run as this person's; undefined if it can. */
export async function acceptRefusal(
  digest: Digest,
  person: string,
  parts: ListenerParts,
): Promise<string | undefined> {
  const reason = await offerRefusal(digest, person, parts);
  if (reason !== undefined) return reason;
  if (meansTheAsker(digest.request) && !(await parts.people.find(person)).email)
    return '“me” needs your e-mail address, and Slack does not give me one.';
  const refusal = await ownerRefusalOf({ ...digest, owner: person }, parts);
  if (refusal) return `${digestAccessRefusal(refusal, 'your')} Ask an admin for access first.`;
  return tooManyDigests(person, parts.store);
}

/** Offers a digest to a new owner. Returns the time of the offer, or refuses if the digest changed meanwhile. */
export async function offerDigest(
  digest: Digest,
  to: string,
  { store, clock }: ListenerParts,
): Promise<Result<number>> {
  const since = clock.now();
  const offered = await store.digests.offer(digest.id, digest.revision, to, since);
  return offered ? ok(since) : refused('Not handed over: somebody else just changed the digest. Try again.');
}

/**
 * Makes a person the owner of a digest that is offered to them. A digest that was paused because of its former owner
 * runs again. Returns the digest as it is then; undefined if it changed or the offer ended meanwhile.
 */
export async function acceptDigest(
  digest: Digest,
  owner: string,
  parts: ListenerParts,
): Promise<Digest | undefined> {
  const { store, clock, scheduler, home } = parts;
  const { state, pauseReason = '', schedule, nextDue = null } = digest;
  const now = clock.now();
  const isResumed = state === 'paused' && ownerFailures.has(pauseReason);
  const changed = await store.digests.change(digest.id, digest.revision, {
    owner,
    acceptedAt: now,
    state: isResumed ? 'active' : undefined,
    nextDue: isResumed ? (nextRuns(schedule, now, 1)[0] ?? null) : nextDue,
  });
  if (!changed) return undefined;
  await recordEvent(store.events, handedOverEvent(digestFacts(digest, owner, parts), owner), parts.log);
  const { admins } = parts.access;
  await notifyNewOwner({ id: digest.id, owner }, digest.owner, { store, clock, admins });
  scheduler.checkNow();
  home.changed(owner);
  home.changed(digest.owner);
  return store.digests.find(digest.id);
}

/** A person's name in Slack, for texts that mention nobody. */
export async function nameOf(user: string, { people }: Pick<ListenerParts, 'people'>): Promise<string> {
  return (await people.find(user)).name ?? 'Somebody';
}

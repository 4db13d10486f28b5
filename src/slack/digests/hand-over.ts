import { handedOverEvent, recordEvent } from '../../access/record.js';
import type { Digest } from '../../digests/digest.js';
import { ownerFailures } from '../../digests/failure.js';
import { notifyNewOwner } from '../../digests/notifications.js';
import { refersToAsker } from '../../requests/request.js';
import { nextRuns } from '../../schedule/next-runs.js';
import type { HandOvers } from '../hand-over.js';
import type { ListenerParts } from '../listeners/context.js';
import { digestAccessRefusal } from '../messages/digest-access.js';
import { wordsForDigest } from '../messages/offers.js';
import { digestFacts } from '../saved/recorded-changes.js';
import { maxDigests, tooManyDigests } from './limits.js';
import { ownerRefusalOf } from './rights.js';

/** A digest runs with the permissions of its owner, so these are checked when the new owner accepts. */
export function digestHandOvers(parts: ListenerParts): HandOvers<Digest> {
  const { store, clock } = parts;
  return {
    wordsFor: wordsForDigest,
    find: (id) => store.digests.find(id),
    offer: ({ id, revision }, to) => store.digests.offer(id, revision, to, clock.now()),
    offerRefusal: (digest, person) => offerRefusal(digest, person, parts),
    acceptRefusal: (digest, person) => acceptRefusal(digest, person, parts),
    accept: (digest, owner) => accept(digest, owner, parts),
  };
}

async function offerRefusal(
  digest: Digest,
  person: string,
  parts: ListenerParts,
): Promise<string | undefined> {
  if (digest.channel.startsWith('D'))
    return 'This digest goes to its owner’s direct messages, so it cannot be handed over.';
  if (digest.owner === person) return 'They own this digest already.';
  if ((await parts.people.find(person)).standing !== 'member')
    return 'Only members of this workspace can own a digest.';
  const isMember = await parts.memberships.isMember(digest.channel, person, { fresh: true });
  if (isMember === 'unknown') return 'Slack did not say who is in its channel. Try again.';
  return isMember ? undefined : 'The new owner must be a member of the channel of this digest.';
}

async function acceptRefusal(
  digest: Digest,
  person: string,
  parts: ListenerParts,
): Promise<string | undefined> {
  const reason = await offerRefusal(digest, person, parts);
  if (reason !== undefined) return reason;
  if (refersToAsker(digest.request) && !(await parts.people.find(person)).email)
    return '“me” needs your e-mail address, and Slack does not give me one.';
  const refusal = await ownerRefusalOf({ ...digest, owner: person }, parts);
  if (refusal) return `${digestAccessRefusal(refusal, 'your')} Ask an admin for access first.`;
  return tooManyDigests(person, parts.store);
}

/** A digest that was paused because of its former owner runs again. */
async function accept(digest: Digest, owner: string, parts: ListenerParts): Promise<Digest | undefined> {
  const { store, clock, scheduler, home } = parts;
  const { state, pauseReason = '', schedule, nextDue = null } = digest;
  const now = clock.now();
  const isResumed = state === 'paused' && ownerFailures.has(pauseReason);
  const changed = await store.digests.change(digest.id, digest.revision, {
    owner,
    acceptedAt: now,
    maxOwned: maxDigests,
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

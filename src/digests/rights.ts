import { type ReleasedKeys, requestIsPersonLevel } from '../requests/person-level.js';
import type { Asker } from '../requests/request.js';
import { type Route, routeOf } from '../slack/delivery/route.js';
import { type Conversation, resolveConversation } from '../slack/request-context.js';
import type { Digest } from './digest.js';
import { DigestFailed } from './failure.js';
import type { DigestParts } from './ports.js';

/** With whose rights a run is made, and where its parts go. */
export interface Rights {
  readonly asker: Asker;
  readonly place: Conversation;
  readonly route: Route;
  readonly released: ReleasedKeys;
}

type Parts = Pick<
  DigestParts,
  'people' | 'memberships' | 'channels' | 'store' | 'personLevelChannels' | 'defaultZone'
>;

/**
 * What a digest's owner may have today, in the channel it goes to.
 *
 * @param fresh as Slack describes the channel, and who is in it, at this moment
 * @throws DigestFailed
 */
export async function rightsOf(digest: Digest, parts: Parts, fresh = false): Promise<Rights> {
  const { owner, request, schedule } = digest;
  const person = await parts.people.find(owner);
  if (person.standing === 'unknown') throw new DigestFailed({ kind: 'passing', code: 'owner-not-described' });
  if (person.standing === 'gone') throw new DigestFailed({ kind: 'own', code: 'owner-left' });
  if (person.standing !== 'member') throw new DigestFailed({ kind: 'own', code: 'owner-may-not-ask' });

  const released = new Set((await parts.store.approvals.releasedKeys()).map(({ subject }) => subject));
  const place = await placeOf(digest, released, parts, fresh);
  return {
    asker: { id: owner, zone: schedule.zone, ...(person.email ? { email: person.email } : {}) },
    place,
    route: routeOf(request, place.personLevel, request.csv, released),
    released,
  };
}

/**
 * Slack lets an app ask about fifty channels a minute. One that only gets sums needs no description: whether it is
 * there, and takes the message, Slack says at the post. Who is in it is mostly known from the owner's other channels.
 */
async function placeOf(
  { channel, owner, request }: Digest,
  released: ReleasedKeys,
  parts: Parts,
  fresh: boolean,
): Promise<Conversation> {
  const mayNamePeople = request.csv || requestIsPersonLevel(request, released);
  const isDirect = channel.startsWith('D');
  const isMember = isDirect || (await isMemberNow(channel, owner, parts, fresh));
  if (isMember === false) throw new DigestFailed({ kind: 'own', code: 'owner-not-member' });
  // Where Slack does not say who is there, sums do no harm; names wait.
  if (!isDirect && !mayNamePeople) return { channel, kind: 'member', personLevel: 'never' };
  const place = await resolveConversation({ channel, asker: owner }, parts, fresh);
  if (place.kind === 'elsewhere') await sayWhyNot(channel, parts);
  if (isMember === 'unknown') throw new DigestFailed({ kind: 'passing', code: 'channel-not-described' });
  return place;
}

/** Nobody is turned away for what was remembered: they may have joined a moment ago. */
async function isMemberNow(channel: string, owner: string, { memberships }: Parts, fresh: boolean) {
  const isMember = await memberships.isMember(channel, owner, { fresh });
  return isMember === false && !fresh ? memberships.isMember(channel, owner, { fresh: true }) : isMember;
}

/** @throws DigestFailed */
async function sayWhyNot(channel: string, { channels }: Parts): Promise<never> {
  // What was remembered may be older than an invitation.
  const facts = await channels.find(channel, { fresh: true });
  if (facts.known && facts.isArchived) throw new DigestFailed({ kind: 'own', code: 'is_archived' });
  if (facts.known && !facts.isMember) throw new DigestFailed({ kind: 'own', code: 'not_in_channel' });
  if (!facts.known && !facts.passing) throw new DigestFailed({ kind: 'own', code: 'channel_not_found' });
  throw new DigestFailed({ kind: 'passing', code: 'channel-not-described' });
}

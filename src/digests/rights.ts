import type { ReleasedKeys } from '../reports/person-level.js';
import type { Asker } from '../reports/request.js';
import type { Place } from '../slack/place.js';
import { whereAsked } from '../slack/where-asked.js';
import { type Route, routeOf } from '../slack/where-it-goes.js';
import type { Digest } from './digest.js';
import { DigestFailed } from './failure.js';
import type { DigestParts } from './parts.js';

/** With whose rights a run is made, and where its parts go. */
export interface Rights {
  readonly asker: Asker;
  readonly place: Place;
  readonly route: Route;
  readonly released: ReleasedKeys;
}

type Parts = Pick<
  DigestParts,
  'people' | 'members' | 'channels' | 'store' | 'personLevelChannels' | 'defaultZone'
>;

/**
 * What a digest's owner may have today, in the channel it goes to.
 *
 * @param fresh as Slack describes the channel at this moment
 * @throws DigestFailed
 */
export async function rightsOf(digest: Digest, parts: Parts, fresh = false): Promise<Rights> {
  const { owner, channel, request, schedule } = digest;
  const person = await parts.people.find(owner);
  if (person.standing === 'unknown') throw new DigestFailed({ kind: 'passing', code: 'owner-not-described' });
  if (person.standing === 'gone') throw new DigestFailed({ kind: 'own', code: 'owner-left' });
  if (person.standing !== 'member') throw new DigestFailed({ kind: 'own', code: 'owner-may-not-ask' });

  const place = await whereAsked({ channel, asker: owner }, parts, fresh);
  if (place.kind !== 'direct') await checkChannel(digest, parts);
  const released = new Set((await parts.store.approvals.releasedKeys()).map(({ subject }) => subject));
  return {
    asker: { id: owner, zone: schedule.zone, ...(person.email ? { email: person.email } : {}) },
    place,
    route: routeOf(request, place.personLevel, request.csv, released),
    released,
  };
}

async function checkChannel({ channel, owner }: Digest, { channels, members }: Parts): Promise<void> {
  let facts = await channels.find(channel);
  // What was remembered may be older than an invitation.
  if (!facts.known ? !facts.passing : !facts.isMember || facts.isArchived) {
    facts = await channels.find(channel, { fresh: true });
  }
  if (facts.known && facts.isArchived) throw new DigestFailed({ kind: 'own', code: 'is_archived' });
  if (facts.known && !facts.isMember) throw new DigestFailed({ kind: 'own', code: 'not_in_channel' });
  if (!facts.known && !facts.passing) throw new DigestFailed({ kind: 'own', code: 'channel_not_found' });
  // Where Slack says nothing for now, it says at the post whether the channel is there; and a place that nobody
  // describes never gets what names people.
  if ((await members.isMember(channel, owner)) === false) {
    throw new DigestFailed({ kind: 'own', code: 'owner-not-member' });
  }
}

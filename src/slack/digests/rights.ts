import { type Digest, requestOfRuns } from '../../digests/digest.js';
import { Failure, isFailure } from '../../errors/failure.js';
import type { AccessRefusal } from '../../errors/request-failures.js';
import { requestIsPersonLevel } from '../../requests/person-level.js';
import { type Asker, showsRows } from '../../requests/request.js';
import {
  type AnswerRights,
  type AnswerRightsParts,
  answerRightsOf,
  releasedNow,
  scopeOfPerson,
} from '../answers/answer-run.js';
import { type Conversation, resolveConversation } from '../context/request-context.js';
import type { Memberships } from '../directory/channels.js';
import type { People } from '../directory/people.js';
import { digestAccessRefusal } from '../messages/access-levels.js';

export interface RightsParts extends AnswerRightsParts {
  readonly people: People;
  readonly memberships: Memberships;
}

export interface OwnerRights extends AnswerRights {
  readonly asker: Asker;
}

/**
 * @param fresh bypasses the cache of the channel and its members
 * @throws Failure
 */
export async function ownerRights(digest: Digest, parts: RightsParts, fresh = false): Promise<OwnerRights> {
  const { owner, request, schedule } = digest;
  const { standing, email } = await parts.people.find(owner);
  if (standing === 'unknown') throw new Failure('owner-not-described');
  if (standing === 'gone') throw new Failure('owner-left');
  if (standing !== 'member') throw new Failure('owner-may-not-ask');
  const asker = { id: owner, zone: schedule.zone, email };
  const conversation = await conversationOf(digest, parts, fresh);
  try {
    return { ...(await answerRightsOf(request, asker, conversation, parts)), asker };
  } catch (error) {
    if (!isFailure(error, 'access-refused')) throw error;
    const { isUncertain } = await parts.access.accessOf(owner, request.report);
    if (isUncertain) throw new Failure('owner-level-unknown');
    const { refusal } = error.details;
    const reason = digestAccessRefusal(refusal, 'its owner’s');
    throw new Failure('access-refused', { refusal, sentence: reason, reason });
  }
}

/** Why the owner's level does not allow a digest now; undefined if it does. The destination does not matter for that. */
export async function ownerRefusalOf(
  digest: Pick<Digest, 'owner' | 'request' | 'when' | 'audience'>,
  parts: RightsParts,
): Promise<AccessRefusal | undefined> {
  const { owner, request, audience } = digest;
  if (audience === 'managers') {
    const { level } = await parts.access.accessOf(owner, request.report);
    return level === 'everything' ? undefined : { kind: 'not-everything' };
  }
  const { email } = await parts.people.find(owner);
  const scope = await scopeOfPerson(requestOfRuns(digest), { id: owner, email }, parts);
  return scope.ok ? undefined : scope.refusal;
}

/**
 * Slack allows about fifty channel lookups a minute. A channel that is not approved and only gets totals needs none:
 * Slack refuses the post if the bot may not post there. The owner's list of channels answers most membership checks.
 */
async function conversationOf(
  { channel, owner, request }: Digest,
  parts: RightsParts,
  fresh: boolean,
): Promise<Conversation> {
  const holdsRows = request.file !== undefined || showsRows(request);
  const released = await releasedNow(parts);
  const mayNamePeople = holdsRows || requestIsPersonLevel(request, released);
  const isInDirectMessages = channel.startsWith('D');
  let isMember = isInDirectMessages || (await parts.memberships.isMember(channel, owner, fresh));
  // The owner may have just joined.
  if (isMember === false && !fresh) isMember = await parts.memberships.isMember(channel, owner, true);
  if (isMember === false) throw new Failure('owner-not-member');
  // If membership is unknown, totals are posted, but nothing with names.
  if (!isInDirectMessages && !mayNamePeople) {
    const { personLevelChannels: open, store } = parts;
    const mayBeOpen = open === '*' || open.includes(channel) || store.approvals.isChannelApproved(channel);
    if (isMember === 'unknown' || !(await mayBeOpen))
      return { channel, kind: 'member', personLevel: 'never' };
  }
  const conversation = await resolveConversation({ channel, asker: owner }, parts, fresh);
  if (conversation.kind === 'elsewhere') await throwWhyUnreachable(channel, parts);
  if (isMember === 'unknown') throw new Failure('channel-not-described');
  return conversation;
}

/** @throws Failure */
async function throwWhyUnreachable(channel: string, { channels }: RightsParts): Promise<never> {
  // The cached description may be older than an invitation.
  const facts = await channels.find(channel, true);
  if (facts.known && facts.isArchived) throw new Failure('slack-refused', { reason: 'is_archived' });
  if (facts.known && !facts.isMember) throw new Failure('slack-refused', { reason: 'not_in_channel' });
  if (!facts.known && !facts.isTemporary) throw new Failure('slack-refused', { reason: 'channel_not_found' });
  throw new Failure('channel-not-described');
}

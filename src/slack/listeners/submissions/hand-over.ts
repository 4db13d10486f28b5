import type { Digest } from '../../../digests/digest.js';
import { askNewOwner } from '../../../digests/failures/ask-owner.js';
import { failuresOfOwner } from '../../../digests/failures/failure.js';
import { nextRuns } from '../../../digests/when/next-runs.js';
import { inputs } from '../../ids.js';
import type { OutgoingMessage } from '../../outgoing-message.js';
import { mayChange } from '../../saved/rights.js';
import { tellAsker } from '../../tell-asker.js';
import { handedOverMessage, receivedMessage } from '../../views/digest-replies.js';
import { whoAsks } from '../../who-asks.js';
import type { ListenerParts } from '../parts.js';
import { judgedForm, refuse } from './judged-form.js';

/** Hand over: the digest runs with its new owner's rights from now on. */
export function handOverSubmission(parts: ListenerParts) {
  return judgedForm(parts, inputs.owner, async ({ user, about: [id = ''], owner }) => {
    const digest = await parts.store.digests.find(id);
    if (!digest || digest.deletedAt !== undefined) return refuse('That digest is not there any more.');
    if (!mayChange(digest, user, parts)) {
      return refuse('Only its maker, its owner and admins can hand it over.');
    }
    const reason = await whyNotTo(owner, digest, parts);
    if (reason !== undefined) return refuse(reason);
    if (!(await changeOwner(digest, owner, parts))) {
      return refuse('Somebody has changed it meanwhile. Try again.');
    }
    return { afterwards: () => tellBoth({ ...digest, owner }, user, parts) };
  });
}

async function whyNotTo(
  owner: string,
  { channel }: Digest,
  parts: ListenerParts,
): Promise<string | undefined> {
  if (channel.startsWith('D')) return 'It goes to its owner’s direct messages, so it cannot change hands.';
  const who = await whoAsks(owner, parts.people, parts.defaultZone);
  if ('refused' in who) return 'Only members of this workspace can own a digest.';
  const isMember = await parts.memberships.isMember(channel, owner, { fresh: true });
  if (isMember === 'unknown') return 'Slack could not tell me who is in its channel just now. Try again.';
  return isMember ? undefined : 'Its owner has to be a member of the channel it goes to.';
}

/** One that its owner could not have any more goes on. */
async function changeOwner(digest: Digest, owner: string, parts: ListenerParts) {
  const { store, clock, scheduler } = parts;
  const { state, pausedWhy = '', schedule, nextDue = null } = digest;
  const comesBack = state === 'paused' && failuresOfOwner.has(pausedWhy);
  const changed = await store.digests.change(digest.id, digest.revision, {
    owner,
    ...(comesBack ? { state: 'active' } : {}),
    nextDue: comesBack ? (nextRuns(schedule, clock.now(), 1)[0] ?? null) : nextDue,
  });
  if (changed) await askNewOwner({ id: digest.id, owner }, digest.owner, parts);
  scheduler.poke();
  return changed;
}

async function tellBoth(digest: Digest, user: string, parts: ListenerParts): Promise<void> {
  const tell = async (person: string, message: OutgoingMessage) => {
    const channel = await parts.channels.directWith(person);
    await tellAsker(message, person, { channel, kind: 'direct', personLevel: 'allowed' }, parts.client);
  };
  parts.home.changed(digest.owner);
  if (user !== digest.owner) await tell(user, handedOverMessage(digest));
  await tell(digest.owner, receivedMessage(digest));
}

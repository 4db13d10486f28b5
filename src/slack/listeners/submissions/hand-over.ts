import { askNewOwner } from '../../../digests/ask-owner.js';
import type { Digest } from '../../../digests/digest.js';
import { failuresOfOwner } from '../../../digests/failure.js';
import { nextRuns } from '../../../schedule/next-runs.js';
import { inputs } from '../../ids.js';
import { handedOverMessage, receivedMessage } from '../../messages/digest-replies.js';
import { notice } from '../../messages/notices.js';
import { mayChange } from '../../saved/rights.js';
import { whoAsks } from '../../who-asks.js';
import type { ListenerParts } from '../context.js';
import { refuse, submission, type Told, toldDirectly } from './submission.js';

/** Hand over: the digest runs with its new owner's rights from now on. */
export function handOverSubmission(parts: ListenerParts) {
  return submission(parts, async ({ asker, metadata: [id = ''], input }) => {
    const owner = input(inputs.owner)?.selected_user ?? '';
    const digest = await parts.store.digests.find(id);
    if (!digest || digest.deletedAt !== undefined) return refuse('That digest is not there any more.');
    if (!mayChange(digest, asker.id, parts)) {
      return refuse('Only its maker, its owner and admins can hand it over.');
    }
    const reason = await whyNotTo(owner, digest, parts);
    if (reason !== undefined) return refuse(reason);
    return {
      async commit() {
        if (await changeOwner(digest, owner, parts)) return toldBoth({ ...digest, owner }, asker.id, parts);
        const stale = 'Somebody has changed the digest meanwhile, so it was not handed over. Try again.';
        return [toldDirectly(asker.id, notice(stale))];
      },
    };
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

function toldBoth(digest: Digest, user: string, { home }: ListenerParts): readonly Told[] {
  const { owner } = digest;
  home.changed(owner);
  return [
    ...(user === owner ? [] : [toldDirectly(user, handedOverMessage(digest))]),
    toldDirectly(owner, receivedMessage(digest)),
  ];
}

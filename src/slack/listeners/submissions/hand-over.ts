import type { AllMiddlewareArgs, SlackViewMiddlewareArgs, ViewSubmitAction } from '@slack/bolt';
import { failuresOfOwner } from '../../../digests/failure.js';
import { nextRuns } from '../../../digests/next-runs.js';
import { within } from '../../builder/within.js';
import { digestInputs } from '../../digest-ids.js';
import { mayChange } from '../../saved/rights.js';
import { whoAsks } from '../../who-asks.js';
import type { ListenerParts } from '../parts.js';

type Submission = SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs;

/** So long Slack may take over facts: a form has to be answered within three seconds. */
const patience = 2_000;

/** Hand over: the digest runs with its new owner's rights from now on. */
export function handOverSubmission(parts: ListenerParts) {
  return async ({ ack, view, body }: Submission) => {
    const owner = view.state.values[digestInputs.owner]?.[digestInputs.owner]?.selected_user ?? '';
    const handed = await within(patience, handOver(view.private_metadata, owner, body.user.id, parts));
    const problem = handed === undefined ? 'Slack took too long. Try again.' : handed;
    if (problem !== '') {
      await ack({ response_action: 'errors', errors: { [digestInputs.owner]: problem } });
      return;
    }
    await ack();
    parts.home.changed(body.user.id);
    parts.home.changed(owner);
  };
}

/** Gives why it cannot be handed over; nothing where it was. */
async function handOver(id: string, owner: string, user: string, parts: ListenerParts): Promise<string> {
  const digest = await parts.store.digests.find(id);
  if (!digest || digest.deletedAt !== undefined) return 'That digest is not there any more.';
  if (!mayChange(digest, user, parts)) return 'Only its maker, its owner and admins can hand it over.';
  const who = await whoAsks(owner, parts.people, parts.defaultZone);
  if ('refused' in who) return 'Only members of this workspace can own a digest.';
  if (digest.channel.startsWith('D'))
    return 'It goes to its owner’s direct messages, so it cannot change hands.';
  const isMember = await parts.memberships.isMember(digest.channel, owner, { fresh: true });
  if (isMember !== true) return 'Its owner has to be a member of the channel it goes to.';
  const comesBack = digest.state === 'paused' && failuresOfOwner.has(digest.pausedWhy ?? '');
  const nextDue = nextRuns(digest.schedule, parts.clock.now(), 1)[0] ?? null;
  const changed = await parts.store.digests.change(id, digest.revision, {
    owner,
    ...(comesBack ? { state: 'active' as const } : {}),
    nextDue: digest.state === 'active' ? (digest.nextDue ?? null) : comesBack ? nextDue : null,
  });
  parts.scheduler.poke();
  return changed ? '' : 'Somebody has changed it meanwhile. Try again.';
}

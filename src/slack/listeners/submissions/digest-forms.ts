import type { AllMiddlewareArgs, SlackViewMiddlewareArgs, ViewSubmitAction } from '@slack/bolt';
import type { DigestDraft } from '../../../digests/draft.js';
import { nextRuns } from '../../../digests/next-runs.js';
import { within } from '../../builder/within.js';
import { digestInputs } from '../../digest-ids.js';
import { cadenceChosen } from '../../digests/cadence-choices.js';
import { proposal } from '../../digests/propose.js';
import { mayChange } from '../../saved/rights.js';
import { tellAsker } from '../../tell-asker.js';
import { notice } from '../../views/notices.js';
import { whereAsked } from '../../where-asked.js';
import { whoAsks } from '../../who-asks.js';
import type { ListenerParts } from '../parts.js';

type Submission = SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs;
type View = Submission['view'];

/** So long Slack may take over facts: a form has to be answered within three seconds. */
const patience = 2_000;

/** How often, when and where to: shows the next three times, to be confirmed. */
export function cadenceSubmission(parts: ListenerParts) {
  return async ({ ack, view, body }: Submission) => {
    const user = body.user.id;
    const chosen = chosenIn(view);
    if ('problem' in chosen) {
      await ack({ response_action: 'errors', errors: { [chosen.input]: chosen.problem } });
      return;
    }
    await ack();
    const about = await aboutOf(view.private_metadata, user, parts);
    const direct = await parts.channels.directWith(user);
    const chosenChannel = stateOf(view, digestInputs.channel)?.selected_conversation;
    const place = await whereAsked({ channel: chosenChannel ?? direct, asker: user }, parts);
    const here = { ...place, channel: direct, kind: 'direct' as const };
    if (!about) {
      await tellAsker(notice('That is not there any more.'), user, here, parts.client);
      return;
    }
    const draft: DigestDraft = { owner: user, ...about, ...chosen, channel: chosenChannel ?? direct };
    const message = await proposal(draft, user, parts);
    // An archived channel takes no word that it is archived.
    const facts = place.kind === 'member' ? await parts.channels.find(place.channel) : undefined;
    const takesWords = facts?.known === true && !facts.isArchived;
    const told = takesWords && (await tellAsker(message, user, place, parts.client));
    if (!told) await tellAsker(message, user, here, parts.client);
  };
}

/** What the form is about: an answer, a draft, or a digest as it was when the form opened. */
async function aboutOf(
  metadata: string,
  user: string,
  { store, admins }: ListenerParts,
): Promise<(Pick<DigestDraft, 'request' | 'changes'> & { owner?: string }) | undefined> {
  const [kind, id = '', revision] = metadata.split(' ');
  if (kind === 'ask') {
    const ask = await store.asks.find(id);
    return ask && { request: { ...ask.request, toMe: false } };
  }
  if (kind === 'draft') return store.digestDrafts.find(id, user);
  const digest = await store.digests.find(id);
  if (!digest || digest.deletedAt !== undefined || !mayChange(digest, user, { admins })) return undefined;
  const { request, owner } = digest;
  return { request, owner, changes: { id, revision: Number(revision) } };
}

type ChosenOrNot =
  | Pick<DigestDraft, 'cadence' | 'zone' | 'skipEmpty'>
  | { readonly input: string; readonly problem: string };

function chosenIn(view: View): ChosenOrNot {
  const days = stateOf(view, digestInputs.days)?.selected_options ?? [];
  const chosen = cadenceChosen({
    kind: stateOf(view, digestInputs.kind)?.selected_option?.value ?? 'daily',
    days: days.map(({ value }) => value),
    day: stateOf(view, digestInputs.day)?.selected_option?.value ?? '1',
    time: stateOf(view, digestInputs.time)?.selected_time ?? '09:00',
    zone: stateOf(view, digestInputs.zone)?.value ?? '',
    words: stateOf(view, digestInputs.words)?.value ?? '',
  });
  if ('problem' in chosen) return { input: digestInputs[chosen.about], problem: chosen.problem };
  const skipEmpty = (stateOf(view, digestInputs.skipEmpty)?.selected_options ?? []).length > 0;
  return { ...chosen, skipEmpty };
}

function stateOf(view: View, name: string) {
  return view.state.values[name]?.[name];
}

/** Hand over: the digest runs with its new owner's rights from now on. */
export function handOverSubmission(parts: ListenerParts) {
  return async ({ ack, view, body }: Submission) => {
    const owner = stateOf(view, digestInputs.owner)?.selected_user ?? '';
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
  const isMember = await parts.members.isMember(digest.channel, owner);
  if (isMember !== true) return 'Its owner has to be a member of the channel it goes to.';
  const comesBack = digest.state === 'paused' && digest.pausedWhy === 'owner-left';
  const nextDue = nextRuns(digest.schedule, parts.clock.now(), 1)[0] ?? null;
  const changed = await parts.store.digests.change(id, digest.revision, {
    owner,
    ...(comesBack ? { state: 'active' as const } : {}),
    nextDue: digest.state === 'active' ? (digest.nextDue ?? null) : comesBack ? nextDue : null,
  });
  parts.scheduler.poke();
  return changed ? '' : 'Somebody has changed it meanwhile. Try again.';
}

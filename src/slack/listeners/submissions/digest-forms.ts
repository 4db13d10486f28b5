import type { AllMiddlewareArgs, SlackViewMiddlewareArgs, ViewSubmitAction } from '@slack/bolt';
import type { DigestDraft } from '../../../digests/draft.js';
import { within } from '../../builder/within.js';
import { digestInputs } from '../../digest-ids.js';
import { cadenceChosen, choicesOf } from '../../digests/cadence-choices.js';
import { proposal } from '../../digests/propose.js';
import { readScheduleForm } from '../../digests/read-schedule-form.js';
import { type Judged, judgeDigest } from '../../digests/why-not.js';
import type { OutgoingMessage } from '../../outgoing-message.js';
import { tellAsker } from '../../tell-asker.js';
import type { ScheduleFormFacts } from '../../views/digest-forms.js';
import { whereAsked } from '../../where-asked.js';
import type { ListenerParts } from '../parts.js';

type Submission = SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs;

/** So long Slack may take over facts: a form has to be answered within three seconds; else they are told later. */
const patience = 2_000;

/** How often an answer is to come, when and where to: shows the next three times, to be confirmed. */
export function cadenceSubmission(parts: ListenerParts) {
  return async ({ ack, view, body }: Submission) => {
    const user = body.user.id;
    const refuse = (input: string, problem: string) =>
      ack({ response_action: 'errors', errors: { [input]: problem } });
    const facts = readScheduleForm(view);
    const ask = await parts.store.asks.find(view.private_metadata);
    if (!ask) return refuse(digestInputs.kind, 'I do not remember that report any more. Ask for it again.');
    const { zone: ownZone = parts.defaultZone } = await parts.people.find(user);
    const { choices } = facts;
    const chosen = cadenceChosen({ ...choices, zone: choices.zone === '' ? ownZone : choices.zone });
    if ('problem' in chosen) return refuse(digestInputs[chosen.about], chosen.problem);
    const makeDraft = async (): Promise<DigestDraft> => ({
      ...chosen,
      request: { ...ask.request, toMe: false },
      owner: user,
      channel: facts.channel ?? (await parts.channels.directWith(user)),
      skipEmpty: facts.skipEmpty,
    });
    const judge = async () => judgeDigest(await makeDraft(), user, parts);
    const judged = await within(patience, judge()).catch(() => undefined);
    if (judged && 'refused' in judged) return refuse(inputAbout(judged.about, facts), judged.refused);
    await ack();
    const draft = await makeDraft();
    await tell(await proposal(draft, user, parts, judged), draft, parts);
  };
}

function inputAbout(
  about: Extract<Judged, { readonly refused: string }>['about'],
  { choices }: ScheduleFormFacts,
): string {
  if (about === 'channel') return digestInputs.channel;
  const when = choicesOf(choices.kind).find((choice) => choice === 'time' || choice === 'words');
  return about === 'time' && when ? digestInputs[when] : digestInputs.kind;
}

/** In the chosen channel, to its maker alone; in their direct messages where that takes no words. */
async function tell(
  message: OutgoingMessage,
  { channel, owner }: DigestDraft,
  parts: ListenerParts,
): Promise<void> {
  const place = await whereAsked({ channel, asker: owner }, parts);
  // An archived channel takes no word that it is archived.
  const facts = place.kind === 'member' ? await parts.channels.find(channel) : undefined;
  const takesWords = facts?.known === true && !facts.isArchived;
  if (takesWords && (await tellAsker(message, owner, place, parts.client))) return;
  const direct = await parts.channels.directWith(owner);
  await tellAsker(message, owner, { ...place, channel: direct, kind: 'direct' }, parts.client);
}

import type { DigestDraft } from '../../../digests/draft.js';
import { digestInputs } from '../../digest-ids.js';
import { proposal } from '../../digests/propose.js';
import { type Judged, judgeDigest } from '../../digests/validate.js';
import { cadenceChosen, choicesOf } from '../../modals/cadence-choices.js';
import { settledBy } from '../../modals/deadline.js';
import { readScheduleForm } from '../../modals/read-schedule-form.js';
import type { ScheduleFormFacts } from '../../modals/schedule-form.js';
import type { ListenerParts } from '../context.js';
import { refuse, submission, type Told } from './submission.js';

/** How often an answer is to come, when and where to: shows the next three times, to be confirmed. */
export function cadenceSubmission(parts: ListenerParts) {
  return submission(parts, async ({ asker, view, metadata: [askId = ''], deadline }) => {
    const facts = readScheduleForm(view);
    const ask = await parts.store.asks.find(askId);
    if (!ask) return refuse('I do not remember that report any more. Ask for it again.');
    const { choices } = facts;
    const chosen = cadenceChosen({ ...choices, zone: choices.zone === '' ? asker.zone : choices.zone });
    if ('problem' in chosen) return refuse(chosen.problem, digestInputs[chosen.about]);
    const makeDraft = async (): Promise<DigestDraft> => ({
      ...chosen,
      request: { ...ask.request, toMe: false },
      owner: asker.id,
      channel: facts.channel ?? (await parts.channels.directWith(asker.id)),
      skipEmpty: facts.skipEmpty,
    });
    const judge = async () => judgeDigest(await makeDraft(), asker.id, parts);
    // What is not known in time is looked up, and told, once the form has closed.
    const judged = await settledBy(deadline.lookUpBy, judge()).catch(() => undefined);
    if (judged && 'refused' in judged) return refuse(judged.refused, inputAbout(judged.about, facts));
    return {
      async commit() {
        const draft = await makeDraft();
        return [await told(await proposal(draft, asker.id, parts, judged), draft, parts)];
      },
    };
  });
}

function inputAbout(
  about: Extract<Judged, { readonly refused: string }>['about'],
  { choices }: ScheduleFormFacts,
): string {
  if (about === 'channel') return digestInputs.channel;
  const when = choicesOf(choices.kind).find((choice) => choice === 'time' || choice === 'words');
  return about === 'time' && when ? digestInputs[when] : digestInputs.kind;
}

/** In the chosen channel; in the direct messages where that is archived, since it takes no ephemeral messages then. */
async function told(
  message: Told['message'],
  { channel, owner }: DigestDraft,
  { channels }: ListenerParts,
): Promise<Told> {
  const facts = channel.startsWith('D') ? undefined : await channels.find(channel);
  const isOpen = facts === undefined || (facts.known && facts.isMember && !facts.isArchived);
  return { message, asked: { channel: isOpen ? channel : owner, asker: owner } };
}

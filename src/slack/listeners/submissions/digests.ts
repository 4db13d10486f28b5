import type { DigestDraft } from '../../../digests/digest.js';
import { ok } from '../../../errors/result.js';
import { maskPeople } from '../../../requests/person-level.js';
import type { Reply } from '../../delivery/notify-asker.js';
import { previewDraft } from '../../digests/propose.js';
import { type DigestRefusal, validateDigest } from '../../digests/validate.js';
import { filtersOf, findAnswerOfForm } from '../../find-answer.js';
import { hidesPeople, peopleHidden } from '../../hidden-people.js';
import { digestInputs, digestViews } from '../../ids.js';
import { inputsOfKind, parseCadenceChoices } from '../../modals/cadence-choices.js';
import { resultBy } from '../../modals/modal.js';
import { readScheduleForm, type ScheduleFormState } from '../../modals/schedule-form.js';
import type { Route } from '../../router.js';
import type { ListenerParts } from '../context.js';
import { rejectForm, submission, type ValidateForm } from './submission.js';

/** Schedule: shows a preview with the next three runs. */
const previewDigest: ValidateForm = async (form, parts) => {
  const { asker, view, metadata, deadline } = form;
  const [requestId = '', channel = ''] = metadata;
  const facts = readScheduleForm(view);
  const use = { channel, asker: asker.id };
  const entry = await findAnswerOfForm(requestId, use, parts);
  if (!entry) return rejectForm('That report has expired. Run it again.');
  if (await hidesPeople(filtersOf(entry, use), asker.id, parts)) return rejectForm(peopleHidden('schedule'));
  const { choices } = facts;
  const schedule = parseCadenceChoices({ ...choices, zone: choices.zone || asker.zone });
  if (!schedule.ok) return rejectForm(schedule.refusal.sentence, digestInputs[schedule.refusal.about]);
  const makeDraft = async (): Promise<DigestDraft> => ({
    ...schedule.value,
    request: { ...entry.request, toMe: false },
    owner: asker.id,
    channel: facts.channel ?? (await parts.channels.directWith(asker.id)),
    skipEmpty: facts.skipEmpty,
    replace: facts.replace,
    keepDays: facts.keepDays,
  });
  const validate = async () => validateDigest(await makeDraft(), asker.id, parts);
  // If Slack is slow, the digest is validated after the form has closed.
  const validated = await resultBy(deadline.lookUpBy, validate()).catch(() => undefined);
  if (validated && !validated.ok) {
    const { sentence, about } = validated.refusal;
    return rejectForm(sentence, inputForProblem(about, facts));
  }
  return ok(async () => {
    const draft = await makeDraft();
    const shown = entry.asker === asker.id ? draft.request : maskPeople(draft.request);
    const preview = await previewDraft(draft, asker.id, parts, { known: validated, shown });
    return [await previewReply(preview, draft, parts)];
  });
};

function inputForProblem(about: DigestRefusal['about'], { choices }: ScheduleFormState): string {
  if (about === 'channel') return digestInputs.channel;
  const when = inputsOfKind(choices.kind).find((choice) => choice === 'time' || choice === 'words');
  return about === 'time' && when ? digestInputs[when] : digestInputs.kind;
}

/** Replies in the chosen channel; in direct messages if it is archived, because it takes no ephemeral messages then. */
async function previewReply(
  message: Reply['message'],
  { channel, owner }: DigestDraft,
  { channels }: ListenerParts,
): Promise<Reply> {
  const facts = channel.startsWith('D') ? undefined : await channels.find(channel);
  const isOpen = facts === undefined || (facts.known && facts.isMember && !facts.isArchived);
  return { message, context: { channel: isOpen ? channel : owner, asker: owner } };
}

export const digestFormRoutes = (): readonly Route[] => [
  submission(digestViews.cadence, ['member'], previewDigest),
];

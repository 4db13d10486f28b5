import type { Digest, DigestDraft } from '../../../digests/digest.js';
import { ok } from '../../../errors/result.js';
import { withoutPeople } from '../../../requests/person-level.js';
import {
  acceptDigest,
  acceptRefusal,
  formatOffer,
  nameOf,
  type OfferReference,
  offerDigest,
  offerRefusal,
} from '../../digests/hand-over.js';
import { previewDraft } from '../../digests/propose.js';
import { type DigestRefusal, validateDigest } from '../../digests/validate.js';
import { digestInputs, inputs } from '../../ids.js';
import { handedOverMessage, offeredMessage, offerMessage, receivedMessage } from '../../messages/digests.js';
import { notice } from '../../messages/notices.js';
import { inputsOfKind, parseCadenceChoices } from '../../modals/cadence-choices.js';
import { resultBy } from '../../modals/modal.js';
import { readScheduleForm, type ScheduleFormState } from '../../modals/schedule-form.js';
import { mayChange } from '../../saved/saved-reports.js';
import type { ListenerParts } from '../context.js';
import { directReply, onSubmission, type Reply, rejectForm } from './submission.js';

/** Schedule: shows a preview with the next three runs. */
export function cadenceSubmission(parts: ListenerParts) {
  return onSubmission(parts, async ({ asker, view, metadata: [requestId = ''], deadline }) => {
    const facts = readScheduleForm(view);
    const entry = await parts.store.requestLog.find(requestId);
    if (!entry) return rejectForm('That report has expired. Run it again.');
    const { choices } = facts;
    const schedule = parseCadenceChoices({ ...choices, zone: choices.zone || asker.zone });
    if (!schedule.ok) return rejectForm(schedule.refusal.sentence, digestInputs[schedule.refusal.about]);
    const makeDraft = async (): Promise<DigestDraft> => ({
      ...schedule.value,
      request: { ...entry.request, toMe: false },
      owner: asker.id,
      channel: facts.channel ?? (await parts.channels.directWith(asker.id)),
      skipEmpty: facts.skipEmpty,
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
      const shown = entry.asker === asker.id ? draft.request : withoutPeople(draft.request);
      const preview = await previewDraft(draft, asker.id, parts, { known: validated, shown });
      return [await previewReply(preview, draft, parts)];
    });
  });
}

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

/** Hand over: offers the digest to a new owner. People who choose themselves own it at once. */
export function handOverSubmission(parts: ListenerParts) {
  return onSubmission(parts, async ({ asker, metadata: [id = ''], input }) => {
    const to = input(inputs.owner)?.selected_user ?? '';
    const digest = await parts.store.digests.find(id);
    if (!digest || digest.deletedAt !== undefined) return rejectForm('That digest no longer exists.');
    if (!(await mayChange(digest, asker.id, parts))) return rejectForm(handOverNotAllowed);
    const reason = await (to === asker.id ? acceptRefusal : offerRefusal)(digest, to, parts);
    if (reason !== undefined) return rejectForm(reason);
    return ok(async () => {
      const offered = await offerDigest(digest, to, parts);
      if (!offered.ok) return [directReply(asker.id, notice(offered.refusal))];
      return to === asker.id
        ? takeOver(digest, to, parts)
        : offerReplies(digest, to, { digest: id, since: offered.value, by: asker.id }, parts);
    });
  });
}

const handOverNotAllowed = 'Only the owner of this digest and admins can hand it over.';

async function offerReplies(
  digest: Digest,
  to: string,
  offer: OfferReference,
  parts: ListenerParts,
): Promise<readonly Reply[]> {
  parts.home.changed(digest.owner);
  const refusal = await acceptRefusal(digest, to, parts);
  const remarks = refusal === undefined ? [] : [refusal];
  const from = await nameOf(offer.by, parts);
  const offered = offeredMessage(digest, await nameOf(to, parts));
  return [
    directReply(to, offerMessage(digest, from, formatOffer(offer), remarks)),
    directReply(offer.by, offered),
    ...(offer.by === digest.owner ? [] : [directReply(digest.owner, offered)]),
  ];
}

async function takeOver(digest: Digest, to: string, parts: ListenerParts): Promise<readonly Reply[]> {
  const accepted = await acceptDigest(digest, to, parts);
  if (!accepted) return [directReply(to, notice('Not handed over: somebody else just changed the digest.'))];
  return [
    directReply(to, receivedMessage(accepted)),
    directReply(digest.owner, handedOverMessage(accepted, await nameOf(to, parts))),
  ];
}

import type { Digest, DigestDraft } from '../../../digests/digest.js';
import { ownerFailures } from '../../../digests/failure.js';
import { notifyNewOwner } from '../../../digests/notifications.js';
import { ok } from '../../../errors/result.js';
import { withoutPeople } from '../../../requests/person-level.js';
import { nextRuns } from '../../../schedule/next-runs.js';
import { previewDraft } from '../../digests/propose.js';
import { type DigestRefusal, validateDigest } from '../../digests/validate.js';
import { digestInputs, inputs } from '../../ids.js';
import { handedOverMessage, receivedMessage } from '../../messages/digests.js';
import { notice } from '../../messages/notices.js';
import { inputsOfKind, parseCadenceChoices } from '../../modals/cadence-choices.js';
import { resultBy } from '../../modals/modal.js';
import { readScheduleForm, type ScheduleFormState } from '../../modals/schedule-form.js';
import { resolveAsker } from '../../request-context.js';
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

/** Hand over: from now on the digest runs with the rights of its new owner. */
export function handOverSubmission(parts: ListenerParts) {
  return onSubmission(parts, async ({ asker, metadata: [id = ''], input }) => {
    const owner = input(inputs.owner)?.selected_user ?? '';
    const digest = await parts.store.digests.find(id);
    if (!digest || digest.deletedAt !== undefined) return rejectForm('That digest no longer exists.');
    if (!(await mayChange(digest, asker.id, parts))) {
      return rejectForm('Only the person who made this digest, its owner and admins can hand it over.');
    }
    const reason = await newOwnerRefusal(owner, digest, parts);
    if (reason !== undefined) return rejectForm(reason);
    return ok(async () => {
      if (await changeOwner(digest, owner, parts))
        return handOverReplies({ ...digest, owner }, asker.id, parts);
      const stale = 'Not handed over: somebody else just changed the digest. Try again.';
      return [directReply(asker.id, notice(stale))];
    });
  });
}

async function newOwnerRefusal(
  owner: string,
  { channel }: Digest,
  parts: ListenerParts,
): Promise<string | undefined> {
  if (channel.startsWith('D'))
    return 'This digest goes to its owner’s direct messages, so it cannot be handed over.';
  const resolved = await resolveAsker(owner, parts.people, parts.defaultZone);
  if (!resolved.ok) return 'Only members of this workspace can own a digest.';
  const isMember = await parts.memberships.isMember(channel, owner, { fresh: true });
  if (isMember === 'unknown') return 'Slack did not say who is in its channel. Try again.';
  return isMember ? undefined : 'The new owner must be a member of the channel of this digest.';
}

/** Resumes a digest that was paused because of its old owner. */
async function changeOwner(digest: Digest, owner: string, parts: ListenerParts) {
  const { store, clock, scheduler, access } = parts;
  const { state, pauseReason = '', schedule, nextDue = null } = digest;
  const isResumed = state === 'paused' && ownerFailures.has(pauseReason);
  const changed = await store.digests.change(digest.id, digest.revision, {
    owner,
    state: isResumed ? 'active' : undefined,
    nextDue: isResumed ? (nextRuns(schedule, clock.now(), 1)[0] ?? null) : nextDue,
  });
  if (changed)
    await notifyNewOwner({ id: digest.id, owner }, digest.owner, { store, clock, admins: access.admins });
  scheduler.checkNow();
  return changed;
}

function handOverReplies(digest: Digest, user: string, { home }: ListenerParts): readonly Reply[] {
  const { owner } = digest;
  home.changed(owner);
  return [
    ...(user === owner ? [] : [directReply(user, handedOverMessage(digest))]),
    directReply(owner, receivedMessage(digest)),
  ];
}

import { ok, refused } from '../../../errors/result.js';
import { answerRequest } from '../../answer-request.js';
import { editPreview, saveDigest } from '../../digests/manage.js';
import { validateDigest } from '../../digests/validate.js';
import { filtersOf, findAnswer } from '../../find-answer.js';
import { hidesPeople, peopleHidden } from '../../hidden-people.js';
import { confirmedMessage } from '../../messages/digests.js';
import { notice } from '../../messages/notices.js';
import { choicesFromCadence } from '../../modals/cadence-choices.js';
import { scheduleForm } from '../../modals/schedule-form.js';
import type { ListenerParts } from '../context.js';
import { type ButtonPress, onButton, onModalButton, replaceMessage } from './button.js';

const draftUsed = notice(
  'You already confirmed, cancelled or edited this. Type /report list to see your digests.',
);

/** Schedule, under an answer: opens the form of the schedule. */
export function scheduleButton(parts: ListenerParts) {
  return onModalButton(parts, 'Schedule', async ({ value, context: { channel, asker }, message }) => {
    const use = { channel, asker, message };
    const entry = await findAnswer(value, use, parts);
    if (!entry) return refused(notice('That report has expired. Run it again.'));
    if (await hidesPeople(filtersOf(entry, use), asker, parts))
      return refused(notice(peopleHidden('schedule')));
    const { zone = parts.defaultZone } = await parts.people.find(asker);
    const form = scheduleForm(`${entry.id} ${channel}`, {
      choices: choicesFromCadence(undefined, zone),
      skipEmpty: false,
      channel: channel.startsWith('D') ? undefined : channel,
    });
    return ok(form);
  });
}

/** Confirm: saves the digest. A double click counts once. */
export function confirmDigestButton(parts: ListenerParts) {
  const confirming = new Set<string>();
  return onButton(parts, async (pressed) => {
    const { value } = pressed;
    if (confirming.has(value)) return;
    confirming.add(value);
    await confirm(pressed, parts).finally(() => confirming.delete(value));
  });
}

async function confirm(pressed: ButtonPress, parts: ListenerParts): Promise<void> {
  const { value, context } = pressed;
  const { store, clock } = parts;
  const draft = await store.digestDrafts.find(value, context.asker);
  if (!draft) return replaceMessage(pressed, draftUsed);
  // Something may have changed since the preview. A refused draft stays, so that people can edit or confirm it later.
  const validated = await validateDigest(draft, context.asker, parts, { isPreviewed: true });
  if (!validated.ok) return pressed.reply(notice(validated.refusal.sentence));
  if (!(await store.digestDrafts.use(value, context.asker, clock.now())))
    return replaceMessage(pressed, draftUsed);
  const saved = await saveDigest(draft, context.asker, parts);
  if (!saved.ok) return replaceMessage(pressed, notice(saved.refusal));
  parts.scheduler.checkNow();
  parts.home.changed(context.asker);
  await replaceMessage(pressed, confirmedMessage(saved.value, draft.changes === undefined));
}

/** Cancel: drops the draft. */
export function cancelDigestButton(parts: ListenerParts) {
  return onButton(parts, async (pressed) => {
    await parts.store.digestDrafts.use(pressed.value, pressed.context.asker, parts.clock.now());
    await replaceMessage(pressed, notice('Cancelled. Nothing was saved.'));
  });
}

/** Send me a test: runs the digest now, for this person alone. */
export function testDraftButton(parts: ListenerParts) {
  return onButton(parts, async ({ value, context, reply }) => {
    const draft = await parts.store.digestDrafts.find(value, context.asker);
    if (!draft) return reply(draftUsed);
    const { asker } = context;
    const channel = await parts.channels.directWith(asker);
    const options = { zone: draft.zone, isRepeat: true, isTest: true, choseFilters: false };
    await answerRequest(draft.request, { channel, asker, testOf: draft.channel }, parts, options);
  });
}

/** Edit: opens the builder with an unconfirmed draft. */
export function editDraftButton(parts: ListenerParts) {
  return onModalButton(parts, 'Edit a digest', async (pressed) => {
    const draft = await parts.store.digestDrafts.find(pressed.value, pressed.context.asker);
    return draft ? ok(await editPreview(pressed.value, draft, pressed, parts)) : refused(draftUsed);
  });
}

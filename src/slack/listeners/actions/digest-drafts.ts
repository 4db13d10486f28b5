import { ok, refused } from '../../../errors/result.js';
import { answerRequest } from '../../answer-request.js';
import { editPreview, saveDigest } from '../../digests/manage.js';
import { validateDigest } from '../../digests/validate.js';
import { digestActions } from '../../ids.js';
import { confirmedMessage } from '../../messages/digests.js';
import { notice } from '../../messages/notices.js';
import { inChannel } from '../../request-context.js';
import {
  type MakeForm,
  type OnPress,
  opens,
  type Press,
  press,
  type Route,
  replaceMessage,
} from '../../router.js';
import type { ListenerParts } from '../context.js';

const draftUsed = notice(
  'You already confirmed, cancelled or edited this. Type /report list to see your digests.',
);

/** Confirm: saves the digest. A double click counts once. */
function confirmDigest(): OnPress {
  const confirming = new Set<string>();
  return async (pressed, parts) => {
    const { value } = pressed;
    if (confirming.has(value)) return;
    confirming.add(value);
    await confirm(pressed, parts).finally(() => confirming.delete(value));
  };
}

async function confirm(pressed: Press, parts: ListenerParts): Promise<void> {
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
const dropDraft: OnPress = async (pressed, parts) => {
  await parts.store.digestDrafts.use(pressed.value, pressed.context.asker, parts.clock.now());
  await replaceMessage(pressed, notice('Cancelled. Nothing was saved.'));
};

/** Send me a test: runs the digest now, for this person alone. */
const testDraft: OnPress = async ({ value, context, reply }, parts) => {
  const draft = await parts.store.digestDrafts.find(value, context.asker);
  if (!draft) return reply(draftUsed);
  const { asker } = context;
  const channel = await parts.channels.directWith(asker);
  const options = { zone: draft.zone, isRepeat: true, isTest: true, choseFilters: false };
  const there = { ...inChannel(context, channel), testOf: draft.channel };
  await answerRequest(draft.request, there, parts, options);
};

/** Edit: opens the builder with an unconfirmed draft. */
const makeDraftForm: MakeForm = async ({ value, context }, parts) => {
  const draft = await parts.store.digestDrafts.find(value, context.asker);
  return draft ? ok(await editPreview(value, draft, context, parts)) : refused(draftUsed);
};

export const draftRoutes = (): readonly Route[] => [
  press(digestActions.confirm, ['member'], confirmDigest()),
  press(digestActions.cancel, ['member'], dropDraft),
  press(digestActions.testDraft, ['member'], testDraft),
  opens(digestActions.editDraft, ['member'], 'Edit a digest', makeDraftForm),
];

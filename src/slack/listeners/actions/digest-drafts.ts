import { editPreview } from '../../digests/edit-digest.js';
import { keepDigest } from '../../digests/manage.js';
import { judgeDigest } from '../../digests/validate.js';
import { confirmedMessage } from '../../messages/digest-replies.js';
import { notice } from '../../messages/notices.js';
import { choicesFor } from '../../modals/cadence-choices.js';
import { scheduleForm } from '../../modals/schedule-form.js';
import { takeAsk } from '../../take-ask.js';
import type { ListenerParts } from '../context.js';
import { onModalPress, onPress, type Pressed } from './press.js';

const over = notice('That was confirmed, cancelled or edited before. /report list shows what there is.');

/** Schedule, under an answer: asks how often it is to come. */
export function scheduleButton(parts: ListenerParts) {
  return onModalPress(parts, 'Schedule', async ({ value, asked }) => {
    const ask = await parts.store.asks.find(value);
    if (!ask) return notice('I do not remember that report any more. Ask for it again.');
    const { zone = parts.defaultZone } = await parts.people.find(asked.asker);
    return scheduleForm(ask.id, {
      choices: choicesFor(undefined, zone),
      skipEmpty: false,
      ...(asked.channel.startsWith('D') ? {} : { channel: asked.channel }),
    });
  });
}

/** Confirm: only now is anything saved. A double click is one press. */
export function confirmDigestButton(parts: ListenerParts) {
  const inHand = new Set<string>();
  return onPress(parts, async (pressed) => {
    const { value } = pressed;
    if (inHand.has(value)) return;
    inHand.add(value);
    await confirm(pressed, parts).finally(() => inHand.delete(value));
  });
}

async function confirm(pressed: Pressed, parts: ListenerParts): Promise<void> {
  const { value, asked } = pressed;
  const { store, clock } = parts;
  const draft = await store.digestDrafts.find(value, asked.asker);
  if (!draft) return say(pressed, over);
  // Much may have changed since it was shown. It stays there, so that it can be edited or confirmed later.
  const judged = await judgeDigest(draft, asked.asker, parts);
  if ('refused' in judged) return pressed.tell(notice(judged.refused));
  if (!(await store.digestDrafts.use(value, asked.asker, clock.now()))) return say(pressed, over);
  const kept = await keepDigest(draft, asked.asker, parts);
  if ('refused' in kept) return say(pressed, notice(kept.refused));
  parts.scheduler.poke();
  parts.home.changed(asked.asker);
  await say(pressed, confirmedMessage(kept.digest, draft.changes === undefined));
}

/** Cancel: nothing was saved. */
export function cancelDigestButton(parts: ListenerParts) {
  return onPress(parts, async (pressed) => {
    await parts.store.digestDrafts.use(pressed.value, pressed.asked.asker, parts.clock.now());
    await say(pressed, notice('Cancelled: nothing was saved.'));
  });
}

/** Test to me: what would come, now and to the presser alone. */
export function testDraftButton(parts: ListenerParts) {
  return onPress(parts, async ({ value, asked, tell }) => {
    const draft = await parts.store.digestDrafts.find(value, asked.asker);
    if (!draft) return tell(over);
    const channel = await parts.channels.directWith(asked.asker);
    await takeAsk(
      { request: draft.request, zone: draft.zone, channel, asker: asked.asker, isRepeat: true },
      parts,
    );
  });
}

/** Edit, before it is confirmed. */
export function editDraftButton(parts: ListenerParts) {
  return onModalPress(parts, 'Edit a digest', async (pressed) => {
    const draft = await parts.store.digestDrafts.find(pressed.value, pressed.asked.asker);
    return draft ? editPreview(pressed.value, draft, pressed, parts) : over;
  });
}

/** In the place of what was pressed, so that it is not pressed twice. */
export async function say(pressed: Pressed, message: ReturnType<typeof notice>): Promise<void> {
  const replaced = await pressed.asked.responseUrl?.replaceOriginal(message);
  if (replaced?.kind !== 'posted') await pressed.tell(message);
}

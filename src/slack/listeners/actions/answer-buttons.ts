import type { Ask } from '../../../store/asks.js';
import { openBuilder } from '../../builder/open-builder.js';
import { takeAsk } from '../../take-ask.js';
import { takeWords, understandIn } from '../../take-words.js';
import { notice } from '../../views/notices.js';
import { shareForm } from '../../views/share-form.js';
import type { ListenerParts } from '../parts.js';
import { onPress } from './pressed.js';

const forgotten = notice('I do not remember that report any more. Ask for it again.');

/** CSV: the file of an answer, for the same range, into its thread. */
export function csvButton(parts: ListenerParts) {
  return onPress(parts, async (pressed) => {
    const ask = await parts.store.asks.find(pressed.value);
    const { message, asked } = pressed;
    if (!ask || !message) return pressed.tell(forgotten);
    await takeAsk({ ...asked, ...sameAgain(ask), fileInto: message.thread ?? message.ts }, parts);
  });
}

/** Try again, send again: the same once more, in the same place. */
export function againButton(parts: ListenerParts) {
  return onPress(parts, async (pressed) => {
    const ask = await parts.store.asks.find(pressed.value);
    if (!ask) return pressed.tell(forgotten);
    await takeAsk({ ...pressed.asked, ...sameAgain(ask) }, parts);
  });
}

/** Share to channel: asks which one. */
export function shareButton(parts: ListenerParts) {
  return onPress(parts, async ({ value, triggerId, tell }) => {
    const ask = await parts.store.asks.find(value);
    if (!ask) return tell(forgotten);
    const from = /^[CG]/.test(ask.channel) ? ask.channel : undefined;
    await parts.interactive.views.open({ trigger_id: triggerId, view: shareForm(ask.id, from) });
  });
}

/** Cancel: ends a run that is under way. */
export function cancelButton(parts: ListenerParts) {
  return onPress(parts, async ({ value, asked, tell }) => {
    const outcome = parts.running.cancel(value, asked.asker);
    if (outcome === 'not-theirs') await tell(notice('Only the person who asked can cancel this.'));
    if (outcome === 'not-running') await tell(notice('That has already ended.'));
  });
}

/** Run that: a command that was offered in place of one that was not understood. */
export function runWordsButton(parts: ListenerParts) {
  return onPress(parts, async ({ value, asked, triggerId }) => {
    const understood = await understandIn(value, asked.channel, parts);
    const openForm = () => openBuilder({ triggerId, asker: asked.asker, from: asked }, parts);
    await takeWords(understood, asked, parts, openForm);
  });
}

/** The same question, for the same range and the same "me" as then. */
function sameAgain({ request, range, asker }: Ask) {
  return { request, me: asker, ...(range ? { range } : {}) };
}

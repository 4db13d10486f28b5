import type { SavedReport } from '../../../store/saved-reports.js';
import { inputs, views } from '../../ids.js';
import { editSaved } from '../../saved/edit-saved.js';
import { mayChange, maySee, undoMilliseconds, whyNotKeptIn } from '../../saved/rights.js';
import { runSaved } from '../../saved/run-saved.js';
import { listViewIn, showListAgain } from '../../saved/show-list.js';
import { commandOf } from '../../send-answer.js';
import { handOverForm } from '../../views/hand-over-form.js';
import { notice } from '../../views/notices.js';
import { copyForm, renameForm, saveForm } from '../../views/saved-forms.js';
import { deletedMessage } from '../../views/saved-messages.js';
import { whereAsked } from '../../where-asked.js';
import type { ListenerParts } from '../parts.js';
import { onPress, type Pressed } from './pressed.js';

const gone = notice('That saved report is not there any more. /report list shows those there are.');
const notTheirs = notice('Only the person who made it, its owner and admins can change this one.');

/** Save, under an answer: asks for a name. */
export function saveButton(parts: ListenerParts) {
  return onPress(parts, async ({ value, asked, triggerId, tell }) => {
    const ask = await parts.store.asks.find(value);
    if (!ask) return tell(notice('I do not remember that report any more. Ask for it again.'));
    const reason = await whyNotKeptIn(await whereAsked(asked, parts), parts);
    if (reason !== undefined) return tell(notice(reason));
    const view = saveForm(ask.id, asked.channel, commandOf({ request: ask.request }));
    await parts.interactive.views.open({ trigger_id: triggerId, view });
  });
}

/** Run: the answer comes where the button is; on the Home tab, to the direct messages. */
export function runSavedButton(parts: ListenerParts) {
  return onSaved(parts, async (saved, { asked }) => {
    const isHere = asked.channel === saved.channel;
    await runSaved(saved, asked, parts, isHere ? undefined : { onTop: { text: '', from: 0, until: 0 } });
    parts.home.changed(asked.asker);
  });
}

/** The menu of a saved report, and its verbs as buttons. */
export function savedMenu(parts: ListenerParts) {
  return onSaved(parts, async (saved, pressed, verb) => {
    const { triggerId, asked, tell } = pressed;
    const open = (view: ReturnType<typeof copyForm>) =>
      parts.interactive.views.open({ trigger_id: triggerId, view });
    if (verb === 'copy') return void (await open(copyForm(saved)));
    if (!mayChange(saved, asked.asker, parts)) return tell(notTheirs);
    if (verb === 'rename') return void (await open(renameForm(saved)));
    if (verb === 'handOver') {
      const metadata = `${saved.id} ${saved.revision}`;
      const sentence = 'Its new owner can change it as you can. They have to see its channel.';
      const about = { callback: views.handOverSaved, metadata, input: inputs.owner, sentence };
      return void (await open(handOverForm(about)));
    }
    if (verb === 'edit') return editSaved(saved, pressed, parts);
    if (verb === 'delete') return remove(saved, pressed, parts);
  });
}

/** Undo: brings a deleted one back. */
export function undoButton(parts: ListenerParts) {
  return onPress(parts, async (pressed) => {
    const { value, asked, onHome, tell } = pressed;
    const saved = await parts.store.savedReports.find(value);
    if (!saved || !(await maySee(saved.channel, asked.asker, parts))) return tell(tooLate);
    if (!mayChange(saved, asked.asker, parts)) return tell(notTheirs);
    const since = parts.clock.now() - undoMilliseconds;
    const restored = await parts.store.savedReports.restore(saved.id, since);
    if (restored === 'gone') return tell(saved.deletedAt === undefined ? notice('It is back.') : tooLate);
    if (restored === 'taken') {
      return tell(notice(`There is another “${saved.name}” by now. Rename or delete that one first.`));
    }
    if (onHome) return parts.home.show(asked.asker);
    parts.home.changed(asked.asker);
    await showListAgain(asked, parts, {});
  });
}

const tooLate = notice('It was deleted more than ten minutes ago, so it cannot be brought back.');

/** Earlier, More: another part of the list; on the Home tab, of the digests there. */
export function listPageButton(parts: ListenerParts) {
  return onPress(parts, async ({ value, asked, onHome }) => {
    const view = listViewIn(value);
    if (onHome) return parts.home.show(asked.asker, { digestsFrom: view.digestsFrom ?? 0 });
    await showListAgain(asked, parts, view);
  });
}

async function remove(saved: SavedReport, pressed: Pressed, parts: ListenerParts): Promise<void> {
  const { asked, onHome, tell } = pressed;
  if (!(await parts.store.savedReports.remove(saved.id, parts.clock.now()))) return tell(gone);
  if (onHome) return parts.home.show(asked.asker, { deleted: saved.id });
  parts.home.changed(asked.asker);
  if (asked.channel === saved.channel) return showListAgain(asked, parts, { deleted: saved });
  await tell(deletedMessage(saved));
}

/** What a button is about, for those who may know of it. */
function onSaved(
  parts: ListenerParts,
  then: (saved: SavedReport, pressed: Pressed, verb: string) => Promise<void>,
) {
  return onPress(parts, async (pressed) => {
    const words = pressed.value.split(' ');
    const id = words.at(-1) ?? '';
    const saved = await parts.store.savedReports.find(id);
    const { channel, asker } = pressed.asked;
    const isThere = saved !== undefined && saved.deletedAt === undefined;
    if (!isThere || !(saved.channel === channel || (await maySee(saved.channel, asker, parts)))) {
      await pressed.tell(gone);
      if (pressed.onHome) await parts.home.show(asker);
      return;
    }
    await then(saved, pressed, words[0] ?? '');
  });
}

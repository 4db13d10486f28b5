import { deletedEvent, recordEvent } from '../../../access/record.js';
import { ok, refused } from '../../../errors/result.js';
import type { SavedReport } from '../../../store/saved-reports/saved-reports.js';
import { commandOf } from '../../delivery/answer-run.js';
import { filtersOf, findAnswer } from '../../find-answer.js';
import { hidesPeople, peopleHidden } from '../../hidden-people.js';
import { inputs, views } from '../../ids.js';
import { notice } from '../../messages/notices.js';
import { deletedMessage } from '../../messages/saved-reports.js';
import { handOverForm } from '../../modals/forms.js';
import { copyForm, renameForm, saveForm } from '../../modals/saved-report-forms.js';
import { resolveConversation } from '../../request-context.js';
import { parseListView, refreshList } from '../../saved/list.js';
import { savedFacts } from '../../saved/recorded-changes.js';
import { editSavedModal, runSaved } from '../../saved/run-saved-report.js';
import {
  changeNotAllowed,
  copyRefusal,
  mayChange,
  maySee,
  savingRefusal,
  undoWindowMs,
} from '../../saved/saved-reports.js';
import type { ListenerParts } from '../context.js';
import { actionValue, type ButtonPress, onButton, onModalButton, sayWhereAnswerGoes } from './button.js';

const gone = notice('That saved report no longer exists. Type /report list to see the current ones.');
const notTheirs = notice(changeNotAllowed);

/** Save, under an answer: opens the form for a name. */
export function saveButton(parts: ListenerParts) {
  return onModalButton(parts, 'Save a report', async ({ value, context, message }) => {
    const { channel, asker } = context;
    const use = { channel, asker, message };
    const entry = await findAnswer(value, use, parts);
    if (!entry) return refused(notice('That report has expired. Run it again.'));
    if (await hidesPeople(filtersOf(entry, use), asker, parts)) return refused(notice(peopleHidden('save')));
    const reason = await savingRefusal(await resolveConversation(context, parts), parts);
    if (reason !== undefined) return refused(notice(reason));
    return ok(saveForm(entry.id, context.channel, commandOf(undefined, entry.request)));
  });
}

/** Run: answers where the button is; on the Home tab, in direct messages. */
export function runSavedButton(parts: ListenerParts) {
  return onSaved(parts, async (saved, pressed) => {
    const { context } = pressed;
    sayWhereAnswerGoes(pressed, parts);
    // The name of a saved report works only in its own channel.
    const typed = context.channel === saved.channel ? saved.name : undefined;
    await runSaved(saved, { ...context, typed }, parts);
    parts.home.changed(context.asker);
  });
}

/** The menu of a saved report, and its actions as buttons. All but Delete open a modal. */
export function savedMenu(parts: ListenerParts) {
  const deleteButton = onSaved(parts, async (saved, pressed) =>
    (await mayChange(saved, pressed.context.asker, parts))
      ? remove(saved, pressed, parts)
      : pressed.reply(notTheirs),
  );
  const modalButton = onModalButton(parts, 'Saved report', async (pressed) => {
    const saved = await savedFor(pressed, parts);
    if (!saved) return refused(gone);
    const [verb] = pressed.value.split(' ');
    if (verb === 'copy') {
      const refusal = await copyRefusal(saved, pressed.context.asker, parts);
      return refusal === undefined ? ok(copyForm(saved)) : refused(notice(refusal));
    }
    if (!(await mayChange(saved, pressed.context.asker, parts))) return refused(notTheirs);
    if (verb === 'rename') return ok(renameForm(saved));
    if (verb === 'edit') return ok(await editSavedModal(saved, pressed, parts));
    const sentence =
      'The new owner must be able to see its channel, and has to accept. Then only they and admins can change it.';
    return ok(
      handOverForm({ callback: views.handOverSaved, metadata: saved.id, input: inputs.owner, sentence }),
    );
  });
  return (press: Parameters<typeof modalButton>[0]) =>
    actionValue(press.action).startsWith('delete ') ? deleteButton(press) : modalButton(press);
}

/** Undo: restores a deleted report. */
export function undoButton(parts: ListenerParts) {
  return onButton(parts, async (pressed) => {
    const { value, context, onHome, reply } = pressed;
    const saved = await parts.store.savedReports.find(value);
    if (!saved || !(await maySee(saved.channel, context.asker, parts))) return reply(tooLate);
    if (!(await mayChange(saved, context.asker, parts))) return reply(notTheirs);
    const since = parts.clock.now() - undoWindowMs;
    const restored = await parts.store.savedReports.restore(saved.id, since);
    if (!restored.ok) {
      if (restored.refusal === 'gone')
        return reply(saved.deletedAt === undefined ? notice('Already restored.') : tooLate);
      return reply(notice(`Another saved report is now called “${saved.name}”. Rename or delete it first.`));
    }
    const event = deletedEvent(savedFacts(saved, context.asker, parts), true);
    await recordEvent(parts.store.events, event, parts.log);
    if (onHome) return parts.home.show(context.asker);
    parts.home.changed(context.asker);
    await refreshList(context, parts, {});
  });
}

const tooLate = notice('It was deleted more than ten minutes ago, so it cannot be restored.');

/** Earlier, More: shows another page of the list; on the Home tab, of the digests. */
export function listPageButton(parts: ListenerParts) {
  return onButton(parts, async ({ value, context, onHome }) => {
    const view = parseListView(value);
    if (onHome) return parts.home.show(context.asker, { digestsFrom: view.digestsFrom ?? 0 });
    await refreshList(context, parts, view);
  });
}

async function remove(saved: SavedReport, pressed: ButtonPress, parts: ListenerParts): Promise<void> {
  const { context, onHome, reply } = pressed;
  if (!(await parts.store.savedReports.remove(saved.id, parts.clock.now()))) return reply(gone);
  await recordEvent(parts.store.events, deletedEvent(savedFacts(saved, context.asker, parts)), parts.log);
  if (onHome) return parts.home.show(context.asker, { deleted: saved.id });
  parts.home.changed(context.asker);
  if (context.channel === saved.channel) return refreshList(context, parts, { deleted: saved });
  await reply(deletedMessage(saved));
}

/** Runs `then` with the saved report of a button, if this person can see it. */
function onSaved(parts: ListenerParts, then: (saved: SavedReport, pressed: ButtonPress) => Promise<void>) {
  return onButton(parts, async (pressed) => {
    const saved = await savedFor(pressed, parts);
    await (saved ? then(saved, pressed) : pressed.reply(gone));
  });
}

/** The saved report whose ID ends the value, if this person can see it. */
async function savedFor(
  { value, context, onHome }: ButtonPress,
  parts: ListenerParts,
): Promise<SavedReport | undefined> {
  const saved = await parts.store.savedReports.find(value.split(' ').at(-1) ?? '');
  const exists = saved !== undefined && saved.deletedAt === undefined;
  if (exists && (saved.channel === context.channel || (await maySee(saved.channel, context.asker, parts)))) {
    return saved;
  }
  // The Home tab is out of date.
  if (onHome) parts.home.changed(context.asker);
  return undefined;
}

import type { ModalView } from '@slack/types';
import { deletedEvent, recordEvent } from '../../../access/record.js';
import { ok, refused } from '../../../errors/result.js';
import type { SavedReport } from '../../../store/saved-reports/saved-reports.js';
import { commandOf } from '../../answer-rights.js';
import { answerToReuse } from '../../find-answer.js';
import { actions, digestActions, savedActions, views } from '../../ids.js';
import { notice } from '../../messages/notices.js';
import { deletedMessage } from '../../messages/saved-reports.js';
import { copyForm, handOverForm, renameForm, saveForm } from '../../modals/forms.js';
import type { MemberContext, PlacedContext } from '../../request-context.js';
import {
  type MakeForm,
  type OnPress,
  opens,
  type Press,
  press,
  type Route,
  sayWhereAnswerGoes,
} from '../../router.js';
import { parseListView, refreshList } from '../../saved/list.js';
import { savedFacts } from '../../saved/recorded-changes.js';
import { editSavedModal, runSaved } from '../../saved/run-saved-report.js';
import {
  changeNotAllowed,
  copyRefusal,
  maxOwnedReports,
  maxSaved,
  mayChange,
  maySee,
  savingRefusal,
  tooManySaved,
  tooManySavedThere,
  undoWindowMs,
} from '../../saved/saved-reports.js';
import type { ListenerParts } from '../context.js';

const gone = notice('That saved report no longer exists. Type /report list to see the current ones.');
const notTheirs = notice(changeNotAllowed);

/** Save, under an answer: opens the form for a name. */
const makeSaveForm: MakeForm<PlacedContext> = async ({ value, context, message }, parts) => {
  const { channel, asker, conversation } = context;
  const use = { channel, asker, message };
  const entry = await answerToReuse('save', value, use, parts);
  if (!entry.ok) return refused(notice(entry.refusal));
  const reason = await savingRefusal(conversation, parts);
  if (reason !== undefined) return refused(notice(reason));
  const { id, request } = entry.value;
  return ok(saveForm(id, channel, commandOf(undefined, request)));
};

/** Run: answers where the button is; on the Home tab, in direct messages. */
const runSavedReport = onSaved(async (saved, pressed, parts) => {
  const { context } = pressed;
  sayWhereAnswerGoes(pressed, parts);
  // The name of a saved report works only in its own channel.
  const typed = context.channel === saved.channel ? saved.name : undefined;
  await runSaved(saved, { ...context, typed }, parts);
  parts.home.changed(context.asker);
});

/** Delete, in the menu of a saved report. */
const deleteSavedReport = onSaved<PlacedContext>(async (saved, pressed, parts) =>
  (await mayChange(saved, pressed.context.asker, parts))
    ? remove(saved, pressed, parts)
    : pressed.reply(notTheirs),
);

/** Duplicate. */
const makeCopyForm = savedForm(async (saved, { context: { asker } }, parts) => {
  const refusal = await copyRefusal(saved, asker, parts);
  return refusal === undefined ? ok(copyForm(saved)) : refused(notice(refusal));
});

const makeRenameForm = formToChange(async (saved) => renameForm(saved));

const makeEditForm = formToChange((saved, { context }, parts) => editSavedModal(saved, context, parts));

const makeHandOverForm = formToChange(async ({ id: metadata }) => {
  const sentence =
    'The new owner must be able to see its channel, and has to accept. Then only they and admins can change it.';
  return handOverForm(views.handOverSaved, metadata, sentence);
});

type MakeSavedForm<Form> = (saved: SavedReport, pressed: Press, parts: ListenerParts) => Promise<Form>;

/** A form for a saved report that this person can see. */
function savedForm(build: MakeSavedForm<Awaited<ReturnType<MakeForm>>>): MakeForm {
  return async (pressed, parts) => {
    const saved = await savedFor(pressed, parts);
    return saved ? build(saved, pressed, parts) : refused(gone);
  };
}

/** A form for a saved report that this person may change. */
function formToChange(build: MakeSavedForm<ModalView>): MakeForm {
  return savedForm(async (saved, pressed, parts) =>
    (await mayChange(saved, pressed.context.asker, parts))
      ? ok(await build(saved, pressed, parts))
      : refused(notTheirs),
  );
}

/** Undo: restores a deleted report. */
const restoreSavedReport: OnPress<PlacedContext> = async (pressed, parts) => {
  const { value, context, onHome, reply } = pressed;
  const saved = await parts.store.savedReports.find(value);
  if (!saved || !(await maySee(saved.channel, context.asker, parts))) return reply(tooLate);
  if (!(await mayChange(saved, context.asker, parts))) return reply(notTheirs);
  const since = parts.clock.now() - undoWindowMs;
  const restored = await parts.store.savedReports.restore(saved.id, since, maxSaved);
  if (!restored.ok) {
    if (restored.refusal === 'gone')
      return reply(saved.deletedAt === undefined ? notice('Already restored.') : tooLate);
    if (restored.refusal === 'full') return reply(notice(`Not restored: ${tooManySavedThere}`));
    if (restored.refusal === 'too-many')
      return reply(notice(`Not restored. ${ownerHasTooMany(saved, context)}`));
    return reply(notice(`Another saved report is now called “${saved.name}”. Rename or delete it first.`));
  }
  const event = deletedEvent(savedFacts(saved, context.asker, parts), true);
  await recordEvent(parts.store.events, event, parts.log);
  if (onHome) return parts.home.show(context.asker);
  parts.home.changed(context.asker);
  await refreshList(context, parts, {});
};

function ownerHasTooMany({ owner }: SavedReport, { asker }: Press['context']): string {
  return owner === asker
    ? tooManySaved
    : `Its owner owns ${maxOwnedReports} saved reports, which is the limit. They have to delete one first.`;
}

const tooLate = notice('It was deleted more than ten minutes ago, so it cannot be restored.');

/** Earlier, More: shows another page of the list; on the Home tab, of the digests. */
const showListPage: OnPress<PlacedContext> = async ({ value, context, onHome }, parts) => {
  const view = parseListView(value);
  if (onHome) return parts.home.show(context.asker, { digestsFrom: view.digestsFrom ?? 0 });
  await refreshList(context, parts, view);
};

async function remove(
  saved: SavedReport,
  pressed: Press<PlacedContext>,
  parts: ListenerParts,
): Promise<void> {
  const { context, onHome, reply } = pressed;
  if (!(await parts.store.savedReports.remove(saved.id, parts.clock.now()))) return reply(gone);
  await recordEvent(parts.store.events, deletedEvent(savedFacts(saved, context.asker, parts)), parts.log);
  if (onHome) return parts.home.show(context.asker, { deleted: saved.id });
  parts.home.changed(context.asker);
  if (context.channel === saved.channel) return refreshList(context, parts, { deleted: saved });
  await reply(deletedMessage(saved));
}

/** Runs `then` with the saved report of a button, if this person can see it. */
function onSaved<Context extends MemberContext>(
  then: (saved: SavedReport, pressed: Press<Context>, parts: ListenerParts) => Promise<void>,
): OnPress<Context> {
  return async (pressed, parts) => {
    const saved = await savedFor(pressed, parts);
    await (saved ? then(saved, pressed, parts) : pressed.reply(gone));
  };
}

/** The saved report whose ID ends the value, if this person can see it. */
async function savedFor(
  { value, context, onHome }: Press,
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

export const savedRoutes = (): readonly Route[] => [
  opens(actions.save, ['member', 'conversation'], 'Save a report', makeSaveForm),
  press(savedActions.run, ['member', 'conversation'], { kept: true }, runSavedReport),
  opens(`${savedActions.more} edit`, ['member'], 'Saved report', makeEditForm),
  opens(`${savedActions.more} rename`, ['member'], 'Saved report', makeRenameForm),
  opens(`${savedActions.more} copy`, ['member'], 'Saved report', makeCopyForm),
  opens(`${savedActions.more} handOver`, ['member'], 'Saved report', makeHandOverForm),
  press(`${savedActions.more} delete`, ['member', 'conversation'], { kept: true }, deleteSavedReport),
  opens(savedActions.edit, ['member'], 'Saved report', makeEditForm),
  opens(savedActions.copy, ['member'], 'Saved report', makeCopyForm),
  press(savedActions.undo, ['member', 'conversation'], { kept: true }, restoreSavedReport),
  press(savedActions.earlier, ['member', 'conversation'], { kept: true }, showListPage),
  press(savedActions.later, ['member', 'conversation'], { kept: true }, showListPage),
  press(digestActions.earlier, ['member', 'conversation'], { kept: true }, showListPage),
  press(digestActions.later, ['member', 'conversation'], { kept: true }, showListPage),
];

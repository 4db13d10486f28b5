import { deletedEvent } from '../../access/record.js';
import { ok, refused } from '../../errors/failure.js';
import { commandOf } from '../answers/answer-run.js';
import type { ListenerParts } from '../answers/context.js';
import {
  maySee,
  type PlacedContext,
  resolveConversation,
  unusableChannel,
} from '../context/request-context.js';
import { copyForm, inputs, renameForm, saveForm, views } from '../forms/forms.js';
import { parseListView, refreshList } from '../list/list.js';
import { editSavedModal, runSaved } from '../list/run-saved-report.js';
import { digestActions } from '../messages/digests.js';
import { deletedMessage, savedActions } from '../messages/saved-reports.js';
import { answerActions } from '../messages/summary.js';
import { findItem, recordItem } from '../saved/items.js';
import { copyRefusal, nameTaken, parseSavedName, saveReport, savingRefusal } from '../saved/saved-reports.js';
import { answerExpired, answerToReuse, findAnswerOfForm } from './find-answer.js';
import { itemForm, onItem, undo } from './items.js';
import { type OnPress, opens, press, type Route, sayWhereAnswerGoes } from './router.js';
import { editScorecardForm } from './scorecard-forms.js';
import { fromInput, rejectForm, type SubmittedForm, submission, type ValidateForm } from './submission.js';

function nameIn({ text }: SubmittedForm) {
  return fromInput(inputs.name, parseSavedName(text(inputs.name)));
}

/** Saves a report under a free name, and confirms it in its channel. */
async function saveIfNameIsFree(
  report: Parameters<typeof saveReport>[0],
  { asker, reply }: SubmittedForm,
  parts: ListenerParts,
) {
  const { channel, name } = report;
  const other = await parts.store.savedReports.findByName(channel, name);
  if (other) return rejectForm(nameTaken(name), inputs.name);
  return ok(async () => reply(await saveReport(report, asker.id, parts), channel));
}

/** Save: saves the request of an answer under a name, with relative ranges as they are. */
const save: ValidateForm = async (form, parts) => {
  const { asker, metadata } = form;
  const [requestId = '', channel = ''] = metadata;
  const name = nameIn(form);
  if (!name.ok) return name;
  const use = { channel, asker: asker.id };
  if (!(await maySee(channel, asker.id, parts))) return rejectForm(answerExpired);
  const entry = await answerToReuse('save', requestId, use, parts, findAnswerOfForm);
  if (!entry.ok) return rejectForm(entry.refusal);
  const reason = await savingRefusal(await resolveConversation(use, parts), parts);
  if (reason !== undefined) return rejectForm(reason);
  return saveIfNameIsFree({ channel, name: name.value, request: entry.value.request }, form, parts);
};

/** Rename: changes the name, unless another person changed the report. */
const rename: ValidateForm = async (form, parts) => {
  const [id = '', revision] = form.metadata;
  const parsed = nameIn(form);
  if (!parsed.ok) return parsed;
  const name = parsed.value;
  const found = await findItem('saved report', id, 'change', form.context, parts);
  if (!found.ok) return rejectForm(found.refusal);
  const saved = found.value;
  const problems = {
    taken: nameTaken(name),
    gone: 'That saved report no longer exists.',
    stale: 'Somebody else changed this report after you opened it. Close this form and open it again.',
  };
  if (saved.revision !== Number(revision)) return rejectForm(problems.stale);
  const { savedReports } = parts.store;
  const other = await savedReports.findByName(saved.channel, name);
  if (other && other.id !== id) return rejectForm(problems.taken, inputs.name);
  return ok(async () => {
    const changed = await savedReports.change(id, saved.revision, { name }, parts.clock.now());
    if (!changed.ok) await form.reply(problems[changed.refusal]);
  });
};

/** Duplicate: saves a copy in another channel. The copy belongs to the person who makes it. */
const copy: ValidateForm = async (form, parts) => {
  const { asker, context, metadata } = form;
  const name = nameIn(form);
  if (!name.ok) return name;
  const saved = await findItem('saved report', metadata[0] ?? '', 'see', context, parts);
  if (!saved.ok) return rejectForm(saved.refusal);
  const hidden = await copyRefusal(saved.value, asker.id, parts);
  if (hidden !== undefined) return rejectForm(hidden);
  const channel = form.text(inputs.channel);
  const reason = unusableChannel(await parts.channels.find(channel, true), { posts: false });
  if (reason !== undefined) return rejectForm(reason, inputs.channel);
  if (!(await maySee(channel, asker.id, parts)))
    return rejectForm('You are not a member of that channel.', inputs.channel);
  return saveIfNameIsFree({ channel, name: name.value, request: saved.value.request }, form, parts);
};

/** Earlier, More: shows another page of the list; on the Home tab, of the digests. */
const showListPage: OnPress<PlacedContext> = async ({ value, context, onHome }, parts) => {
  const view = parseListView(value);
  if (onHome) return parts.home.show(context.asker, { digestsFrom: view.digestsFrom ?? 0 });
  await refreshList(context, parts, view);
};

export const savedRoutes = (): readonly Route[] => [
  opens(answerActions.save, 'conversation', 'Save a report', async ({ value, context, message }, parts) => {
    const { channel, conversation } = context;
    const entry = await answerToReuse('save', value, { ...context, message }, parts);
    if (!entry.ok) return refused(entry.refusal);
    const reason = await savingRefusal(conversation, parts);
    if (reason !== undefined) return refused(reason);
    const { id, request } = entry.value;
    return ok(saveForm(id, channel, commandOf(undefined, request)));
  }),
  // It answers where the button is; on the Home tab, in direct messages.
  ...onItem('saved report', 'run', 'see', async (saved, pressed, parts) => {
    const { context } = pressed;
    sayWhereAnswerGoes(pressed, parts);
    // The name of a saved report works only in its own channel.
    const typed = context.channel === saved.channel ? saved.name : undefined;
    await runSaved(saved, { ...context, typed }, parts);
    parts.home.changed(context.asker);
  }),
  ...itemForm('saved report', 'edit', 'change', async (saved, context, parts) =>
    ok(
      saved.request.scorecard
        ? await editScorecardForm(saved, parts)
        : await editSavedModal(saved, context, parts),
    ),
  ),
  ...itemForm('saved report', 'rename', 'change', async (saved) => ok(renameForm(saved))),
  ...itemForm('saved report', 'copy', 'see', async (saved, { asker }, parts) => {
    const refusal = await copyRefusal(saved, asker, parts);
    return refusal === undefined ? ok(copyForm(saved)) : refused(refusal);
  }),
  ...onItem('saved report', 'delete', 'change', async (saved, { context, onHome, reply }, parts) => {
    const { id, channel } = saved;
    if (!(await parts.store.savedReports.remove(id, parts.clock.now())))
      return reply('That saved report no longer exists.');
    await recordItem(deletedEvent, saved, context.asker, parts);
    if (onHome) return parts.home.show(context.asker, { deleted: id });
    parts.home.changed(context.asker);
    if (context.channel === channel) return refreshList(context, parts, { deleted: saved });
    await reply(deletedMessage(saved));
  }),
  press(savedActions.undo, 'conversation', undo('saved report')),
  ...[savedActions.earlier, savedActions.later, digestActions.earlier, digestActions.later].map((id) =>
    press(id, 'conversation', showListPage),
  ),
  submission(views.saveReport, 'member', save),
  submission(views.renameSaved, 'member', rename),
  submission(views.copySaved, 'member', copy),
];

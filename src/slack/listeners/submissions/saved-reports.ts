import { ok } from '../../../errors/result.js';
import type { Reply } from '../../delivery/notify-asker.js';
import { answerExpired, answerToReuse, findAnswerOfForm } from '../../find-answer.js';
import { inputs, views } from '../../ids.js';
import { notice } from '../../messages/notices.js';
import { savedMessage } from '../../messages/saved-reports.js';
import { resolveConversation } from '../../request-context.js';
import type { Route } from '../../router.js';
import {
  changeNotAllowed,
  copyRefusal,
  mayChange,
  maySee,
  nameTaken,
  parseSavedName,
  saveReport,
  savingRefusal,
} from '../../saved/saved-reports.js';
import type { ListenerParts } from '../context.js';
import {
  directReply,
  fromInput,
  rejectForm,
  type SubmittedForm,
  submission,
  type ValidateForm,
} from './submission.js';

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
  const place = await resolveConversation({ channel, asker: asker.id }, parts);
  const reason = await savingRefusal(place, parts);
  if (reason !== undefined) return rejectForm(reason);
  return saveIfNameIsFree({ channel, name: name.value, request: entry.value.request }, asker.id, parts);
};

/** Rename: changes the name, unless somebody else changed the report. */
const rename: ValidateForm = async (form, parts) => {
  const { asker, metadata } = form;
  const [id = '', revision] = metadata;
  const parsed = nameIn(form);
  if (!parsed.ok) return parsed;
  const name = parsed.value;
  const { savedReports } = parts.store;
  const saved = await savedReports.find(id);
  if (!saved || saved.deletedAt !== undefined) return rejectForm(problems.gone);
  if (!(await mayChange(saved, asker.id, parts))) return rejectForm(changeNotAllowed);
  if (saved.revision !== Number(revision)) return rejectForm(problems.stale);
  const other = await savedReports.findByName(saved.channel, name);
  if (other && other.id !== id) return rejectForm(nameTaken(name), inputs.name);
  return ok(async () => {
    const changed = await savedReports.change(id, saved.revision, { name }, parts.clock.now());
    if (changed.ok) return [];
    const { refusal } = changed;
    return [directReply(asker.id, notice(refusal === 'taken' ? nameTaken(name) : problems[refusal]))];
  });
};

/** Duplicate: saves a copy in another channel. The copy belongs to the person who makes it. */
const copy: ValidateForm = async (form, parts) => {
  const { asker, metadata } = form;
  const [id = ''] = metadata;
  const name = nameIn(form);
  if (!name.ok) return name;
  const saved = await parts.store.savedReports.find(id);
  const exists = saved !== undefined && saved.deletedAt === undefined;
  if (!exists || !(await maySee(saved.channel, asker.id, parts))) return rejectForm(problems.gone);
  const hidden = await copyRefusal(saved, asker.id, parts);
  if (hidden !== undefined) return rejectForm(hidden);
  const channel = form.text(inputs.channel);
  const reason = await placeRefusal(channel, asker.id, parts);
  if (reason !== undefined) return rejectForm(reason, inputs.channel);
  return saveIfNameIsFree({ channel, name: name.value, request: saved.request }, asker.id, parts);
};

const problems = {
  gone: 'That saved report no longer exists.',
  stale: 'Somebody else changed this report after you opened it. Close this form and open it again.',
} as const;

async function placeRefusal(
  channel: string,
  user: string,
  parts: ListenerParts,
): Promise<string | undefined> {
  const facts = await parts.channels.find(channel, { fresh: true });
  if (!facts.known && facts.isTemporary) return 'Slack did not find that channel in time. Try again.';
  if (!facts.known || !facts.isMember) {
    return 'I am not in that channel. Type /invite @Rollcall there, or choose another channel.';
  }
  if (facts.isArchived) return 'That channel is archived. Choose another one.';
  return (await maySee(channel, user, parts)) ? undefined : 'You are not a member of that channel.';
}

function nameIn({ text }: SubmittedForm) {
  return fromInput(inputs.name, parseSavedName(text(inputs.name)));
}

/** Saves a report under a free name, and confirms it in its channel. */
async function saveIfNameIsFree(kept: Parameters<typeof saveReport>[0], user: string, parts: ListenerParts) {
  const { channel, name } = kept;
  const other = await parts.store.savedReports.findByName(channel, name);
  if (other) return rejectForm(nameTaken(name), inputs.name);
  return ok(async (): Promise<readonly Reply[]> => {
    const saved = await saveReport(kept, user, parts);
    const message = saved.ok ? savedMessage(saved.value) : notice(saved.refusal);
    return [{ message, context: { channel, asker: user } }];
  });
}

export const savedFormRoutes = (): readonly Route[] => [
  submission(views.saveReport, ['member'], save),
  submission(views.renameSaved, ['member'], rename),
  submission(views.copySaved, ['member'], copy),
];

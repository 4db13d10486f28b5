import { ok, refused } from '../../../errors/result.js';
import type { SavedReport } from '../../../store/saved-reports/saved-reports.js';
import { answerRequest } from '../../answer-request.js';
import type { ListenerParts } from '../../listeners/context.js';
import type { Reply } from '../../listeners/submissions/submission.js';
import { notice } from '../../messages/notices.js';
import { savedMessage } from '../../messages/saved-reports.js';
import { type RequestContext, resolveConversation } from '../../request-context.js';
import {
  mayChange,
  nameTaken,
  parseSavedName,
  saveReport,
  savingRefusal,
} from '../../saved/saved-reports.js';
import { resultBy } from '../modal.js';
import { savedInputNames, savedInputs, savedNameInput } from '../saved-report-forms.js';
import { editDigestPurpose, schedulePurpose } from './digest-purposes.js';
import {
  type BuilderPurpose,
  type BuilderSubmission,
  conversationOpenedIn,
  purposeInputPrefix,
  rangeProblems,
  replyWhereOpened,
  requestToSave,
} from './purpose.js';
import { runProblems } from './read-state.js';
import { type BuilderDraft, type InputProblems, inputNames, inputProblem } from './state.js';
import { whereInputs } from './view.js';

/** Runs the request, as if it had been typed. */
const runPurpose: BuilderPurpose = {
  name: 'run',
  label: 'Run it now',
  title: 'Run a report',
  submit: 'Run',
  inputs: whereInputs,
  async validate(submitted, parts) {
    const { draft, request, asker } = submitted;
    const problems = [
      ...runProblems(draft.state, request, asker, parts.clock.now(), parts.weekStart),
      ...(await channelProblems(submitted, parts)),
    ];
    if (problems.length > 0) return refused(problems);
    return ok(async () => {
      await answerRequest(request, await contextOf(submitted, parts), parts);
      return [];
    });
  },
};

/** Why a chosen channel cannot get the answer, with the way out. */
async function channelProblems(
  { draft: { state }, deadline }: BuilderSubmission,
  { channels }: Pick<ListenerParts, 'channels'>,
): Promise<InputProblems> {
  if (state.where !== 'channel') return [];
  if (state.channel === undefined) return inputProblem(inputNames.channel, 'Choose a channel.');
  const facts = await resultBy(deadline.lookUpBy, channels.find(state.channel, { fresh: true }));
  if (facts?.known && facts.isMember && !facts.isArchived) return [];
  const sentence =
    !facts || (!facts.known && facts.passing)
      ? 'Slack did not find that channel in time. Try again.'
      : facts.known && facts.isArchived
        ? 'That channel is archived. Choose another one.'
        : 'I am not in that channel. Type /invite @Rollcall there, or choose another channel.';
  return inputProblem(inputNames.channel, sentence);
}

/** Where the answer goes: the chosen channel, else where the builder was opened. */
async function contextOf(submitted: BuilderSubmission, parts: ListenerParts): Promise<RequestContext> {
  const { draft, asker } = submitted;
  const { where, channel } = draft.state;
  if (where === 'channel' && channel !== undefined) return { channel, asker: asker.id };
  return conversationOpenedIn(submitted, parts);
}

/** Keeps the request under a name, where the builder was opened. */
const savePurpose: BuilderPurpose = {
  name: 'save',
  label: 'Save it under a name',
  title: 'Save a report',
  submit: 'Save',
  inputs: (draft) => [savedNameInput(draft), ...savedInputs(draft)],
  async validate(submitted, parts) {
    const name = parseSavedName(String(submitted.draft.extra[savedInputNames.name] ?? ''));
    if (!name.ok) return refused(inputProblem(savedInputNames.name, name.refusal));
    const problems = [
      ...rangeProblems(submitted, parts),
      ...((await resultBy(submitted.deadline.lookUpBy, savingProblems(name.value, submitted, parts))) ??
        conversationUnknown),
    ];
    if (problems.length > 0) return refused(problems);
    return ok(() => commitSave(name.value, submitted, parts));
  },
};

const conversationUnknown = inputProblem(
  savedInputNames.name,
  'Slack did not find this conversation in time. Try again.',
);

async function savingProblems(
  name: string,
  submitted: BuilderSubmission,
  parts: ListenerParts,
): Promise<InputProblems> {
  const asked = await conversationOpenedIn(submitted, parts);
  const reason = await savingRefusal(await resolveConversation(asked, parts), parts);
  if (reason !== undefined) return inputProblem(savedInputNames.name, reason);
  const other = await parts.store.savedReports.findByName(asked.channel, name);
  return other ? inputProblem(savedInputNames.name, nameTaken(other.name)) : [];
}

async function commitSave(
  name: string,
  submitted: BuilderSubmission,
  parts: ListenerParts,
): Promise<readonly Reply[]> {
  const { channel } = await conversationOpenedIn(submitted, parts);
  const saved = await saveReport(
    { channel, name, request: requestToSave(submitted) },
    submitted.asker.id,
    parts,
  );
  return replyWhereOpened(submitted, saved.ok ? savedMessage(saved.value) : notice(saved.refusal), parts);
}

const idInput = `${purposeInputPrefix}saved`;
const revisionInput = `${purposeInputPrefix}revision`;

/** What the builder has to know of the saved report that it edits. */
export function editSavedExtra({ id, revision }: SavedReport): BuilderDraft['extra'] {
  return { [idInput]: id, [revisionInput]: String(revision) };
}

/** Changes what a saved report asks for, unless somebody else has changed it since the builder was opened. */
const editPurpose: BuilderPurpose = {
  name: 'edit-saved',
  label: 'Change the saved report',
  title: 'Edit a saved report',
  submit: 'Save',
  isOffered: ({ extra }) => typeof extra[idInput] === 'string',
  inputs: savedInputs,
  async validate(submitted, parts) {
    const problems = [...rangeProblems(submitted, parts), ...(await editProblems(submitted, parts))];
    if (problems.length > 0) return refused(problems);
    return ok(() => saveEdited(submitted, parts));
  },
};

function editedReport(submitted: BuilderSubmission) {
  const { extra } = submitted.draft;
  const request = requestToSave(submitted);
  return { id: String(extra[idInput]), revision: Number(extra[revisionInput]), request };
}

async function editProblems(submitted: BuilderSubmission, parts: ListenerParts): Promise<InputProblems> {
  const { id, revision } = editedReport(submitted);
  const saved = await parts.store.savedReports.find(id);
  const refuse = (sentence: string) => inputProblem(inputNames.report, sentence);
  if (!saved || saved.deletedAt !== undefined) return refuse('Somebody deleted this report.');
  if (!mayChange(saved, submitted.asker.id, parts)) {
    return refuse('Only the person who made it, its owner and admins can change this one.');
  }
  return saved.revision === revision ? [] : refuse(changedMeanwhile);
}

const changedMeanwhile =
  'Not saved: somebody else changed this report after you opened it. Close this form and press Edit again.';

async function saveEdited(submitted: BuilderSubmission, parts: ListenerParts): Promise<readonly Reply[]> {
  const { id, revision, request } = editedReport(submitted);
  const changed = await parts.store.savedReports.change(id, revision, { request }, parts.clock.now());
  const sentence = changed === 'changed' ? 'Saved.' : changedMeanwhile;
  return replyWhereOpened(submitted, notice(sentence), parts);
}

/** Everything that can be done with what the builder asks for, in the order it is offered. */
const purposes: readonly BuilderPurpose[] = [
  runPurpose,
  savePurpose,
  schedulePurpose,
  editPurpose,
  editDigestPurpose,
];

/** The purposes that a builder can have, as choices of the form. */
export function purposeChoices(draft: BuilderDraft) {
  return purposes
    .filter(({ isOffered }) => isOffered?.(draft) ?? true)
    .map(({ name, label }) => ({ value: name, text: label }));
}

/** The purpose of a draft; running it, where there is no such purpose any more. */
export function purposeOf({ purpose }: BuilderDraft): BuilderPurpose {
  return purposes.find(({ name }) => name === purpose) ?? runPurpose;
}

export function isPurpose(name: unknown): name is string {
  return purposes.some((purpose) => purpose.name === name);
}

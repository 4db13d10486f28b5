import { scopeOf } from '../../../access/scope.js';
import { ok, type Result, refused } from '../../../errors/result.js';
import { compact } from '../../../requests/compact.js';
import { formatRequest } from '../../../requests/parse-request.js';
import { answerRequest } from '../../answer-request.js';
import { lacksPurpose } from '../../ask-purpose.js';
import { completeForAsker } from '../../complete-request.js';
import type { OutgoingMessage } from '../../delivery/post-message.js';
import type { ListenerParts } from '../../listeners/context.js';
import { describeAccessRefusal } from '../../messages/access-levels.js';
import { notice } from '../../messages/notices.js';
import { savedMessage } from '../../messages/saved-reports.js';
import { type MemberContext, postingRefusal, resolveConversation } from '../../request-context.js';
import { nameTaken, parseSavedName, saveNext, saveReport, savingRefusal } from '../../saved/saved-reports.js';
import { nameInput } from '../forms.js';
import { radioInput } from '../inputs.js';
import { resultBy } from '../modal.js';
import { editDigestPurpose, schedulePurpose } from './digest-purposes.js';
import {
  answersGoToRunner,
  type BuilderPurpose,
  type BuilderSubmission,
  builderContext,
  changedMeanwhile,
  editedId,
  findEdited,
  rangeProblems,
  requestToSave,
  savedInputNames,
} from './purpose.js';
import { runProblems } from './read-state.js';
import { type BuilderDraft, type InputProblems, inputNames, inputProblem } from './state.js';
import { destinationInputs } from './view.js';

/** Runs the request like a typed one. */
const runPurpose: BuilderPurpose = {
  name: 'run',
  label: 'Run now',
  title: 'Run a report',
  submit: 'Run',
  inputs: destinationInputs,
  async validate(submitted, parts) {
    const { draft, request, asker } = submitted;
    const problems = compact(
      runProblems(draft.state, request, asker, parts.clock.now(), parts.weekStart),
      await channelProblems(submitted, parts),
      await accessProblems(submitted, parts),
      lacksPurpose(request, parts) && inputProblem(inputNames.fileFor, 'Say what the file is for.'),
    );
    if (problems.length > 0) return refused(problems);
    return ok(async () => {
      const context = await answerContext(submitted, parts);
      const completed = await completeForAsker(request, context, parts, {
        step: 'run',
        command: formatRequest,
      });
      if (completed) await answerRequest(completed.request, context, parts, { rights: completed.rights });
      return undefined;
    });
  },
};

/** Says in the form what the person's level does not allow. The run decides it again. */
async function accessProblems(submitted: BuilderSubmission, parts: ListenerParts): Promise<InputProblems> {
  const found = await resultBy(submitted.deadline.lookUpBy, levelRefusal(submitted, parts));
  return found?.ok === false ? inputProblem(inputNames.report, found.refusal) : [];
}

/** Refuses, with a sentence, what the person's level does not allow, wherever the answer goes. */
async function levelRefusal(
  { request, asker }: Pick<BuilderSubmission, 'request' | 'asker'>,
  { access, smallestGroup }: Pick<ListenerParts, 'access' | 'smallestGroup'>,
): Promise<Result<undefined>> {
  // Neither the destination nor released keys decide whether a level refuses.
  const scope = scopeOf(request, await access.accessOf(asker.id, request.report), {
    destination: 'direct',
    released: new Set<string>(),
    smallestGroup,
    me: asker.email,
  });
  return scope.ok ? ok(undefined) : refused(describeAccessRefusal(scope.refusal));
}

/** A remark for somebody who saves a request that others may run and they may not. */
async function savingRemarks(submitted: BuilderSubmission, parts: ListenerParts): Promise<readonly string[]> {
  const allowed = await levelRefusal({ ...submitted, request: requestToSave(submitted) }, parts);
  return allowed.ok ? [] : [`People whose level allows it can run this report. ${allowed.refusal}`];
}

async function channelProblems(
  { draft: { state }, asker, deadline }: BuilderSubmission,
  parts: Pick<ListenerParts, 'channels' | 'memberships'>,
): Promise<InputProblems> {
  if (state.where !== 'channel') return [];
  if (state.channel === undefined) return inputProblem(inputNames.channel, 'Choose a channel.');
  const looked = postingRefusal(state.channel, asker.id, parts).then((sentence) => ({ sentence }));
  const { sentence } = (await resultBy(deadline.lookUpBy, looked)) ?? {
    sentence: 'Slack did not find that channel in time. Try again.',
  };
  return sentence === undefined ? [] : inputProblem(inputNames.channel, sentence);
}

/** Where the answer goes. */
async function answerContext(submitted: BuilderSubmission, parts: ListenerParts): Promise<MemberContext> {
  const { draft, context } = submitted;
  const { where, channel } = draft.state;
  if (where === 'channel' && channel !== undefined) return { ...context, channel };
  return builderContext(submitted, parts);
}

/** Saves the request under a name in the conversation where the builder was opened. */
const savePurpose: BuilderPurpose = {
  name: 'save',
  label: 'Save under a name',
  title: 'Save a report',
  submit: 'Save',
  inputs: (draft) => [nameInput(savedInputNames.name, typedName(draft)), answersInput(draft)],
  async validate(submitted, parts) {
    const name = parseSavedName(typedName(submitted.draft));
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

function typedName({ extra }: BuilderDraft): string {
  return String(extra[savedInputNames.name] ?? '');
}

function answersInput(draft: BuilderDraft) {
  const choices = [
    { value: 'here', text: 'The conversation it runs in' },
    { value: 'me', text: 'The person who runs it', description: 'In their direct messages with Rollcall' },
  ];
  const chosen = answersGoToRunner(draft) ? 'me' : 'here';
  return radioInput(savedInputNames.answersTo, 'Send answers to', choices, chosen);
}

const conversationUnknown = inputProblem(
  savedInputNames.name,
  'Slack did not find this conversation in time. Try again.',
);

async function savingProblems(
  name: string,
  submitted: BuilderSubmission,
  parts: ListenerParts,
): Promise<InputProblems> {
  const context = await builderContext(submitted, parts);
  const reason = await savingRefusal(await resolveConversation(context, parts), parts);
  if (reason !== undefined) return inputProblem(savedInputNames.name, reason);
  const other = await parts.store.savedReports.findByName(context.channel, name);
  return other ? inputProblem(savedInputNames.name, nameTaken(other.name)) : [];
}

async function commitSave(
  name: string,
  submitted: BuilderSubmission,
  parts: ListenerParts,
): Promise<OutgoingMessage | undefined> {
  const context = await builderContext(submitted, parts);
  const completed = await completeForAsker(requestToSave(submitted), context, parts, saveNext(name));
  if (!completed) return undefined;
  const report = { channel: context.channel, name, request: completed.request };
  const saved = await saveReport(report, submitted.asker.id, parts);
  return saved.ok ? savedMessage(saved.value, await savingRemarks(submitted, parts)) : notice(saved.refusal);
}

/** Changes the request of a saved report, unless somebody changed the report after the builder was opened. */
const editPurpose: BuilderPurpose = {
  name: 'edit-saved',
  label: 'Change the saved report',
  title: 'Edit a saved report',
  isEdit: true,
  submit: 'Save',
  isOffered: (draft) => editedId('saved', draft) !== undefined,
  inputs: (draft) => [answersInput(draft)],
  async validate(submitted, parts) {
    const { savedReports } = parts.store;
    const edited = await findEdited('saved', (id) => savedReports.find(id), submitted, parts);
    const problems = [...rangeProblems(submitted, parts), ...(edited.ok ? [] : edited.refusal)];
    if (!edited.ok || problems.length > 0) return refused(problems);
    const { id, revision } = edited.value;
    return ok(async () => {
      const changes = { request: requestToSave(submitted) };
      const changed = await savedReports.change(id, revision, changes, parts.clock.now());
      if (!changed.ok) return notice(changedMeanwhile('report'));
      return notice(['Saved.', ...(await savingRemarks(submitted, parts))].join(' '));
    });
  },
};

/** Every purpose, in the order in which the form offers them. */
const purposes: readonly BuilderPurpose[] = [
  runPurpose,
  savePurpose,
  schedulePurpose,
  editPurpose,
  editDigestPurpose,
];

export function purposeChoices(draft: BuilderDraft) {
  return purposes
    .filter(({ isOffered }) => isOffered?.(draft) ?? true)
    .map(({ name, label }) => ({ value: name, text: label }));
}

/** The purpose of a draft. A draft with an unknown purpose is run. */
export function purposeOf({ purpose }: BuilderDraft): BuilderPurpose {
  return purposes.find(({ name }) => name === purpose) ?? runPurpose;
}

export function isPurpose(name: unknown): name is string {
  return purposes.some((purpose) => purpose.name === name);
}

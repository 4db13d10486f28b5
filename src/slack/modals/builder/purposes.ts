import type { AnyBlock } from '@slack/types';
import { ok, type Result, refused } from '../../../errors/result.js';
import { compact } from '../../../requests/compact.js';
import { formatRequest } from '../../../requests/parse-request.js';
import { answerRequest } from '../../answer-request.js';
import { scopeOfPerson } from '../../answer-rights.js';
import { lacksPurpose } from '../../ask-purpose.js';
import { completeForAsker } from '../../complete-request.js';
import type { OutgoingMessage } from '../../delivery/post-message.js';
import type { ListenerParts } from '../../listeners/context.js';
import { describeAccessRefusal } from '../../messages/access-levels.js';
import { context as contextBlock } from '../../messages/blocks.js';
import { notice } from '../../messages/notices.js';
import { type MemberContext, postingRefusal, resolveConversation } from '../../request-context.js';
import { nameTaken, parseSavedName, saveNext, saveReport, savingRefusal } from '../../saved/saved-reports.js';
import { mustBeMember, nameInput } from '../forms.js';
import { type Choice, channelInput, radioInput, textIn } from '../inputs.js';
import { resultBy } from '../modal.js';
import { editDigestPurpose, schedulePurpose } from './digest-purposes.js';
import {
  type BuilderConversation,
  type BuilderDraft,
  choiceIn,
  type InputProblems,
  inputNames,
  inputProblem,
} from './draft.js';
import {
  answersGoToRunner,
  type BuilderPurpose,
  type BuilderSubmission,
  builderContext,
  changedMeanwhile,
  findEdited,
  rangeProblems,
  requestToSave,
} from './purpose.js';
import { runProblems } from './read-draft.js';

const runPurpose: BuilderPurpose = {
  name: 'run',
  label: 'Run now',
  title: 'Run a report',
  submit: 'Run',
  inputs: destinationInputs,
  async validate(submitted, parts) {
    const { draft, request, asker } = submitted;
    const problems = compact(
      runProblems(draft, request, asker, parts.clock.now(), parts.weekStart),
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

/** What the person's level does not allow, wherever the answer goes. */
async function levelRefusal(
  { request, asker }: Pick<BuilderSubmission, 'request' | 'asker'>,
  parts: ListenerParts,
): Promise<Result<unknown>> {
  const scope = await scopeOfPerson(request, asker, parts);
  return scope.ok ? scope : refused(describeAccessRefusal(scope.refusal));
}

/** A remark for a person who saves a request that others may run and they may not. */
async function savingRemarks(submitted: BuilderSubmission, parts: ListenerParts): Promise<readonly string[]> {
  const allowed = await levelRefusal({ ...submitted, request: requestToSave(submitted) }, parts);
  return allowed.ok ? [] : [`People whose level allows it can run this report. ${allowed.refusal}`];
}

async function channelProblems(
  { draft, asker }: BuilderSubmission,
  parts: ListenerParts,
): Promise<InputProblems> {
  if (choiceIn(draft, inputNames.where) !== 'channel') return [];
  const channel = textIn(draft.values, inputNames.channel);
  const sentence = channel === '' ? 'Choose a channel.' : await postingRefusal(channel, asker.id, parts);
  return sentence === undefined ? [] : inputProblem(inputNames.channel, sentence);
}

async function answerContext(submitted: BuilderSubmission, parts: ListenerParts): Promise<MemberContext> {
  const { draft, context } = submitted;
  return choiceIn(draft, inputNames.where) === 'channel'
    ? { ...context, channel: textIn(draft.values, inputNames.channel) }
    : builderContext(submitted, parts);
}

/** The inputs for where the answer goes, with notes on what cannot go there. */
export function destinationInputs(draft: BuilderDraft): AnyBlock[] {
  const { values, here } = draft;
  const where = choiceIn(draft, inputNames.where);
  const choices: Choice[] = compact(
    here && { value: 'here', text: 'Here', description: formatHere(here) },
    { value: 'channel', text: 'Another channel' },
    { value: 'me', text: 'Me', description: 'In my direct messages with Rollcall' },
  );
  return compact(
    radioInput(inputNames.where, 'Where to', choices, where, { dispatches: true }),
    where === 'channel' &&
      channelInput(
        inputNames.channel,
        { label: 'Channel', hint: mustBeMember },
        textIn(values, inputNames.channel) || undefined,
      ),
    notes(where, here).map((note) => contextBlock(note)),
  );
}

function formatHere({ kind, thread }: BuilderConversation): string {
  if (thread !== undefined) return 'In this thread';
  return kind === 'direct' ? 'In these direct messages' : 'In this conversation';
}

/** The form names the limits of Slack and of person-level data before anyone runs into them. */
function notes(where: string, here: BuilderConversation | undefined): readonly string[] {
  if (where === 'me') return [];
  const isElsewhere = where === 'here' && here?.kind === 'elsewhere';
  const mayNamePeople = where === 'here' && here?.mayNamePeople;
  return compact(
    isElsewhere &&
      'I am not in this conversation, so I send files as direct messages. I can post the summary here only for the next 25 minutes.',
    !mayNamePeople &&
      'I send anything that names people to you as a direct message, unless an admin has allowed it there.',
  );
}

/** Saves the request under a name in the conversation where the builder was opened. */
const savePurpose: BuilderPurpose = {
  name: 'save',
  label: 'Save under a name',
  title: 'Save a report',
  submit: 'Save',
  inputs: (draft) => [nameInput(inputNames.savedName, typedName(draft)), answersInput(draft)],
  async validate(submitted, parts) {
    const name = parseSavedName(typedName(submitted.draft));
    if (!name.ok) return refused(inputProblem(inputNames.savedName, name.refusal));
    const problems = [
      ...rangeProblems(submitted, parts),
      ...(await savingProblems(name.value, submitted, parts)),
    ];
    if (problems.length > 0) return refused(problems);
    return ok(() => commitSave(name.value, submitted, parts));
  },
};

const typedName = ({ values }: BuilderDraft) => textIn(values, inputNames.savedName);

function answersInput(draft: BuilderDraft) {
  const choices = [
    { value: 'here', text: 'The conversation it runs in' },
    { value: 'me', text: 'The person who runs it', description: 'In their direct messages with Rollcall' },
  ];
  const chosen = answersGoToRunner(draft) ? 'me' : 'here';
  return radioInput(inputNames.answersTo, 'Send answers to', choices, chosen);
}

async function savingProblems(
  name: string,
  submitted: BuilderSubmission,
  parts: ListenerParts,
): Promise<InputProblems> {
  const context = await builderContext(submitted, parts);
  const reason = await savingRefusal(await resolveConversation(context, parts), parts);
  if (reason !== undefined) return inputProblem(inputNames.savedName, reason);
  const other = await parts.store.savedReports.findByName(context.channel, name);
  return other ? inputProblem(inputNames.savedName, nameTaken(other.name)) : [];
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
  return saveReport(report, submitted.asker.id, parts, await savingRemarks(submitted, parts));
}

/** Changes the request of a saved report, unless another person changed the report after the builder was opened. */
const editPurpose: BuilderPurpose = {
  name: 'edit-saved',
  label: 'Change the saved report',
  title: 'Edit a saved report',
  submit: 'Save',
  edits: 'saved report',
  inputs: (draft) => [answersInput(draft)],
  async validate(submitted, parts) {
    const edited = await findEdited('saved report', submitted, parts);
    const problems = [...rangeProblems(submitted, parts), ...(edited.ok ? [] : edited.refusal)];
    if (!edited.ok || problems.length > 0) return refused(problems);
    const { id, revision } = edited.value;
    return ok(async () => {
      const changes = { request: requestToSave(submitted) };
      const changed = await parts.store.savedReports.change(id, revision, changes, parts.clock.now());
      if (!changed.ok) return notice(changedMeanwhile('saved report'));
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

export function purposesFor({ edits }: BuilderDraft): readonly BuilderPurpose[] {
  return purposes.filter((purpose) =>
    purpose === schedulePurpose
      ? edits?.kind !== 'digest'
      : purpose.edits === undefined || purpose.edits === edits?.kind,
  );
}

/** The purpose of a draft. A draft with an unknown purpose is run. */
export function purposeOf(draft: BuilderDraft): BuilderPurpose {
  return purposes.find(({ name }) => name === choiceIn(draft, inputNames.purpose)) ?? runPurpose;
}

import type { AnyBlock } from '@slack/types';
import { ok, refused } from '../../errors/failure.js';
import { formatRequest } from '../../requests/parse-request.js';
import { compact } from '../../requests/text.js';
import { answerRequest } from '../answers/answer-request.js';
import { lacksPurpose, scopeOfPerson } from '../answers/answer-run.js';
import { completeForAsker } from '../answers/complete-request.js';
import type { ListenerParts } from '../answers/context.js';
import { postingRefusal, resolveConversation } from '../context/request-context.js';
import { type BuilderDraft, choiceIn, inputNames, inputProblem } from '../forms/draft.js';
import { mustBeMember, nameInput } from '../forms/forms.js';
import { type Choice, channelInput, radioInput, textIn } from '../forms/inputs.js';
import { resultBy } from '../forms/modal.js';
import { runProblems } from '../forms/read-draft.js';
import { describeAccessRefusal } from '../messages/access-levels.js';
import { context as contextBlock } from '../messages/blocks.js';
import { nameTaken, parseSavedName, saveNext, saveReport, savingRefusal } from '../saved/saved-reports.js';
import { editDigestPurpose, schedulePurpose } from './digest-purposes.js';
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

const runPurpose: BuilderPurpose = {
  name: 'run',
  label: 'Run now',
  title: 'Run a report',
  submit: 'Run',
  inputs: destinationInputs,
  async validate(submitted, parts) {
    const { draft, request, asker, context, deadline } = submitted;
    const isElsewhere = choiceIn(draft, inputNames.where) === 'channel';
    const channel = textIn(draft.values, inputNames.channel);
    const refusedChannel =
      isElsewhere && (channel === '' ? 'Choose a channel.' : await postingRefusal(channel, asker.id, parts));
    // The run decides again what the person's level allows.
    const refusedLevel = await resultBy(deadline.lookUpBy, levelRefusal(submitted, parts));
    const problems = compact(
      runProblems(draft, request, asker, parts.clock.now(), parts.weekStart),
      refusedChannel && inputProblem(inputNames.channel, refusedChannel),
      refusedLevel && inputProblem(inputNames.report, refusedLevel),
      lacksPurpose(request, parts) && inputProblem(inputNames.fileFor, 'Say what the file is for.'),
    );
    if (problems.length > 0) return refused(problems);
    return ok(async () => {
      const there = isElsewhere ? { ...context, channel } : await builderContext(submitted, parts);
      const next = { step: 'run', command: formatRequest } as const;
      const completed = await completeForAsker(request, there, parts, next);
      if (completed) await answerRequest(completed.request, there, parts, { rights: completed.rights });
      return undefined;
    });
  },
};

/** What the person's level does not allow, wherever the answer goes. */
async function levelRefusal({ request, asker }: BuilderSubmission, parts: ListenerParts) {
  const scope = await scopeOfPerson(request, asker, parts);
  return scope.ok ? undefined : describeAccessRefusal(scope.refusal);
}

/** A remark for a person who saves a request that others may run and they may not. */
async function savingRemarks(submitted: BuilderSubmission, parts: ListenerParts) {
  const refusal = await levelRefusal({ ...submitted, request: requestToSave(submitted) }, parts);
  return compact(refusal && `People whose level allows it can run this report. ${refusal}`);
}

/** The inputs for where the answer goes, with notes on what cannot go there. */
export function destinationInputs(draft: BuilderDraft): AnyBlock[] {
  const { values, here } = draft;
  const where = choiceIn(draft, inputNames.where);
  const conversation = here?.kind === 'direct' ? 'In these direct messages' : 'In this conversation';
  const isElsewhere = where === 'here' && here?.kind === 'elsewhere';
  const mayNamePeople = where === 'here' && here?.mayNamePeople;
  const choices: Choice[] = compact(
    here && { value: 'here', text: 'Here', description: here.thread ? 'In this thread' : conversation },
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
    // The form names the limits of Slack and of person-level data before anyone runs into them.
    isElsewhere &&
      contextBlock(
        'I am not in this conversation, so I send files as direct messages. I can post the summary here only for the next 25 minutes.',
      ),
    where !== 'me' &&
      !mayNamePeople &&
      contextBlock(
        'I send anything that names people to you as a direct message, unless an admin has allowed it there.',
      ),
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
    const context = await builderContext(submitted, parts);
    const reason = await savingRefusal(await resolveConversation(context, parts), parts);
    const other = await parts.store.savedReports.findByName(context.channel, name.value);
    const refusal = reason ?? (other && nameTaken(other.name));
    const problems = compact(
      rangeProblems(submitted, parts),
      refusal && inputProblem(inputNames.savedName, refusal),
    );
    if (problems.length > 0) return refused(problems);
    return ok(async () => {
      const next = saveNext(name.value);
      const completed = await completeForAsker(requestToSave(submitted), context, parts, next);
      if (!completed) return undefined;
      const report = { channel: context.channel, name: name.value, request: completed.request };
      return saveReport(report, submitted.asker.id, parts, await savingRemarks(submitted, parts));
    });
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
      if (!changed.ok) return changedMeanwhile('saved report');
      return ['Saved.', ...(await savingRemarks(submitted, parts))].join(' ');
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

import type { AnyBlock } from '@slack/types';
import type { DigestDraft } from '../../../digests/digest.js';
import { ok, type Result, refused } from '../../../errors/result.js';
import { compact } from '../../../requests/compact.js';
import { reportForRequest } from '../../../requests/request-defaults.js';
import { completeForAsker } from '../../complete-request.js';
import type { Reply } from '../../delivery/notify-asker.js';
import { previewDraft, scheduleNext } from '../../digests/propose.js';
import { type DigestRefusal, type ValidatedDigest, validateDigest } from '../../digests/validate.js';
import { builderActions, digestActions } from '../../ids.js';
import type { ListenerParts } from '../../listeners/context.js';
import { button, buttons } from '../../messages/blocks.js';
import { changeNotAllowed, mayChange } from '../../saved/saved-reports.js';
import {
  type CadenceChoices,
  choicesFromCadence,
  inputsOfKind,
  parseCadenceChoices,
} from '../cadence-choices.js';
import { resultBy } from '../modal.js';
import { answersGoToRunner } from '../saved-report-forms.js';
import { cadenceInputs, channelInput, digestOptionInputs, readDigestOptions } from '../schedule-form.js';
import {
  type BuilderPurpose,
  type BuilderSubmission,
  builderContext,
  purposeInputPrefix,
  replyWhereOpened,
  type ValidatedBuilder,
} from './purpose.js';
import { rangeInput } from './ranges.js';
import { type BuilderDraft, inputNames, inputProblem } from './state.js';

const digestInput = `${purposeInputPrefix}digest`;
const revisionInput = `${purposeInputPrefix}digest-revision`;
const previewInput = `${purposeInputPrefix}digest-preview`;

/** Previews a new digest of the request. Nothing is saved before somebody confirms it. */
export const schedulePurpose: BuilderPurpose = {
  name: 'schedule',
  label: 'Schedule',
  title: 'Schedule a report',
  submit: 'Show next times',
  isOffered: ({ extra }) => typeof extra[digestInput] !== 'string',
  inputs: digestInputBlocks,
  validate: validateDigestForm,
};

/** Previews changes of a digest, unless somebody changed the digest after the builder was opened. */
export const editDigestPurpose: BuilderPurpose = {
  name: 'edit-digest',
  label: 'Change the digest',
  title: 'Edit a digest',
  isEdit: true,
  submit: 'Show next times',
  isOffered: ({ extra }) => typeof extra[digestInput] === 'string',
  inputs: digestInputBlocks,
  validate: validateDigestForm,
};

type DigestFormValue = 'cadence' | 'zone' | 'skipEmpty' | 'replace' | 'keepDays' | 'channel';

/** The values of the builder's inputs for a digest or for an unconfirmed draft of one. */
export function digestExtra(
  draft: Pick<DigestDraft, DigestFormValue | 'changes'>,
  previewId?: string,
): { readonly purpose: string; readonly extra: BuilderDraft['extra'] } {
  const { changes } = draft;
  return {
    purpose: changes ? editDigestPurpose.name : schedulePurpose.name,
    extra: {
      ...extraFromDigest(draft),
      [digestInput]: changes?.id ?? null,
      [revisionInput]: changes ? String(changes.revision) : null,
      [previewInput]: previewId ?? null,
    },
  };
}

/** The values of the builder's inputs for a schedule that was typed in part. What is absent keeps its default. */
export function scheduleExtra(
  typed: Partial<Pick<DigestDraft, 'cadence' | 'zone' | 'skipEmpty' | 'replace' | 'keepDays'>>,
): { readonly purpose: string; readonly extra: BuilderDraft['extra'] } {
  const { cadence, zone } = typed;
  return {
    purpose: schedulePurpose.name,
    extra: {
      ...(cadence && cadenceExtra(choicesFromCadence(cadence, zone ?? ''))),
      [inputFor('zone')]: zone ?? null,
      ...optionsExtra(typed),
    },
  };
}

async function validateDigestForm(
  submitted: BuilderSubmission,
  parts: ListenerParts,
): Promise<ValidatedBuilder> {
  const { draft, asker, request, deadline } = submitted;
  const schedule = parseCadenceChoices(cadenceChoicesIn(draft, asker.zone));
  if (!schedule.ok) {
    const { about, sentence } = schedule.refusal;
    return refused(inputProblem(inputFor(about), sentence));
  }
  const target = await findTarget(submitted, parts);
  if (!target.ok) return refused(inputProblem(inputNames.report, target.refusal));
  const makeDraft = async (): Promise<DigestDraft> => ({
    ...target.value,
    ...schedule.value,
    request: { ...request, toMe: false },
    channel: digestChannel(draft) ?? (await parts.channels.directWith(target.value.owner)),
    ...digestOptionsIn(draft),
  });
  const validate = async () => validateDigest(await makeDraft(), asker.id, parts);
  // A check that takes too long runs again once the form has closed, and the reply has its result.
  const validated = await resultBy(deadline.lookUpBy, validate()).catch(() => undefined);
  if (validated && !validated.ok) {
    const { about, sentence } = validated.refusal;
    return refused(inputProblem(inputForProblem(about, submitted), sentence));
  }
  return ok(async () => proposeDigest(submitted, await makeDraft(), validated, parts));
}

/** The owner of the digest, and the digest that the form changes, if it exists. */
async function findTarget(
  { draft: { extra }, asker }: BuilderSubmission,
  parts: ListenerParts,
): Promise<Result<Pick<DigestDraft, 'owner' | 'changes'>>> {
  const id = extra[digestInput];
  if (typeof id !== 'string') return ok({ owner: asker.id });
  const digest = await parts.store.digests.find(id);
  if (!digest || digest.deletedAt !== undefined)
    return refused('Somebody deleted this digest, so it can’t be changed.');
  if (!(await mayChange(digest, asker.id, parts))) {
    return refused(changeNotAllowed);
  }
  const revision = Number(extra[revisionInput]);
  if (digest.revision !== revision) return refused(changedMeanwhile);
  return ok({ owner: digest.owner, changes: { id, revision } });
}

const changedMeanwhile =
  'Not saved, because somebody else changed this digest after you opened it. Close this form and press Edit again.';

async function proposeDigest(
  submitted: BuilderSubmission,
  proposed: DigestDraft,
  validated: ValidatedDigest | undefined,
  parts: ListenerParts,
): Promise<readonly Reply[]> {
  const { draft, asker } = submitted;
  const completed = await completedDraft(proposed, submitted, parts);
  if (!completed) return [];
  const message = await previewDraft(completed, asker.id, parts, { known: validated });
  const edited = draft.extra[previewInput];
  // An edited preview must not be confirmed beside its new version.
  if (typeof edited === 'string') await parts.store.digestDrafts.use(edited, asker.id, parts.clock.now());
  return replyWhereOpened(submitted, message, parts);
}

/** A question about a new digest comes in the channel of the digest: its command schedules it there. */
async function completedDraft(
  proposed: DigestDraft,
  submitted: BuilderSubmission,
  parts: ListenerParts,
): Promise<DigestDraft | undefined> {
  if (proposed.changes) return proposed;
  const opened = await builderContext(submitted, parts);
  const context =
    opened.channel === proposed.channel ? opened : { ...submitted.context, channel: proposed.channel };
  const completed = await completeForAsker(proposed.request, context, parts, scheduleNext(proposed));
  return completed && { ...proposed, request: completed.request };
}

const inputFor = (choice: string) => `${purposeInputPrefix}digest-${choice}`;
const channel = inputFor('channel');
const skipEmpty = inputFor('skip-empty');
const keepDays = inputFor('keep-days');

/** The inputs for a digest, with a button that sends a test. */
function digestInputBlocks(draft: BuilderDraft): AnyBlock[] {
  return [
    ...cadenceInputs(cadenceChoicesIn(draft, ''), (choice) => ({
      block: inputFor(choice),
      action: builderActions.input,
    })),
    channelInput(channel, builderActions.input, digestChannel(draft)),
    ...digestOptionInputs(digestOptionsIn(draft), (name) => ({
      block: name === 'keepDays' ? keepDays : skipEmpty,
      action: builderActions.input,
    })),
    buttons(button(digestActions.testForm, 'Send me a test', '-')),
  ];
}

/** The values of these inputs for a digest. */
function extraFromDigest(digest: Pick<DigestDraft, DigestFormValue>): BuilderDraft['extra'] {
  return {
    ...cadenceExtra(choicesFromCadence(digest.cadence, digest.zone)),
    [channel]: digest.channel.startsWith('D') ? null : digest.channel,
    ...optionsExtra(digest),
  };
}

function cadenceExtra(choices: CadenceChoices): BuilderDraft['extra'] {
  const { kind, days, day, time, zone, words } = choices;
  return {
    [inputFor('kind')]: kind,
    [inputFor('days')]: days,
    [inputFor('day')]: day,
    [inputFor('time')]: time,
    [inputFor('zone')]: zone,
    [inputFor('words')]: words,
  };
}

function optionsExtra(
  options: Partial<Pick<DigestDraft, 'skipEmpty' | 'replace' | 'keepDays'>>,
): BuilderDraft['extra'] {
  return {
    [skipEmpty]: compact(options.skipEmpty && 'skip', options.replace && 'replace'),
    [keepDays]: options.keepDays ? String(options.keepDays) : null,
  };
}

/** @param zone the time zone if the input is empty */
function cadenceChoicesIn({ extra }: BuilderDraft, zone: string): CadenceChoices {
  const defaults = choicesFromCadence(undefined, zone);
  const text = (choice: keyof CadenceChoices, fallback: string) => {
    const value = extra[inputFor(choice)];
    return typeof value === 'string' && value !== '' ? value : fallback;
  };
  const days = extra[inputFor('days')];
  return {
    kind: text('kind', defaults.kind),
    days: Array.isArray(days) ? days : defaults.days,
    day: text('day', defaults.day),
    time: text('time', defaults.time),
    zone: text('zone', defaults.zone),
    words: text('words', ''),
  };
}

/** Where a digest goes, and the time zone that its ranges follow. */
export interface DigestDestination {
  /** Absent: the direct messages of its owner. */
  readonly channel: string | undefined;
  /** IANA zone. Absent while the form has no valid schedule. */
  readonly zone: string | undefined;
}

/** @param zone the time zone if the input is empty */
export function destinationInBuilder(draft: BuilderDraft, zone: string): DigestDestination {
  return digestDestination(cadenceChoicesIn(draft, zone), digestChannel(draft));
}

export function digestDestination(choices: CadenceChoices, channel: string | undefined): DigestDestination {
  const schedule = parseCadenceChoices(choices);
  return { channel, zone: schedule.ok ? schedule.value.zone : undefined };
}

/** The chosen channel. The default is where the builder was opened. Undefined means direct messages. */
function digestChannel(draft: BuilderDraft): string | undefined {
  const chosen = draft.extra[channel];
  if (chosen !== undefined) return typeof chosen === 'string' ? chosen : undefined;
  const here = draft.here?.channel;
  return here === undefined || here.startsWith('D') || answersGoToRunner(draft) ? undefined : here;
}

function digestOptionsIn({ extra }: BuilderDraft) {
  const checked = extra[skipEmpty];
  const days = extra[keepDays];
  return readDigestOptions(Array.isArray(checked) ? checked : [], typeof days === 'string' ? days : '');
}

/** The input that shows what is wrong with a digest. */
function inputForProblem(about: DigestRefusal['about'], { draft, request }: BuilderSubmission): string {
  if (about === 'channel') return channel;
  if (about === 'range') return rangeInput(draft.state.range, reportForRequest(request));
  if (about !== 'time') return inputNames.report;
  const shown = inputsOfKind(cadenceChoicesIn(draft, '').kind);
  return inputFor(shown.find((choice) => choice === 'time' || choice === 'words') ?? 'kind');
}

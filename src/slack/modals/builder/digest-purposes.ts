import type { AnyBlock } from '@slack/types';
import type { DigestDraft } from '../../../digests/digest.js';
import { ok, type Result, refused } from '../../../errors/result.js';
import { reportForRequest } from '../../../requests/report-for.js';
import { previewDraft } from '../../digests/propose.js';
import { type DigestRefusal, type ValidatedDigest, validateDigest } from '../../digests/validate.js';
import { builderActions, digestActions } from '../../ids.js';
import type { ListenerParts } from '../../listeners/context.js';
import type { Reply } from '../../listeners/submissions/submission.js';
import { button, buttons } from '../../messages/blocks.js';
import { mayChange } from '../../saved/saved-reports.js';
import {
  type CadenceChoices,
  choicesFromCadence,
  inputsOfKind,
  parseCadenceChoices,
} from '../cadence-choices.js';
import { resultBy } from '../modal.js';
import { answersDirectly } from '../saved-report-forms.js';
import { cadenceInputs, channelInput, skipEmptyInput } from '../schedule-form.js';
import {
  type BuilderPurpose,
  type BuilderSubmission,
  purposeInputPrefix,
  replyWhereOpened,
  type ValidatedBuilder,
} from './purpose.js';
import { rangeInput } from './ranges.js';
import { type BuilderDraft, inputNames, inputProblem } from './state.js';

const digestInput = `${purposeInputPrefix}digest`;
const revisionInput = `${purposeInputPrefix}digest-revision`;
const previewInput = `${purposeInputPrefix}digest-preview`;

/** Makes a digest of the request: shows its next times, to be confirmed. */
export const schedulePurpose: BuilderPurpose = {
  name: 'schedule',
  label: 'Schedule it',
  title: 'Schedule a report',
  submit: 'Show next times',
  isOffered: ({ extra }) => typeof extra[digestInput] !== 'string',
  inputs: digestInputBlocks,
  validate: validateDigestForm,
};

/** Changes a digest, unless somebody else has changed it since the builder was opened: shows its next times first. */
export const editDigestPurpose: BuilderPurpose = {
  name: 'edit-digest',
  label: 'Change the digest',
  title: 'Edit a digest',
  submit: 'Show next times',
  isOffered: ({ extra }) => typeof extra[digestInput] === 'string',
  inputs: digestInputBlocks,
  validate: validateDigestForm,
};

/** What the builder has to know of a digest that it edits, saved or not. */
export function digestExtra(
  draft: Pick<DigestDraft, 'cadence' | 'zone' | 'skipEmpty' | 'channel' | 'changes'>,
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
    skipEmpty: skipsEmpty(draft),
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
  if (!digest || digest.deletedAt !== undefined) return refused('Somebody deleted this digest.');
  if (!mayChange(digest, asker.id, parts)) {
    return refused('Only the person who made it, its owner and admins can change this one.');
  }
  const revision = Number(extra[revisionInput]);
  if (digest.revision !== revision) return refused(changedMeanwhile);
  return ok({ owner: digest.owner, changes: { id, revision } });
}

const changedMeanwhile =
  'Not saved: somebody else changed this digest after you opened it. Close this form and press Edit again.';

async function proposeDigest(
  submitted: BuilderSubmission,
  proposed: DigestDraft,
  validated: ValidatedDigest | undefined,
  parts: ListenerParts,
): Promise<readonly Reply[]> {
  const { draft, asker } = submitted;
  const message = await previewDraft(proposed, asker.id, parts, validated);
  const before = draft.extra[previewInput];
  // What was edited is not confirmed beside what came of it.
  if (typeof before === 'string') await parts.store.digestDrafts.use(before, asker.id, parts.clock.now());
  return replyWhereOpened(submitted, message, parts);
}

const inputFor = (choice: string) => `${purposeInputPrefix}digest-${choice}`;
const channel = inputFor('channel');
const skipEmpty = inputFor('skip-empty');

/** How often, where to, and what the builder else has of a digest, with a way to try it. */
function digestInputBlocks(draft: BuilderDraft): AnyBlock[] {
  return [
    ...cadenceInputs(cadenceChoicesIn(draft, ''), (choice) => ({
      block: inputFor(choice),
      action: builderActions.input,
    })),
    channelInput(channel, builderActions.input, digestChannel(draft)),
    skipEmptyInput(skipEmpty, builderActions.input, skipsEmpty(draft)),
    buttons(button(digestActions.testForm, 'Send me a test', '-')),
  ];
}

/** What stands in these inputs for a digest. */
function extraFromDigest(
  digest: Pick<DigestDraft, 'cadence' | 'zone' | 'skipEmpty' | 'channel'>,
): BuilderDraft['extra'] {
  const { kind, days, day, time, zone, words } = choicesFromCadence(digest.cadence, digest.zone);
  return {
    [inputFor('kind')]: kind,
    [inputFor('days')]: days,
    [inputFor('day')]: day,
    [inputFor('time')]: time,
    [inputFor('zone')]: zone,
    [inputFor('words')]: words,
    [channel]: digest.channel.startsWith('D') ? null : digest.channel,
    [skipEmpty]: digest.skipEmpty ? ['skip'] : [],
  };
}

/** @param zone for an emptied one */
function cadenceChoicesIn({ extra }: BuilderDraft, zone: string): CadenceChoices {
  const usual = choicesFromCadence(undefined, zone);
  const text = (choice: keyof CadenceChoices, otherwise: string) => {
    const held = extra[inputFor(choice)];
    return typeof held === 'string' && held !== '' ? held : otherwise;
  };
  const days = extra[inputFor('days')];
  return {
    kind: text('kind', usual.kind),
    days: Array.isArray(days) ? days : usual.days,
    day: text('day', usual.day),
    time: text('time', usual.time),
    zone: text('zone', usual.zone),
    words: text('words', ''),
  };
}

/** The chosen channel, at first the one that the builder was opened in; undefined: direct messages. */
function digestChannel(draft: BuilderDraft): string | undefined {
  const held = draft.extra[channel];
  if (held !== undefined) return typeof held === 'string' ? held : undefined;
  const here = draft.here?.channel;
  return here === undefined || here.startsWith('D') || answersDirectly(draft) ? undefined : here;
}

function skipsEmpty({ extra }: BuilderDraft): boolean {
  const held = extra[skipEmpty];
  return Array.isArray(held) && held.length > 0;
}

/** The input that shows what is wrong with a digest. */
function inputForProblem(about: DigestRefusal['about'], { draft, request }: BuilderSubmission): string {
  if (about === 'channel') return channel;
  if (about === 'range') return rangeInput(draft.state.range, reportForRequest(request));
  if (about !== 'time') return inputNames.report;
  const shown = inputsOfKind(cadenceChoicesIn(draft, '').kind);
  return inputFor(shown.find((choice) => choice === 'time' || choice === 'words') ?? 'kind');
}

import type { DigestDraft } from '../../../digests/digest.js';
import { ok, refused } from '../../../errors/result.js';
import { reportForRequest } from '../../../requests/request-defaults.js';
import { completeForAsker } from '../../complete-request.js';
import type { OutgoingMessage } from '../../delivery/post-message.js';
import { previewDraft, scheduleNext } from '../../digests/propose.js';
import type { ListenerParts } from '../../listeners/context.js';
import {
  type DigestField,
  type DigestProblem,
  type DigestValues,
  digestDestination,
  digestFields,
  digestInputs,
  type ProposedDigest,
  proposeDigest,
  valuesOfDigest,
} from '../digest-form.js';
import {
  answersGoToRunner,
  type BuilderPurpose,
  type BuilderSubmission,
  builderContext,
  editedExtra,
  editedId,
  findEdited,
  purposeInputPrefix,
  type ValidatedBuilder,
} from './purpose.js';
import { rangeInput } from './ranges.js';
import { type BuilderDraft, inputNames, inputProblem } from './state.js';

const previewInput = `${purposeInputPrefix}digest-preview`;
const inputFor = (field: DigestField) => `${purposeInputPrefix}digest-${field}`;

const isEdited = (draft: BuilderDraft) => editedId('digest', draft) !== undefined;
const shared = {
  submit: 'Show next times',
  inputs: (draft: BuilderDraft) => digestInputs(valuesIn(draft), inputFor, '-'),
  validate: validateDigestForm,
};

/** Previews a new digest of the request. Nothing is saved before somebody confirms it. */
export const schedulePurpose: BuilderPurpose = {
  ...shared,
  name: 'schedule',
  label: 'Schedule',
  title: 'Schedule a report',
  isOffered: (draft) => !isEdited(draft),
};

/** Previews changes of a digest, unless somebody changed the digest after the builder was opened. */
export const editDigestPurpose: BuilderPurpose = {
  ...shared,
  name: 'edit-digest',
  label: 'Change the digest',
  title: 'Edit a digest',
  isEdit: true,
  isOffered: isEdited,
};

interface DigestContents {
  readonly purpose: string;
  readonly extra: BuilderDraft['extra'];
}

/** The values of the builder's inputs for a digest or for an unconfirmed draft of one. */
export function digestExtra(draft: Omit<DigestDraft, 'owner'>, previewId?: string): DigestContents {
  const { changes } = draft;
  return {
    purpose: changes ? editDigestPurpose.name : schedulePurpose.name,
    extra: {
      ...scheduleExtra(draft).extra,
      ...editedExtra('digest', changes),
      [previewInput]: previewId ?? null,
    },
  };
}

/** The values of the builder's inputs for a schedule that was typed in part. What is absent keeps its default. */
export function scheduleExtra(typed: Parameters<typeof valuesOfDigest>[0]): DigestContents {
  const values = valuesOfDigest(typed);
  const extra = digestFields.flatMap((field) => {
    const value = values[field];
    return value === undefined ? [] : [[inputFor(field), value] as const];
  });
  return { purpose: schedulePurpose.name, extra: Object.fromEntries(extra) };
}

/** Without a chosen channel, it is the one where the builder was opened. */
function valuesIn(draft: BuilderDraft): DigestValues {
  const { extra, here } = draft;
  const channel = here === undefined || answersGoToRunner(draft) ? null : here.channel;
  const given = digestFields.flatMap((field) => {
    const value = extra[inputFor(field)];
    return value === undefined ? [] : [[field, value] as const];
  });
  return { channel: channel?.startsWith('D') ? null : channel, ...Object.fromEntries(given) };
}

/** @param zone the time zone if the input is empty */
export function destinationInBuilder(draft: BuilderDraft, zone: string) {
  return digestDestination(valuesIn(draft), zone);
}

async function validateDigestForm(
  submitted: BuilderSubmission,
  parts: ListenerParts,
): Promise<ValidatedBuilder> {
  const { draft, asker: maker, request, deadline } = submitted;
  const edited = isEdited(draft)
    ? await findEdited('digest', (id) => parts.store.digests.find(id), submitted, parts)
    : ok(undefined);
  if (!edited.ok) return edited;
  const { id = '', revision = 0, owner = maker.id } = edited.value ?? {};
  const changes = edited.value && { id, revision };
  const form = { owner, changes, values: valuesIn(draft), request, maker, deadline };
  const proposed = await proposeDigest(form, parts);
  if (proposed.ok) return ok(() => previewInBuilder(submitted, proposed.value, parts));
  const { about, sentence } = proposed.refusal;
  return refused(inputProblem(inputForProblem(about, submitted), sentence));
}

function inputForProblem(about: DigestProblem['about'], { draft, request }: BuilderSubmission): string {
  if (about === 'request') return inputNames.report;
  return about === 'range' ? rangeInput(draft.state.range, reportForRequest(request)) : inputFor(about);
}

async function previewInBuilder(
  submitted: BuilderSubmission,
  propose: ProposedDigest,
  parts: ListenerParts,
): Promise<OutgoingMessage | undefined> {
  const { draft, asker } = submitted;
  const proposed = await propose();
  const completed = await completedDraft(proposed.draft, submitted, parts);
  if (!completed) return undefined;
  const message = await previewDraft(completed, asker.id, parts, { known: proposed.known });
  const edited = draft.extra[previewInput];
  // An edited preview must not be confirmed beside its new version.
  if (typeof edited === 'string') await parts.store.digestDrafts.use(edited, asker.id, parts.clock.now());
  return message;
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

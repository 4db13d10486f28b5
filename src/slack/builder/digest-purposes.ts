import type { DigestDraft } from '../../digests/digest.js';
import { ok, refused } from '../../errors/failure.js';
import { completeForAsker } from '../answers/complete-request.js';
import type { ListenerParts } from '../answers/context.js';
import { resolveConversation } from '../context/request-context.js';
import { previewDraft, scheduleNext } from '../digests/propose.js';
import type { CountedRequest } from '../forms/alert-choices.js';
import { digestInputs as ids } from '../forms/cadence-choices.js';
import { type BuilderDraft, choiceIn, inputNames, noChoice, reportChoices } from '../forms/draft.js';
import type { FormValues } from '../forms/inputs.js';
import { rangeInput } from '../forms/ranges.js';
import { digestInputs, proposeDigest, valuesOfDigest } from './digest-form.js';
import {
  answersGoToRunner,
  type BuilderPurpose,
  type BuilderSubmission,
  builderContext,
  findEdited,
} from './purpose.js';

const shared = {
  submit: 'Show next times',
  inputs: (draft: BuilderDraft, isProtected: boolean) =>
    digestInputs(digestValuesIn(draft), { request: countedRequestIn(draft), isProtected }),
  validate: validateDigestForm,
};

/** Previews a new digest of the request. Nothing is saved before a person confirms it. */
export const schedulePurpose: BuilderPurpose = {
  ...shared,
  name: 'schedule',
  label: 'Schedule',
  title: 'Schedule a report',
};

/** Previews changes of a digest, unless another person changed the digest after the builder was opened. */
export const editDigestPurpose: BuilderPurpose = {
  ...shared,
  name: 'edit-digest',
  label: 'Change the digest',
  title: 'Edit a digest',
  edits: 'digest',
};

/** The values of the builder's inputs for a digest, for an unconfirmed draft of one, or for what is known of one. */
export function digestContents(
  known: Parameters<typeof valuesOfDigest>[0] & Pick<DigestDraft, 'changes'>,
): Pick<BuilderDraft, 'values' | 'edits'> {
  const { changes } = known;
  const purpose = changes ? editDigestPurpose : schedulePurpose;
  return {
    values: { ...valuesOfDigest(known), [inputNames.purpose]: purpose.name },
    edits: changes && { kind: 'digest', ...changes },
  };
}

/** What decides the figures of the request in a builder, be it valid or not. */
function countedRequestIn(draft: BuilderDraft): CountedRequest {
  const choices = reportChoices(draft);
  const by = choiceIn(draft, inputNames.by(choices.report));
  return { ...choices, by: by === noChoice ? undefined : by };
}

/** Without a chosen channel, it is the one where the builder was opened. */
export function digestValuesIn(draft: BuilderDraft): FormValues {
  const { values, here } = draft;
  const isHere = here !== undefined && !answersGoToRunner(draft) && !here.channel.startsWith('D');
  return { [ids.channel]: isHere ? here.channel : null, ...values };
}

async function validateDigestForm(submitted: BuilderSubmission, parts: ListenerParts) {
  const { draft, asker: maker, request, deadline } = submitted;
  const edited =
    draft.edits?.kind === 'digest' ? await findEdited('digest', submitted, parts) : ok(undefined);
  if (!edited.ok) return edited;
  const { id = '', revision = 0, owner = maker.id } = edited.value ?? {};
  const changes = edited.value && { id, revision };
  const values = digestValuesIn(draft);
  const requestInputs = { request: inputNames.report, range: rangeInput(draft) };
  const form = { owner, changes, values, request, requestInputs, maker, deadline };
  const proposed = await proposeDigest(form, parts);
  if (!proposed.ok) return refused([proposed.refusal]);
  const { draft: making, known } = proposed.value;
  return ok(async () => {
    const completed = await completedDraft(await making, submitted, parts);
    if (!completed) return undefined;
    const conversation = completed.audience
      ? await resolveConversation(await builderContext(submitted, parts), parts)
      : undefined;
    const message = await previewDraft(completed, maker.id, parts, { known, conversation });
    // An edited preview must not be confirmed beside its new version.
    if (draft.preview) await parts.store.digestDrafts.use(draft.preview, maker.id, parts.clock.now());
    return message;
  });
}

/** A question about a new digest comes in the channel of the digest: its command schedules it there. */
async function completedDraft(proposed: DigestDraft, submitted: BuilderSubmission, parts: ListenerParts) {
  if (proposed.changes) return proposed;
  const opened = await builderContext(submitted, parts);
  const context =
    opened.channel === proposed.channel ? opened : { ...submitted.context, channel: proposed.channel };
  const completed = await completeForAsker(proposed.request, context, parts, scheduleNext(proposed));
  return completed && { ...proposed, request: completed.request };
}

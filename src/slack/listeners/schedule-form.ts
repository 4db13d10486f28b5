import type { DigestDraft } from '../../digests/digest.js';
import { ok, type Result, refused } from '../../errors/failure.js';
import { maskPeople } from '../../requests/person-level.js';
import type { RequestLogEntry } from '../../store/requests/request-log.js';
import { scopeOfPerson } from '../answers/answer-run.js';
import type { ListenerParts } from '../answers/context.js';
import { lastValuesOf } from '../answers/last-values.js';
import {
  digestInForm,
  digestViews,
  parseFormAbout,
  proposeDigest,
  scheduleForm,
  valuesOfDigest,
} from '../builder/digest-form.js';
import { digestValuesIn } from '../builder/digest-purposes.js';
import { formExpired } from '../builder/open.js';
import { changedMeanwhile } from '../builder/purpose.js';
import type { MemberContext } from '../context/request-context.js';
import { slackErrorCode } from '../delivery/clients.js';
import { previewDraft } from '../digests/propose.js';
import type { AlertOffer } from '../forms/alert-choices.js';
import { digestInputs } from '../forms/cadence-choices.js';
import { inputs } from '../forms/forms.js';
import { readInputs, textIn } from '../forms/inputs.js';
import { messageView, type ShownModal, showInModal, updateView } from '../forms/modal.js';
import { readFormValues, requestIn, withFormValuesAt } from '../forms/read-draft.js';
import { sendTest } from '../list/manage.js';
import { digestActions } from '../messages/digests.js';
import { answerActions } from '../messages/summary.js';
import { findItem } from '../saved/items.js';
import { draftUsed } from './digests.js';
import { answerExpired, answerToReuse, findAnswerOfForm } from './find-answer.js';
import { input, type OnPress, opens, type Press, press, type Route } from './router.js';
import { readScorecardLines } from './scorecard-forms.js';
import { rejectForm, submission, type ValidateForm } from './submission.js';

const previewDigest: ValidateForm = async (submitted, parts) => {
  const { asker, values, view, deadline, reply } = submitted;
  const { answer = '', draft: edited, channel } = parseFormAbout(view.private_metadata);
  if (edited !== undefined) return previewEdited(edited, channel, submitted, parts);
  const use = { channel, asker: asker.id };
  const entry = await answerToReuse('schedule', answer, use, parts, findAnswerOfForm);
  if (!entry.ok) return rejectForm(entry.refusal);
  const { request, asker: writtenBy } = entry.value;
  const proposed = await proposeDigest({ owner: asker.id, maker: asker, request, values, deadline }, parts);
  if (!proposed.ok) return refused([proposed.refusal]);
  return ok(async () => {
    const { known } = proposed.value;
    const draft = await proposed.value.draft;
    const shown = writtenBy === asker.id ? draft.request : maskPeople(draft.request);
    const message = await previewDraft(draft, asker.id, parts, { known, shown });
    // An archived channel takes no ephemeral messages.
    const facts = draft.channel.startsWith('D') ? undefined : await parts.channels.find(draft.channel);
    const isOpen = facts === undefined || (facts.known && facts.isMember && !facts.isArchived);
    await reply(message, isOpen ? draft.channel : asker.id);
  });
};

/** The same for a digest of a scorecard that is edited. */
async function previewEdited(
  id: string,
  channel: string,
  { asker, context, values, deadline, text, reply }: Parameters<ValidateForm>[0],
  parts: ListenerParts,
): ReturnType<ValidateForm> {
  const found = await editedDraft(id, context, parts);
  if (!found.ok) return rejectForm(found.refusal);
  const { owner, changes } = found.value;
  const read = await readLinesOf(found.value, text(inputs.lines), asker.zone, parts);
  if (!read.ok) return rejectForm(read.refusal, inputs.lines);
  const requestInputs = { request: inputs.lines, range: inputs.lines };
  const edits = { owner, changes, request: read.value, requestInputs };
  const proposed = await proposeDigest({ ...edits, maker: asker, values, deadline }, parts);
  if (!proposed.ok) return refused([proposed.refusal]);
  return ok(async () => {
    const { known } = proposed.value;
    const message = await previewDraft(await proposed.value.draft, asker.id, parts, { known });
    // An edited preview must not be confirmed beside its new version.
    await parts.store.digestDrafts.use(id, asker.id, parts.clock.now());
    await reply(message, channel);
  });
}

/** What a form edits, unless it was used, somebody else changed its digest, or the person may not change that. */
async function editedDraft(
  id: string,
  context: Pick<MemberContext, 'asker' | 'channel'>,
  parts: ListenerParts,
): Promise<Result<DigestDraft>> {
  const draft = await parts.store.digestDrafts.find(id, context.asker);
  if (!draft || draft === 'used') return refused(draftUsed);
  if (!draft.changes) return ok(draft);
  const found = await findItem('digest', draft.changes.id, 'change', context, parts);
  if (!found.ok) return found;
  return found.value.revision === draft.changes.revision ? ok(draft) : refused(changedMeanwhile('digest'));
}

function readLinesOf({ request, channel }: DigestDraft, typed: string, zone: string, parts: ListenerParts) {
  const name = request.scorecard?.name ?? '';
  return readScorecardLines(typed, { request, channel, name }, zone, parts);
}

/** What the form under an answer offers as the condition of an alert. */
async function alertOfferFor(
  entry: RequestLogEntry,
  { asker: id, member, channel }: MemberContext,
  parts: ListenerParts,
): Promise<AlertOffer> {
  const { request } = entry;
  const scope = await scopeOfPerson(request, member, parts);
  const lastValues = await lastValuesOf(entry, { reader: member, channel }, parts).catch((err: unknown) => {
    parts.log.warn({ err, id }, 'The last values of figures could not be read');
    return undefined;
  });
  return { request, isProtected: scope.ok && scope.value.smallestGroup > 1, lastValues };
}

async function offerOfForm(
  { answer = '', draft }: Pick<ReturnType<typeof parseFormAbout>, 'answer' | 'draft'>,
  place: MemberContext,
  parts: ListenerParts,
): Promise<Result<AlertOffer>> {
  if (draft !== undefined) {
    const edited = await editedDraft(draft, place, parts);
    return edited.ok ? ok({ request: edited.value.request, isProtected: false }) : edited;
  }
  const entry = await findAnswerOfForm(answer, place, parts);
  return entry ? ok(await alertOfferFor(entry, place, parts)) : refused(answerExpired);
}

/** Draws the form again, with the inputs that its choices need. */
const redrawForm: OnPress = async ({ form, context }, parts) => {
  if (!form) return;
  const { hidden, ...about } = parseFormAbout(form.private_metadata);
  const place = { ...context, channel: about.channel };
  const offer = await offerOfForm(about, place, parts);
  const view = offer.ok
    ? scheduleForm(about, { ...hidden, ...readInputs(form.state.values) }, offer.value)
    : messageView('Schedule', offer.refusal);
  await updateView(form.id, view, parts);
};

const testOnItsWay =
  'The test is on its way to your direct messages, and nothing was saved. Close this to continue with the form.';

async function testInForm({ form, context, pressedAt }: Press, parts: ListenerParts) {
  const { asker, member } = context;
  const { store, clock } = parts;
  if (!form) return refused(formExpired);
  const id = form.private_metadata;
  if (form.callback_id === digestViews.cadence) {
    const { answer = '', draft: edited, channel } = parseFormAbout(id);
    const values = readInputs(form.state.values);
    if (edited !== undefined) {
      const draft = await editedDraft(edited, context, parts);
      if (!draft.ok) return draft;
      const read = await readLinesOf(draft.value, textIn(values, inputs.lines), member.zone, parts);
      if (!read.ok) return read;
      const savedAs = draft.value.changes?.id;
      return ok({ request: read.value, ...digestInForm(values, member.zone, read.value), savedAs });
    }
    const entry = await findAnswerOfForm(answer, { channel, asker }, parts);
    if (!entry) return refused(answerExpired);
    const { request } = entry;
    return ok({ request, ...digestInForm(values, member.zone, request) });
  }
  const filledIn = readFormValues(form.state.values);
  const draft = await store.builderDrafts.change(id, asker, clock.now(), (before) =>
    withFormValuesAt(pressedAt, before, filledIn),
  );
  if (!draft) return refused(formExpired);
  if (draft === 'used') return refused('This form was already submitted.');
  const request = requestIn(draft);
  if (!request.ok) return refused(request.refusal[0]?.sentence ?? formExpired);
  const digest = digestInForm(digestValuesIn(draft), member.zone, request.value);
  return ok({ request: request.value, ...digest, savedAs: draft.edits?.id });
}

/** Shows a message over the form, or in the form if the trigger has expired. */
async function showOverForm(sentence: string, { form, triggerId }: Press, parts: ListenerParts) {
  try {
    const view = messageView('Send me a test', sentence);
    await parts.interactive.views.push({ trigger_id: triggerId, view });
  } catch (error) {
    parts.log.warn({ code: slackErrorCode(error) }, 'A message over a form could not be shown');
    if (form) await showInModal(form as ShownModal, sentence, parts);
  }
}

export const scheduleFormRoutes = (): readonly Route[] => [
  opens(answerActions.schedule, 'member', 'Schedule', async ({ value, context, message }, parts) => {
    const { channel, member } = context;
    const entry = await answerToReuse('schedule', value, { ...context, message }, parts);
    if (!entry.ok) return refused(entry.refusal);
    const values = valuesOfDigest({ zone: member.zone, channel });
    const offer = await alertOfferFor(entry.value, context, parts);
    return ok(scheduleForm({ answer: entry.value.id, channel }, values, offer));
  }),
  input(digestInputs.kind, 'member', redrawForm),
  input(digestInputs.when, 'member', redrawForm),
  input(digestInputs.audience, 'member', redrawForm),
  submission(digestViews.cadence, 'member', previewDigest),
  // Send me a test, in a form: runs its request for this person alone.
  press(digestActions.testForm, 'member', async (pressed, parts) => {
    const inForm = await testInForm(pressed, parts);
    if (!inForm.ok) return showOverForm(inForm.refusal, pressed, parts);
    await showOverForm(testOnItsWay, pressed, parts);
    await sendTest(inForm.value, pressed.context, parts);
  }),
];

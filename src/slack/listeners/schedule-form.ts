import { ok, refused } from '../../errors/result.js';
import { maskPeople } from '../../requests/person-level.js';
import type { ListenerParts } from '../answers/context.js';
import { digestDestination, proposeDigest, scheduleForm, valuesOfDigest } from '../builder/digest-form.js';
import { digestValuesIn } from '../builder/digest-purposes.js';
import { formExpired } from '../builder/open.js';
import { slackErrorCode } from '../delivery/clients.js';
import { previewDraft } from '../digests/propose.js';
import { readInputs } from '../forms/inputs.js';
import { messageView, type ShownModal, showInModal, updateView } from '../forms/modal.js';
import { readFormValues, requestIn, withFormValuesAt } from '../forms/read-draft.js';
import { actions, digestActions, digestInputs, digestViews } from '../ids.js';
import { sendTest } from '../list/manage.js';
import { answerExpired, answerToReuse, findAnswerOfForm } from './find-answer.js';
import { input, opens, type Press, press, type Route } from './router.js';
import { rejectForm, submission, type ValidateForm } from './submission.js';

const previewDigest: ValidateForm = async ({ asker, values, metadata, deadline, reply }, parts) => {
  const [requestId = '', channel = ''] = metadata;
  const use = { channel, asker: asker.id };
  const entry = await answerToReuse('schedule', requestId, use, parts, findAnswerOfForm);
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

const testOnItsWay =
  'The test is on its way to your direct messages, and nothing was saved. Close this to continue with the form.';

async function digestInForm({ form, context: { asker, member }, pressedAt }: Press, parts: ListenerParts) {
  const { store, clock } = parts;
  if (!form) return refused(formExpired);
  const id = form.private_metadata;
  if (form.callback_id === digestViews.cadence) {
    const [answer = '', channel = ''] = id.split(' ');
    const entry = await findAnswerOfForm(answer, { channel, asker }, parts);
    if (!entry) return refused(answerExpired);
    const destination = digestDestination(readInputs(form.state.values), member.zone);
    return ok({ request: entry.request, ...destination });
  }
  const filledIn = readFormValues(form.state.values);
  const draft = await store.builderDrafts.change(id, asker, clock.now(), (before) =>
    withFormValuesAt(pressedAt, before, filledIn),
  );
  if (!draft) return refused(formExpired);
  if (draft === 'used') return refused('This form was already submitted.');
  const request = requestIn(draft);
  return request.ok
    ? ok({ request: request.value, ...digestDestination(digestValuesIn(draft), member.zone) })
    : refused(request.refusal[0]?.sentence ?? formExpired);
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
  opens(actions.schedule, 'member', 'Schedule', async ({ value, context, message }, parts) => {
    const { channel, member } = context;
    const entry = await answerToReuse('schedule', value, { ...context, message }, parts);
    if (!entry.ok) return refused(entry.refusal);
    const values = valuesOfDigest({ zone: member.zone, channel });
    return ok(scheduleForm(`${entry.value.id} ${channel}`, values));
  }),
  input(digestInputs.kind, 'member', async ({ form }, parts) => {
    if (!form) return;
    const view = scheduleForm(form.private_metadata, readInputs(form.state.values));
    await updateView(form.id, view, parts);
  }),
  submission(digestViews.cadence, 'member', previewDigest),
  // Send me a test, in a form: runs its request for this person alone.
  press(digestActions.testForm, 'member', async (pressed, parts) => {
    const inForm = await digestInForm(pressed, parts);
    if (!inForm.ok) return showOverForm(inForm.refusal, pressed, parts);
    await showOverForm(testOnItsWay, pressed, parts);
    await sendTest(inForm.value, pressed.context, parts);
  }),
];

import { ok, type Result, refused } from '../../../errors/result.js';
import type { ReportRequest } from '../../../requests/request.js';
import { answerRequest } from '../../answer-request.js';
import { findAnswerOfForm } from '../../find-answer.js';
import { digestActions, digestInputs, digestViews } from '../../ids.js';
import {
  type DigestDestination,
  destinationInBuilder,
  digestDestination,
} from '../../modals/builder/digest-purposes.js';
import { formExpired, withFormValuesAt } from '../../modals/builder/open.js';
import { readFormValues } from '../../modals/builder/purpose.js';
import { requestFromState } from '../../modals/builder/read-state.js';
import { messageView, type ShownModal, showInModal, updateView } from '../../modals/modal.js';
import { readScheduleForm, scheduleForm } from '../../modals/schedule-form.js';
import { inChannel } from '../../request-context.js';
import { input, type OnPress, type Press, press, type Route } from '../../router.js';
import { slackErrorCode } from '../../transport/clients.js';
import type { ListenerParts } from '../context.js';

/** How often, in the schedule form: shows the inputs of the chosen kind. */
const chooseCadenceKind: OnPress = async ({ form }, parts) => {
  if (!form) return;
  const view = scheduleForm(form.private_metadata, readScheduleForm(form));
  await updateView({ viewId: form.id, view }, parts);
};

/** Send me a test, in a form: runs its request for this person alone. */
const testForm: OnPress = async (pressed, parts) => {
  const { context } = pressed;
  const inForm = await digestInForm(pressed, parts);
  if (!inForm.ok) return showOverForm(inForm.refusal, pressed, parts);
  await showOverForm(testOnItsWay, pressed, parts);
  const channel = await parts.channels.directWith(context.asker);
  const { request, zone, channel: testOf } = inForm.value;
  const there = { ...inChannel(context, channel), testOf };
  await answerRequest({ ...request, toMe: false }, there, parts, {
    zone,
    isRepeat: true,
    isTest: true,
    choseFilters: false,
  });
};

const testOnItsWay =
  'The test is on its way to your direct messages, and nothing was saved. Close this to continue with the form.';

interface DigestInForm extends DigestDestination {
  readonly request: ReportRequest;
}

/** The digest that a form would schedule now. */
async function digestInForm(
  { form, context: { asker, member }, pressedAt }: Press,
  parts: ListenerParts,
): Promise<Result<DigestInForm>> {
  const { store, clock } = parts;
  if (!form) return refused(formExpired);
  const id = form.private_metadata;
  if (form.callback_id === digestViews.cadence) {
    const [answer = '', channel = ''] = id.split(' ');
    const entry = await findAnswerOfForm(answer, { channel, asker }, parts);
    if (!entry) return refused('That report has expired. Run it again.');
    const { choices, channel: chosen } = readScheduleForm(form);
    return ok({
      request: entry.request,
      ...digestDestination({ ...choices, zone: choices.zone || member.zone }, chosen),
    });
  }
  const filledIn = readFormValues(form.state.values);
  const draft = await store.builderDrafts.change(id, asker, clock.now(), (before) =>
    withFormValuesAt(pressedAt, before, filledIn),
  );
  if (!draft) return refused(formExpired);
  if (draft === 'used') return refused('This form was already submitted.');
  const request = requestFromState(draft.state);
  return request.ok
    ? ok({ request: request.value, ...destinationInBuilder(draft, member.zone) })
    : refused(request.refusal[0]?.sentence ?? formExpired);
}

/** Shows a message over the form, or in the form if the trigger has expired. */
async function showOverForm(
  sentence: string,
  { form, triggerId }: Press,
  parts: ListenerParts,
): Promise<void> {
  try {
    await parts.interactive.views.push({
      trigger_id: triggerId,
      view: messageView('Send me a test', sentence),
    });
  } catch (error) {
    parts.log.warn({ code: slackErrorCode(error) }, 'A message over a form could not be shown');
    if (form) await showInModal(form as ShownModal, sentence, parts);
  }
}

export const scheduleFormRoutes = (): readonly Route[] => [
  input(digestInputs.kind, ['member'], chooseCadenceKind),
  press(digestActions.testForm, ['member'], { kept: true }, testForm),
];

import type { AllMiddlewareArgs, BlockAction, SlackActionMiddlewareArgs } from '@slack/bolt';
import { ok, type Result, refused } from '../../../errors/result.js';
import type { Asker, ReportRequest } from '../../../requests/request.js';
import { answerRequest } from '../../answer-request.js';
import { findAnswerOfForm } from '../../find-answer.js';
import { digestViews } from '../../ids.js';
import {
  type DigestDestination,
  destinationInBuilder,
  digestDestination,
} from '../../modals/builder/digest-purposes.js';
import { formExpired, keyedQueue, withFormValuesAt } from '../../modals/builder/open.js';
import { readFormValues } from '../../modals/builder/purpose.js';
import { requestFromState } from '../../modals/builder/read-state.js';
import { messageView, type ShownModal, showInModal, updateView } from '../../modals/modal.js';
import { readScheduleForm, scheduleForm } from '../../modals/schedule-form.js';
import { resolveAsker } from '../../request-context.js';
import { slackErrorCode } from '../../transport/clients.js';
import type { ListenerParts } from '../context.js';

type FormActionArgs = SlackActionMiddlewareArgs<BlockAction> & AllMiddlewareArgs;

/** How often, in the schedule form: shows the inputs of the chosen kind, one choice after the other. */
export function cadenceKindSelect(parts: ListenerParts) {
  const turns = keyedQueue();
  return async ({ body: { view, user }, ack }: FormActionArgs) => {
    await ack();
    if (!view) return;
    const asker = await resolveAsker(user.id, parts.people, parts.defaultZone);
    if (!asker.ok) {
      const refusal = messageView('Schedule', asker.refusal);
      return void (await updateView({ viewId: view.id, view: refusal }, parts));
    }
    const drawn = scheduleForm(view.private_metadata, readScheduleForm(view));
    await turns(view.id, async () => void (await updateView({ viewId: view.id, view: drawn }, parts)));
  };
}

/** Send me a test, in a form: runs its request for this person alone. */
export function testFormButton(parts: ListenerParts) {
  return async ({ body, ack }: FormActionArgs) => {
    await ack();
    const asker = body.user.id;
    const resolved = await resolveAsker(asker, parts.people, parts.defaultZone);
    if (!resolved.ok) return showOverForm(resolved.refusal, body, parts);
    const inForm = await digestInForm(body, resolved.value, parts);
    if (!inForm.ok) return showOverForm(inForm.refusal, body, parts);
    await showOverForm(testOnItsWay, body, parts);
    const channel = await parts.channels.directWith(asker);
    const { request, zone, channel: testOf } = inForm.value;
    await answerRequest({ ...request, toMe: false }, { channel, asker, testOf }, parts, {
      zone,
      isRepeat: true,
      isTest: true,
      choseFilters: false,
    });
  };
}

const testOnItsWay =
  'The test is on its way to your direct messages, and nothing was saved. Close this to continue with the form.';

interface DigestInForm extends DigestDestination {
  readonly request: ReportRequest;
}

/** The digest that a form would schedule now. */
async function digestInForm(
  { view, user, actions }: BlockAction,
  { zone }: Asker,
  parts: ListenerParts,
): Promise<Result<DigestInForm>> {
  const { store, clock } = parts;
  if (!view) return refused(formExpired);
  const id = view.private_metadata;
  if (view.callback_id === digestViews.cadence) {
    const [answer = '', channel = ''] = id.split(' ');
    const entry = await findAnswerOfForm(answer, { channel, asker: user.id }, parts);
    if (!entry) return refused('That report has expired. Run it again.');
    const form = readScheduleForm(view);
    const choices = { ...form.choices, zone: form.choices.zone || zone };
    return ok({ request: entry.request, ...digestDestination(choices, form.channel) });
  }
  const at = Number(actions[0]?.action_ts);
  const filledIn = readFormValues(view.state.values);
  const draft = await store.builderDrafts.change(id, user.id, clock.now(), (before) =>
    withFormValuesAt(at, before, filledIn),
  );
  if (!draft) return refused(formExpired);
  if (draft === 'used') return refused('This form was already submitted.');
  const request = requestFromState(draft.state);
  return request.ok
    ? ok({ request: request.value, ...destinationInBuilder(draft, zone) })
    : refused(request.refusal[0]?.sentence ?? formExpired);
}

/** Shows a message over the form, or in the form if the trigger has expired. */
async function showOverForm(
  sentence: string,
  { trigger_id, view }: BlockAction,
  parts: ListenerParts,
): Promise<void> {
  try {
    await parts.interactive.views.push({ trigger_id, view: messageView('Send me a test', sentence) });
  } catch (error) {
    parts.log.warn({ code: slackErrorCode(error) }, 'A message over a form could not be shown');
    if (view?.type === 'modal') await showInModal(view as ShownModal, sentence, parts);
  }
}

import { commonMembers, personPayload } from '../delivery/payloads.js';
import type { StateValue, StateValues } from '../page-shapes.js';
import { validateViewAnswer } from '../validator/validate.js';
import { ApiError, describeApiError, isJsonObject } from '../web-api/method.js';
import { checkView, describeView } from '../web-api/views.js';
import type { SlackObject, View } from '../workspace/records.js';
import { findElements, mergeState, valueMemberOf } from '../workspace/views.js';
import { reportRefusal } from '../workspace/workspace.js';
import { findPerson, NotAllowed, type PeopleContext } from './context.js';

const connectionTroubleMessage = 'We had some trouble connecting. Try again?';

/** A person submits the top view. Resolves after the bot's answer is applied. */
export async function submitViewAs(
  context: PeopleContext,
  user: string,
  viewId: string,
  state: StateValues,
): Promise<void> {
  const { views, triggers } = context.api;
  const view = requireTopView(context, user, viewId);
  view.state = mergeState(view.state, state);
  view.errors = validateInputs(view.content.blocks, view.state);
  delete view.failed;
  view.waiting = Object.keys(view.errors).length === 0;
  views.touch(view);
  if (!view.waiting) throw new NotAllowed('Some fields are not valid.');
  const result = await context.delivery.deliver('interactive', {
    type: 'view_submission',
    ...viewPayload(context, view),
    trigger_id: triggers.issue(user, view.id),
    response_urls: requestedResponseUrls(context, view),
  });
  view.waiting = false;
  if (result.ok) applyAnswer(context, view, result.answer ?? {});
  else setViewError(context, view, connectionTroubleMessage);
}

/** A person cancels the top view, or closes all views with the X button. */
export async function closeViewAs(
  context: PeopleContext,
  user: string,
  viewId: string,
  all: boolean,
): Promise<void> {
  const { views } = context.api;
  const view = requireTopView(context, user, viewId);
  const stack = views.stackOf(user);
  const notifiedView = all ? (stack[0] ?? view) : view;
  const clearsAll = all || view.content.clear_on_close === true;
  if (clearsAll) views.closeAll(user);
  else views.closeFrom(view);
  if (notifiedView.content.notify_on_close !== true) return;
  await context.delivery.deliver('interactive', {
    type: 'view_closed',
    ...viewPayload(context, notifiedView),
    is_cleared: clearsAll,
  });
}

function requireTopView(context: PeopleContext, user: string, viewId: string): View {
  const top = context.api.views.stackOf(user).at(-1);
  if (top?.id !== viewId) throw new NotAllowed('Another view is open above this one.');
  if (top.waiting) throw new NotAllowed('The app has not answered yet. Wait a moment.');
  return top;
}

function viewPayload(context: PeopleContext, view: View): SlackObject {
  const { workspace } = context.api;
  return {
    ...commonMembers(workspace),
    user: personPayload(findPerson(context, view.user)),
    view: describeView(workspace, view),
  };
}

function applyAnswer(context: PeopleContext, view: View, answer: unknown): void {
  try {
    const rules = validateViewAnswer(answer, { blocks: view.content.blocks });
    if (rules.length > 0) throw new ApiError('invalid_arguments', {}, rules);
    if (isJsonObject(answer)) runResponseAction(context, view, answer);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    reportRefusal(context.api.workspace, {
      method: 'answer to view_submission',
      error: error.error,
      sentence: describeApiError(error),
      rules: error.rules,
      user: view.user,
    });
    setViewError(context, view, connectionTroubleMessage);
  }
}

function runResponseAction(context: PeopleContext, view: View, answer: SlackObject): void {
  const { views } = context.api;
  switch (answer.response_action) {
    case 'clear':
      views.closeAll(view.user);
      return;
    case 'errors':
      showErrors(context, view, answer.errors);
      return;
    case 'update':
      views.update(view, checkView(context.api, answer.view, 'modal', view));
      return;
    case 'push':
      if (!views.push(view.user, checkView(context.api, answer.view, 'modal')))
        throw new ApiError('push_limit_reached');
      views.touch(view);
      return;
    default:
      views.closeFrom(view);
  }
}

function showErrors(context: PeopleContext, view: View, errors: unknown) {
  view.errors = isJsonObject(errors)
    ? Object.fromEntries(Object.entries(errors).map(([block, sentence]) => [block, String(sentence)]))
    : {};
  context.api.views.touch(view);
}

function setViewError(context: PeopleContext, view: View, sentence: string) {
  view.failed = sentence;
  context.api.views.touch(view);
}

/** With `response_url_enabled`, a conversation select gives the bot a `response_url` for the chosen one. */
function requestedResponseUrls(context: PeopleContext, view: View): readonly SlackObject[] {
  return findElements(view.content.blocks).flatMap(({ block, element }) => {
    if (element.response_url_enabled !== true) return [];
    const value = view.state[String(block.block_id)]?.[String(element.action_id)];
    const channel = value?.selected_conversation ?? value?.selected_channel;
    if (typeof channel !== 'string') return [];
    return [
      {
        block_id: block.block_id,
        action_id: element.action_id,
        channel_id: channel,
        response_url: context.responseUrls.issue({ channel, user: view.user }, 'actions'),
      },
    ];
  });
}

/** Slack's own validation before a view is submitted. Returns error messages by `block_id`. */
function validateInputs(blocks: readonly SlackObject[], state: StateValues): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const block of blocks) {
    if (block.type !== 'input' || !isJsonObject(block.element)) continue;
    const value = state[String(block.block_id)]?.[String(block.element.action_id)];
    const problem = validateInput(block, block.element, value);
    if (problem) problems[String(block.block_id)] = problem;
  }
  return problems;
}

function validateInput(
  block: SlackObject,
  element: SlackObject,
  value: StateValue | undefined,
): string | undefined {
  const inputValue = value?.[valueMemberOf(String(element.type)) ?? ''];
  const empty =
    inputValue === undefined ||
    inputValue === null ||
    inputValue === '' ||
    (Array.isArray(inputValue) && inputValue.length === 0);
  if (empty) return block.optional === true ? undefined : 'Fill in this field.';
  if (Array.isArray(inputValue) && typeof element.max_selected_items === 'number')
    return inputValue.length > element.max_selected_items
      ? `Choose at most ${element.max_selected_items}.`
      : undefined;
  return typeof inputValue === 'string' ? validateText(element, inputValue) : undefined;
}

function validateText(element: SlackObject, text: string): string | undefined {
  const { type, min_length: least, max_length: most } = element;
  if (typeof least === 'number' && text.length < least) return `Enter at least ${least} characters.`;
  if (text.length > (typeof most === 'number' ? most : 3000))
    return `Enter at most ${typeof most === 'number' ? most : 3000} characters.`;
  if (type === 'number_input') return validateNumber(element, text);
  if (type === 'email_text_input' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text))
    return 'Enter an email address.';
  if (type === 'url_text_input' && !URL.canParse(text)) return 'Enter a URL.';
  return undefined;
}

function validateNumber(element: SlackObject, text: string): string | undefined {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return 'Enter a number.';
  if (element.is_decimal_allowed !== true && text.includes('.')) return 'Enter a whole number.';
  if (typeof element.min_value === 'string' && Number(text) < Number(element.min_value))
    return `Enter at least ${element.min_value}.`;
  if (typeof element.max_value === 'string' && Number(text) > Number(element.max_value))
    return `Enter at most ${element.max_value}.`;
  return undefined;
}

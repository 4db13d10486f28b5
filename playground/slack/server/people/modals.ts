import { common, personPayload } from '../delivery/payloads.js';
import type { StateValue, StateValues } from '../page-shapes.js';
import { validateViewAnswer } from '../validator/validate.js';
import { isJsonObject, Refusal, sentenceFor } from '../web-api/method.js';
import { checkView, describeView } from '../web-api/views.js';
import type { SlackObject, View } from '../workspace/records.js';
import { elementsIn, overlay, valueNameOf } from '../workspace/views.js';
import { refuse } from '../workspace/workspace.js';
import { NotAllowed, type PeopleContext, personNamed } from './context.js';

const trouble = 'We had some trouble connecting. Try again?';

/** A person submits the topmost view. Resolves when the bot's answer has been carried out. */
export async function submitViewAs(
  stage: PeopleContext,
  user: string,
  viewId: string,
  state: StateValues,
): Promise<void> {
  const { views, triggers } = stage.api;
  const view = topmost(stage, user, viewId);
  view.state = overlay(view.state, state);
  view.errors = inputProblems(view.content.blocks, view.state);
  delete view.failed;
  view.waiting = Object.keys(view.errors).length === 0;
  views.touch(view);
  if (!view.waiting) throw new NotAllowed('Some fields need another look.');
  const receipt = await stage.courier.deliver('interactive', {
    type: 'view_submission',
    ...ofView(stage, view),
    trigger_id: triggers.issue(user, view.id),
    response_urls: responseUrlsAskedIn(stage, view),
  });
  view.waiting = false;
  if (receipt.ok) carryOut(stage, view, receipt.answer ?? {});
  else fail(stage, view, trouble);
}

/** A person cancels the topmost view, or closes all of them with the x. */
export async function closeViewAs(
  stage: PeopleContext,
  user: string,
  viewId: string,
  all: boolean,
): Promise<void> {
  const { views } = stage.api;
  const view = topmost(stage, user, viewId);
  const stack = views.stackOf(user);
  const told = all ? (stack[0] ?? view) : view;
  const clearsAll = all || view.content.clear_on_close === true;
  if (clearsAll) views.closeAll(user);
  else views.closeFrom(view);
  if (told.content.notify_on_close !== true) return;
  await stage.courier.deliver('interactive', {
    type: 'view_closed',
    ...ofView(stage, told),
    is_cleared: clearsAll,
  });
}

function topmost(stage: PeopleContext, user: string, viewId: string): View {
  const top = stage.api.views.stackOf(user).at(-1);
  if (top?.id !== viewId) throw new NotAllowed('This view is no longer on top.');
  if (top.waiting) throw new NotAllowed('The app is still answering.');
  return top;
}

function ofView(stage: PeopleContext, view: View): SlackObject {
  const { workspace } = stage.api;
  return {
    ...common(workspace),
    user: personPayload(personNamed(stage, view.user)),
    view: describeView(workspace, view),
  };
}

function carryOut(stage: PeopleContext, view: View, answer: unknown): void {
  try {
    const rules = validateViewAnswer(answer, { blocks: view.content.blocks });
    if (rules.length > 0) throw new Refusal('invalid_arguments', {}, rules);
    if (isJsonObject(answer)) obey(stage, view, answer);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refuse(stage.api.workspace, {
      method: 'answer to view_submission',
      error: error.error,
      sentence: sentenceFor(error),
      rules: error.rules,
      user: view.user,
    });
    fail(stage, view, trouble);
  }
}

function obey(stage: PeopleContext, view: View, answer: SlackObject): void {
  const { views } = stage.api;
  switch (answer.response_action) {
    case 'clear':
      views.closeAll(view.user);
      return;
    case 'errors':
      showErrors(stage, view, answer.errors);
      return;
    case 'update':
      views.update(view, checkView(stage.api, answer.view, 'modal', view));
      return;
    case 'push':
      if (!views.push(view.user, checkView(stage.api, answer.view, 'modal')))
        throw new Refusal('push_limit_reached');
      views.touch(view);
      return;
    default:
      views.closeFrom(view);
  }
}

function showErrors(stage: PeopleContext, view: View, errors: unknown) {
  view.errors = isJsonObject(errors)
    ? Object.fromEntries(Object.entries(errors).map(([block, sentence]) => [block, String(sentence)]))
    : {};
  stage.api.views.touch(view);
}

function fail(stage: PeopleContext, view: View, sentence: string) {
  view.failed = sentence;
  stage.api.views.touch(view);
}

/** Selects of conversations that ask for it give the bot an address to answer in the chosen one. */
function responseUrlsAskedIn(stage: PeopleContext, view: View): readonly SlackObject[] {
  return elementsIn(view.content.blocks).flatMap(({ block, element }) => {
    if (element.response_url_enabled !== true) return [];
    const value = view.state[String(block.block_id)]?.[String(element.action_id)];
    const channel = value?.selected_conversation ?? value?.selected_channel;
    if (typeof channel !== 'string') return [];
    return [
      {
        block_id: block.block_id,
        action_id: element.action_id,
        channel_id: channel,
        response_url: stage.responseUrls.issue({ channel, user: view.user }, 'actions'),
      },
    ];
  });
}

/** What Slack itself checks before a view is submitted: sentences by `block_id`. */
function inputProblems(blocks: readonly SlackObject[], state: StateValues): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const block of blocks) {
    if (block.type !== 'input' || !isJsonObject(block.element)) continue;
    const value = state[String(block.block_id)]?.[String(block.element.action_id)];
    const problem = problemWith(block, block.element, value);
    if (problem) problems[String(block.block_id)] = problem;
  }
  return problems;
}

function problemWith(
  block: SlackObject,
  element: SlackObject,
  value: StateValue | undefined,
): string | undefined {
  const held = value?.[valueNameOf(String(element.type)) ?? ''];
  const empty =
    held === undefined || held === null || held === '' || (Array.isArray(held) && held.length === 0);
  if (empty) return block.optional === true ? undefined : 'Please fill in this field.';
  if (Array.isArray(held) && typeof element.max_selected_items === 'number')
    return held.length > element.max_selected_items
      ? `Choose at most ${element.max_selected_items}.`
      : undefined;
  return typeof held === 'string' ? problemWithText(element, held) : undefined;
}

function problemWithText(element: SlackObject, text: string): string | undefined {
  const { type, min_length: least, max_length: most } = element;
  if (typeof least === 'number' && text.length < least) return `Write at least ${least} characters.`;
  if (text.length > (typeof most === 'number' ? most : 3000))
    return `Write at most ${typeof most === 'number' ? most : 3000} characters.`;
  if (type === 'number_input') return problemWithNumber(element, text);
  if (type === 'email_text_input' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text))
    return 'Write an e-mail address.';
  if (type === 'url_text_input' && !URL.canParse(text)) return 'Write a web address.';
  return undefined;
}

function problemWithNumber(element: SlackObject, text: string): string | undefined {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return 'Write a number.';
  if (element.is_decimal_allowed !== true && text.includes('.')) return 'Write a whole number.';
  if (typeof element.min_value === 'string' && Number(text) < Number(element.min_value))
    return `Write at least ${element.min_value}.`;
  if (typeof element.max_value === 'string' && Number(text) > Number(element.max_value))
    return `Write at most ${element.max_value}.`;
  return undefined;
}

import { commonMembers, messagePayload, personPayload } from '../delivery/payloads.js';
import type { ActionValue, Json, JsonObject, StateValue, StateValues, Surface } from '../page-protocol.js';
import { validateOptionsAnswer } from '../validator/validate.js';
import { isJsonObject } from '../web-api/method.js';
import { describeView } from '../web-api/views.js';
import { findMessage } from '../workspace/messages.js';
import type { Channel, Message, SlackObject, View } from '../workspace/records.js';
import {
  type FoundElement,
  findElements,
  initialState,
  mergeState,
  valueMemberOf,
} from '../workspace/views.js';
import { reportRefusal } from '../workspace/workspace.js';
import { runCommandAs } from './commands.js';
import { findPerson, findVisibleChannel, NotAllowed, type PeopleContext } from './context.js';
import { welcomeCommand } from './messages.js';

export interface ElementUse {
  readonly surface: Surface;
  readonly blockId: string;
  readonly actionId: string;
  readonly value: ActionValue;
  readonly state?: StateValues | undefined;
}

const timeoutMessage = 'The app did not answer in time. Try again.';

/** A person presses a button or chooses a value. Resolves after the bot's acknowledgement. */
export async function triggerElementAs(context: PeopleContext, user: string, use: ElementUse): Promise<void> {
  const surface = findSurface(context, user, use.surface);
  const { block, element } = findElementOn(surface, use.blockId, use.actionId);
  if (use.state) setInputState(surface, user, use.state);
  if (surface.kind === 'message') {
    const command = welcomeCommand(surface.message, element);
    if (command) return runCommandAs(context, user, command.channel, command.line);
  }
  const value = chosenValue(element, use.value);
  if (valueMemberOf(String(element.type))) {
    const typed = { type: String(element.type), ...value } as StateValue;
    setInputState(surface, user, { [use.blockId]: { [use.actionId]: typed } });
  }
  // An input dispatches only with `dispatch_action`. Otherwise its value is sent with the submission.
  if (block.type === 'input' && block.dispatch_action !== true) return;
  setSurfaceError(context, surface, user, undefined);
  const result = await context.delivery.deliver('interactive', {
    type: 'block_actions',
    ...surfacePayload(context, surface, user),
    trigger_id: context.api.triggers.issue(user, surface.kind === 'view' ? surface.view.id : undefined),
    ...(surface.kind === 'message' && {
      response_url: context.responseUrls.issue(
        { channel: surface.channel.id, user, message: surface.message },
        'actions',
      ),
    }),
    actions: [actionPayload(context, element, use.blockId, value)],
  });
  if (!result.ok) setSurfaceError(context, surface, user, timeoutMessage);
}

function actionPayload(
  context: PeopleContext,
  element: SlackObject,
  blockId: string,
  value: ActionValue,
): SlackObject {
  const pressed = element.type === 'feedback_buttons' ? findFeedbackButton(element, value) : element;
  return {
    type: element.type,
    action_id: element.action_id,
    block_id: blockId,
    text: isJsonObject(pressed.text) ? pressed.text : undefined,
    value: typeof pressed.value === 'string' ? pressed.value : undefined,
    placeholder: element.placeholder,
    confirm: element.confirm,
    ...value,
    action_ts: context.api.workspace.timestamps.next().ts,
  };
}

function findFeedbackButton(element: SlackObject, value: ActionValue): SlackObject {
  const buttons = [element.positive_button, element.negative_button].filter(isJsonObject);
  const pressed = buttons.find((button) => button.value === value.value);
  if (!pressed) throw new NotAllowed('This button no longer exists.');
  return pressed;
}

/** The value for the payload. Throws if a chosen option is not one of the element's options. */
function chosenValue(element: SlackObject, value: ActionValue): ActionValue {
  const type = String(element.type);
  const name = type === 'overflow' ? 'selected_option' : valueMemberOf(type);
  if (!name) return type === 'feedback_buttons' ? value : {};
  const chosen = value[name] ?? (name.endsWith('s') ? [] : null);
  const options = optionsOf(element);
  if (!options) return { [name]: chosen };
  if (Array.isArray(chosen)) return { [name]: chosen.map((choice) => findOption(options, choice)) };
  return { [name]: chosen === null ? null : findOption(options, chosen) };
}

function findOption(options: readonly SlackObject[], choice: Json): JsonObject {
  const wanted = isJsonObject(choice) ? choice.value : choice;
  const option = options.find((one) => one.value === wanted);
  if (!option) throw new NotAllowed(`${String(wanted)} is not one of the options.`);
  return option as JsonObject;
}

function optionsOf(element: SlackObject): readonly SlackObject[] | undefined {
  if (Array.isArray(element.options)) return element.options;
  if (!Array.isArray(element.option_groups)) return undefined;
  return element.option_groups.flatMap((group: SlackObject) =>
    Array.isArray(group.options) ? group.options : [],
  );
}

/** A person types into an external select. Returns the bot's options. */
export async function requestOptionsAs(
  context: PeopleContext,
  user: string,
  request: {
    surface: Surface;
    blockId: string;
    actionId: string;
    query: string;
    state?: StateValues | undefined;
  },
): Promise<{ options?: readonly JsonObject[]; optionGroups?: readonly JsonObject[] }> {
  const surface: FoundSurface = findSurface(context, user, request.surface);
  const { element } = findElementOn(surface, request.blockId, request.actionId);
  if (request.state) setInputState(surface, user, request.state);
  const minQueryLength = typeof element.min_query_length === 'number' ? element.min_query_length : 3;
  if (request.query.length < minQueryLength) return { options: [] };
  const result = await context.delivery.deliver('interactive', {
    type: 'block_suggestion',
    ...surfacePayload(context, surface, user),
    action_id: request.actionId,
    block_id: request.blockId,
    value: request.query,
  });
  if (!result.ok) throw new NotAllowed(timeoutMessage);
  const rules = validateOptionsAnswer(result.answer ?? {});
  if (rules.length > 0) {
    const sentence = 'Slack would refuse these options.';
    reportRefusal(context.api.workspace, {
      method: 'answer to block_suggestion',
      error: 'invalid_options',
      sentence,
      rules,
      user,
    });
    throw new NotAllowed(sentence);
  }
  const answer = result.answer as { options?: JsonObject[]; option_groups?: JsonObject[] };
  return answer.options ? { options: answer.options } : { optionGroups: answer.option_groups ?? [] };
}

/** The message or view that a person is using. */
export type FoundSurface =
  | { readonly kind: 'message'; readonly channel: Channel; readonly message: Message }
  | { readonly kind: 'view'; readonly view: View };

export function findSurface(context: PeopleContext, user: string, surface: Surface): FoundSurface {
  const { workspace, views } = context.api;
  if (surface.kind === 'view') {
    const view = views.find({ viewId: surface.view });
    if (view?.user !== user) throw new NotAllowed('This view was closed.');
    return { kind: 'view', view };
  }
  const channel = findVisibleChannel(context, user, surface.channel);
  const message = findMessage(workspace, channel.id, surface.ts);
  if (!message || (message.visibleTo && message.visibleTo !== user))
    throw new NotAllowed('This message was deleted, or only someone else can see it.');
  return { kind: 'message', channel, message };
}

export function blocksOf(surface: FoundSurface): readonly SlackObject[] {
  return surface.kind === 'view' ? surface.view.content.blocks : surface.message.blocks;
}

function findElementOn(surface: FoundSurface, blockId: string, actionId: string): FoundElement {
  const found = findElements(blocksOf(surface)).find(
    ({ block, element }) => block.block_id === blockId && element.action_id === actionId,
  );
  if (!found) throw new NotAllowed('This element was removed.');
  return found;
}

/** Current input values of a surface. */
function inputStateOf(surface: FoundSurface, user: string): StateValues {
  if (surface.kind === 'view') return surface.view.state;
  return surface.message.state.get(user) ?? initialState(surface.message.blocks);
}

/** Sets input values of a surface. Values without an input are dropped. */
function setInputState(surface: FoundSurface, user: string, newer: StateValues): void {
  const state = mergeState(inputStateOf(surface, user), newer);
  if (surface.kind === 'view') surface.view.state = state;
  else surface.message.state.set(user, state);
}

/** The members of an interaction's payload that identify the surface. */
function surfacePayload(context: PeopleContext, surface: FoundSurface, user: string): SlackObject {
  const { workspace, origin } = context.api;
  const values = inputStateOf(surface, user);
  const person = personPayload(findPerson(context, user));
  if (surface.kind === 'view')
    return {
      ...commonMembers(workspace),
      user: person,
      container: { type: 'view', view_id: surface.view.id },
      view: describeView(workspace, surface.view),
    };
  return {
    ...commonMembers(workspace),
    user: person,
    ...messagePayload(workspace, surface.message, surface.channel, origin()),
    state: { values },
  };
}

/** Shows an error on the surface; `undefined` removes it. */
function setSurfaceError(
  context: PeopleContext,
  surface: FoundSurface,
  user: string,
  sentence: string | undefined,
): void {
  if (surface.kind === 'view') {
    if (sentence) surface.view.failed = sentence;
    else delete surface.view.failed;
    context.api.views.touch(surface.view);
    return;
  }
  if (sentence) surface.message.failed.set(user, sentence);
  else if (!surface.message.failed.delete(user)) return;
  context.api.workspace.changes.emit({ type: 'message', message: surface.message, how: 'touched' });
}

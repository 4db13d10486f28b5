import { common, messagePayload, personPayload } from '../delivery/payloads.js';
import type { ActionValue, Json, JsonObject, StateValue, StateValues, Surface } from '../page-protocol.js';
import { validateOptionsAnswer } from '../validator/validate.js';
import { isJsonObject } from '../web-api/method.js';
import { describeView } from '../web-api/views.js';
import { findMessage } from '../workspace/messages.js';
import type { Channel, Message, SlackObject, View } from '../workspace/records.js';
import { elementsIn, type FoundElement, initialState, overlay, valueNameOf } from '../workspace/views.js';
import { refuse } from '../workspace/workspace.js';
import { runCommandAs } from './commands.js';
import { channelSeenBy, NotAllowed, type PeopleContext, personNamed } from './context.js';
import { commandOnWelcome } from './messages.js';

export interface ElementAct {
  readonly surface: Surface;
  readonly blockId: string;
  readonly actionId: string;
  readonly value: ActionValue;
  readonly state?: StateValues | undefined;
}

const notAnswered = 'The app did not answer in time. Try again.';

/** A person presses a button or chooses something. Resolves when the bot has acknowledged. */
export async function triggerElementAs(stage: PeopleContext, user: string, use: ElementAct): Promise<void> {
  const used = surfaceUsedBy(stage, user, use.surface);
  const { block, element } = elementUsed(used, use.blockId, use.actionId);
  if (use.state) typeInto(used, user, use.state);
  if (used.kind === 'message') {
    const command = commandOnWelcome(used.message, element);
    if (command) return runCommandAs(stage, user, used.channel.id, command);
  }
  const value = chosenValue(element, use.value);
  if (valueNameOf(String(element.type))) {
    const typed = { type: String(element.type), ...value } as StateValue;
    typeInto(used, user, { [use.blockId]: { [use.actionId]: typed } });
  }
  // An input tells the bot only when it is asked to; otherwise its value goes with the submission.
  if (block.type === 'input' && block.dispatch_action !== true) return;
  markFailed(stage, used, user, undefined);
  const receipt = await stage.courier.deliver('interactive', {
    type: 'block_actions',
    ...surfacePayload(stage, used, user),
    trigger_id: stage.api.triggers.issue(user, used.kind === 'view' ? used.view.id : undefined),
    ...(used.kind === 'message' && {
      response_url: stage.responseUrls.issue(
        { channel: used.channel.id, user, message: used.message },
        'actions',
      ),
    }),
    actions: [actionIn(stage, element, use.blockId, value)],
  });
  if (!receipt.ok) markFailed(stage, used, user, notAnswered);
}

function actionIn(
  stage: PeopleContext,
  element: SlackObject,
  blockId: string,
  value: ActionValue,
): SlackObject {
  const pressed = element.type === 'feedback_buttons' ? feedbackPressed(element, value) : element;
  return {
    type: element.type,
    action_id: element.action_id,
    block_id: blockId,
    ...(isJsonObject(pressed.text) && { text: pressed.text }),
    ...(typeof pressed.value === 'string' && { value: pressed.value }),
    ...(element.placeholder !== undefined && { placeholder: element.placeholder }),
    ...(element.confirm !== undefined && { confirm: element.confirm }),
    ...value,
    action_ts: stage.api.workspace.timestamps.next().ts,
  };
}

function feedbackPressed(element: SlackObject, value: ActionValue): SlackObject {
  const buttons = [element.positive_button, element.negative_button].filter(isJsonObject);
  const pressed = buttons.find((button) => button.value === value.value);
  if (!pressed) throw new NotAllowed('There is no such button.');
  return pressed;
}

/** The value as the payload carries it; a choice must be one that is offered. */
function chosenValue(element: SlackObject, value: ActionValue): ActionValue {
  const type = String(element.type);
  const name = type === 'overflow' ? 'selected_option' : valueNameOf(type);
  if (!name) return type === 'feedback_buttons' ? value : {};
  const chosen = value[name] ?? (name.endsWith('s') ? [] : null);
  const offered = offeredBy(element);
  if (!offered) return { [name]: chosen };
  const choices = Array.isArray(chosen) ? chosen : chosen === null ? [] : [chosen];
  const found = choices.map((choice) => optionOffered(offered, choice));
  return { [name]: Array.isArray(chosen) ? found : (found[0] ?? null) };
}

function optionOffered(offered: readonly SlackObject[], choice: Json): JsonObject {
  const wanted = isJsonObject(choice) ? choice.value : choice;
  const option = offered.find((one) => one.value === wanted);
  if (!option) throw new NotAllowed(`${String(wanted)} is not among the choices.`);
  return option as JsonObject;
}

function offeredBy(element: SlackObject): readonly SlackObject[] | undefined {
  if (Array.isArray(element.options)) return element.options;
  if (!Array.isArray(element.option_groups)) return undefined;
  return element.option_groups.flatMap((group: SlackObject) =>
    Array.isArray(group.options) ? group.options : [],
  );
}

/** A person types into a select whose options come from the bot. */
export async function askOptionsAs(
  stage: PeopleContext,
  user: string,
  asked: {
    surface: Surface;
    blockId: string;
    actionId: string;
    query: string;
    state?: StateValues | undefined;
  },
): Promise<{ options?: readonly JsonObject[]; optionGroups?: readonly JsonObject[] }> {
  const used: UsedSurface = surfaceUsedBy(stage, user, asked.surface);
  const { element } = elementUsed(used, asked.blockId, asked.actionId);
  if (asked.state) typeInto(used, user, asked.state);
  const least = typeof element.min_query_length === 'number' ? element.min_query_length : 3;
  if (asked.query.length < least) return { options: [] };
  const receipt = await stage.courier.deliver('interactive', {
    type: 'block_suggestion',
    ...surfacePayload(stage, used, user),
    action_id: asked.actionId,
    block_id: asked.blockId,
    value: asked.query,
  });
  if (!receipt.ok) throw new NotAllowed(notAnswered);
  const rules = validateOptionsAnswer(receipt.answer ?? {});
  if (rules.length > 0) {
    const sentence = 'Slack would refuse these options.';
    refuse(stage.api.workspace, {
      method: 'answer to block_suggestion',
      error: 'invalid_options',
      sentence,
      rules,
      user,
    });
    throw new NotAllowed(sentence);
  }
  const answer = receipt.answer as { options?: JsonObject[]; option_groups?: JsonObject[] };
  return answer.options ? { options: answer.options } : { optionGroups: answer.option_groups ?? [] };
}

/** The message or view that a person is using. */
export type UsedSurface =
  | { readonly kind: 'message'; readonly channel: Channel; readonly message: Message }
  | { readonly kind: 'view'; readonly view: View };

export function surfaceUsedBy(stage: PeopleContext, user: string, surface: Surface): UsedSurface {
  const { workspace, views } = stage.api;
  if (surface.kind === 'view') {
    const view = views.find({ viewId: surface.view });
    if (view?.user !== user) throw new NotAllowed('This view is no longer there.');
    return { kind: 'view', view };
  }
  const channel = channelSeenBy(stage, user, surface.channel);
  const message = findMessage(workspace, channel.id, surface.ts);
  if (!message || (message.visibleTo && message.visibleTo !== user))
    throw new NotAllowed('This message is no longer there.');
  return { kind: 'message', channel, message };
}

export function blocksOf(used: UsedSurface): readonly SlackObject[] {
  return used.kind === 'view' ? used.view.content.blocks : used.message.blocks;
}

function elementUsed(used: UsedSurface, blockId: string, actionId: string): FoundElement {
  const found = elementsIn(blocksOf(used)).find(
    ({ block, element }) => block.block_id === blockId && element.action_id === actionId,
  );
  if (!found) throw new NotAllowed('This element is no longer there.');
  return found;
}

/** What the person has in the inputs of a surface now. */
function stateOfSurface(used: UsedSurface, user: string): StateValues {
  if (used.kind === 'view') return used.view.state;
  return used.message.state.get(user) ?? initialState(used.message.blocks);
}

/** Puts newer values into the inputs of a surface; what it does not hold is left out. */
function typeInto(used: UsedSurface, user: string, newer: StateValues): void {
  const state = overlay(stateOfSurface(used, user), newer);
  if (used.kind === 'view') used.view.state = state;
  else used.message.state.set(user, state);
}

/** The members of an interaction's payload that name the surface. */
function surfacePayload(stage: PeopleContext, used: UsedSurface, user: string): SlackObject {
  const { workspace, origin } = stage.api;
  const values = stateOfSurface(used, user);
  const person = personPayload(personNamed(stage, user));
  if (used.kind === 'view')
    return {
      ...common(workspace),
      user: person,
      container: { type: 'view', view_id: used.view.id },
      view: describeView(workspace, used.view),
    };
  return {
    ...common(workspace),
    user: person,
    ...messagePayload(workspace, used.message, used.channel, origin()),
    state: { values },
  };
}

/** Says on the surface that a click went wrong; nothing takes it away. */
function markFailed(
  stage: PeopleContext,
  used: UsedSurface,
  user: string,
  sentence: string | undefined,
): void {
  if (used.kind === 'view') {
    if (sentence) used.view.failed = sentence;
    else delete used.view.failed;
    stage.api.views.touch(used.view);
    return;
  }
  if (sentence) used.message.failed.set(user, sentence);
  else if (!used.message.failed.delete(user)) return;
  stage.api.workspace.news.tell({ type: 'message', message: used.message, how: 'touched' });
}

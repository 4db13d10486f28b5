import { common, onMessage, personIn } from '../delivery/interactivity.js';
import type { ActionValue, Json, JsonObject, StateValue, StateValues, Surface } from '../page-protocol.js';
import { validateOptionsAnswer } from '../validator/validate.js';
import { isThing } from '../web-api/method.js';
import { describeView } from '../web-api/views.js';
import { findMessage } from '../workspace/messages.js';
import type { Channel, Message, Thing, View } from '../workspace/records.js';
import { elementsIn, type FoundElement, initialState, overlay, valueNameOf } from '../workspace/views.js';
import { refuse } from '../workspace/workspace.js';
import { runCommandAs } from './commands.js';
import { channelSeenBy, NotPossible, personNamed, type Stage } from './context.js';
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
export async function actOnElementAs(stage: Stage, user: string, use: ElementAct): Promise<void> {
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
    ...whereUsed(stage, used, user),
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

function actionIn(stage: Stage, element: Thing, blockId: string, value: ActionValue): Thing {
  const pressed = element.type === 'feedback_buttons' ? feedbackPressed(element, value) : element;
  return {
    type: element.type,
    action_id: element.action_id,
    block_id: blockId,
    ...(isThing(pressed.text) && { text: pressed.text }),
    ...(typeof pressed.value === 'string' && { value: pressed.value }),
    ...(element.placeholder !== undefined && { placeholder: element.placeholder }),
    ...(element.confirm !== undefined && { confirm: element.confirm }),
    ...value,
    action_ts: stage.api.workspace.timestamps.next().ts,
  };
}

function feedbackPressed(element: Thing, value: ActionValue): Thing {
  const buttons = [element.positive_button, element.negative_button].filter(isThing);
  const pressed = buttons.find((button) => button.value === value.value);
  if (!pressed) throw new NotPossible('There is no such button.');
  return pressed;
}

/** The value as the payload carries it; a choice must be one that is offered. */
function chosenValue(element: Thing, value: ActionValue): ActionValue {
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

function optionOffered(offered: readonly Thing[], choice: Json): JsonObject {
  const wanted = isThing(choice) ? choice.value : choice;
  const option = offered.find((one) => one.value === wanted);
  if (!option) throw new NotPossible(`${String(wanted)} is not among the choices.`);
  return option as JsonObject;
}

function offeredBy(element: Thing): readonly Thing[] | undefined {
  if (Array.isArray(element.options)) return element.options;
  if (!Array.isArray(element.option_groups)) return undefined;
  return element.option_groups.flatMap((group: Thing) => (Array.isArray(group.options) ? group.options : []));
}

/** A person types into a select whose options come from the bot. */
export async function askOptionsAs(
  stage: Stage,
  user: string,
  asked: {
    surface: Surface;
    blockId: string;
    actionId: string;
    query: string;
    state?: StateValues | undefined;
  },
): Promise<{ options?: readonly JsonObject[]; optionGroups?: readonly JsonObject[] }> {
  const used: Used = surfaceUsedBy(stage, user, asked.surface);
  const { element } = elementUsed(used, asked.blockId, asked.actionId);
  if (asked.state) typeInto(used, user, asked.state);
  const least = typeof element.min_query_length === 'number' ? element.min_query_length : 3;
  if (asked.query.length < least) return { options: [] };
  const receipt = await stage.courier.deliver('interactive', {
    type: 'block_suggestion',
    ...whereUsed(stage, used, user),
    action_id: asked.actionId,
    block_id: asked.blockId,
    value: asked.query,
  });
  if (!receipt.ok) throw new NotPossible(notAnswered);
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
    throw new NotPossible(sentence);
  }
  const answer = receipt.answer as { options?: JsonObject[]; option_groups?: JsonObject[] };
  return answer.options ? { options: answer.options } : { optionGroups: answer.option_groups ?? [] };
}

/** The message or view that a person is using. */
export type Used =
  | { readonly kind: 'message'; readonly channel: Channel; readonly message: Message }
  | { readonly kind: 'view'; readonly view: View };

export function surfaceUsedBy(stage: Stage, user: string, surface: Surface): Used {
  const { workspace, views } = stage.api;
  if (surface.kind === 'view') {
    const view = views.find({ viewId: surface.view });
    if (view?.user !== user) throw new NotPossible('This view is no longer there.');
    return { kind: 'view', view };
  }
  const channel = channelSeenBy(stage, user, surface.channel);
  const message = findMessage(workspace, channel.id, surface.ts);
  if (!message || (message.visibleTo && message.visibleTo !== user))
    throw new NotPossible('This message is no longer there.');
  return { kind: 'message', channel, message };
}

export function blocksOf(used: Used): readonly Thing[] {
  return used.kind === 'view' ? used.view.content.blocks : used.message.blocks;
}

function elementUsed(used: Used, blockId: string, actionId: string): FoundElement {
  const found = elementsIn(blocksOf(used)).find(
    ({ block, element }) => block.block_id === blockId && element.action_id === actionId,
  );
  if (!found) throw new NotPossible('This element is no longer there.');
  return found;
}

/** What the person has in the inputs of a surface now. */
function stateOf(used: Used, user: string): StateValues {
  if (used.kind === 'view') return used.view.state;
  return used.message.state.get(user) ?? initialState(used.message.blocks);
}

/** Puts newer values into the inputs of a surface; what it does not hold is left out. */
function typeInto(used: Used, user: string, newer: StateValues): void {
  const state = overlay(stateOf(used, user), newer);
  if (used.kind === 'view') used.view.state = state;
  else used.message.state.set(user, state);
}

/** The members of an interaction's payload that name the surface. */
function whereUsed(stage: Stage, used: Used, user: string): Thing {
  const { workspace, origin } = stage.api;
  const values = stateOf(used, user);
  const person = personIn(personNamed(stage, user));
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
    ...onMessage(workspace, used.message, used.channel, origin()),
    state: { values },
  };
}

/** Says on the surface that a click went wrong; nothing takes it away. */
function markFailed(stage: Stage, used: Used, user: string, sentence: string | undefined): void {
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

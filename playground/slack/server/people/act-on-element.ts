import type { ActionValue, Json, JsonObject, StateValue, StateValues, Surface } from '../page-protocol.js';
import { validateOptionsAnswer } from '../validator/validate.js';
import { isThing } from '../web-api/arguments.js';
import type { Thing } from '../workspace/records.js';
import { valueNameOf } from '../workspace/state-values.js';
import { refuse } from '../workspace/workspace.js';
import { runCommandAs } from './run-command.js';
import { NotPossible, type Stage } from './stage.js';
import { elementUsed, markFailed, surfaceUsedBy, typeInto, type Used, whereUsed } from './surfaces.js';
import { commandOnWelcome } from './welcome.js';

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

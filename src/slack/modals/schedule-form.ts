import type { InputBlock, ModalView, PlainTextOption } from '@slack/types';
import { digestActions, digestInputs, digestViews } from '../digest-ids.js';
import { button, buttons, plain, section } from '../messages/blocks.js';
import type { CadenceChoices } from './cadence-choices.js';
import { cadenceInputs } from './cadence-inputs.js';

/** What stands in the light form. */
export interface ScheduleFormFacts {
  readonly choices: CadenceChoices;
  readonly skipEmpty: boolean;
  /** Absent: the direct messages with the bot. */
  readonly channel?: string;
}

/** The light form for how often an answer is to come, and where to. */
export function scheduleForm(askId: string, { choices, channel, skipEmpty }: ScheduleFormFacts): ModalView {
  return {
    type: 'modal',
    callback_id: digestViews.cadence,
    private_metadata: askId,
    title: plain('Schedule'),
    submit: plain('Show next times'),
    close: plain('Cancel'),
    blocks: [
      section(plain('Nothing is saved yet: you see the next three times first.')),
      ...cadenceInputs(choices, (choice) => ({ block: digestInputs[choice], action: digestInputs[choice] })),
      channelInput(digestInputs.channel, digestInputs.channel, channel),
      skipEmptyInput(digestInputs.skipEmpty, digestInputs.skipEmpty, skipEmpty),
      buttons(button(digestActions.testForm, 'Test to me', askId)),
    ],
  };
}

/** Where a digest goes. */
export function channelInput(block: string, action: string, channel: string | undefined): InputBlock {
  return input(
    block,
    'Channel; leave it empty for direct messages with me',
    {
      type: 'conversations_select',
      action_id: action,
      filter: { include: ['public', 'private'], exclude_bot_users: true },
      ...(channel === undefined ? {} : { initial_conversation: channel }),
    },
    true,
  );
}

/** Whether times at which nothing is found are left out. */
export function skipEmptyInput(block: string, action: string, skipEmpty: boolean): InputBlock {
  const element: InputBlock['element'] = {
    type: 'checkboxes',
    action_id: action,
    options: [skip],
    ...(skipEmpty ? { initial_options: [skip] } : {}),
  };
  return input(block, 'Options', element, true);
}

const skip: PlainTextOption = { text: plain('Leave out times at which nothing is found'), value: 'skip' };

function input(block: string, label: string, element: InputBlock['element'], optional = false): InputBlock {
  return { type: 'input', block_id: block, label: plain(label), element, ...(optional ? { optional } : {}) };
}

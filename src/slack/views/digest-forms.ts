import type { InputBlock, ModalView, PlainTextOption } from '@slack/types';
import type { DigestDraft } from '../../digests/draft.js';
import { digestInputs, digestViews } from '../digest-ids.js';
import { choicesFor } from '../digests/cadence-choices.js';
import { cadenceInputs } from './cadence-inputs.js';
import { plain, section } from './parts/blocks.js';

/** What stands in the form when it opens. */
export type FormFacts = Pick<DigestDraft, 'zone' | 'skipEmpty'> & {
  readonly cadence?: DigestDraft['cadence'];
  /** Absent: the direct messages with the bot. */
  readonly channel?: string;
};

/** The form for how often a digest comes, and where to. */
export function cadenceForm(metadata: string, facts: FormFacts): ModalView {
  const { cadence, zone, channel, skipEmpty } = facts;
  return {
    type: 'modal',
    callback_id: digestViews.cadence,
    private_metadata: metadata,
    title: plain('Schedule'),
    submit: plain('Show next times'),
    close: plain('Cancel'),
    blocks: [
      section(plain('Nothing is saved yet: you see the next three times first.')),
      ...cadenceInputs(choicesFor(cadence, zone), (choice) => ({
        block: digestInputs[choice],
        action: digestInputs[choice],
      })),
      input(
        digestInputs.channel,
        'Channel; leave it empty for your direct messages with me',
        {
          type: 'conversations_select',
          action_id: digestInputs.channel,
          filter: { include: ['public', 'private'], exclude_bot_users: true },
          ...(channel === undefined ? {} : { initial_conversation: channel }),
        },
        true,
      ),
      skipEmptyInput(digestInputs.skipEmpty, digestInputs.skipEmpty, skipEmpty),
    ],
  };
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

/** The form for a digest's new owner. */
export function handOverForm(digestId: string): ModalView {
  return {
    type: 'modal',
    callback_id: digestViews.handOver,
    private_metadata: digestId,
    title: plain('Hand over'),
    submit: plain('Hand over'),
    close: plain('Cancel'),
    blocks: [
      section(plain('It runs with the rights of its new owner, who has to be a member of its channel.')),
      input(digestInputs.owner, 'New owner', { type: 'users_select', action_id: digestInputs.owner }),
    ],
  };
}

function input(block: string, label: string, element: InputBlock['element'], optional = false): InputBlock {
  return { type: 'input', block_id: block, label: plain(label), element, ...(optional ? { optional } : {}) };
}

import type { InputBlock, ModalView } from '@slack/types';
import { compact } from '../../requests/compact.js';
import { maxPurposeLength } from '../../requests/purpose.js';
import { inputs, views } from '../ids.js';
import { plainText, section } from '../messages/blocks.js';

/** The form for a new owner of a saved report or digest. */
export interface HandOverForm {
  readonly callback: string;
  readonly metadata: string;
  /** The block ID and action ID of the input. */
  readonly input: string;
  /** Explains what the new owner can do. */
  readonly sentence: string;
}

export function handOverForm({ callback, metadata, input, sentence }: HandOverForm): ModalView {
  return {
    type: 'modal',
    callback_id: callback,
    private_metadata: metadata,
    title: plainText('Hand over'),
    submit: plainText('Hand over'),
    close: plainText('Cancel'),
    blocks: [
      section(sentence),
      {
        type: 'input',
        block_id: input,
        label: plainText('New owner'),
        element: { type: 'users_select', action_id: input },
      },
    ],
  };
}

/** The form in which an admin releases a key for all channels. */
export function releaseKeyForm(asksPurpose: boolean): ModalView {
  return {
    type: 'modal',
    callback_id: views.releaseKey,
    title: plainText('Allow a metadata field'),
    submit: plainText('Allow'),
    close: plainText('Cancel'),
    blocks: compact(
      section(
        'Fields inside metadata and nested objects, such as a cost center, stay out of channels that are not approved. A field that you allow may go to every channel.',
      ),
      {
        type: 'input',
        block_id: inputs.key,
        label: plainText('Field'),
        hint: plainText(
          'Type the column, a full stop and the field inside it, as in user_metadata.cost_center',
        ),
        element: { type: 'plain_text_input', action_id: inputs.key, max_length: 200 },
      },
      asksPurpose && purposeInput('What it is for'),
    ),
  };
}

/**
 * The form that asks for the channel to share a summary to.
 *
 * @param requestId the request whose summary is shared
 * @param channel the channel that is chosen when the form opens
 */
export function shareForm(requestId: string, channel: string | undefined): ModalView {
  return {
    type: 'modal',
    callback_id: views.share,
    private_metadata: requestId,
    title: plainText('Share to channel'),
    submit: plainText('Share'),
    close: plainText('Cancel'),
    blocks: [
      section('Rollcall runs the report again for the same dates and leaves out the list of people.'),
      {
        type: 'input',
        block_id: inputs.channel,
        label: plainText('Channel'),
        element: {
          type: 'conversations_select',
          action_id: inputs.channel,
          filter: { include: ['public', 'private'], exclude_external_shared_channels: false },
          initial_conversation: channel,
        },
      },
    ],
  };
}

/** The form that asks what something is for. */
export function purposeForm(metadata: string): ModalView {
  return {
    type: 'modal',
    callback_id: views.purpose,
    private_metadata: metadata,
    title: plainText('What is it for?'),
    submit: plainText('Continue'),
    close: plainText('Cancel'),
    blocks: [purposeInput('Purpose')],
  };
}

/** The input for what a file, an approval or a rule is for. */
export function purposeInput(label: string): InputBlock {
  return {
    type: 'input',
    block_id: inputs.purpose,
    label: plainText(label),
    hint: plainText('The record of access keeps it. Admins and your operator can read it.'),
    element: { type: 'plain_text_input', action_id: inputs.purpose, max_length: maxPurposeLength },
  };
}

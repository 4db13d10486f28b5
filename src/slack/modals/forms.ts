import type { ModalView } from '@slack/types';
import { inputs, views } from '../ids.js';
import { plainText, section } from '../messages/blocks.js';

/** The form for a new owner: of a saved report, or of a digest. */
export interface HandOverForm {
  readonly callback: string;
  readonly metadata: string;
  /** Block and action of the picker. */
  readonly input: string;
  /** What it means, in a sentence. */
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
      section(plainText(sentence)),
      {
        type: 'input',
        block_id: input,
        label: plainText('New owner'),
        element: { type: 'users_select', action_id: input },
      },
    ],
  };
}

/** The form in which an admin names a key that may go anywhere. */
export function releaseKeyForm(): ModalView {
  return {
    type: 'modal',
    callback_id: views.releaseKey,
    title: plainText('Release a key'),
    submit: plainText('Release'),
    close: plainText('Cancel'),
    blocks: [
      section(
        plainText(
          'Keys of metadata and nested objects stay out of channels without approval. A released key can be posted anywhere.',
        ),
      ),
      {
        type: 'input',
        block_id: inputs.key,
        label: plainText('Field and member'),
        hint: plainText('For example user_metadata.cost_center'),
        element: { type: 'plain_text_input', action_id: inputs.key, max_length: 200 },
      },
    ],
  };
}

/**
 * The form that asks which channel a summary is shared to.
 *
 * @param requestId what is shared
 * @param from the channel it was asked in, where that is one; chosen to begin with
 */
export function shareForm(requestId: string, from: string | undefined): ModalView {
  return {
    type: 'modal',
    callback_id: views.share,
    private_metadata: requestId,
    title: plainText('Share to channel'),
    submit: plainText('Share'),
    close: plainText('Cancel'),
    blocks: [
      section(plainText('The summary is made again for the same dates, without the list of people.')),
      {
        type: 'input',
        block_id: inputs.channel,
        label: plainText('Channel'),
        element: {
          type: 'conversations_select',
          action_id: inputs.channel,
          filter: { include: ['public', 'private'], exclude_external_shared_channels: false },
          initial_conversation: from,
        },
      },
    ],
  };
}

import type { ModalView } from '@slack/types';
import { inputs, views } from '../ids.js';
import { plain, section } from '../messages/blocks.js';

/**
 * The form that asks which channel a summary is shared to.
 *
 * @param askId what is shared
 * @param from the channel it was asked in, where that is one; chosen to begin with
 */
export function shareForm(askId: string, from: string | undefined): ModalView {
  return {
    type: 'modal',
    callback_id: views.share,
    private_metadata: askId,
    title: plain('Share to channel'),
    submit: plain('Share'),
    close: plain('Cancel'),
    blocks: [
      section(plain('The summary is made once more for the same days, without the people to look at.')),
      {
        type: 'input',
        block_id: inputs.channel,
        label: plain('Channel'),
        element: {
          type: 'conversations_select',
          action_id: inputs.channel,
          filter: { include: ['public', 'private'], exclude_external_shared_channels: false },
          ...(from ? { initial_conversation: from } : {}),
        },
      },
    ],
  };
}

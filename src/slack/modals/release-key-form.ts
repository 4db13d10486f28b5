import type { ModalView } from '@slack/types';
import { inputs, views } from '../ids.js';
import { plain, section } from '../messages/blocks.js';

/** The form in which an admin names a key that may go anywhere. */
export function releaseKeyForm(): ModalView {
  return {
    type: 'modal',
    callback_id: views.releaseKey,
    title: plain('Release a key'),
    submit: plain('Release'),
    close: plain('Cancel'),
    blocks: [
      section(
        plain(
          'Members of metadata and of nested objects stay out of unapproved channels. A released one may go anywhere.',
        ),
      ),
      {
        type: 'input',
        block_id: inputs.key,
        label: plain('Field and member'),
        hint: plain('For example user_metadata.cost_center'),
        element: { type: 'plain_text_input', action_id: inputs.key, max_length: 200 },
      },
    ],
  };
}

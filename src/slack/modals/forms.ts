import type { ModalView } from '@slack/types';
import { plain, section } from '../messages/blocks.js';

/** The form for a new owner: of a saved report, or of a digest. */
export interface HandOver {
  readonly callback: string;
  readonly metadata: string;
  /** Block and action of the picker. */
  readonly input: string;
  /** What it means, in a sentence. */
  readonly sentence: string;
}

export function handOverForm({ callback, metadata, input, sentence }: HandOver): ModalView {
  return {
    type: 'modal',
    callback_id: callback,
    private_metadata: metadata,
    title: plain('Hand over'),
    submit: plain('Hand over'),
    close: plain('Cancel'),
    blocks: [
      section(plain(sentence)),
      {
        type: 'input',
        block_id: input,
        label: plain('New owner'),
        element: { type: 'users_select', action_id: input },
      },
    ],
  };
}

import type { ViewErrorsResponseAction, ViewUpdateResponseAction } from '@slack/bolt';
import type { AnyBlock, ModalView } from '@slack/types';
import { plain, section } from '../messages/blocks.js';
import { limits } from '../messages/limits.js';

/** A modal as Slack sends it back. */
export type ShownModal = ModalView & { readonly id: string; readonly hash?: string };

/** What stands while a modal is being made: a trigger lives for three seconds only. */
export function loadingView(title: string): ModalView {
  return messageView(title, 'One moment, the form is on its way.');
}

/** A modal with a sentence in place of a form. */
export function messageView(title: string, sentence: string): ModalView {
  return blocksView(title, [section(plain(sentence))]);
}

/** A modal to read, with nothing to submit. */
export function blocksView(title: string, blocks: readonly AnyBlock[]): ModalView {
  return {
    type: 'modal',
    title: plain(title, limits.modalTitleCharacters),
    close: plain('Close'),
    blocks: [...blocks],
  };
}

const sentenceBlock = 'modal_sentence';

/** The same modal with a sentence at its top. Its inputs keep their names, so Slack keeps what was typed. */
export function withSentence(shown: ShownModal, sentence: string): ModalView {
  const { type, title, callback_id, private_metadata, submit, close, notify_on_close, clear_on_close } =
    shown;
  const said = { ...section(plain(sentence)), block_id: sentenceBlock };
  return {
    type,
    title,
    ...(callback_id ? { callback_id } : {}),
    ...(private_metadata ? { private_metadata } : {}),
    ...(submit ? { submit } : {}),
    ...(close ? { close } : {}),
    ...(notify_on_close ? { notify_on_close } : {}),
    ...(clear_on_close ? { clear_on_close } : {}),
    blocks: [said, ...shown.blocks.filter(({ block_id: id }) => id !== sentenceBlock)],
  };
}

/**
 * The answer to a submitted form that says why it was not taken, under the inputs that the sentences are about. An
 * input that the form does not show gives way to the form's first one; a form without inputs to the sentence itself.
 */
export function refusalOf(
  view: { readonly title: { readonly text: string }; readonly blocks: readonly AnyBlock[] },
  problems: readonly { readonly input?: string; readonly sentence: string }[],
): ViewErrorsResponseAction | ViewUpdateResponseAction {
  const inputs = view.blocks.flatMap(({ type, block_id: id }) => (type === 'input' && id ? [id] : []));
  const [first] = inputs;
  if (first === undefined) {
    const sentence = problems.map((problem) => problem.sentence).join(' ');
    return { response_action: 'update', view: messageView(view.title.text, sentence) };
  }
  const errors = problems.map(({ input, sentence }): [string, string] => [
    input !== undefined && inputs.includes(input) ? input : first,
    sentence,
  ]);
  return { response_action: 'errors', errors: Object.fromEntries(errors) };
}

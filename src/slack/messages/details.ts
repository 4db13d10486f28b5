import type { ResultWithFigures } from '../../figures/format/request.js';
import type { PostState } from '../../posts/states.js';
import type { OutgoingMessage } from '../delivery/post-message.js';
import { actions } from '../ids.js';
import { escaped } from '../markup.js';
import { button, buttons, plainText, section } from './blocks.js';
import { notice } from './notices.js';

export function detailsVariants(
  _result: ResultWithFigures,
  _options: { readonly isNewRun: boolean },
): readonly [OutgoingMessage, ...OutgoingMessage[]] {
  return [notice('Details')];
}

/**
 * Why a press posts no details.
 *
 * @param state of the details that somebody asked for before
 * @param root the `ts` of the first message of the thread
 */
export function detailsStateMessage(state: PostState, requestId: string, root: string): OutgoingMessage {
  switch (state) {
    case 'posted':
      return notice('The details are in the thread.');
    case 'unknown': {
      const line =
        'Delivery of the details is unconfirmed. If you cannot see them in the thread, send them again.';
      return {
        text: escaped(line),
        blocks: [
          section(plainText(line)),
          buttons(button(actions.detailsAgain, 'Send again', `${requestId} ${root}`)),
        ],
      };
    }
    case 'cancelled':
    case 'skipped':
      return notice('That report has expired. Run it again.');
    default:
      return notice('The details are on their way to the thread.');
  }
}

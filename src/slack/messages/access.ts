import type { PostState } from '../../posts/states.js';
import type { OutgoingMessage } from '../delivery/post-message.js';
import { actions } from '../ids.js';
import { button, buttons, mrkdwn, richText, richTextLines, section } from './blocks.js';

/** Asks admins to allow person-level data in a channel. */
export function approvalRequestMessage(channel: string, asker: string): OutgoingMessage {
  const value = `${channel} ${asker}`;
  return {
    text: `<@${asker}> asks to allow person-level data in <#${channel}>.`,
    blocks: [
      section(mrkdwn(`<@${asker}> asks to allow person-level data in <#${channel}>.`)),
      richTextLines([
        richText(
          'Everyone in that channel would see names, email addresses and what each person has completed.',
        ),
      ]),
      buttons(button(actions.approve, 'Allow', value, 'primary'), button(actions.decline, 'Not now', value)),
    ],
  };
}

/** The outcome of a request, for people. */
export const answerStateLabels: Readonly<Record<PostState, string>> = {
  queued: 'waiting',
  running: 'running',
  posting: 'posting',
  posted: 'answered',
  failed: 'failed',
  unknown: 'delivery unconfirmed',
  skipped: 'skipped',
  cancelled: 'cancelled',
};

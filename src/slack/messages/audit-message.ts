import type { AnyBlock, RichTextElement } from '@slack/types';
import { sayMoment } from '../../figures/format/dates.js';
import { showable } from '../../figures/format/showable.js';
import { sayRequest } from '../../requests/say-request.js';
import type { PostState } from '../../posts/states.js';
import type { Ask } from '../../store/requests/request-log.js';
import type { OutgoingMessage } from '../delivery/outgoing-message.js';
import { leaf, plain, section } from './blocks.js';

/** So much of a command is shown. */
const longestCommand = 150;

/** What became of an answer, in words. */
export const answerStates: Readonly<Record<PostState, string>> = {
  queued: 'waiting',
  running: 'running',
  posting: 'being posted',
  posted: 'answered',
  failed: 'failed',
  unknown: 'perhaps answered, nobody can know',
  skipped: 'left out',
  cancelled: 'cancelled',
};

/**
 * Who asked what, newest first: for admins alone.
 *
 * @param zone the reader's
 */
export function auditMessage(asks: readonly Ask[], zone: string): OutgoingMessage {
  if (asks.length === 0) {
    const nothing = 'Nobody has asked for anything in the last seven days.';
    return { text: nothing, blocks: [section(plain(nothing))] };
  }
  const title = `The last ${asks.length === 1 ? 'request' : `${asks.length} requests`} of the last seven days:`;
  const block: AnyBlock = {
    type: 'rich_text',
    elements: asks.map((ask) => ({ type: 'rich_text_section', elements: lineOf(ask, zone) })),
  };
  const hint = 'The whole record: npx rollcall audit --since DATE.';
  return { text: `${title} ${hint}`, blocks: [section(plain(title)), block, section(plain(hint))] };
}

function lineOf(ask: Ask, zone: string): RichTextElement[] {
  return [
    leaf(`${sayMoment(ask.askedAt, zone)}  `),
    { type: 'user', user_id: ask.asker },
    leaf('  '),
    leaf(showable(`/report ${sayRequest(ask.request)}`, longestCommand), { code: true }),
    leaf(`  ${answerStates[ask.state]}${ask.rows === undefined ? '' : `, ${ask.rows} rows`}\n`),
  ];
}

import type { Button } from '@slack/types';
import type { Digest } from '../../digests/digest.js';
import type { OutgoingMessage } from '../delivery/outgoing-message.js';
import { digestActions } from '../digest-ids.js';
import { escaped } from '../text.js';
import { button, buttons, plain, section } from './blocks.js';
import { aboutChannel, channelInWords, digestName } from './digest-notifications.js';
import { sayRun } from './digests.js';
import { notice } from './notices.js';

/** A digest was confirmed: as it was saved, and when it comes. */
export function confirmedMessage(digest: Digest, isNew: boolean): OutgoingMessage {
  const done = isNew ? 'Scheduled.' : 'Changed.';
  if (digest.state === 'paused') {
    const line = `${done} It stays paused: ${digestName(digest)}.`;
    return withButton(line, button(digestActions.resume, 'Resume', digest.id));
  }
  return notice(
    `${done} ${digestName(digest)}.${nextTime(digest)} /report list shows it, with everything that can be done with it.`,
  );
}

export function pausedMessage(digest: Digest): OutgoingMessage {
  const line = `Paused: ${digestName(digest)}. What comes due meanwhile is not made up.`;
  return withButton(line, button(digestActions.resume, 'Resume', digest.id));
}

export function resumedMessage(digest: Digest): OutgoingMessage {
  return notice(`Resumed: ${digestName(digest)}.${nextTime(digest)}`);
}

export function deletedDigestMessage(digest: Digest): OutgoingMessage {
  const line = `Deleted: ${digestName(digest)}. You can undo that for ten minutes.`;
  return withButton(line, button(digestActions.undoDelete, 'Undo', digest.id));
}

export function restoredMessage(digest: Digest): OutgoingMessage {
  return notice(
    `It is back: ${digestName(digest)}.${digest.state === 'paused' ? ' It is paused.' : nextTime(digest)}`,
  );
}

/** To whoever handed it over. */
export function handedOverMessage(digest: Digest): OutgoingMessage {
  return notice(`Handed over: ${digestName(digest)}. It runs with the rights of its new owner now.`);
}

/** To its new owner. */
export function receivedMessage(digest: Digest): OutgoingMessage {
  const before = `You own a digest now: ${digestName(digest)}, to `;
  const after =
    '. It runs with your rights. /report list shows it there, with everything that can be done with it.';
  return {
    text: `${escaped(before)}${channelInWords(digest.channel)}${after}`,
    blocks: [aboutChannel(before, digest.channel, after)],
  };
}

/** It was sent now. */
export function sentMessage(digest: Digest, isFirst: boolean): OutgoingMessage {
  const unless = digest.skipEmpty ? ' If nothing is found, it is left out.' : '';
  return notice(`On its way${isFirst ? '' : ' already'}: ${digestName(digest)}.${unless}`);
}

function nextTime({ nextDue, schedule }: Digest): string {
  return nextDue === undefined ? '' : ` It comes next on ${sayRun(nextDue, schedule.zone)}.`;
}

function withButton(line: string, pressed: Button): OutgoingMessage {
  return { text: escaped(line), blocks: [section(plain(line)), buttons(pressed)] };
}

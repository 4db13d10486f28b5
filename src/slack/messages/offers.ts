import type { Digest } from '../../digests/digest.js';
import { displayText } from '../../figures/format/text.js';
import type { OutgoingMessage } from '../delivery/post-message.js';
import { digestActions, savedActions } from '../ids.js';
import { button, buttons, context } from './blocks.js';
import { digestName } from './digest-notifications.js';
import { channelNotice, notice } from './notices.js';

/** What is handed over. The name is plain text of limited length. */
export interface OfferWords {
  readonly what: 'digest' | 'saved report';
  readonly name: string;
  readonly channel: string;
}

export function wordsFor(
  item: Pick<Digest, 'request' | 'schedule' | 'channel'> | Omit<OfferWords, 'what'>,
): OfferWords {
  const { channel } = item;
  return 'schedule' in item
    ? { what: 'digest', name: digestName(item), channel }
    : { what: 'saved report', name: `“${displayText(item.name, 60)}”`, channel };
}

const sentences = {
  digest: {
    preposition: 'to',
    willBe: 'It will run with your permissions.',
    isYours: 'It runs with your permissions.',
    isTheirs: 'it runs with their permissions',
    accept: digestActions.accept,
    decline: digestActions.declineOffer,
  },
  'saved report': {
    preposition: 'in',
    willBe: 'Then only you and admins can change it.',
    isYours: 'Only you and admins can change it.',
    isTheirs: 'only they and admins can change it',
    accept: savedActions.accept,
    decline: savedActions.declineOffer,
  },
} as const;

/** For the new owner, who has to accept. The names are plain text. */
export function offerMessage(
  { what, name, channel }: OfferWords,
  from: string,
  value: string,
  remarks: readonly string[],
): OutgoingMessage {
  const { preposition, willBe, accept, decline } = sentences[what];
  const before = `${displayText(from, 80)} wants to hand a ${what} over to you: ${name}, ${preposition} `;
  const after = `. ${willBe} The offer ends after 14 days.`;
  return channelNotice(
    before,
    channel,
    after,
    ...remarks.map((remark) => context(remark)),
    buttons(button(accept, 'Accept', value, 'primary'), button(decline, 'Decline', value)),
  );
}

/** For the person who made the offer. */
export function offeredMessage({ name }: OfferWords, to: string): OutgoingMessage {
  return notice(`Waiting for ${displayText(to, 80)} to accept: ${name}. Until then, nothing changes.`);
}

export function declinedMessage({ name }: OfferWords, by: string): OutgoingMessage {
  return notice(`${displayText(by, 80)} declined: ${name}. Its owner keeps it.`);
}

/** For the owner and the person who made the offer. */
export function offerEndedMessage({ what, name, channel }: OfferWords): OutgoingMessage {
  const before = `Not handed over: ${name}, ${sentences[what].preposition} `;
  const after = '. Nobody accepted within 14 days. Type /report list there to offer it again.';
  return channelNotice(before, channel, after);
}

/** For the former owner. */
export function handedOverMessage({ what, name }: OfferWords, to: string): OutgoingMessage {
  return notice(`Handed over: ${name}. ${displayText(to, 80)} accepted it, and ${sentences[what].isTheirs}.`);
}

/** For the new owner. */
export function receivedMessage({ what, name, channel }: OfferWords): OutgoingMessage {
  const { preposition, isYours } = sentences[what];
  const before = `You now own a ${what}: ${name}, ${preposition} `;
  const after = `. ${isYours} Type /report list there to manage it.`;
  return channelNotice(before, channel, after);
}

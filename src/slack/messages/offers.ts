import type { Digest } from '../../digests/digest.js';
import { displayText } from '../../requests/text.js';
import type { SavedReport } from '../../store/saved/saved-reports.js';
import { button, buttons, context } from './blocks.js';
import { digestActions, digestName } from './digests.js';
import { channelNotice, notice } from './notices.js';
import { savedActions } from './saved-reports.js';

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

/** The messages about handing an item over. Names of people are plain text. */
export function offerMessages(
  item: Pick<Digest, 'request' | 'schedule' | 'channel'> | Pick<SavedReport, 'name' | 'channel'>,
) {
  const isDigest = 'schedule' in item;
  const what = isDigest ? 'digest' : 'saved report';
  const name = isDigest ? digestName(item) : `“${displayText(item.name, 60)}”`;
  const { preposition, willBe, isYours, isTheirs, accept, decline } = sentences[what];
  const named = `${name}, ${preposition} `;
  return {
    /** For the new owner, who has to accept. */
    offer: (from: string, value: string, remarks: readonly string[]) =>
      channelNotice(
        `${displayText(from, 80)} wants to hand a ${what} over to you: ${named}`,
        item.channel,
        `. ${willBe} The offer ends after 14 days.`,
        ...remarks.map((remark) => context(remark)),
        buttons(button(accept, 'Accept', value, 'primary'), button(decline, 'Decline', value)),
      ),

    /** For the owner and the person who made the offer. */
    offered: (to: string) =>
      notice(`Waiting for ${displayText(to, 80)} to accept: ${name}. Until then, nothing changes.`),

    declined: (by: string) => notice(`${displayText(by, 80)} declined: ${name}. Its owner keeps it.`),

    ended: () =>
      channelNotice(
        `Not handed over: ${named}`,
        item.channel,
        '. Nobody accepted within 14 days. Type /report list there to offer it again.',
      ),

    /** For the former owner. */
    handedOver: (to: string) =>
      notice(`Handed over: ${name}. ${displayText(to, 80)} accepted it, and ${isTheirs}.`),

    /** For the new owner. */
    received: () =>
      channelNotice(
        `You now own a ${what}: ${named}`,
        item.channel,
        `. ${isYours} Type /report list there to manage it.`,
      ),

    youDeclined: () => notice(`Declined: ${name}.`),
  };
}

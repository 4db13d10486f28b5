import { replyInContext } from '../../delivery/notify-asker.js';
import type { OutgoingMessage } from '../../delivery/post-message.js';
import {
  findOffered,
  type HandOvers,
  nameOf,
  type Offered,
  type OfferReference,
  parseOffer,
} from '../../hand-over.js';
import { notice } from '../../messages/notices.js';
import { declinedMessage, handedOverMessage, receivedMessage } from '../../messages/offers.js';
import type { ListenerParts } from '../context.js';
import { onButton, replaceMessage } from './button.js';

const offerEnded = notice('This offer has ended. Ask the owner to hand it over again.');

/** Accept, under an offer: from now on the digest or saved report is this person's. */
export function acceptOfferButton<Item extends Offered>(handOvers: HandOvers<Item>, parts: ListenerParts) {
  return onButton(parts, async (pressed) => {
    const { asker } = pressed.context;
    const offer = parseOffer(pressed.value);
    const item = await findOffered(offer, asker, handOvers, parts.clock);
    if (!item) return replaceMessage(pressed, offerEnded);
    const refusal = await handOvers.acceptRefusal(item, asker);
    if (refusal !== undefined) return pressed.reply(notice(`Not accepted yet. ${refusal}`));
    const accepted = await handOvers.accept(item, asker);
    if (!accepted) {
      const { what } = handOvers.wordsFor(item);
      const changed = `Somebody else changed this ${what}. Type /report list to see it now.`;
      return pressed.reply(notice((await handOvers.acceptRefusal(item, asker)) ?? changed));
    }
    const words = handOvers.wordsFor(accepted);
    await replaceMessage(pressed, receivedMessage(words));
    await tellBoth(item, offer, handedOverMessage(words, await nameOf(asker, parts)), parts);
  });
}

/** Decline, under an offer: the owner keeps the digest or saved report. */
export function declineOfferButton<Item extends Offered>(handOvers: HandOvers<Item>, parts: ListenerParts) {
  return onButton(parts, async (pressed) => {
    const { asker } = pressed.context;
    const offer = parseOffer(pressed.value);
    const item = await findOffered(offer, asker, handOvers, parts.clock);
    if (!item || !(await handOvers.offer(item, undefined))) return replaceMessage(pressed, offerEnded);
    parts.home.changed(item.owner);
    const words = handOvers.wordsFor(item);
    await replaceMessage(pressed, notice(`Declined: ${words.name}.`));
    await tellBoth(item, offer, declinedMessage(words, await nameOf(asker, parts)), parts);
  });
}

/** Tells the owner and the person who made the offer. */
async function tellBoth(
  { owner }: Offered,
  { by }: OfferReference,
  message: OutgoingMessage,
  parts: ListenerParts,
): Promise<void> {
  for (const user of new Set([owner, by])) {
    await replyInContext(message, { channel: user, asker: user }, parts);
  }
}

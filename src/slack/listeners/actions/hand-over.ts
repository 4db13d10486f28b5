import { replyInContext } from '../../delivery/notify-asker.js';
import type { OutgoingMessage } from '../../delivery/post-message.js';
import { digestHandOvers } from '../../digests/hand-over.js';
import {
  findOffered,
  type HandOvers,
  nameOf,
  type Offered,
  type OfferReference,
  parseOffer,
} from '../../hand-over.js';
import { digestActions, savedActions } from '../../ids.js';
import { notice } from '../../messages/notices.js';
import { declinedMessage, handedOverMessage, receivedMessage } from '../../messages/offers.js';
import { type OnPress, press, type Route, replaceMessage } from '../../router.js';
import { savedHandOvers } from '../../saved/hand-over.js';
import type { ListenerParts } from '../context.js';

type HandOversOf<Item extends Offered> = (parts: ListenerParts) => HandOvers<Item>;

const offerEnded = notice('This offer has ended. Ask the owner to hand it over again.');

/** Accept, under an offer: from now on the digest or saved report is this person's. */
function acceptOffer<Item extends Offered>(handOversOf: HandOversOf<Item>): OnPress {
  return async (pressed, parts) => {
    const handOvers = handOversOf(parts);
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
  };
}

/** Decline, under an offer: the owner keeps the digest or saved report. */
function declineOffer<Item extends Offered>(handOversOf: HandOversOf<Item>): OnPress {
  return async (pressed, parts) => {
    const handOvers = handOversOf(parts);
    const { asker } = pressed.context;
    const offer = parseOffer(pressed.value);
    const item = await findOffered(offer, asker, handOvers, parts.clock);
    if (!item || !(await handOvers.offer(item, undefined))) return replaceMessage(pressed, offerEnded);
    parts.home.changed(item.owner);
    const words = handOvers.wordsFor(item);
    await replaceMessage(pressed, notice(`Declined: ${words.name}.`));
    await tellBoth(item, offer, declinedMessage(words, await nameOf(asker, parts)), parts);
  };
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

export const offerRoutes = (): readonly Route[] => [
  press(savedActions.accept, ['member'], { kept: true }, acceptOffer(savedHandOvers)),
  press(savedActions.declineOffer, ['member'], { kept: true }, declineOffer(savedHandOvers)),
  press(digestActions.accept, ['member'], { kept: true }, acceptOffer(digestHandOvers)),
  press(digestActions.declineOffer, ['member'], { kept: true }, declineOffer(digestHandOvers)),
];

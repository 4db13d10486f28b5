import { ok } from '../../../errors/result.js';
import type { Reply } from '../../delivery/notify-asker.js';
import { digestHandOvers } from '../../digests/hand-over.js';
import {
  formatOffer,
  type HandOvers,
  nameOf,
  type Offered,
  type OfferReference,
  offerTo,
  offerTtlMs,
} from '../../hand-over.js';
import { digestViews, inputs, views } from '../../ids.js';
import { notice } from '../../messages/notices.js';
import { handedOverMessage, offeredMessage, offerMessage, receivedMessage } from '../../messages/offers.js';
import type { Route } from '../../router.js';
import { savedHandOvers } from '../../saved/hand-over.js';
import { mayChange } from '../../saved/saved-reports.js';
import type { ListenerParts } from '../context.js';
import { directReply, rejectForm, submission, type ValidateForm } from './submission.js';

/** Hand over: offers a digest or saved report to a new owner. People who choose themselves own it at once. */
function handOver<Item extends Offered>(
  handOversOf: (parts: ListenerParts) => HandOvers<Item>,
): ValidateForm {
  return async ({ asker, metadata: [id = ''], text }, parts) => {
    const handOvers = handOversOf(parts);
    const to = text(inputs.owner);
    const item = await handOvers.find(id);
    if (!item || item.deletedAt !== undefined)
      return rejectForm('It was deleted, so it cannot be handed over.');
    const { what } = handOvers.wordsFor(item);
    if (!(await mayChange(item, asker.id, parts)))
      return rejectForm(`Only the owner of this ${what} and admins can hand it over.`);
    const reason = await (to === asker.id ? handOvers.acceptRefusal : handOvers.offerRefusal)(item, to);
    if (reason !== undefined) return rejectForm(reason);
    return ok(async () => {
      const offered = await offerTo(item, to, handOvers);
      if (!offered.ok) return [directReply(asker.id, notice(offered.refusal))];
      return to === asker.id
        ? takeOver(item, to, handOvers, parts)
        : offerReplies(item, to, { id, since: offered.value, by: asker.id }, handOvers, parts);
    });
  };
}

async function offerReplies<Item extends Offered>(
  item: Item,
  to: string,
  offer: OfferReference,
  handOvers: HandOvers<Item>,
  parts: ListenerParts,
): Promise<readonly Reply[]> {
  parts.home.changed(item.owner);
  await notifyAtEnd(item, offer, handOvers, parts);
  const refusal = await handOvers.acceptRefusal(item, to);
  const remarks = refusal === undefined ? [] : [refusal];
  const words = handOvers.wordsFor(item);
  const from = await nameOf(offer.by, parts);
  const offered = offeredMessage(words, await nameOf(to, parts));
  return [
    directReply(to, offerMessage(words, from, formatOffer(offer), remarks)),
    directReply(offer.by, offered),
    ...(offer.by === item.owner ? [] : [directReply(item.owner, offered)]),
  ];
}

/** Tells the owner and the person who made the offer once it has ended, unless somebody accepted it or declined. */
async function notifyAtEnd<Item extends Offered>(
  item: Item,
  { id, since, by }: OfferReference,
  handOvers: HandOvers<Item>,
  { store }: ListenerParts,
): Promise<void> {
  const kind = handOvers.wordsFor(item).what === 'digest' ? 'offer-ended' : 'saved-offer-ended';
  const recipients = [...new Set([item.owner, by])];
  await store.digestNotifications.addForAll(
    recipients,
    { kind, subject: `${id} ${since}` },
    since + offerTtlMs,
  );
}

async function takeOver<Item extends Offered>(
  item: Item,
  to: string,
  handOvers: HandOvers<Item>,
  parts: ListenerParts,
): Promise<readonly Reply[]> {
  const accepted = await handOvers.accept(item, to);
  if (!accepted) {
    const { what } = handOvers.wordsFor(item);
    return [directReply(to, notice(`Not handed over: somebody else just changed the ${what}.`))];
  }
  const words = handOvers.wordsFor(accepted);
  return [
    directReply(to, receivedMessage(words)),
    directReply(item.owner, handedOverMessage(words, await nameOf(to, parts))),
  ];
}

export const handOverFormRoutes = (): readonly Route[] => [
  submission(views.handOverSaved, ['member'], handOver(savedHandOvers)),
  submission(digestViews.handOver, ['member'], handOver(digestHandOvers)),
];

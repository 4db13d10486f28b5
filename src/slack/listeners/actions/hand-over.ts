import { ok } from '../../../errors/result.js';
import { type Reply, replyInContext } from '../../delivery/notify-asker.js';
import {
  acceptItem,
  digestHandOvers,
  formatOffer,
  type HandOvers,
  type Offered,
  offerTtlMs,
  openOffer,
  parseOffer,
  savedHandOvers,
} from '../../hand-over.js';
import { digestActions, digestViews, inputs, savedActions, views } from '../../ids.js';
import { notice } from '../../messages/notices.js';
import {
  declinedMessage,
  handedOverMessage,
  offeredMessage,
  offerMessage,
  receivedMessage,
  wordsFor,
} from '../../messages/offers.js';
import { type OnPress, type Press, press, type Route, replaceMessage } from '../../router.js';
import { mayChange } from '../../saved/saved-reports.js';
import type { ListenerParts } from '../context.js';
import { directReply, rejectForm, submission, type ValidateForm } from '../submissions/submission.js';

type HandOversOf<Item extends Offered> = (parts: ListenerParts) => HandOvers<Item>;

/** Hand over: offers a digest or saved report to a new owner. People who choose themselves own it at once. */
function handOver<Item extends Offered>(handOversOf: HandOversOf<Item>): ValidateForm {
  return async ({ asker: { id: by }, metadata: [id = ''], text }, parts) => {
    const handOvers = handOversOf(parts);
    const to = text(inputs.owner);
    const item = await handOvers.find(id);
    if (!item || item.deletedAt !== undefined)
      return rejectForm('It was deleted, so it cannot be handed over.');
    const { what } = wordsFor(item);
    if (!(await mayChange(item, by, parts)))
      return rejectForm(`Only the owner of this ${what} and admins can hand it over.`);
    const reason = await (to === by ? handOvers.acceptRefusal : handOvers.offerRefusal)(item, to);
    if (reason !== undefined) return rejectForm(reason);
    return ok(async () => {
      const offered = (await handOvers.offer(item, to)) ? await handOvers.find(id) : undefined;
      if (!offered?.pendingOwner) {
        const changed = `Not handed over: somebody else just changed the ${what}. Try again.`;
        return [directReply(by, notice(changed))];
      }
      if (to !== by) return offerReplies(item, to, offered.pendingOwner.since, by, handOvers, parts);
      const accepted = await acceptItem(item, to, handOvers, parts);
      if (!accepted)
        return [directReply(to, notice(`Not handed over: somebody else just changed the ${what}.`))];
      const words = wordsFor(accepted);
      const handedOver = handedOverMessage(words, await nameOf(to, parts));
      return [directReply(to, receivedMessage(words)), directReply(item.owner, handedOver)];
    });
  };
}

async function offerReplies<Item extends Offered>(
  item: Item,
  to: string,
  since: number,
  by: string,
  handOvers: HandOvers<Item>,
  parts: ListenerParts,
): Promise<readonly Reply[]> {
  const { id, owner } = item;
  parts.home.changed(owner);
  const words = wordsFor(item);
  const concerned = [...new Set([owner, by])];
  // The end of the offer, unless somebody accepts it or declines.
  await parts.store.digestNotifications.addForAll(
    concerned,
    { kind: words.what === 'digest' ? 'offer-ended' : 'saved-offer-ended', subject: `${id} ${since}` },
    since + offerTtlMs,
  );
  const refusal = await handOvers.acceptRefusal(item, to);
  const remarks = refusal === undefined ? [] : [refusal];
  const offer = offerMessage(words, await nameOf(by, parts), formatOffer({ id, since, by }), remarks);
  const offered = offeredMessage(words, await nameOf(to, parts));
  return [directReply(to, offer), ...concerned.map((user) => directReply(user, offered))];
}

const offerEnded = notice('This offer has ended. Ask the owner to hand it over again.');

/** Accept, under an offer: from now on the digest or saved report is this person's. */
function acceptOffer<Item extends Offered>(handOversOf: HandOversOf<Item>): OnPress {
  return async (pressed, parts) => {
    const handOvers = handOversOf(parts);
    const { asker } = pressed.context;
    const item = await findOffered(pressed, handOvers, parts);
    if (!item) return replaceMessage(pressed, offerEnded);
    const refusal = await handOvers.acceptRefusal(item, asker);
    if (refusal !== undefined) return pressed.reply(notice(`Not accepted yet. ${refusal}`));
    const accepted = await acceptItem(item, asker, handOvers, parts);
    if (!accepted) {
      const changed = `Somebody else changed this ${wordsFor(item).what}. Type /report list to see it now.`;
      return pressed.reply(notice((await handOvers.acceptRefusal(item, asker)) ?? changed));
    }
    const words = wordsFor(accepted);
    await replaceMessage(pressed, receivedMessage(words));
    await tellBoth(pressed, item, handedOverMessage(words, await nameOf(asker, parts)), parts);
  };
}

/** Decline, under an offer: the owner keeps the digest or saved report. */
function declineOffer<Item extends Offered>(handOversOf: HandOversOf<Item>): OnPress {
  return async (pressed, parts) => {
    const handOvers = handOversOf(parts);
    const item = await findOffered(pressed, handOvers, parts);
    if (!item || !(await handOvers.offer(item, undefined))) return replaceMessage(pressed, offerEnded);
    parts.home.changed(item.owner);
    const words = wordsFor(item);
    await replaceMessage(pressed, notice(`Declined: ${words.name}.`));
    await tellBoth(pressed, item, declinedMessage(words, await nameOf(pressed.context.asker, parts)), parts);
  };
}

/** The offered item, while this person can accept or decline it. */
async function findOffered<Item extends Offered>(
  { value, context }: Press,
  handOvers: HandOvers<Item>,
  { clock }: ListenerParts,
): Promise<Item | undefined> {
  const { id, since } = parseOffer(value);
  const item = await handOvers.find(id);
  const offer = item && openOffer(item, clock.now());
  return offer?.id === context.asker && offer.since === since ? item : undefined;
}

/** Tells the owner and the person who made the offer. */
async function tellBoth(
  { value }: Press,
  { owner }: Offered,
  message: Reply['message'],
  parts: ListenerParts,
): Promise<void> {
  for (const user of new Set([owner, parseOffer(value).by])) {
    await replyInContext(message, { channel: user, asker: user }, parts);
  }
}

/** A person's name in Slack, for texts that mention nobody. */
async function nameOf(user: string, { people }: ListenerParts): Promise<string> {
  return (await people.find(user)).name ?? 'Somebody';
}

export const handOverRoutes = (): readonly Route[] => [
  submission(views.handOverSaved, 'member', handOver(savedHandOvers)),
  submission(digestViews.handOver, 'member', handOver(digestHandOvers)),
  press(savedActions.accept, 'member', acceptOffer(savedHandOvers)),
  press(savedActions.declineOffer, 'member', declineOffer(savedHandOvers)),
  press(digestActions.accept, 'member', acceptOffer(digestHandOvers)),
  press(digestActions.declineOffer, 'member', declineOffer(digestHandOvers)),
];

import { ok } from '../../../errors/result.js';
import { type Reply, replyInContext } from '../../delivery/notify-asker.js';
import {
  acceptItem,
  acceptRefusal,
  formatOffer,
  offerRefusal,
  offerTtlMs,
  openOffer,
  parseOffer,
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
import { type Item, kindOf, storeOf } from '../../saved/items.js';
import type { ItemKind } from '../../saved/limits.js';
import { mayChange } from '../../saved/saved-reports.js';
import type { ListenerParts } from '../context.js';
import { directReply, rejectForm, submission, type ValidateForm } from '../submissions/submission.js';

/** Hand over: offers a digest or saved report to a new owner. People who choose themselves own it at once. */
function handOver(what: ItemKind): ValidateForm {
  return async ({ asker: { id: by }, metadata: [id = ''], text }, parts) => {
    const items = storeOf(what, parts);
    const to = text(inputs.owner);
    const item = await items.find(id);
    if (!item || item.deletedAt !== undefined)
      return rejectForm('It was deleted, so it cannot be handed over.');
    if (!(await mayChange(item, by, parts)))
      return rejectForm(`Only the owner of this ${what} and admins can hand it over.`);
    const reason = await (to === by ? acceptRefusal : offerRefusal)(item, to, parts);
    if (reason !== undefined) return rejectForm(reason);
    return ok(async () => {
      const isOffered = await items.offer(id, item.revision, to, parts.clock.now());
      const offered = isOffered ? await items.find(id) : undefined;
      if (!offered?.pendingOwner) {
        const changed = `Not handed over: somebody else just changed the ${what}. Try again.`;
        return [directReply(by, notice(changed))];
      }
      if (to !== by) return offerReplies(item, to, offered.pendingOwner.since, by, parts);
      const accepted = await acceptItem(item, to, parts);
      if (!accepted)
        return [directReply(to, notice(`Not handed over: somebody else just changed the ${what}.`))];
      const words = wordsFor(accepted);
      const handedOver = handedOverMessage(words, await nameOf(to, parts));
      return [directReply(to, receivedMessage(words)), directReply(item.owner, handedOver)];
    });
  };
}

async function offerReplies(
  item: Item,
  to: string,
  since: number,
  by: string,
  parts: ListenerParts,
): Promise<readonly Reply[]> {
  const { id, owner } = item;
  parts.home.changed(owner);
  const words = wordsFor(item);
  const concerned = [...new Set([owner, by])];
  // The end of the offer, unless the new owner answers it.
  await parts.store.digestNotifications.addForAll(
    concerned,
    { kind: words.what === 'digest' ? 'offer-ended' : 'saved-offer-ended', subject: `${id} ${since}` },
    since + offerTtlMs,
  );
  const refusal = await acceptRefusal(item, to, parts);
  const remarks = refusal === undefined ? [] : [refusal];
  const offer = offerMessage(words, await nameOf(by, parts), formatOffer({ id, since, by }), remarks);
  const offered = offeredMessage(words, await nameOf(to, parts));
  return [directReply(to, offer), ...concerned.map((user) => directReply(user, offered))];
}

const offerEnded = notice('This offer has ended. Ask the owner to hand it over again.');

const acceptOffer = onOffer(async (item, pressed, parts) => {
  const { asker } = pressed.context;
  const refusal = await acceptRefusal(item, asker, parts);
  if (refusal !== undefined) return pressed.reply(notice(`Not accepted yet. ${refusal}`));
  const accepted = await acceptItem(item, asker, parts);
  if (!accepted) {
    const changed = `Somebody else changed this ${kindOf(item)}. Type /report list to see it now.`;
    return pressed.reply(notice((await acceptRefusal(item, asker, parts)) ?? changed));
  }
  const words = wordsFor(accepted);
  await replaceMessage(pressed, receivedMessage(words));
  await tellBoth(pressed, item, handedOverMessage(words, await nameOf(asker, parts)), parts);
});

const declineOffer = onOffer(async (item, pressed, parts) => {
  const { id, revision } = item;
  const isDeclined = await storeOf(kindOf(item), parts).offer(id, revision, undefined, parts.clock.now());
  if (!isDeclined) return replaceMessage(pressed, offerEnded);
  parts.home.changed(item.owner);
  const words = wordsFor(item);
  await replaceMessage(pressed, notice(`Declined: ${words.name}.`));
  await tellBoth(pressed, item, declinedMessage(words, await nameOf(pressed.context.asker, parts)), parts);
});

/** Runs `then` with the offered item, while this person can accept or decline it. */
function onOffer(then: (item: Item, pressed: Press, parts: ListenerParts) => Promise<void>) {
  return (what: ItemKind): OnPress =>
    async (pressed, parts) => {
      const { id, since } = parseOffer(pressed.value);
      const item = await storeOf(what, parts).find(id);
      const offer = item && openOffer(item, parts.clock.now());
      const isTheirs = offer?.id === pressed.context.asker && offer.since === since;
      await (item && isTheirs ? then(item, pressed, parts) : replaceMessage(pressed, offerEnded));
    };
}

/** Tells the owner and the person who made the offer. */
async function tellBoth(
  { value }: Press,
  { owner }: Item,
  message: Reply['message'],
  parts: ListenerParts,
): Promise<void> {
  for (const user of new Set([owner, parseOffer(value).by])) {
    await replyInContext(message, { channel: user, asker: user }, parts);
  }
}

/** A person's name in Slack, for texts without mentions. */
async function nameOf(user: string, { people }: ListenerParts): Promise<string> {
  return (await people.find(user)).name ?? 'Somebody';
}

export const handOverRoutes = (): readonly Route[] => [
  submission(views.handOverSaved, 'member', handOver('saved report')),
  submission(digestViews.handOver, 'member', handOver('digest')),
  press(savedActions.accept, 'member', acceptOffer('saved report')),
  press(savedActions.declineOffer, 'member', declineOffer('saved report')),
  press(digestActions.accept, 'member', acceptOffer('digest')),
  press(digestActions.declineOffer, 'member', declineOffer('digest')),
];

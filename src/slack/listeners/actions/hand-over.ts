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
import { handOverForm } from '../../modals/forms.js';
import { type OnPress, opens, type Press, press, type Route, replaceMessage } from '../../router.js';
import { findItem, type Item, kindOf, storeOf } from '../../saved/items.js';
import type { ItemKind } from '../../saved/limits.js';
import type { ListenerParts } from '../context.js';
import { directReply, rejectForm, submission, type ValidateForm } from '../submissions/submission.js';
import { itemForm } from './items.js';

/** Hand over: offers a digest or saved report to a new owner. People who choose themselves own it at once. */
function handOver(what: ItemKind): ValidateForm {
  return async ({ context, metadata: [id = ''], text }, parts) => {
    const { asker: by } = context;
    const to = text(inputs.owner);
    const found = await findItem(what, id, 'change', context, parts);
    if (!found.ok) return rejectForm(found.refusal);
    const item = found.value;
    const reason = await (to === by ? acceptRefusal : offerRefusal)(item, to, parts);
    if (reason !== undefined) return rejectForm(reason);
    return ok(async () => {
      const items = storeOf(what, parts);
      const isOffered = await items.offer(id, item.revision, to, parts.clock.now());
      const since = isOffered ? (await items.find(id))?.pendingOwner?.since : undefined;
      if (since !== undefined && to !== by) return offerReplies(item, to, since, by, parts);
      const accepted = since === undefined ? undefined : await acceptItem(item, to, parts);
      if (!accepted) {
        const changed = `Not handed over: somebody else just changed the ${what}. Try again.`;
        return [directReply(by, notice(changed))];
      }
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

/** The rows of one kind of item. `buttons` open the form. */
function routesOf(
  kind: ItemKind,
  buttons: readonly string[],
  view: string,
  {
    accept,
    declineOffer: decline,
  }: Pick<typeof digestActions | typeof savedActions, 'accept' | 'declineOffer'>,
): readonly Route[] {
  const makeForm = itemForm(kind, 'change', async ({ id }) => ok(handOverForm(kind, id)));
  return [
    ...buttons.map((id) => opens(id, 'member', 'Hand over', makeForm)),
    submission(view, 'member', handOver(kind)),
    press(accept, 'member', acceptOffer(kind)),
    press(decline, 'member', declineOffer(kind)),
  ];
}

export const handOverRoutes = (): readonly Route[] => [
  ...routesOf('saved report', [`${savedActions.more} handOver`], views.handOverSaved, savedActions),
  ...routesOf(
    'digest',
    [digestActions.handOver, `${digestActions.menu} handOver`],
    digestViews.handOver,
    digestActions,
  ),
];

import { ok } from '../../errors/failure.js';
import { compact } from '../../requests/text.js';
import type { ListenerParts } from '../answers/context.js';
import {
  acceptItem,
  acceptRefusal,
  formatOffer,
  type OfferReference,
  offerRefusal,
  offerTtlMs,
  openOffer,
  parseOffer,
} from '../digests/hand-over.js';
import { form } from '../forms/forms.js';
import { personInput } from '../forms/inputs.js';
import type { ItemKind } from '../limits.js';
import { section } from '../messages/blocks.js';
import { digestActions } from '../messages/digests.js';
import { replyTo } from '../messages/notices.js';
import { offerMessages } from '../messages/offers.js';
import { savedActions } from '../messages/saved-reports.js';
import { findItem, type Item, isDigest, storeOf } from '../saved/items.js';
import { itemForm } from './items.js';
import { type OnPress, press, type Route, replaceMessage } from './router.js';
import { rejectForm, submission, type ValidateForm } from './submission.js';

const handOverInputs = {
  owner: 'owner',
} as const;

export const handOverViews = {
  handOverSaved: 'hand_over_saved',
  /** Its private metadata is the digest's ID. */
  handOver: 'digest_hand_over_form',
} as const;

/** Hand over: offers a digest or saved report to a new owner. People who choose themselves own it at once. */
function handOver(what: ItemKind): ValidateForm {
  return async ({ context, metadata: [id = ''], text, reply }, parts) => {
    const { asker: by } = context;
    const to = text(handOverInputs.owner);
    const found = await findItem(what, id, 'change', context, parts);
    if (!found.ok) return rejectForm(found.refusal);
    const item = found.value;
    const reason = await (to === by ? acceptRefusal : offerRefusal)(item, to, parts);
    if (reason !== undefined) return rejectForm(reason);
    return ok(async () => {
      const since = parts.clock.now();
      const isOffered = await storeOf(what, parts).offer(id, item.revision, to, since);
      if (isOffered && to !== by) return announceOffer(item, { id, since, by }, to, parts);
      if (!isOffered || !(await acceptItem(item, to, parts)))
        return reply(`Not handed over: somebody else just changed the ${what}. Try again.`);
      const messages = offerMessages(item);
      await reply(messages.received());
      await replyTo(item.owner, messages.handedOver(await nameOf(to, parts)), parts);
    });
  };
}

async function announceOffer(item: Item, offer: OfferReference, to: string, parts: ListenerParts) {
  const { id, since, by } = offer;
  parts.home.changed(item.owner);
  const messages = offerMessages(item);
  const concerned = [...new Set([item.owner, by])];
  // The end of the offer, unless the new owner answers it.
  await parts.store.digestNotifications.add(
    concerned,
    { kind: isDigest(item) ? 'offer-ended' : 'saved-offer-ended', subject: `${id} ${since}` },
    since + offerTtlMs,
  );
  const remarks = compact(await acceptRefusal(item, to, parts));
  const message = messages.offer(await nameOf(by, parts), formatOffer(offer), remarks);
  await replyTo(to, message, parts);
  const offered = messages.offered(await nameOf(to, parts));
  for (const user of concerned) await replyTo(user, offered, parts);
}

const offerEnded = 'This offer has ended. Ask the owner to hand it over again.';

/** The new owner answers. The owner and the person who made the offer get the outcome, too. */
function answerOffer(what: ItemKind, accepts: boolean): OnPress {
  return async (pressed, parts) => {
    const { value, context, reply } = pressed;
    const { asker } = context;
    const { id, since, by } = parseOffer(value);
    const items = storeOf(what, parts);
    const item = await items.find(id);
    const offer = item && openOffer(item, parts.clock.now());
    if (!item || offer?.id !== asker || offer.since !== since) return replaceMessage(pressed, offerEnded);
    if (accepts) {
      const refusal = await acceptRefusal(item, asker, parts);
      if (refusal !== undefined) return reply(`Not accepted yet. ${refusal}`);
      if (!(await acceptItem(item, asker, parts))) {
        const changed = `Somebody else changed this ${what}. Type /report list to see it now.`;
        return reply((await acceptRefusal(item, asker, parts)) ?? changed);
      }
    } else {
      const isDeclined = await items.offer(id, item.revision, undefined, parts.clock.now());
      if (!isDeclined) return replaceMessage(pressed, offerEnded);
      parts.home.changed(item.owner);
    }
    const { received, youDeclined, handedOver, declined } = offerMessages(item);
    await replaceMessage(pressed, (accepts ? received : youDeclined)());
    const outcome = (accepts ? handedOver : declined)(await nameOf(asker, parts));
    for (const user of new Set([item.owner, by])) await replyTo(user, outcome, parts);
  };
}

/** A person's name in Slack, for texts without mentions. */
async function nameOf(user: string, { people }: ListenerParts) {
  return (await people.find(user)).name ?? 'Somebody';
}

const handOvers = {
  digest: {
    actions: digestActions,
    callback: handOverViews.handOver,
    sentence:
      'The new owner must be a member of its channel, and has to accept. Then the digest runs with their permissions, and only they and admins can change it.',
  },
  'saved report': {
    actions: savedActions,
    callback: handOverViews.handOverSaved,
    sentence:
      'The new owner must be able to see its channel, and has to accept. Then only they and admins can change it.',
  },
};

export const handOverRoutes = (): readonly Route[] =>
  (['saved report', 'digest'] as const).flatMap((kind) => {
    const { actions, callback, sentence } = handOvers[kind];
    return [
      ...itemForm(kind, 'handOver', 'change', async ({ id }) => {
        const owner = personInput(handOverInputs.owner, 'New owner');
        return ok(form(callback, id, 'Hand over', 'Hand over', [section(sentence), owner]));
      }),
      submission(callback, 'member', handOver(kind)),
      press(actions.accept, 'member', answerOffer(kind, true)),
      press(actions.declineOffer, 'member', answerOffer(kind, false)),
    ];
  });

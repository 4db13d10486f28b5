import type { AllMiddlewareArgs, SlackViewMiddlewareArgs, ViewSubmitAction } from '@slack/bolt';
import { requestIsPersonLevel } from '../../../reports/person-level.js';
import type { Ask } from '../../../store/asks.js';
import { inputs } from '../../ids.js';
import { takeAsk } from '../../take-ask.js';
import { whoAsks } from '../../who-asks.js';
import type { ListenerParts } from '../parts.js';

/** A summary from somebody's direct messages, for everybody in a channel: made anew, by the rules of that channel. */
export function shareSubmission(parts: ListenerParts) {
  return async ({ ack, view, body }: SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs) => {
    const channel = view.state.values[inputs.channel]?.[inputs.channel]?.selected_conversation ?? '';
    const ask = await parts.store.asks.find(view.private_metadata);
    const problem = ask
      ? await problemWith(ask, channel, body.user.id, parts)
      : 'I do not remember that report any more.';
    if (!ask || problem !== undefined) {
      await ack({ response_action: 'errors', errors: { [inputs.channel]: problem ?? '' } });
      return;
    }
    await ack();
    const { request, range } = ask;
    await takeAsk(
      {
        request: { ...request, toMe: false, csv: false },
        channel,
        asker: body.user.id,
        me: ask.asker,
        ...(range ? { range } : {}),
      },
      parts,
    );
  };
}

async function problemWith(ask: Ask, channel: string, user: string, parts: ListenerParts) {
  const who = await whoAsks(user, parts.people, parts.defaultZone);
  if ('refused' in who) return who.refused;
  if (ask.asker !== user) return 'Only the person who asked can share this.';
  const released = new Set((await parts.store.approvals.releasedKeys()).map(({ subject }) => subject));
  if (requestIsPersonLevel(ask.request, released)) {
    return 'This summary names people, so it stays in your direct messages.';
  }
  const facts = await parts.channels.find(channel, { fresh: true });
  if (!facts.known || !facts.isMember)
    return 'I am not a member there. Type /invite @Rollcall in that channel first.';
  return facts.isArchived ? 'That channel is archived. Choose another one.' : undefined;
}

import type {
  AllMiddlewareArgs,
  BlockAction,
  ButtonAction,
  OverflowAction,
  SlackActionMiddlewareArgs,
} from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { tellWhereAsked } from '../../delivery/notify-asker.js';
import type { OutgoingMessage } from '../../delivery/post-message.js';
import { responseUrl } from '../../delivery/response-url.js';
import { notice } from '../../messages/notices.js';
import { openModal } from '../../modals/modal.js';
import { type ConversationRef, resolveAsker } from '../../request-context.js';
import type { ListenerParts } from '../context.js';

type Press = SlackActionMiddlewareArgs<BlockAction<ButtonAction | OverflowAction>> & AllMiddlewareArgs;

/** A button, or a choice of a menu, that a member of this workspace pressed. */
export interface Pressed {
  /** The button's `action_id`. */
  readonly action: string;
  readonly value: string;
  /** On the Home tab, which is no conversation: the presser's direct messages with the bot. */
  readonly asked: ConversationRef;
  readonly onHome: boolean;
  /** The message it stands under. */
  readonly message: { readonly ts: string; readonly thread?: string } | undefined;
  readonly triggerId: string;
  /** Says something to the presser alone. */
  tell(message: OutgoingMessage): Promise<void>;
}

/** Acknowledges a button at once, and goes on only for those who may press one. */
export function onPress(parts: ListenerParts, then: (pressed: Pressed) => Promise<void>) {
  return async (press: Press) => {
    await press.ack();
    const pressed = await pressedBy(press, parts);
    const refused = await whyRefused(pressed, parts);
    await (refused ? pressed.tell(refused) : then(pressed));
  };
}

/** The same for a button that opens a modal, whose trigger does not wait for look-ups. A double press is one press. */
export function onModalPress(
  parts: ListenerParts,
  title: string,
  make: (pressed: Pressed) => Promise<ModalView | OutgoingMessage>,
) {
  const opening = new Set<string>();
  return async (press: Press) => {
    await press.ack();
    const { body, action } = press;
    const asked = pressedIn(body, parts) ?? { channel: body.user.id, asker: body.user.id };
    const retry = { action: action.action_id, value: pressedValue(action) };
    const key = [body.user.id, asked.channel, retry.action, retry.value].join(' ');
    if (opening.has(key)) return;
    opening.add(key);
    const makeForPresser = async () => {
      const pressed = await pressedBy(press, parts);
      return (await whyRefused(pressed, parts)) ?? make(pressed);
    };
    const request = { triggerId: body.trigger_id, title, asked, retry };
    await openModal(request, makeForPresser, parts).finally(() => opening.delete(key));
  };
}

export function pressedValue(action: ButtonAction | OverflowAction): string {
  return ('selected_option' in action ? action.selected_option?.value : action.value) ?? '';
}

async function pressedBy({ body, action }: Press, parts: ListenerParts): Promise<Pressed> {
  const user = body.user.id;
  const { ts, thread_ts: thread }: { ts?: string; thread_ts?: string } = body.message ?? {};
  const onHome = body.view?.type === 'home';
  if (onHome) parts.home.seen(user);
  const asked = pressedIn(body, parts) ?? { channel: await parts.channels.directWith(user), asker: user };
  return {
    action: action.action_id,
    value: pressedValue(action),
    asked,
    onHome,
    message: ts ? { ts, ...(thread ? { thread } : {}) } : undefined,
    triggerId: body.trigger_id,
    tell: async (message) => void (await tellWhereAsked(message, asked, parts)),
  };
}

async function whyRefused({ asked }: Pressed, parts: ListenerParts): Promise<OutgoingMessage | undefined> {
  const who = await resolveAsker(asked.asker, parts.people, parts.defaultZone);
  return 'refused' in who ? notice(who.refused) : undefined;
}

/** Where a button was pressed; undefined where that was no conversation, as on the Home tab. */
export function pressedIn(
  body: BlockAction,
  { send }: Pick<ListenerParts, 'send'>,
): ConversationRef | undefined {
  const channel = body.channel?.id ?? body.container?.channel_id;
  if (!channel) return undefined;
  const { ts, thread_ts: thread }: { ts?: string; thread_ts?: string } = body.message ?? {};
  return {
    channel,
    asker: body.user.id,
    ...(thread && thread !== ts ? { thread } : {}),
    ...(body.response_url ? { responseUrl: responseUrl(body.response_url, send) } : {}),
  };
}

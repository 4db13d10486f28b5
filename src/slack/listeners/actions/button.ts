import type {
  AllMiddlewareArgs,
  BlockAction,
  ButtonAction,
  OverflowAction,
  SlackActionMiddlewareArgs,
} from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { type Result, refused } from '../../../errors/result.js';
import { askForPurpose } from '../../ask-purpose.js';
import { replyInContext } from '../../delivery/notify-asker.js';
import type { OutgoingMessage } from '../../delivery/post-message.js';
import { responseUrl } from '../../delivery/response-url.js';
import { notice } from '../../messages/notices.js';
import { openModal } from '../../modals/modal.js';
import { type RequestContext, resolveAsker } from '../../request-context.js';
import type { ListenerParts } from '../context.js';

type ButtonArgs = SlackActionMiddlewareArgs<BlockAction<ButtonAction | OverflowAction>> & AllMiddlewareArgs;

/** A button or a menu option that a member of this workspace pressed. */
export interface ButtonPress {
  /** The button's `action_id`. */
  readonly actionId: string;
  readonly value: string;
  /** On the Home tab, which is not a conversation, these are the person's direct messages with the bot. */
  readonly context: RequestContext;
  readonly onHome: boolean;
  /** The message with the button. */
  readonly message: { readonly ts: string; readonly thread?: string } | undefined;
  readonly triggerId: string;
  /** What it is for, where somebody was asked. */
  readonly purpose?: string | undefined;
  /** Replies to this person alone. */
  reply(message: OutgoingMessage): Promise<void>;
}

/** Acknowledges a button at once, and runs `then` if this person may use Rollcall. */
export function onButton(parts: ListenerParts, then: (pressed: ButtonPress) => Promise<void>) {
  return async (press: ButtonArgs) => {
    await press.ack();
    const pressed = await buttonPressOf(press, parts);
    const refusal = await askerRefusal(pressed, parts);
    await (refusal ? pressed.reply(refusal) : then(pressed));
  };
}

/** What a button does. */
export type OnPress = (pressed: ButtonPress) => Promise<void>;

/** Wraps a press that needs a purpose: where purposes are asked for, a form asks first. */
export function withPurpose(parts: ListenerParts, then: OnPress): OnPress {
  return async (pressed) => {
    if (!parts.asksPurpose || pressed.purpose !== undefined) return then(pressed);
    const { actionId: press, value, message, context } = pressed;
    await askForPurpose({ press, value, message }, context, parts);
  };
}

/** Like `onButton`, for a button that opens a modal before its trigger expires. A double press opens one modal. */
export function onModalButton(
  parts: ListenerParts,
  title: string,
  build: (pressed: ButtonPress) => Promise<Result<ModalView, OutgoingMessage>>,
) {
  const opening = new Set<string>();
  return async (press: ButtonArgs) => {
    await press.ack();
    const { body, action } = press;
    const context = contextOf(body, parts) ?? { channel: body.user.id, asker: body.user.id };
    const retry = { action: action.action_id, value: actionValue(action) };
    const key = [body.user.id, context.channel, retry.action, retry.value].join(' ');
    if (opening.has(key)) return;
    opening.add(key);
    const buildForAsker = async () => {
      const pressed = await buttonPressOf(press, parts);
      const refusal = await askerRefusal(pressed, parts);
      return refusal ? refused(refusal) : build(pressed);
    };
    const request = { triggerId: body.trigger_id, title, context, retry };
    await openModal(request, buildForAsker, parts).finally(() => opening.delete(key));
  };
}

export function actionValue(action: ButtonAction | OverflowAction): string {
  return ('selected_option' in action ? action.selected_option?.value : action.value) ?? '';
}

async function buttonPressOf({ body, action }: ButtonArgs, parts: ListenerParts): Promise<ButtonPress> {
  const user = body.user.id;
  const { ts, thread_ts: thread }: { ts?: string; thread_ts?: string } = body.message ?? {};
  const onHome = body.view?.type === 'home';
  if (onHome) parts.home.markOpened(user);
  const context = contextOf(body, parts) ?? {
    channel: await parts.channels.directWith(user),
    asker: user,
  };
  return {
    actionId: action.action_id,
    value: actionValue(action),
    context,
    onHome,
    message: ts ? { ts, thread } : undefined,
    triggerId: body.trigger_id,
    reply: async (message) => void (await replyInContext(message, context, parts)),
  };
}

async function askerRefusal(
  { context }: ButtonPress,
  parts: ListenerParts,
): Promise<OutgoingMessage | undefined> {
  const resolved = await resolveAsker(context.asker, parts.people, parts.defaultZone);
  return resolved.ok ? undefined : notice(resolved.refusal);
}

/** After a press on the Home tab that runs a report: the tab says where the answer goes. */
export function sayWhereAnswerGoes({ onHome, context }: ButtonPress, { home, clock }: ListenerParts): void {
  if (onHome) void home.show(context.asker, { ranAt: clock.now() });
}

/** Where a button was pressed; undefined outside of conversations, such as on the Home tab. */
export function contextOf(
  body: BlockAction,
  { send }: Pick<ListenerParts, 'send'>,
): RequestContext | undefined {
  const channel = body.channel?.id ?? body.container?.channel_id;
  if (!channel) return undefined;
  // Slack does not send the text of an ephemeral message, only where it is.
  const { ts, thread_ts: thread }: { ts?: string; thread_ts?: string } = body.message ?? body.container ?? {};
  return {
    channel,
    asker: body.user.id,
    thread: thread === ts ? undefined : thread,
    responseUrl: body.response_url ? responseUrl(body.response_url, send) : undefined,
    responseAddress: body.response_url || undefined,
    triggerId: body.trigger_id,
  };
}

/** Replaces the message of a button, so that nobody presses it twice. */
export async function replaceMessage(pressed: ButtonPress, message: OutgoingMessage): Promise<void> {
  const replaced = await pressed.context.responseUrl?.replaceOriginal(message);
  if (replaced?.kind !== 'posted') await pressed.reply(message);
}

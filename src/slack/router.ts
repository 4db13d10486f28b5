import type { BlockAction, ButtonAction, OverflowAction, ReceiverEvent } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { ok, type Result, refused } from '../errors/result.js';
import { askForPurpose } from './ask-purpose.js';
import { replyInContext } from './delivery/notify-asker.js';
import type { OutgoingMessage } from './delivery/post-message.js';
import { responseUrl } from './delivery/response-url.js';
import type { ListenerParts } from './listeners/context.js';
import { adminsOnly, notice } from './messages/notices.js';
import { keyedQueue } from './modals/builder/open.js';
import { messageView, openModal, updateView } from './modals/modal.js';
import {
  type MemberContext,
  type RequestContext,
  resolveAsker,
  resolveConversation,
} from './request-context.js';
import { type Delivery, type DeliveryKind, kindOf } from './transport/delivery.js';

/** What a row asks for. The router looks it up once, in this order, before the handler begins. */
export type Need = 'member' | 'admin' | 'conversation';

/** One thing that a person can press or submit. */
export interface Route {
  readonly kind: DeliveryKind;
  /** The action ID or callback ID. For an option of a menu: the menu's ID, a space, and the first word of the option's value. */
  readonly id: string;
  readonly needs: readonly Need[];
  /** The title of the form that it opens. */
  readonly opens: string | undefined;
  /** Whether a delivery stays in the inbox until its work has ended, so that another process can go on with it. */
  readonly isKept: (body: ReceiverEvent['body']) => boolean;
  handle(delivery: Delivery, door: Door): Promise<void>;
  /** For a press that does its work at once. */
  run?(pressed: UncheckedPress, parts: ListenerParts): Promise<void>;
}

/** What the handling of several deliveries shares. */
interface Door {
  readonly parts: ListenerParts;
  readonly find: Router['find'];
  /** Forms that are being opened. A double press opens one. */
  readonly opening: Set<string>;
  /** Changes to one form are handled in order of arrival. */
  readonly turns: ReturnType<typeof keyedQueue>;
}

/** A press of a button, an option of a menu or an input, by a member of this workspace. */
export interface Press {
  /** The `action_id`. */
  readonly actionId: string;
  /** For an option of a menu: the words after the first. */
  readonly value: string;
  /** Outside of conversations, such as on the Home tab, these are the person's direct messages with the bot. */
  readonly context: MemberContext;
  readonly isInConversation: boolean;
  readonly onHome: boolean;
  /** The form with the button or the input. */
  readonly form: BlockAction['view'];
  /** The message with the button. */
  readonly message: { readonly ts: string; readonly thread?: string | undefined } | undefined;
  /** Slack's time of the press, in seconds. */
  readonly pressedAt: number;
  readonly triggerId: string;
  /** What it is for, where somebody was asked. */
  readonly purpose?: string | undefined;
  /** Replies to this person alone. */
  reply(message: OutgoingMessage): Promise<void>;
}

/** A press whose person is not looked up yet. */
type UncheckedPress = Omit<Press, 'context'> & { readonly context: UncheckedContext };
type UncheckedContext = RequestContext &
  Pick<MemberContext, 'requestId' | 'takenOver'> &
  Partial<Pick<MemberContext, 'member'>>;

/** What a press does. */
export type OnPress = (pressed: Press, parts: ListenerParts) => Promise<void>;

/**
 * A button, or an option of a menu.
 *
 * @param how `asksPurpose`: where purposes are asked for, a form asks first
 */
export function press(
  id: string,
  needs: readonly Need[],
  { kept, asksPurpose = false }: { readonly kept: boolean; readonly asksPurpose?: boolean },
  then: OnPress,
): Route & Required<Pick<Route, 'run'>> {
  async function run(pressed: UncheckedPress, parts: ListenerParts): Promise<void> {
    const found = await lookUp(needs, pressed.context, parts);
    if (!found.ok) return refusePress(found.refusal, pressed, parts);
    const { actionId, value, message, purpose } = pressed;
    if (asksPurpose && parts.asksPurpose && purpose === undefined)
      return askForPurpose({ press: actionId, value, message }, found.value, parts);
    await then({ ...pressed, context: found.value }, parts);
  }
  return {
    kind: 'action',
    id,
    needs,
    opens: undefined,
    isKept: () => kept,
    run,
    async handle(delivery, { parts }) {
      await delivery.ack();
      await run(await pressOf(id, delivery, parts), parts);
    },
  };
}

/** An input of a form that draws the form again. Changes to one form are handled in order of arrival. */
export function input(id: string, needs: readonly Need[], then: OnPress): Route {
  const { run, ...route } = press(id, needs, { kept: false }, then);
  return {
    ...route,
    async handle(delivery, { parts, turns }) {
      await delivery.ack();
      const { view } = delivery.body as BlockAction;
      await turns(view?.id ?? '', async () => run(await pressOf(id, delivery, parts), parts));
    },
  };
}

/** Makes a form, or refuses with a message for the person. */
export type MakeForm = (pressed: Press, parts: ListenerParts) => Promise<Result<ModalView, OutgoingMessage>>;

/** A button that opens a form. No other process can continue with it, because its trigger expires. */
export function opens(id: string, needs: readonly Need[], title: string, build: MakeForm): Route {
  return {
    kind: 'action',
    id,
    needs,
    opens: title,
    isKept: () => false,
    async handle(delivery, { parts, opening }) {
      await delivery.ack();
      const body = delivery.body as BlockAction<ButtonAction | OverflowAction>;
      const [action] = body.actions;
      const context = contextOf(body, parts) ?? { channel: body.user.id, asker: body.user.id };
      // Slack takes no empty value.
      const retry = { action: action?.action_id ?? id, value: (action && actionValue(action)) || '-' };
      const key = [body.user.id, context.channel, retry.action, retry.value].join(' ');
      if (opening.has(key)) return;
      opening.add(key);
      const buildForAsker = async () => {
        const pressed = await pressOf(id, delivery, parts);
        const found = await lookUp(needs, pressed.context, parts);
        return found.ok ? build({ ...pressed, context: found.value }, parts) : refused(found.refusal);
      };
      const request = { triggerId: body.trigger_id, title, context, retry };
      await openModal(request, buildForAsker, parts).finally(() => opening.delete(key));
    },
  };
}

export interface Router {
  /** The row of a delivery; undefined for buttons of older versions, and for what nobody listens to. */
  find(body: ReceiverEvent['body']): Route | undefined;
  /** Handles a delivery of a kind that has rows. */
  handle(delivery: Delivery, route: Route): Promise<void>;
}

/** Finds the row of a delivery. */
export function routeTable(routes: readonly Route[]): (body: ReceiverEvent['body']) => Route | undefined {
  const rows = new Map(routes.map((route) => [`${route.kind} ${route.id}`, route]));
  return (body) => {
    const kind = kindOf(body);
    if (kind === 'view')
      return body.type === 'view_submission' ? rows.get(`view ${body.view?.callback_id}`) : undefined;
    if (kind !== 'action') return undefined;
    const [action]: readonly (ButtonAction | OverflowAction)[] = body.actions ?? [];
    if (!action) return undefined;
    const [option = ''] = actionValue(action).split(' ');
    return rows.get(`${kind} ${action.action_id}`) ?? rows.get(`${kind} ${action.action_id} ${option}`);
  };
}

export function createRouter(find: Router['find'], parts: ListenerParts): Router {
  const door: Door = { parts, find, opening: new Set(), turns: keyedQueue() };
  return { find, handle: (delivery, route) => route.handle(delivery, door) };
}

/** Looks up what a row needs, or refuses with a message for the person. */
export async function lookUp(
  needs: readonly Need[],
  context: UncheckedContext,
  parts: ListenerParts,
): Promise<Result<MemberContext, OutgoingMessage>> {
  const { asker } = context;
  const member = context.member
    ? ok(context.member)
    : await resolveAsker(asker, parts.people, parts.defaultZone);
  if (!member.ok) return refused(notice(member.refusal));
  if (needs.includes('admin') && !(await parts.access.isAdmin(asker))) return refused(adminsOnly);
  const conversation = needs.includes('conversation') ? await resolveConversation(context, parts) : undefined;
  return ok({ ...context, member: member.value, conversation });
}

/** In a form, the refusal takes the place of the form. */
async function refusePress(
  refusal: OutgoingMessage,
  { form, reply }: UncheckedPress,
  parts: ListenerParts,
): Promise<void> {
  if (!form) return reply(refusal);
  await updateView({ viewId: form.id, view: messageView(form.title.text, refusal.text) }, parts);
}

async function pressOf(id: string, delivery: Delivery, parts: ListenerParts): Promise<UncheckedPress> {
  const body = delivery.body as BlockAction<ButtonAction | OverflowAction>;
  const [action] = body.actions;
  const user = body.user.id;
  const { ts, thread_ts: thread }: { ts?: string; thread_ts?: string } = body.message ?? {};
  const onHome = body.view?.type === 'home';
  if (onHome) parts.home.markOpened(user);
  const here = contextOf(body, parts);
  const { requestId, takenOver } = delivery;
  const context = {
    ...(here ?? { channel: await parts.channels.directWith(user), asker: user }),
    requestId,
    takenOver,
  };
  const actionId = action?.action_id ?? '';
  const value = action ? actionValue(action) : '';
  return {
    actionId,
    value: id === actionId ? value : value.replace(/^\S* ?/, ''),
    context,
    isInConversation: here !== undefined,
    onHome,
    form: body.view?.type === 'modal' ? body.view : undefined,
    message: ts ? { ts, thread } : undefined,
    pressedAt: Number(action?.action_ts),
    triggerId: body.trigger_id,
    reply: async (message) => void (await replyInContext(message, context, parts)),
  };
}

function actionValue(action: ButtonAction | OverflowAction): string {
  return ('selected_option' in action ? action.selected_option?.value : action.value) ?? '';
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
export async function replaceMessage(pressed: Press, message: OutgoingMessage): Promise<void> {
  const replaced = await pressed.context.responseUrl?.replaceOriginal(message);
  if (replaced?.kind !== 'posted') await pressed.reply(message);
}

/** After a press on the Home tab that runs a report: the tab says where the answer goes. */
export function sayWhereAnswerGoes({ onHome, context }: Press, { home, clock }: ListenerParts): void {
  if (onHome) void home.show(context.asker, { ranAt: clock.now() });
}

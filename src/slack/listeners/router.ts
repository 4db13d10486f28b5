import type { BlockAction, ButtonAction, OverflowAction, ReceiverEvent } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { ok, type Result, refused } from '../../errors/failure.js';
import { partsFor } from '../../logging/logger.js';
import { askForPurpose } from '../answers/ask-purpose.js';
import type { ListenerParts } from '../answers/context.js';
import {
  type ConversationParts,
  contextOf,
  type MemberContext,
  type PlacedContext,
  resolveAsker,
  resolveConversation,
  type UncheckedContext,
} from '../context/request-context.js';
import { messageView, openModal, updateView } from '../forms/modal.js';
import { adminsOnly, messageOf, type Reply, replierIn } from '../messages/notices.js';
import { type Delivery, type DeliveryKind, DeliveryRepeated, kindOf } from '../transport/deliveries.js';
import { answerError } from './answer-error.js';

/** Whom a row is for, and whether its handler needs the conversation. The router looks it up once, before it begins. */
export type Need = 'member' | 'conversation' | 'admin' | 'admin in conversation';

/** One thing that a person can press, type, submit or open, or an event. */
export interface Route {
  readonly kind: DeliveryKind;
  /** The action ID, callback ID, command or event. For an option of a menu: the menu's ID, a space, and the first word of the option's value. */
  readonly id: string;
  /** Absent: the handler looks up what it needs. */
  readonly needs?: Need;
  /** The title of the form that it opens. */
  readonly opens?: string;
  /** True where a delivery stays in the inbox until its work has ended, so that another process can continue it. */
  isKept?(body: ReceiverEvent['body']): boolean;
  handle(delivery: Delivery, door: Door): Promise<void>;
  /** For a press that does its work at once. */
  run?(pressed: Press<UncheckedContext>, parts: ListenerParts): Promise<void>;
}

/** What a delivery is handled with. Several share all but the parts. */
interface Door {
  readonly parts: ListenerParts;
  readonly find: FindRoute;
  /** Forms that are being opened. A double press opens one. */
  readonly opening: Set<string>;
  /** Changes to one form are handled in order of arrival. */
  readonly turns: ReturnType<typeof keyedQueue>;
}

/** The context that a row with these needs gets. */
export type ContextFor<Some extends Need> = Some extends 'member' | 'admin' ? MemberContext : PlacedContext;

/** A press of a button, an option of a menu or an input, by a member of this workspace. */
export interface Press<Context extends UncheckedContext = MemberContext> {
  readonly actionId: string;
  /** For an option of a menu: the words after the first. */
  readonly value: string;
  /** Outside of conversations, such as on the Home tab, these are the person's direct messages with the bot. */
  readonly context: Context;
  readonly isInConversation: boolean;
  readonly onHome: boolean;
  /** The form with the button or the input. */
  readonly form: BlockAction['view'];
  /** The message with the button. */
  readonly message: { readonly ts: string; readonly thread?: string | undefined } | undefined;
  /** Slack's time of the press, in seconds. */
  readonly pressedAt: number;
  readonly triggerId: string;
  /** What it is for, where a form asked. */
  readonly purpose?: string | undefined;
  /** Replies to this person alone. */
  reply(reply: Reply): Promise<void>;
}

export type OnPress<Context extends MemberContext = MemberContext> = (
  pressed: Press<Context>,
  parts: ListenerParts,
) => Promise<void>;

/**
 * A button, or an option of a menu.
 *
 * @param how `kept`: whether its delivery stays in the inbox; `asksPurpose`: where purposes are asked for, a form asks
 *   first
 */
export function press<Some extends Need>(
  id: string,
  needs: Some,
  then: OnPress<ContextFor<Some>>,
  { kept = true, asksPurpose = false } = {},
): Route & Required<Pick<Route, 'run'>> {
  async function run(pressed: Press<UncheckedContext>, parts: ListenerParts) {
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
    isKept: () => kept,
    run,
    async handle(delivery, { parts }) {
      await delivery.ack();
      await run(await pressOf(id, delivery, parts), parts);
    },
  };
}

/** An input of a form that draws the form again. Changes to one form are handled in order of arrival. */
export function input(id: string, needs: Need, then: OnPress): Route {
  const { run, ...route } = press(id, needs, then, { kept: false });
  return {
    ...route,
    async handle(delivery, { parts, turns }) {
      await delivery.ack();
      const { view } = delivery.body as BlockAction;
      await turns(view?.id ?? '', async () => run(await pressOf(id, delivery, parts), parts));
    },
  };
}

/** Makes a form, or refuses with a sentence for the person. */
export type MakeForm<Context extends MemberContext = MemberContext> = (
  pressed: Press<Context>,
  parts: ListenerParts,
) => Promise<Result<ModalView>>;

/** A button that opens a form. No other process can continue with it, because its trigger expires. */
export function opens<Some extends Need>(
  id: string,
  needs: Some,
  title: string,
  build: MakeForm<ContextFor<Some>>,
): Route {
  return {
    kind: 'action',
    id,
    needs,
    opens: title,
    async handle(delivery, { parts, opening }) {
      await delivery.ack();
      const body = delivery.body as BlockAction<ButtonAction | OverflowAction>;
      const [action] = body.actions;
      const { requestId } = delivery;
      const here = contextOf(body, parts) ?? { channel: body.user.id, asker: body.user.id };
      const context = { ...here, requestId };
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

/** Finds the row of a delivery; undefined for buttons of older versions, and for what has no row. */
export type FindRoute = (body: ReceiverEvent['body']) => Route | undefined;

export function routeTable(routes: readonly Route[]): FindRoute {
  const rows = new Map(routes.map((route) => [`${route.kind} ${route.id}`, route]));
  return (body) => {
    const kind = kindOf(body);
    const [action]: readonly (ButtonAction | OverflowAction)[] = body.actions ?? [];
    const ids: Record<DeliveryKind, string | undefined> = {
      command: body.command,
      event: body.event?.type,
      view: body.type === 'view_submission' ? body.view?.callback_id : undefined,
      shortcut: body.callback_id,
      options: body.action_id,
      action: action?.action_id,
    };
    const name = `${kind} ${ids[kind]}`;
    return rows.get(name) ?? (action && rows.get(`${name} ${actionValue(action).split(' ')[0]}`));
  };
}

/** Handles deliveries by their rows, and never throws. If a handler fails, the person gets a reply. */
export function createRouter(find: FindRoute, parts: ListenerParts): (delivery: Delivery) => Promise<void> {
  const shared = { find, opening: new Set<string>(), turns: keyedQueue() };
  const replyToFailure = answerError(parts);
  return async (delivery) => {
    const { kind, body, requestId, takenOver } = delivery;
    let isAcknowledged = takenOver !== undefined;
    const ack: Delivery['ack'] = async (answer) => {
      isAcknowledged = true;
      return delivery.ack(answer);
    };
    try {
      await find(body)?.handle({ ...delivery, ack }, { ...shared, parts: partsFor(requestId, parts) });
    } catch (error) {
      if (error instanceof DeliveryRepeated) return;
      const failure = { error, kind, body, requestId, ack: isAcknowledged ? undefined : ack };
      await replyToFailure(failure).catch((second: unknown) => {
        const sentence = 'The failure of a listener could not be reported to the person';
        parts.log.error({ err: second, first: error }, sentence);
      });
    }
    // Old messages may have buttons that no longer have a row.
    if (!isAcknowledged && kind !== 'command') await delivery.ack();
  };
}

/** Looks up what a row needs, or refuses with a sentence for the person. Nothing is looked up twice. */
export async function lookUp<Some extends Need>(
  needs: Some,
  context: UncheckedContext,
  parts: Pick<ListenerParts, 'people' | 'defaultZone' | 'access'> & ConversationParts,
): Promise<Result<ContextFor<Some>>> {
  const { asker } = context;
  const member = context.member
    ? ok(context.member)
    : await resolveAsker(asker, parts.people, parts.defaultZone);
  if (!member.ok) return member;
  if (needs.startsWith('admin') && !(await parts.access.isAdmin(asker))) return refused(adminsOnly);
  const conversation = needs.endsWith('conversation') ? await resolveConversation(context, parts) : undefined;
  return ok({ ...context, member: member.value, conversation } as ContextFor<Some>);
}

/** In a form, the refusal takes the place of the form. */
async function refusePress(refusal: string, { form, reply }: Press<UncheckedContext>, parts: ListenerParts) {
  if (!form) return reply(refusal);
  await updateView(form.id, messageView(form.title.text, refusal), parts);
}

async function pressOf(
  id: string,
  delivery: Delivery,
  parts: ListenerParts,
): Promise<Press<UncheckedContext>> {
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
    reply: replierIn(context, parts),
  };
}

function actionValue(action: ButtonAction | OverflowAction) {
  return ('selected_option' in action ? action.selected_option?.value : action.value) ?? '';
}

/** Replaces the message of a button, so that it is not pressed twice. */
export async function replaceMessage(pressed: Press, reply: Reply): Promise<void> {
  const replaced = await pressed.context.responseUrl?.replaceOriginal(messageOf(reply));
  if (replaced?.kind !== 'posted') await pressed.reply(reply);
}

/** After a press on the Home tab that runs a report: the tab says where the answer goes. */
export function sayWhereAnswerGoes({ onHome, context }: Press, { home, clock }: ListenerParts): void {
  if (onHome) void home.show(context.asker, { ranAt: clock.now() });
}

/** Runs tasks with the same key one after the other, in the order in which they were added. */
function keyedQueue() {
  const last = new Map<string, Promise<void>>();
  return async (key: string, task: () => Promise<void>): Promise<void> => {
    const before = last.get(key) ?? Promise.resolve();
    const current = before.then(task, task);
    last.set(key, current);
    try {
      await current;
    } finally {
      if (last.get(key) === current) last.delete(key);
    }
  };
}

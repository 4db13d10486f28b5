import type { ReceiverEvent } from '@slack/bolt';
import type { TakenOver } from '../../logging/log-id.js';
import { maxInputLength, maxMarkedUpLength } from '../typed-text.js';

/** The kinds of deliveries in Bolt. */
export type DeliveryKind = 'command' | 'event' | 'action' | 'view' | 'shortcut' | 'options';

/** Something that Slack has sent, which is no repetition. */
export interface Delivery {
  readonly kind: DeliveryKind;
  readonly body: ReceiverEvent['body'];
  /** Acknowledges it. A delivery that the inbox stores is in the inbox before. */
  readonly ack: ReceiverEvent['ack'];
  /** The ID of its work, and of the request that it makes. */
  readonly requestId: string;
  /** Set where another process had it before, and may have begun its work. */
  readonly takenOver?: TakenOver | undefined;
  /** When it arrived, in milliseconds of `performance.now()`. */
  readonly receivedAtMs: number;
}

/** Slack has delivered it before, to this process or another one. Its handler ends without doing anything. */
export class DeliveryRepeated extends Error {}

/** The kind, by Bolt's rules. */
export function kindOf({ event, command, name, actions, type }: ReceiverEvent['body']): DeliveryKind {
  if (event !== undefined) return 'event';
  if (command !== undefined) return 'command';
  if (name !== undefined || type === 'block_suggestion') return 'options';
  if (actions !== undefined) return 'action';
  if (type === 'shortcut' || type === 'message_action') return 'shortcut';
  if (type === 'view_submission' || type === 'view_closed') return 'view';
  return 'event';
}

/** The members that listeners need, and those that say which workspace a delivery is from. No tokens, and no names. */
const keptMembers: Partial<Record<DeliveryKind, string>> = {
  command: 'command text user_id channel_id response_url',
  event:
    'type event_id event.type event.user event.channel event.channel_type event.text event.ts event.thread_ts',
  action:
    'type user.id user.team_id channel.id container actions response_url message.ts message.thread_ts view',
  view: 'type user.id user.team_id view',
};
const sourceMembers = 'team_id team authorizations';

/**
 * The person of a delivery, and the part of its body to store, so that another process can continue its work. Undefined
 * for kinds that are never stored.
 */
export function keptDelivery(body: ReceiverEvent['body']) {
  const members = keptMembers[kindOf(body)];
  const person: string | undefined = body.user_id ?? body.user?.id ?? body.event?.user;
  if (members === undefined || person === undefined) return undefined;
  const kept: ReceiverEvent['body'] = {};
  for (const path of `${members} ${sourceMembers}`.split(' ')) {
    const [member = '', inner] = path.split('.');
    const value: unknown = body[member];
    if (value === undefined) continue;
    kept[member] =
      inner !== undefined && isObject(value) ? { ...kept[member], [inner]: value[inner] } : value;
  }
  return { person, body: body.view?.type === 'home' ? { ...kept, view: { type: 'home' } } : kept };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The longest texts of people, by the names of their members. */
const maxLengths: Readonly<Record<string, number>> = { text: maxMarkedUpLength, value: maxInputLength };

/**
 * The same delivery, in which no text of a person is longer than one character more than its limit. Listeners refuse such
 * a text with a sentence, and nothing before them stores or reads more of it.
 */
export function withClippedTexts(body: ReceiverEvent['body']): ReceiverEvent['body'] {
  return JSON.parse(JSON.stringify(body), (name, value: unknown) =>
    typeof value === 'string' ? value.slice(0, (maxLengths[name] ?? value.length) + 1) : value,
  );
}

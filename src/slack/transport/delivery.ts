import type { ReceiverEvent } from '@slack/bolt';
import type { TakenOver } from '../../logging/log-id.js';
import { maxInputLength, maxMarkedUpLength } from '../typed-text.js';

/** The kinds of deliveries in Bolt. */
export type DeliveryKind = 'command' | 'event' | 'action' | 'view' | 'shortcut' | 'options';

/** Something that Slack has sent, which is no repetition. */
export interface Delivery {
  readonly kind: DeliveryKind;
  readonly body: ReceiverEvent['body'];
  /** Acknowledges it. Where it is kept, it is in the inbox before. */
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

/** The part of a delivery that is stored, so that another process can continue its work. */
export interface KeptDelivery {
  /** A Slack user ID. */
  readonly person: string;
  /** The members of the body that listeners read. */
  readonly body: KeptBody;
}

/** The members of a body that listeners need. No tokens. */
export interface KeptBody {
  readonly [member: string]: unknown;
  readonly command?: string;
  readonly text?: string;
  readonly response_url?: string;
  readonly event?: { readonly text?: string; readonly user?: string; readonly [member: string]: unknown };
  readonly actions?: readonly { readonly text?: { readonly text?: string } }[];
  readonly view?: { readonly title?: { readonly text?: string }; readonly [member: string]: unknown };
}

/** The members of Slack's payloads that name the person. */
interface Payload extends KeptBody {
  readonly user?: { readonly id?: string };
  readonly user_id?: string;
}

/** Members of an object: all of each, or some of the object that it holds. */
interface Members {
  readonly [member: string]: true | Members;
}

/** Which workspace a delivery is from. */
const source: Members = { team_id: true, team: true, authorizations: true };
/** Without the name. */
const user: Members = { id: true, team_id: true };

const keptMembers: Partial<Record<DeliveryKind, Members>> = {
  command: { command: true, text: true, user_id: true, channel_id: true, response_url: true },
  event: {
    type: true,
    event_id: true,
    event: {
      type: true,
      user: true,
      channel: true,
      channel_type: true,
      text: true,
      ts: true,
      thread_ts: true,
    },
  },
  action: {
    type: true,
    user,
    channel: { id: true },
    container: true,
    actions: true,
    response_url: true,
    message: { ts: true, thread_ts: true },
    view: true,
  },
  view: { type: true, user, view: true },
};

/** The part to store of a delivery. Undefined for kinds that are never kept. */
export function keptDelivery(body: ReceiverEvent['body']): KeptDelivery | undefined {
  const payload: Payload = body;
  const members = keptMembers[kindOf(body)];
  const person = payload.user_id ?? payload.user?.id ?? payload.event?.user;
  if (!members || person === undefined) return undefined;
  const kept = picked(payload, { ...members, ...source });
  return { person, body: payload.view?.type === 'home' ? { ...kept, view: { type: 'home' } } : kept };
}

function picked(object: object, members: Members): KeptBody {
  const found: Record<string, unknown> = {};
  for (const [member, inner] of Object.entries(members)) {
    if (!Object.hasOwn(object, member)) continue;
    const value: unknown = Reflect.get(object, member);
    found[member] = inner !== true && isObject(value) ? picked(value, inner) : value;
  }
  return found;
}

interface WithTexts {
  readonly text?: unknown;
  readonly value?: unknown;
  readonly event?: unknown;
  readonly actions?: unknown;
  readonly view?: unknown;
}

/**
 * The same delivery, in which no text of a person is longer than one character more than its limit. Listeners refuse such
 * a text with a sentence, and nothing before them stores or reads more of it.
 */
export function withClippedTexts(body: ReceiverEvent['body']): ReceiverEvent['body'] {
  const { value, event, actions, view }: WithTexts = body;
  return {
    ...clipped(body, 'text', maxMarkedUpLength),
    ...(typeof value === 'string' && { value: clip(value, maxInputLength) }),
    ...(isObject(event) && { event: clipped(event, 'text', maxMarkedUpLength) }),
    ...(Array.isArray(actions) && {
      actions: actions.map((action) =>
        isObject(action) ? clipped(action, 'value', maxInputLength) : action,
      ),
    }),
    ...(isObject(view) && { view: withClippedInputs(view) }),
  };
}

/** A view with the values of its inputs: block, action, value. */
function withClippedInputs(view: object): object {
  const state: unknown = Reflect.get(view, 'state');
  const values: unknown = isObject(state) ? Reflect.get(state, 'values') : undefined;
  if (!isObject(state) || !isObject(values)) return view;
  const blocks = mapMembers(values, (block) =>
    mapMembers(block, (input) => clipped(input, 'value', maxInputLength)),
  );
  return { ...view, state: { ...state, values: blocks } };
}

function mapMembers(object: object, map: (member: object) => object): object {
  return Object.fromEntries(
    Object.entries(object).map(([name, member]) => [name, isObject(member) ? map(member) : member]),
  );
}

function clipped<Part extends object>(part: Part, member: string, maxLength: number): Part {
  const text: unknown = Reflect.get(part, member);
  if (typeof text !== 'string' || text.length <= maxLength) return part;
  return { ...part, [member]: clip(text, maxLength) };
}

function clip(text: string, maxLength: number): string {
  return text.slice(0, maxLength + 1);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

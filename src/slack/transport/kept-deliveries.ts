import type { ReceiverEvent } from '@slack/bolt';
import { kindOf } from './delivery.js';

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
  readonly event?: { readonly text?: string; readonly [member: string]: unknown };
  readonly actions?: readonly Pressed[];
  readonly view?: { readonly title?: { readonly text?: string }; readonly [member: string]: unknown };
}

interface Pressed {
  readonly text?: { readonly text?: string };
}

/** The members of Slack's payloads. */
interface Payload extends KeptBody {
  readonly type?: string;
  readonly user?: { readonly id?: string };
  readonly user_id?: string;
  readonly channel?: { readonly id?: string };
  readonly message?: { readonly ts?: string; readonly thread_ts?: string };
}

const members = {
  command: ['command', 'text', 'user_id', 'channel_id', 'response_url'],
  event: ['type', 'event_id'],
  action: ['type', 'user', 'channel', 'container', 'actions', 'response_url'],
  view: ['type', 'user', 'view'],
} as const;

const eventMembers = ['type', 'user', 'channel', 'channel_type', 'text', 'ts', 'thread_ts'];

/** The part to store of a delivery. Undefined for kinds that are never kept. */
export function keptDelivery(body: ReceiverEvent['body']): KeptDelivery | undefined {
  const payload: Payload = body;
  const kind = kindOf(body);
  switch (kind) {
    case 'command':
      return kept(payload, payload.user_id, members[kind]);
    case 'event':
      return keptEvent(payload);
    case 'action':
      return keptPress(payload);
    case 'view':
      return kept(payload, payload.user?.id, members[kind]);
    default:
      return undefined;
  }
}

function keptEvent(payload: Payload): KeptDelivery | undefined {
  const event = payload.event ?? {};
  const found = kept(payload, String(event.user), members.event);
  return found && { ...found, body: { ...found.body, event: picked(event, eventMembers) } };
}

function keptPress(payload: Payload): KeptDelivery | undefined {
  const found = kept(payload, payload.user?.id, members.action);
  if (!found) return undefined;
  const { message, view } = payload;
  return {
    ...found,
    body: {
      ...found.body,
      ...(message && { message: picked(message, ['ts', 'thread_ts']) }),
      ...(view && { view: view.type === 'home' ? { type: 'home' } : view }),
    },
  };
}

/** Which workspace a delivery is from. */
const sourceMembers = ['team_id', 'team', 'authorizations'];

function kept(
  payload: Payload,
  person: string | undefined,
  members: readonly string[],
): KeptDelivery | undefined {
  if (person === undefined) return undefined;
  const body = picked(payload, [...members, ...sourceMembers]);
  // Without names.
  const { user, channel } = payload;
  return {
    person,
    body: {
      ...body,
      ...(user && 'user' in body && { user: picked(user, ['id', 'team_id']) }),
      ...(channel && 'channel' in body && { channel: picked(channel, ['id']) }),
    },
  };
}

function picked(object: object, members: readonly string[]): KeptBody {
  const found: Record<string, unknown> = {};
  for (const member of members)
    if (Object.hasOwn(object, member)) found[member] = Reflect.get(object, member);
  return found;
}

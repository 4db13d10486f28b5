import type { ReceiverEvent } from '@slack/bolt';
import { opensHelpOrForm } from '../../requests/parse-command.js';
import { stripSlackMarkup } from '../markup.js';
import type { Router } from '../router.js';

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

/**
 * The part to store of a delivery that starts a run or a post. Undefined for all others: those that open a form within
 * three seconds, and events that only change caches.
 */
export function keptDelivery(body: ReceiverEvent['body'], find: Router['find']): KeptDelivery | undefined {
  const payload: Payload = body;
  if (payload.event !== undefined) return keptEvent(payload);
  if (payload.command !== undefined) return keptCommand(payload);
  if (!find(body)?.isKept(body)) return undefined;
  return payload.actions ? keptPress(payload) : kept(payload, payload.user?.id, ['type', 'user', 'view']);
}

function keptCommand(payload: Payload): KeptDelivery | undefined {
  if (opensHelpOrForm(stripSlackMarkup(payload.text ?? ''))) return undefined;
  return kept(payload, payload.user_id, ['command', 'text', 'user_id', 'channel_id', 'response_url']);
}

const eventMembers = ['type', 'user', 'channel', 'channel_type', 'text', 'ts', 'thread_ts'];

function keptEvent(payload: Payload): KeptDelivery | undefined {
  const event = payload.event ?? {};
  const { type, user, bot_id, subtype, channel_type } = event;
  const isRequest = type === 'app_mention' || (type === 'message' && channel_type === 'im');
  if (!isRequest || typeof user !== 'string' || bot_id !== undefined || subtype !== undefined)
    return undefined;
  const found = kept(payload, user, ['type', 'event_id']);
  return found && { ...found, body: { ...found.body, event: picked(event, eventMembers) } };
}

function keptPress(payload: Payload): KeptDelivery | undefined {
  const found = kept(payload, payload.user?.id, [
    'type',
    'user',
    'channel',
    'container',
    'actions',
    'response_url',
  ]);
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

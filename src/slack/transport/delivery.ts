import { AuthorizationError, type ReceiverEvent } from '@slack/bolt';
import type { TakenOver } from '../../logging/log-id.js';
import type { Log } from '../../logging/logger.js';
import type { NewDelivery } from '../../store/requests/inbox.js';
import { maxInputLength, maxMarkedUpLength } from '../markup.js';

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

/** Properties that a receiver adds, to identify a delivery. */
export interface DeliveryProperties {
  /** Socket Mode: the same for each delivery of one envelope. */
  readonly envelopeId?: string;
  /** HTTP: a hash of the timestamp and the body, the same only for the same request. */
  readonly requestHash?: string;
  /** HTTP: the headers of the signature are not spelled as Slack spells them. */
  readonly isMalformed?: boolean;
}

/** Equal for two deliveries of the same thing; undefined if the delivery cannot be identified. */
export function deliveryKey({ body, customProperties }: ReceiverEvent): string | undefined {
  if (typeof body.event_id === 'string') return `event ${body.event_id}`;
  const { envelopeId, requestHash }: DeliveryProperties = customProperties ?? {};
  if (envelopeId !== undefined) return `envelope ${envelopeId}`;
  return requestHash === undefined ? undefined : `request ${requestHash}`;
}

/** @throws AuthorizationError for a delivery that is not from Slack, or for another workspace: status 401 over HTTP */
export function refuseForeign({ body, customProperties }: ReceiverEvent, teamId: string, log: Log): void {
  const { authorizations, team_id, view, team, user } = body;
  // An event in a shared channel lists the workspaces that it is for. A view that was opened in one names the workspace
  // where the app is installed. A delivery that names no workspace counts as ours.
  const listed = (Array.isArray(authorizations) ? authorizations : []).flatMap((one) => one?.team_id || []);
  const named = team_id || view?.app_installed_team_id || team?.id || user?.team_id || teamId;
  const isMalformed = customProperties?.isMalformed === true;
  if (!isMalformed && (listed.length > 0 ? listed : [named]).includes(teamId)) return;
  const refusal = isMalformed
    ? 'A request with an unusual signature was refused'
    : 'A delivery from another workspace was refused; each Rollcall serves one workspace';
  log.warn(refusal);
  throw new AuthorizationError(refusal, new Error(refusal));
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
 * A delivery for the inbox, with the part of its body that another process needs to continue its work. Undefined for
 * kinds that are never stored.
 *
 * @param request the ID of its work
 */
export function keptDelivery(
  body: ReceiverEvent['body'],
  key: string,
  request: string,
  arrivedAt: number,
): NewDelivery | undefined {
  const members = keptMembers[kindOf(body)];
  const person: string | undefined = body.user_id ?? body.user?.id ?? body.event?.user;
  if (members === undefined || person === undefined) return undefined;
  const kept: ReceiverEvent['body'] = {};
  for (const path of `${members} ${sourceMembers}`.split(' ')) {
    const [member = '', inner] = path.split('.');
    const value = body[member];
    kept[member] = inner === undefined ? value : { ...kept[member], [inner]: value?.[inner] };
  }
  if (body.view?.type === 'home') kept.view = { type: 'home' };
  return { key, person, payload: JSON.stringify(kept), request, arrivedAt };
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

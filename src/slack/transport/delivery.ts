import type { ReceiverEvent } from '@slack/bolt';
import type { TakenOver } from '../../logging/log-id.js';

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

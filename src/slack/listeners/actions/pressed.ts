import type {
  AllMiddlewareArgs,
  BlockAction,
  ButtonAction,
  OverflowAction,
  SlackActionMiddlewareArgs,
} from '@slack/bolt';
import type { OutgoingMessage } from '../../outgoing-message.js';
import { responseUrl } from '../../response-url.js';
import { tellAsker } from '../../tell-asker.js';
import { notice } from '../../views/notices.js';
import { type AskedIn, whereAsked } from '../../where-asked.js';
import { whoAsks } from '../../who-asks.js';
import type { ListenerParts } from '../parts.js';

type Press = BlockAction<ButtonAction | OverflowAction>;

/** A button, or a choice of a menu, that a member of this workspace pressed. */
export interface Pressed {
  readonly value: string;
  /** On the Home tab, which is no conversation: the presser's direct messages with the bot. */
  readonly asked: AskedIn;
  readonly onHome: boolean;
  /** The message it stands under. */
  readonly message: { readonly ts: string; readonly thread?: string } | undefined;
  readonly triggerId: string;
  /** Says something to the presser alone. */
  tell(message: OutgoingMessage): Promise<void>;
}

/** Acknowledges a button at once, and goes on only for those who may press one. */
export function onPress(parts: ListenerParts, then: (pressed: Pressed) => Promise<void>) {
  return async ({ body, action, ack }: SlackActionMiddlewareArgs<Press> & AllMiddlewareArgs) => {
    await ack();
    const user = body.user.id;
    const { ts, thread_ts: thread }: { ts?: string; thread_ts?: string } = body.message ?? {};
    const onHome = body.view?.type === 'home';
    const asked = onHome ? await directly(user, parts) : pressedIn(body, parts);
    if (!asked) return;
    if (onHome) parts.home.seen(user);
    const tell = async (message: OutgoingMessage) => {
      await tellAsker(message, user, await whereAsked(asked, parts), parts.client);
    };
    const who = await whoAsks(user, parts.people, parts.defaultZone);
    if ('refused' in who) return tell(notice(who.refused));
    await then({
      value: ('selected_option' in action ? action.selected_option?.value : action.value) ?? '',
      asked,
      onHome,
      message: ts ? { ts, ...(thread ? { thread } : {}) } : undefined,
      triggerId: body.trigger_id,
      tell,
    });
  };
}

/** Where a button was pressed; undefined where that was no conversation, as on the Home tab. */
export function pressedIn(body: BlockAction, { send }: Pick<ListenerParts, 'send'>): AskedIn | undefined {
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

async function directly(asker: string, { channels, log }: ListenerParts): Promise<AskedIn | undefined> {
  try {
    return { channel: await channels.directWith(asker), asker };
  } catch (error) {
    log.warn({ err: error }, 'Slack opened no direct messages for a button of the Home tab');
    return undefined;
  }
}

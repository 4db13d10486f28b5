import type { MovableClock } from '../../../movable-clock.js';
import type { Inspector } from '../inspector.js';
import type { Act, Done } from '../page-protocol.js';
import { askOptionsAs, surfaceUsedBy, triggerElementAs } from '../people/block-actions.js';
import * as membership from '../people/commands.js';
import { runCommandAs } from '../people/commands.js';
import { channelSeenBy, NotAllowed, type PeopleContext } from '../people/context.js';
import { postAs } from '../people/messages.js';
import { closeViewAs, submitViewAs } from '../people/modals.js';
import { openAppAs, runMessageShortcutAs, runShortcutAs } from '../people/shortcuts.js';
import { eraseMessage } from '../workspace/messages.js';

export interface PageActionContext {
  readonly stage: PeopleContext;
  readonly clock: MovableClock;
  readonly inspector: Inspector;
  readonly renewConnections: () => void;
}

/** What an act answers beside `ok`. */
export type Outcome = Omit<Done, 'type' | 'id' | 'ok'>;

/** Does what the person asked for. Throws `NotPossible` with a sentence for them. */
export async function runPageAction(
  parts: PageActionContext,
  user: string,
  act: Exclude<Act, { type: 'become' }>,
): Promise<Outcome> {
  const { stage, clock } = parts;
  switch (act.type) {
    case 'post': {
      const message = postAs(stage, user, act.channel, act.text, act.threadTs);
      return { channel: message.channel, ts: message.ts };
    }
    case 'command':
      await runCommandAs(stage, user, act.channel, act.line);
      return {};
    case 'action':
      await triggerElementAs(stage, user, act);
      return {};
    case 'options':
      return askOptionsAs(stage, user, act);
    case 'submit':
      await submitViewAs(stage, user, act.view, act.state);
      return {};
    case 'close':
      await closeViewAs(stage, user, act.view, act.all);
      return {};
    case 'open-app':
      return { channel: openAppAs(stage, user, act.tab).id };
    case 'open-dm':
      return { channel: membership.openDirectMessage(stage, user, act.user).id };
    case 'shortcut':
      await runShortcutAs(stage, user, act.callbackId);
      return {};
    case 'message-shortcut':
      await runMessageShortcutAs(stage, user, act.callbackId, act);
      return {};
    case 'move-clock':
      if (!Number.isFinite(act.by)) throw new NotAllowed('That is not a time.');
      clock.moveBy(act.by);
      return {};
    case 'reset-clock':
      clock.reset();
      return {};
    case 'renew-connections':
      parts.renewConnections();
      return {};
    case 'clear-inspector':
      parts.inspector.clear();
      return {};
    default:
      changeChannel(stage, user, act);
      return {};
  }
}

type ChannelAct = Extract<
  Act,
  { type: 'join' | 'leave' | 'invite' | 'remove' | 'archive' | 'share' | 'dismiss' | 'seen' }
>;

function changeChannel(stage: PeopleContext, user: string, act: ChannelAct): void {
  switch (act.type) {
    case 'join':
      membership.joinChannel(stage, user, act.channel);
      break;
    case 'leave':
      membership.leaveChannel(stage, user, act.channel);
      break;
    case 'invite':
      membership.inviteTo(stage, user, act.channel, act.user);
      break;
    case 'remove':
      membership.removeFrom(stage, user, act.channel, act.user);
      break;
    case 'archive':
      membership.archiveChannel(stage, user, act.channel, act.archived);
      break;
    case 'share':
      membership.shareChannel(stage, user, act.channel, act.shared);
      break;
    case 'dismiss':
      dismiss(stage, user, act);
      break;
    case 'seen':
      markSeen(stage, user, act);
      break;
    default:
      throw new NotAllowed('The page asked for something that this server does not know.');
  }
}

function dismiss(stage: PeopleContext, user: string, { channel, ts }: { channel: string; ts: string }) {
  const used = surfaceUsedBy(stage, user, { kind: 'message', channel, ts });
  if (used.kind !== 'message' || !used.message.visibleTo)
    throw new NotAllowed('Only messages that you alone see can be dismissed.');
  eraseMessage(stage.api.workspace, used.message);
}

function markSeen(stage: PeopleContext, user: string, { channel: id, ts }: { channel: string; ts: string }) {
  const { workspace } = stage.api;
  const channel = channelSeenBy(stage, user, id);
  workspace.seen.set(`${user} ${channel.id}`, ts);
  workspace.news.tell({ type: 'seen', channel, user });
}

import type { MovableClock } from '../../../movable-clock.js';
import type { Inspector } from '../inspector.js';
import type { ActionResult, PageAction, PageProcess } from '../page-protocol.js';
import type { Assistant } from '../people/assistant.js';
import { findSurface, requestOptionsAs, triggerElementAs } from '../people/block-actions.js';
import * as membership from '../people/commands.js';
import { runCommandAs } from '../people/commands.js';
import { findVisibleChannel, NotAllowed, type PeopleContext } from '../people/context.js';
import { postAs } from '../people/messages.js';
import { closeViewAs, submitViewAs } from '../people/modals.js';
import { openAppAs, runMessageShortcutAs, runShortcutAs } from '../people/shortcuts.js';
import { eraseMessage } from '../workspace/messages.js';

export interface PageActionContext {
  readonly context: PeopleContext;
  readonly clock: MovableClock;
  readonly inspector: Inspector;
  readonly renewConnections: () => void;
  /** The processes of the bot; undefined where there is one. */
  readonly processes: () => ProcessControl | undefined;
  /** Slackbot; undefined where it does not reach the app. */
  readonly assistant: () => Assistant | undefined;
}

/** Several processes of the bot. */
export interface ProcessControl {
  all(): readonly PageProcess[];
  /** Kills the process that leads, as a crash would. It starts again a few seconds later. */
  killLeader(): void;
  /** Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
}

/** The members of a result beside `ok`. */
export type ActionOutcome = Omit<ActionResult, 'type' | 'id' | 'ok'>;

/** Runs an action. Throws `NotAllowed` with a message for the person. */
export async function runPageAction(
  dependencies: PageActionContext,
  user: string,
  action: Exclude<PageAction, { type: 'switch-user' }>,
): Promise<ActionOutcome> {
  const { context, clock } = dependencies;
  switch (action.type) {
    case 'post': {
      const message = postAs(context, user, action.channel, action.text, action.threadTs);
      return { channel: message.channel, ts: message.ts };
    }
    case 'command':
      await runCommandAs(context, user, action.channel, action.line);
      return {};
    case 'action':
      await triggerElementAs(context, user, action);
      return {};
    case 'options':
      return requestOptionsAs(context, user, action);
    case 'submit':
      await submitViewAs(context, user, action.view, action.state);
      return {};
    case 'close':
      await closeViewAs(context, user, action.view, action.all);
      return {};
    case 'open-app':
      return { channel: openAppAs(context, user, action.tab).id };
    case 'open-dm':
      return { channel: membership.openDirectMessage(context, user, action.user).id };
    case 'shortcut':
      await runShortcutAs(context, user, action.callbackId);
      return {};
    case 'message-shortcut':
      await runMessageShortcutAs(context, user, action.callbackId, action);
      return {};
    case 'move-clock':
      if (!Number.isFinite(action.by)) throw new NotAllowed('The clock needs a number of milliseconds.');
      clock.moveBy(action.by);
      return {};
    case 'reset-clock':
      clock.reset();
      return {};
    case 'renew-connections':
      dependencies.renewConnections();
      return {};
    case 'kill-leader':
      dependencies.processes()?.killLeader();
      return {};
    case 'assistant': {
      const assistant = dependencies.assistant();
      if (!assistant) throw new NotAllowed('Slackbot reaches Rollcall only where it is one process.');
      return { answer: await assistant.call(user, action.method, action.params) };
    }
    case 'clear-inspector':
      dependencies.inspector.clear();
      return {};
    default:
      changeChannel(context, user, action);
      return {};
  }
}

type ChannelAction = Extract<
  PageAction,
  { type: 'join' | 'leave' | 'invite' | 'remove' | 'archive' | 'share' | 'dismiss' | 'mark-seen' }
>;

function changeChannel(context: PeopleContext, user: string, action: ChannelAction): void {
  switch (action.type) {
    case 'join':
      membership.joinChannel(context, user, action.channel);
      break;
    case 'leave':
      membership.leaveChannel(context, user, action.channel);
      break;
    case 'invite':
      membership.inviteTo(context, user, action.channel, action.user);
      break;
    case 'remove':
      membership.removeFrom(context, user, action.channel, action.user);
      break;
    case 'archive':
      membership.archiveChannel(context, user, action.channel, action.archived);
      break;
    case 'share':
      membership.shareChannel(context, user, action.channel, action.shared);
      break;
    case 'dismiss':
      dismiss(context, user, action);
      break;
    case 'mark-seen':
      markSeen(context, user, action);
      break;
    default:
      throw new NotAllowed('The server does not know this action. Reload the page.');
  }
}

function dismiss(context: PeopleContext, user: string, { channel, ts }: { channel: string; ts: string }) {
  const surface = findSurface(context, user, { kind: 'message', channel, ts });
  if (surface.kind !== 'message' || !surface.message.visibleTo)
    throw new NotAllowed('You can dismiss only messages that are visible to you alone.');
  eraseMessage(context.api.workspace, surface.message);
}

function markSeen(
  context: PeopleContext,
  user: string,
  { channel: id, ts }: { channel: string; ts: string },
) {
  const { workspace } = context.api;
  const channel = findVisibleChannel(context, user, id);
  workspace.seen.set(`${user} ${channel.id}`, ts);
  workspace.changes.emit({ type: 'seen', channel, user });
}

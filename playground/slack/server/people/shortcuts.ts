import {
  channelPayload,
  commonMembers,
  eventPayload,
  messagePayload,
  personPayload,
} from '../delivery/payloads.js';
import { describeView } from '../web-api/views.js';
import type { Channel } from '../workspace/records.js';
import { directMessage } from '../workspace/workspace.js';
import { findSurface } from './block-actions.js';
import { findPerson, NotAllowed, type PeopleContext } from './context.js';

/** A person opens the app's Home tab or its Messages tab. */
export function openAppAs(context: PeopleContext, user: string, tab: 'home' | 'messages'): Channel {
  const { workspace, views, app } = context.api;
  if (tab === 'home' && !app.homeTab) throw new NotAllowed('This app has no Home tab.');
  const person = findPerson(context, user);
  const channel = directMessage(workspace, person.id, workspace.seed.bot.user);
  const home = views.homeOf(user);
  context.delivery.sendEvent(
    eventPayload(workspace, {
      type: 'app_home_opened',
      user,
      channel: channel.id,
      tab,
      view: tab === 'home' && home ? describeView(workspace, home) : undefined,
      event_ts: workspace.timestamps.next().ts,
    }),
  );
  return channel;
}

/** A person runs a global shortcut. */
export async function runShortcutAs(context: PeopleContext, user: string, callbackId: string): Promise<void> {
  const { workspace, triggers } = context.api;
  requireShortcut(context, callbackId, 'global');
  const result = await context.delivery.deliver('interactive', {
    type: 'shortcut',
    ...commonMembers(workspace),
    user: personPayload(findPerson(context, user)),
    callback_id: callbackId,
    trigger_id: triggers.issue(user),
    action_ts: workspace.timestamps.next().ts,
  });
  if (!result.ok) throw new NotAllowed('The app did not answer in time. Try again.');
}

/** A person runs a shortcut on a message. */
export async function runMessageShortcutAs(
  context: PeopleContext,
  user: string,
  callbackId: string,
  on: { channel: string; ts: string },
): Promise<void> {
  const { workspace, triggers, origin } = context.api;
  requireShortcut(context, callbackId, 'message');
  const surface = findSurface(context, user, { kind: 'message', ...on });
  if (surface.kind !== 'message' || surface.message.visibleTo)
    throw new NotAllowed('Shortcuts do not work on messages that only you can see.');
  const result = await context.delivery.deliver('interactive', {
    type: 'message_action',
    ...commonMembers(workspace),
    user: personPayload(findPerson(context, user)),
    callback_id: callbackId,
    trigger_id: triggers.issue(user),
    action_ts: workspace.timestamps.next().ts,
    message_ts: surface.message.ts,
    message: messagePayload(workspace, surface.message, surface.channel, origin()).message,
    channel: channelPayload(surface.channel),
    response_url: context.responseUrls.issue(
      { channel: surface.channel.id, user, message: surface.message },
      'actions',
    ),
  });
  if (!result.ok) throw new NotAllowed('The app did not answer in time. Try again.');
}

function requireShortcut(context: PeopleContext, callbackId: string, type: 'global' | 'message') {
  if (!context.api.app.shortcuts.some((one) => one.callbackId === callbackId && one.type === type))
    throw new NotAllowed('The app does not have this shortcut.');
}

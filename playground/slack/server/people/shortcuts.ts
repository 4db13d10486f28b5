import { channelPayload, common, eventPayload, messagePayload, personPayload } from '../delivery/payloads.js';
import { describeView } from '../web-api/views.js';
import type { Channel } from '../workspace/records.js';
import { directMessage } from '../workspace/workspace.js';
import { surfaceUsedBy } from './block-actions.js';
import { NotAllowed, type PeopleContext, personNamed } from './context.js';

/** A person opens the app's Home tab or its Messages tab. */
export function openAppAs(stage: PeopleContext, user: string, tab: 'home' | 'messages'): Channel {
  const { workspace, views, app } = stage.api;
  if (tab === 'home' && !app.homeTab) throw new NotAllowed('This app has no Home tab.');
  const person = personNamed(stage, user);
  const channel = directMessage(workspace, person.id, workspace.seed.bot.user);
  const home = views.homeOf(user);
  stage.courier.announce(
    eventPayload(workspace, {
      type: 'app_home_opened',
      user,
      channel: channel.id,
      tab,
      ...(tab === 'home' && home && { view: describeView(workspace, home) }),
      event_ts: workspace.timestamps.next().ts,
    }),
  );
  return channel;
}

/** A person runs a global shortcut. */
export async function runShortcutAs(stage: PeopleContext, user: string, callbackId: string): Promise<void> {
  const { workspace, triggers } = stage.api;
  findShortcut(stage, callbackId, 'global');
  const receipt = await stage.courier.deliver('interactive', {
    type: 'shortcut',
    ...common(workspace),
    user: personPayload(personNamed(stage, user)),
    callback_id: callbackId,
    trigger_id: triggers.issue(user),
    action_ts: workspace.timestamps.next().ts,
  });
  if (!receipt.ok) throw new NotAllowed('The app did not answer in time. Try again.');
}

/** A person runs a shortcut on a message. */
export async function runMessageShortcutAs(
  stage: PeopleContext,
  user: string,
  callbackId: string,
  on: { channel: string; ts: string },
): Promise<void> {
  const { workspace, triggers, origin } = stage.api;
  findShortcut(stage, callbackId, 'message');
  const used = surfaceUsedBy(stage, user, { kind: 'message', ...on });
  if (used.kind !== 'message' || used.message.visibleTo)
    throw new NotAllowed('Shortcuts work on messages that everybody sees.');
  const receipt = await stage.courier.deliver('interactive', {
    type: 'message_action',
    ...common(workspace),
    user: personPayload(personNamed(stage, user)),
    callback_id: callbackId,
    trigger_id: triggers.issue(user),
    action_ts: workspace.timestamps.next().ts,
    message_ts: used.message.ts,
    message: messagePayload(workspace, used.message, used.channel, origin()).message,
    channel: channelPayload(used.channel),
    response_url: stage.responseUrls.issue(
      { channel: used.channel.id, user, message: used.message },
      'actions',
    ),
  });
  if (!receipt.ok) throw new NotAllowed('The app did not answer in time. Try again.');
}

function findShortcut(stage: PeopleContext, callbackId: string, type: 'global' | 'message') {
  if (!stage.api.app.shortcuts.some((one) => one.callbackId === callbackId && one.type === type))
    throw new NotAllowed('The app has no such shortcut.');
}

import type { Listening } from '../transport/connect.js';
import type { ListenerParts } from './context.js';

/** What Slack reports when a channel, or who is in it, is not what it was. */
const channelEvents = [
  'channel_left',
  'channel_archive',
  'channel_unarchive',
  'channel_deleted',
  'channel_shared',
  'channel_unshared',
  'group_left',
  'group_archive',
  'group_unarchive',
  'group_deleted',
] as const;

/** Forgets what was remembered of a channel or a person as soon as Slack says that it changed. */
export function registerChanges(
  app: Listening,
  { channels, people, memberships }: Pick<ListenerParts, 'channels' | 'people' | 'memberships'>,
): void {
  for (const name of channelEvents) {
    app.event(name, async ({ event }) => {
      channels.forget(event.channel);
      memberships.forget(event.channel);
    });
  }
  for (const name of ['member_joined_channel', 'member_left_channel'] as const) {
    app.event(name, async ({ event }) => {
      channels.forget(event.channel);
      memberships.forget(event.channel, event.user);
    });
  }
  app.event('user_change', async ({ event }) => people.forget(event.user.id));
}

import { useEffect, useRef } from 'react';
import type { PageChannel } from '../server/page-protocol.js';
import { useWorkspace } from './connection/connection.js';
import { isSelectable } from './connection/workspace.js';
import { unreadCount } from './conversation/timeline.js';
import { useArrowKeys } from './parts/hooks.js';
import { Avatar, Icon, type IconName } from './parts/icons.js';
import { Menu } from './parts/menu.js';
import type { Route } from './parts/settings.js';
import { useRunAction } from './parts/toasts.js';

/** For the button that opens the drawer. */
export const sidebarId = 'sidebar';

interface SidebarProps {
  route: Route;
  navigate(route: Route): void;
}

/** The app, the channels and the direct messages of the user. In a narrow window it is a drawer. */
export function Sidebar({
  route,
  navigate,
  drawer,
}: SidebarProps & { drawer: 'open' | 'closed' | undefined }) {
  const { channels, team, bot } = useWorkspace();
  const all = [...channels.values()];
  const publicAndPrivate = all.filter((channel) => channel.kind === 'public' || channel.kind === 'private');
  const direct = all.filter((channel) => channel.kind === 'im' || channel.kind === 'mpim');
  const people = direct.filter((channel) => !channel.members.includes(bot.user) || channel.kind === 'mpim');
  const onKeyDown = useArrowKeys('.sidebar-item');
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    if (drawer !== 'open') return;
    const items = nav.current?.querySelectorAll<HTMLElement>('.sidebar-item') ?? [];
    ([...items].find((item) => item.ariaCurrent === 'page') ?? items[0])?.focus();
  }, [drawer]);
  const className = drawer ? `sidebar drawer drawer-${drawer}` : 'sidebar';
  return (
    <nav
      ref={nav}
      id={sidebarId}
      className={className}
      aria-label="Channels and direct messages"
      onKeyDown={onKeyDown}
    >
      <h1 className="team">{team.name}</h1>
      <Group title="App">
        <AppItem route={route} navigate={navigate} />
        <button
          type="button"
          className="sidebar-item"
          aria-current={route.kind === 'slackbot' ? 'page' : undefined}
          onClick={() => navigate({ kind: 'slackbot' })}
        >
          <Icon name="bolt" />
          <span className="sidebar-item-name">Slackbot</span>
        </button>
      </Group>
      <Group title="Channels">
        {publicAndPrivate.map((channel) => (
          <ChannelItem key={channel.id} channel={channel} route={route} navigate={navigate} />
        ))}
      </Group>
      <Group title="Direct messages">
        {people.map((channel) => (
          <ChannelItem key={channel.id} channel={channel} route={route} navigate={navigate} />
        ))}
        <NewMessage navigate={navigate} />
      </Group>
    </nav>
  );
}

function Group({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="sidebar-group" aria-label={title}>
      <h2 className="sidebar-group-title">{title}</h2>
      {children}
    </section>
  );
}

function AppItem({ route, navigate }: SidebarProps) {
  const { bot, users, channels, messages, me } = useWorkspace();
  const open = route.kind === 'app';
  const direct = [...channels.values()].find(
    (channel) => channel.kind === 'im' && channel.members.includes(bot.user),
  );
  const unread = direct ? unreadCount(messages, direct.id, direct.seen, me) : 0;
  return (
    <button
      type="button"
      className="sidebar-item"
      aria-current={open ? 'page' : undefined}
      onClick={() => navigate({ kind: 'app', tab: unread > 0 ? 'messages' : 'home' })}
    >
      <Avatar user={users.get(bot.user)} size={20} />
      <span className="sidebar-item-name">{bot.name}</span>
      <Unread count={open ? 0 : unread} />
      {bot.connected ? null : <span className="sidebar-item-note">not connected</span>}
    </button>
  );
}

function ChannelItem({ channel, route, navigate }: SidebarProps & { channel: PageChannel }) {
  const { messages, me, users } = useWorkspace();
  const open = route.kind === 'channel' && route.channel === channel.id;
  const unread = open ? 0 : unreadCount(messages, channel.id, channel.seen, me);
  const other = channel.members.find((id) => id !== me) ?? me;
  const dim = channel.archived || (!channel.joined && channel.kind === 'public');
  return (
    <button
      type="button"
      className={`sidebar-item${dim ? ' sidebar-item-dim' : ''}${unread > 0 ? ' sidebar-item-unread' : ''}`}
      aria-current={open ? 'page' : undefined}
      onClick={() => navigate({ kind: 'channel', channel: channel.id })}
    >
      {channel.kind === 'im' ? (
        <Avatar user={users.get(other)} size={20} />
      ) : (
        <Icon name={channelIcon(channel)} />
      )}
      <span className="sidebar-item-name">{channel.name}</span>
      <Marks channel={channel} />
      <Unread count={unread} />
    </button>
  );
}

export function channelIcon(channel: PageChannel): IconName {
  if (channel.archived) return 'box';
  if (channel.kind === 'mpim') return 'people';
  return channel.kind === 'private' ? 'lock' : 'hash';
}

/** Icons and notes that describe a channel. */
function Marks({ channel }: { channel: PageChannel }) {
  return (
    <>
      {channel.kind === 'private' ? <span className="for-screen-readers">private</span> : null}
      {channel.archived ? <span className="sidebar-item-note">archived</span> : null}
      {channel.shared || channel.sharePending ? (
        <span className="sidebar-item-mark" title={sharingLabel(channel)}>
          <Icon name="link" />
          <span className="for-screen-readers">{sharingLabel(channel)}</span>
        </span>
      ) : null}
    </>
  );
}

export function sharingLabel(channel: PageChannel): string {
  return channel.shared ? 'Shared with another organization' : 'About to be shared with another organization';
}

function Unread({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="unread">
      {count}
      <span className="for-screen-readers"> unread</span>
    </span>
  );
}

/** Opens a direct message. */
function NewMessage({ navigate }: { navigate(route: Route): void }) {
  const { users, me, bot } = useWorkspace();
  const runAction = useRunAction();
  async function open(user: string) {
    const result = await runAction({ type: 'open-dm', user });
    if (result.ok && result.channel) navigate({ kind: 'channel', channel: result.channel });
  }
  return (
    <Menu
      label="New message"
      buttonClass="sidebar-item sidebar-item-add"
      button={
        <>
          <span className="sidebar-item-plus" aria-hidden="true">
            +
          </span>
          <span className="sidebar-item-name">New message</span>
        </>
      }
      items={[...users.values()]
        .filter((user) => isSelectable(user) && user.id !== me && user.id !== bot.user)
        .map((user) => ({
          id: user.id,
          content: (
            <>
              <Avatar user={user} size={24} />
              <span className="person">
                {user.name}
                <span className="option-description">{user.title}</span>
              </span>
            </>
          ),
          choose: () => void open(user.id),
        }))}
    />
  );
}

import type { PageChannel } from '../server/page-protocol.js';
import { useWorkspace } from './connection/connection.js';
import { isSelectable } from './connection/workspace.js';
import { unreadCount } from './conversation/timeline.js';
import { useArrowKeys } from './parts/hooks.js';
import { Avatar, Icon, type IconName } from './parts/icons.js';
import { Menu } from './parts/menu.js';
import type { Place } from './parts/settings.js';
import { useAct } from './parts/toasts.js';

interface SidebarProps {
  place: Place;
  go(place: Place): void;
}

/** The app, the channels and the direct messages of the one who looks. */
export function Sidebar({ place, go }: SidebarProps) {
  const { channels, team, bot } = useWorkspace();
  const all = [...channels.values()];
  const rooms = all.filter((channel) => channel.kind === 'public' || channel.kind === 'private');
  const direct = all.filter((channel) => channel.kind === 'im' || channel.kind === 'mpim');
  const people = direct.filter((channel) => !channel.members.includes(bot.user) || channel.kind === 'mpim');
  const onKeyDown = useArrowKeys('.place');
  return (
    <nav className="sidebar" aria-label="Channels and direct messages" onKeyDown={onKeyDown}>
      <h1 className="team">{team.name}</h1>
      <Group title="App">
        <AppItem place={place} go={go} />
      </Group>
      <Group title="Channels">
        {rooms.map((channel) => (
          <ChannelItem key={channel.id} channel={channel} place={place} go={go} />
        ))}
      </Group>
      <Group title="Direct messages">
        {people.map((channel) => (
          <ChannelItem key={channel.id} channel={channel} place={place} go={go} />
        ))}
        <NewMessage go={go} />
      </Group>
    </nav>
  );
}

function Group({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="place-group" aria-label={title}>
      <h2 className="place-group-title">{title}</h2>
      {children}
    </section>
  );
}

function AppItem({ place, go }: SidebarProps) {
  const { bot, users, channels, messages, me } = useWorkspace();
  const open = place.kind === 'app';
  const direct = [...channels.values()].find(
    (channel) => channel.kind === 'im' && channel.members.includes(bot.user),
  );
  const unread = direct ? unreadCount(messages, direct.id, direct.seen, me) : 0;
  return (
    <button
      type="button"
      className="place"
      aria-current={open ? 'page' : undefined}
      onClick={() => go({ kind: 'app', tab: unread > 0 ? 'messages' : 'home' })}
    >
      <Avatar user={users.get(bot.user)} size={20} />
      <span className="place-name">{bot.name}</span>
      <Unread count={open ? 0 : unread} />
      {bot.connected ? null : <span className="place-note">not connected</span>}
    </button>
  );
}

function ChannelItem({ channel, place, go }: SidebarProps & { channel: PageChannel }) {
  const { messages, me, users } = useWorkspace();
  const open = place.kind === 'channel' && place.channel === channel.id;
  const unread = open ? 0 : unreadCount(messages, channel.id, channel.seen, me);
  const other = channel.members.find((id) => id !== me) ?? me;
  const dim = channel.archived || (!channel.joined && channel.kind === 'public');
  return (
    <button
      type="button"
      className={`place${dim ? ' place-dim' : ''}${unread > 0 ? ' place-unread' : ''}`}
      aria-current={open ? 'page' : undefined}
      onClick={() => go({ kind: 'channel', channel: channel.id })}
    >
      {channel.kind === 'im' ? (
        <Avatar user={users.get(other)} size={20} />
      ) : (
        <Icon name={roomIcon(channel)} />
      )}
      <span className="place-name">{channel.name}</span>
      <Marks channel={channel} />
      <Unread count={unread} />
    </button>
  );
}

export function roomIcon(channel: PageChannel): IconName {
  if (channel.archived) return 'box';
  if (channel.kind === 'mpim') return 'people';
  return channel.kind === 'private' ? 'lock' : 'hash';
}

/** What sets a channel apart, drawn and said. */
function Marks({ channel }: { channel: PageChannel }) {
  return (
    <>
      {channel.kind === 'private' ? <span className="for-screen-readers">private</span> : null}
      {channel.archived ? <span className="place-note">archived</span> : null}
      {channel.shared || channel.sharePending ? (
        <span className="place-mark" title={shareWords(channel)}>
          <Icon name="link" />
          <span className="for-screen-readers">{shareWords(channel)}</span>
        </span>
      ) : null}
    </>
  );
}

export function shareWords(channel: PageChannel): string {
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

/** Opens a direct message with somebody. */
function NewMessage({ go }: { go(place: Place): void }) {
  const { users, me, bot } = useWorkspace();
  const act = useAct();
  async function open(user: string) {
    const done = await act({ type: 'open-dm', user });
    if (done.ok && done.channel) go({ kind: 'channel', channel: done.channel });
  }
  return (
    <Menu
      label="Message somebody"
      buttonClass="place place-add"
      button={
        <>
          <span className="place-plus" aria-hidden="true">
            +
          </span>
          <span className="place-name">Message somebody</span>
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

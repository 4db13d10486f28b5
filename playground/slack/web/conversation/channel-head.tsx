import type { PageChannel } from '../../server/page-protocol.js';
import { useWorkspace } from '../connection/connection.js';
import { Avatar, Icon } from '../parts/icons.js';
import { Menu, type MenuItem } from '../parts/menu.js';
import { useAct } from '../parts/toasts.js';
import { roomIcon, shareWords } from '../sidebar.js';

/** The name of a channel, what sets it apart, who is in it, and what can be done with it. */
export function ChannelHead({ channel }: { channel: PageChannel }) {
  const { users, me } = useWorkspace();
  const other = users.get(channel.members.find((id) => id !== me) ?? me);
  return (
    <header className="conversation-head">
      {channel.kind === 'im' ? <Avatar user={other} size={24} /> : <Icon name={roomIcon(channel)} />}
      <h2 className="conversation-title">{channel.name}</h2>
      {channel.kind === 'private' ? <span className="tag">private</span> : null}
      {channel.archived ? <span className="tag">archived</span> : null}
      {channel.shared ? <span className="tag tag-stranger">{shareWords(channel).toLowerCase()}</span> : null}
      {channel.sharePending ? (
        <span className="tag tag-stranger">{shareWords(channel).toLowerCase()}</span>
      ) : null}
      <span className="conversation-topic">{channel.kind === 'im' ? other?.title : channel.topic}</span>
      {channel.kind === 'im' ? null : <Members channel={channel} />}
      {channel.kind === 'im' ? null : <ChannelMenu channel={channel} />}
    </header>
  );
}

function Members({ channel }: { channel: PageChannel }) {
  const { users, bot } = useWorkspace();
  const act = useAct();
  const people = channel.members.flatMap((id) => users.get(id) ?? []);
  const invite = channel.hasBot || channel.archived ? [] : [inviteBot(bot.name)];
  function inviteBot(name: string): MenuItem {
    return {
      id: 'invite-bot',
      content: `Add ${name}`,
      choose: () => void act({ type: 'invite', channel: channel.id, user: bot.user }),
    };
  }
  return (
    <Menu
      label={`${people.length} members${channel.hasBot ? '' : `, ${bot.name} is not among them`}`}
      buttonClass="button members-button"
      align="end"
      button={
        <>
          <span className="member-faces">
            {people.slice(0, 3).map((user) => (
              <Avatar key={user.id} user={user} size={20} />
            ))}
          </span>
          {people.length}
          {channel.hasBot ? null : <span className="tag tag-warning">without {bot.name}</span>}
        </>
      }
      items={[
        ...invite,
        ...people.map((user) => ({
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
          choose: () => {},
        })),
      ]}
    />
  );
}

function ChannelMenu({ channel }: { channel: PageChannel }) {
  const { bot } = useWorkspace();
  const act = useAct();
  const id = channel.id;
  const all: (MenuItem & { when: boolean })[] = [
    {
      id: 'invite',
      content: `Add ${bot.name}`,
      when: !channel.hasBot && !channel.archived,
      choose: () => void act({ type: 'invite', channel: id, user: bot.user }),
    },
    {
      id: 'remove',
      content: `Take ${bot.name} out`,
      when: channel.hasBot,
      choose: () => void act({ type: 'remove', channel: id, user: bot.user }),
    },
    {
      id: 'leave',
      content: 'Leave the channel',
      when: channel.joined && !channel.archived,
      choose: () => void act({ type: 'leave', channel: id }),
    },
    {
      id: 'share',
      content: channel.shared ? 'Stop sharing it' : 'Share it with another organization',
      when: !channel.archived,
      choose: () => void act({ type: 'share', channel: id, shared: !channel.shared }),
    },
    {
      id: 'archive',
      content: channel.archived ? 'Bring it back' : 'Archive it',
      danger: !channel.archived,
      when: true,
      choose: () => void act({ type: 'archive', channel: id, archived: !channel.archived }),
    },
  ];
  return (
    <Menu
      label="Channel actions"
      buttonClass="icon-button"
      align="end"
      button={<Icon name="dots" />}
      items={all.filter((item) => item.when)}
    />
  );
}

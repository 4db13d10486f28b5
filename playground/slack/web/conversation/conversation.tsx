import { useEffect, useMemo } from 'react';
import type { PageChannel, PageUser } from '../../server/page-protocol.js';
import { Composer, useDraft, useSendText } from '../composer/composer.js';
import { useDirectory, useWorkspace } from '../connection/connection.js';
import { useFocusReturn } from '../parts/hooks.js';
import { Avatar, Icon } from '../parts/icons.js';
import { Menu, type MenuItem } from '../parts/menu.js';
import { useRunAction } from '../parts/toasts.js';
import { channelIcon, sharingLabel } from '../sidebar.js';
import { MessageList } from './message-list.js';
import { compareTs, mainMessages, threadMessages } from './timeline.js';

/** The header of a channel: name, tags, members and actions. */
export function ChannelHead({ channel }: { channel: PageChannel }) {
  const { users, me } = useWorkspace();
  const other = users.get(channel.members.find((id) => id !== me) ?? me);
  return (
    <header className="conversation-head">
      {channel.kind === 'im' ? <Avatar user={other} size={24} /> : <Icon name={channelIcon(channel)} />}
      <h2 className="conversation-title">{channel.name}</h2>
      {channel.kind === 'private' ? <span className="tag">private</span> : null}
      {channel.archived ? <span className="tag">archived</span> : null}
      {channel.shared ? (
        <span className="tag tag-external">{sharingLabel(channel).toLowerCase()}</span>
      ) : null}
      {channel.sharePending ? (
        <span className="tag tag-external">{sharingLabel(channel).toLowerCase()}</span>
      ) : null}
      <span className="conversation-topic">{channel.kind === 'im' ? other?.title : channel.topic}</span>
      {channel.kind === 'im' ? null : <Members channel={channel} />}
      {channel.kind === 'im' ? null : <ChannelMenu channel={channel} />}
    </header>
  );
}

function Members({ channel }: { channel: PageChannel }) {
  const { users, bot } = useWorkspace();
  const runAction = useRunAction();
  const people = channel.members.flatMap((id) => users.get(id) ?? []);
  const invite = channel.hasBot || channel.archived ? [] : [inviteBot(bot.name)];
  function inviteBot(name: string): MenuItem {
    return {
      id: 'invite-bot',
      content: `Add ${name}`,
      choose: () => void runAction({ type: 'invite', channel: channel.id, user: bot.user }),
    };
  }
  return (
    <Menu
      label={`${people.length} members${channel.hasBot ? '' : `, without ${bot.name}`}`}
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
  const runAction = useRunAction();
  const id = channel.id;
  const all: (MenuItem & { when: boolean })[] = [
    {
      id: 'invite',
      content: `Add ${bot.name}`,
      when: !channel.hasBot && !channel.archived,
      choose: () => void runAction({ type: 'invite', channel: id, user: bot.user }),
    },
    {
      id: 'remove',
      content: `Remove ${bot.name}`,
      when: channel.hasBot,
      choose: () => void runAction({ type: 'remove', channel: id, user: bot.user }),
    },
    {
      id: 'leave',
      content: 'Leave channel',
      when: channel.joined && !channel.archived,
      choose: () => void runAction({ type: 'leave', channel: id }),
    },
    {
      id: 'share',
      content: channel.shared ? 'Stop sharing' : 'Share with another organization',
      when: !channel.archived,
      choose: () => void runAction({ type: 'share', channel: id, shared: !channel.shared }),
    },
    {
      id: 'archive',
      content: channel.archived ? 'Unarchive channel' : 'Archive channel',
      danger: !channel.archived,
      when: true,
      choose: () => void runAction({ type: 'archive', channel: id, archived: !channel.archived }),
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

interface ConversationProps {
  channel: PageChannel;
  openThread(channel: string, ts: string): void;
}

/** The messages of a channel or direct message, and the composer. */
export function Conversation({ channel, openThread }: ConversationProps) {
  const { messages, refusals } = useWorkspace();
  const { me } = useDirectory();
  const shown = useMemo(() => mainMessages(messages, channel.id), [messages, channel.id]);
  const refused = useMemo(
    () => refusals.filter((refusal) => refusal.channel === channel.id),
    [refusals, channel.id],
  );
  const [send, sent] = useSendText({ channel: channel.id });
  const [draft, setDraft] = useDraft(channel.id);
  useMarkSeen(channel, shown.at(-1)?.ts);
  const openThreadHere = useMemo(() => (ts: string) => openThread(channel.id, ts), [openThread, channel.id]);
  const title = displayName(channel);
  return (
    <>
      <MessageList
        label={`Messages in ${title}`}
        messages={shown}
        refusals={refused}
        sent={sent}
        openThread={openThreadHere}
      >
        <ConversationStart channel={channel} />
      </MessageList>
      {canWrite(channel, me) ? (
        <Composer
          key={channel.id}
          autoFocus
          label={`Message to ${title}`}
          draft={draft}
          setDraft={setDraft}
          send={send}
        />
      ) : (
        <NoComposer channel={channel} />
      )}
    </>
  );
}

function displayName(channel: PageChannel): string {
  return channel.kind === 'public' || channel.kind === 'private' ? `#${channel.name}` : channel.name;
}

function canWrite(channel: PageChannel, me: PageUser): boolean {
  return channel.joined && !channel.archived && (!channel.readOnly || me.kind === 'admin');
}

function ConversationStart({ channel }: { channel: PageChannel }) {
  return (
    <div className="beginning">
      <p className="beginning-title">{displayName(channel)}</p>
      <p>{channel.topic || 'This is the start of the conversation.'}</p>
    </div>
  );
}

function NoComposer({ channel }: { channel: PageChannel }) {
  const runAction = useRunAction();
  if (channel.archived) return <p className="no-composer">This channel is archived. Nobody can post here.</p>;
  if (channel.readOnly && channel.joined)
    return <p className="no-composer">Only some people can post here.</p>;
  return (
    <div className="no-composer">
      You are looking at <strong>{displayName(channel)}</strong>
      <button
        type="button"
        className="button button-filled button-primary"
        onClick={() => void runAction({ type: 'join', channel: channel.id })}
      >
        Join channel
      </button>
    </div>
  );
}

/** Reports the last seen message, so that it is not unread after a reload. */
function useMarkSeen(channel: PageChannel, lastTs: string | undefined) {
  const runAction = useRunAction();
  useEffect(() => {
    if (lastTs === undefined || document.hidden) return;
    if (channel.seen !== undefined && compareTs(channel.seen, lastTs) >= 0) return;
    void runAction({ type: 'mark-seen', channel: channel.id, ts: lastTs });
  }, [runAction, channel.id, channel.seen, lastTs]);
}

interface ThreadPanelProps {
  channel: string;
  ts: string;
  close(): void;
}

/** A thread, beside the conversation. */
export function ThreadPanel({ channel: channelId, ts, close }: ThreadPanelProps) {
  const { messages, channels } = useWorkspace();
  const shown = useMemo(() => threadMessages(messages, channelId, ts), [messages, channelId, ts]);
  const [send, sent] = useSendText({ channel: channelId, threadTs: ts });
  const [draft, setDraft] = useDraft(`${channelId}/${ts}`);
  const channel = channels.get(channelId);
  useFocusReturn();
  const isDeleted = !shown.some((message) => message.ts === ts);
  useEffect(() => {
    if (isDeleted) close();
  }, [isDeleted, close]);
  if (!channel || isDeleted) return null;
  return (
    <aside
      className="panel thread"
      aria-label="Thread"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) close();
      }}
    >
      <header className="panel-head">
        <h2 className="panel-title">
          Thread <span className="panel-subtitle">{displayName(channel)}</span>
        </h2>
        <button type="button" className="icon-button" aria-label="Close thread" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <MessageList label="Replies" messages={shown} sent={sent} />
      {channel.joined && !channel.archived ? (
        <Composer
          key={ts}
          autoFocus
          takesCommands={false}
          label="Reply"
          draft={draft}
          setDraft={setDraft}
          send={send}
        />
      ) : null}
    </aside>
  );
}

import { useEffect, useMemo } from 'react';
import type { PageChannel, PageUser } from '../../server/page-protocol.js';
import { Composer } from '../composer/composer.js';
import { useDraft, useSendText } from '../composer/drafts.js';
import { useWorkspace } from '../connection/connection.js';
import { Icon } from '../parts/icons.js';
import { useAct } from '../parts/toasts.js';
import { useDirectory } from '../text/directory.js';
import { MessageList } from './message-list.js';
import { compareTs, mainMessages, threadMessages } from './timeline.js';

interface ConversationProps {
  channel: PageChannel;
  openThread(channel: string, ts: string): void;
}

/** The messages of a channel or direct message, and the place to write. */
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
  useSeen(channel, shown.at(-1)?.ts);
  const openHere = useMemo(() => (ts: string) => openThread(channel.id, ts), [openThread, channel.id]);
  const title = writtenName(channel);
  return (
    <>
      <MessageList
        label={`Messages in ${title}`}
        messages={shown}
        refusals={refused}
        sent={sent}
        openThread={openHere}
      >
        <Beginning channel={channel} />
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

function writtenName(channel: PageChannel): string {
  return channel.kind === 'public' || channel.kind === 'private' ? `#${channel.name}` : channel.name;
}

function canWrite(channel: PageChannel, me: PageUser): boolean {
  return channel.joined && !channel.archived && (!channel.readOnly || me.kind === 'admin');
}

function Beginning({ channel }: { channel: PageChannel }) {
  return (
    <div className="beginning">
      <p className="beginning-title">{writtenName(channel)}</p>
      <p>{channel.topic || 'This is the very beginning.'}</p>
    </div>
  );
}

function NoComposer({ channel }: { channel: PageChannel }) {
  const act = useAct();
  if (channel.archived)
    return <p className="no-composer">This channel is archived. Nobody can write here.</p>;
  if (channel.readOnly && channel.joined)
    return <p className="no-composer">Only some people can write here.</p>;
  return (
    <div className="no-composer">
      You are looking at <strong>{writtenName(channel)}</strong>
      <button
        type="button"
        className="button button-filled button-primary"
        onClick={() => void act({ type: 'join', channel: channel.id })}
      >
        Join channel
      </button>
    </div>
  );
}

/** Tells the server what has been seen, so that it is not unread after a reload. */
function useSeen(channel: PageChannel, lastTs: string | undefined) {
  const act = useAct();
  useEffect(() => {
    if (lastTs === undefined || document.hidden) return;
    if (channel.seen !== undefined && compareTs(channel.seen, lastTs) >= 0) return;
    void act({ type: 'seen', channel: channel.id, ts: lastTs });
  }, [act, channel.id, channel.seen, lastTs]);
}

interface ThreadPanelProps {
  channel: string;
  ts: string;
  close(): void;
}

/** A message with its replies, beside the conversation. */
export function ThreadPanel({ channel: channelId, ts, close }: ThreadPanelProps) {
  const { messages, channels } = useWorkspace();
  const shown = useMemo(() => threadMessages(messages, channelId, ts), [messages, channelId, ts]);
  const [send, sent] = useSendText({ channel: channelId, threadTs: ts });
  const [draft, setDraft] = useDraft(`${channelId}/${ts}`);
  const channel = channels.get(channelId);
  const gone = !shown.some((message) => message.ts === ts);
  useEffect(() => {
    if (gone) close();
  }, [gone, close]);
  if (!channel || gone) return null;
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
          Thread <span className="panel-subtitle">{writtenName(channel)}</span>
        </h2>
        <button type="button" className="icon-button" aria-label="Close the thread" onClick={close}>
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

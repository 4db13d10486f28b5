import { useEffect, useMemo } from 'react';
import { Composer } from '../composer/composer.js';
import { useDraft } from '../composer/drafts.js';
import { useWorkspace } from '../connection/use-workspace.js';
import { Icon } from '../parts/icons.js';
import { writtenName } from './conversation.js';
import { MessageList } from './message-list.js';
import { threadMessages } from './timeline.js';
import { useSendText } from './use-send-text.js';

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

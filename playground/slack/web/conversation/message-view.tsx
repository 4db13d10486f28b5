import { memo } from 'react';
import type { PageMessage } from '../../server/page-protocol.js';
import { BlockList } from '../blocks/block-list.js';
import { pageBlocks } from '../blocks/page-block.js';
import { SurfaceOfBlocks } from '../blocks/surface-of-blocks.js';
import { Avatar } from '../parts/avatar.js';
import { Icon } from '../parts/icons.js';
import { useAct } from '../parts/toasts.js';
import { isSomebody, useDirectory } from '../text/directory.js';
import { MrkdwnText } from '../text/mrkdwn-text.js';
import { formatSlackDate } from '../text/slack-date.js';
import { FileCard } from './file-card.js';
import { MessageActions } from './message-actions.js';
import { ReplyLine } from './reply-line.js';
import { isWelcome, Welcome } from './welcome.js';

interface MessageViewProps {
  message: PageMessage;
  /** Without the name, since the one above is by the same person. */
  compact: boolean;
  /** Absent inside a thread. */
  openThread?: ((ts: string) => void) | undefined;
}

/** One message with all that hangs on it. */
export const MessageView = memo(function MessageView({ message, compact, openThread }: MessageViewProps) {
  const { users, zone, now } = useDirectory();
  const user = users.get(message.user);
  const name = user?.name ?? message.user;
  const time = formatSlackDate(message.at / 1000, '{time}', { zone, now: now() });
  if (isWelcome(message, user !== undefined && !isSomebody(user))) return <Welcome message={message} />;
  if (message.notice) return <Notice message={message} time={time} />;
  const classes = `message${compact ? ' compact' : ''}${message.ephemeral ? ' ephemeral' : ''}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows lead from message to message.
    <article className={classes} tabIndex={0} data-ts={message.ts} aria-label={`${name}, ${time}`}>
      {message.ephemeral ? (
        <p className="ephemeral-mark">
          <Icon name="lock" /> Only visible to you
        </p>
      ) : null}
      <div className="message-side">
        {compact ? <Time at={message.at} text={time} /> : <Avatar user={user} size={36} />}
      </div>
      <div className="message-main">
        {compact ? null : (
          <p className="message-head">
            <strong className="message-name">{name}</strong>
            {user?.kind === 'bot' ? <span className="tag">app</span> : null}
            <Time at={message.at} text={time} />
          </p>
        )}
        <SurfaceOfBlocks
          surface={{ kind: 'message', channel: message.channel, ts: message.ts }}
          blocks={message.blocks}
          state={message.state}
        >
          <div className="blocks">
            {message.blocks.length > 0 ? (
              <BlockList blocks={pageBlocks(message.blocks)} />
            ) : (
              <div className="message-text">
                <MrkdwnText text={message.text} />
                {message.editedAt === undefined ? null : <span className="edited"> (edited)</span>}
              </div>
            )}
          </div>
        </SurfaceOfBlocks>
        {message.blocks.length > 0 && message.editedAt !== undefined ? (
          <span className="edited">(edited)</span>
        ) : null}
        {message.files.map((file) => (
          <FileCard key={file.id} file={file} />
        ))}
        {message.failed ? (
          <p className="message-failed" role="alert">
            {message.failed}
          </p>
        ) : null}
        {message.ephemeral ? <Dismiss message={message} /> : null}
        {openThread && message.replyCount > 0 ? <ReplyLine message={message} open={openThread} /> : null}
      </div>
      {message.ephemeral ? null : <MessageActions message={message} openThread={openThread} />}
    </article>
  );
});

function Time({ at, text }: { at: number; text: string }) {
  const { zone, now } = useDirectory();
  return (
    <time
      className="message-time"
      dateTime={new Date(at).toISOString()}
      title={formatSlackDate(at / 1000, '{date_long} at {time_secs}', { zone, now: now() })}
    >
      {text}
    </time>
  );
}

function Notice({ message, time }: { message: PageMessage; time: string }) {
  const { users } = useDirectory();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows lead from message to message.
    <article className="message notice" tabIndex={0} data-ts={message.ts} aria-label={`Notice, ${time}`}>
      <div className="message-side">
        <Avatar user={users.get(message.user)} size={20} />
      </div>
      <div className="message-main">
        <MrkdwnText text={message.text} /> <Time at={message.at} text={time} />
      </div>
    </article>
  );
}

function Dismiss({ message }: { message: PageMessage }) {
  const act = useAct();
  return (
    <button
      type="button"
      className="link-button dismiss"
      onClick={() => void act({ type: 'dismiss', channel: message.channel, ts: message.ts })}
    >
      Dismiss message
    </button>
  );
}

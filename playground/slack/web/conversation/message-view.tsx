import type { ActionsBlock } from '@slack/types';
import { memo } from 'react';
import type { PageMessage } from '../../server/page-protocol.js';
import { BlockList } from '../blocks/block-list.js';
import { type PageBlock, pageBlocks } from '../blocks/page-block.js';
import { BlockSurface } from '../blocks/surface.js';
import { useDraft, useSendText } from '../composer/composer.js';
import { useDirectory, useWorkspacePart } from '../connection/connection.js';
import { isSelectable } from '../connection/workspace.js';
import { Avatar, BrandMark, Icon } from '../parts/icons.js';
import { Menu } from '../parts/menu.js';
import { useRunAction } from '../parts/toasts.js';
import { formatSlackDate } from '../text/dates.js';
import { MrkdwnText } from '../text/text.js';
import { FileCard } from './file-card.js';
import { isReply, threadMessages } from './timeline.js';

interface MessageViewProps {
  message: PageMessage;
  /** Without the name, because the message above is by the same person. */
  compact: boolean;
  /** Absent inside a thread. */
  openThread?: ((ts: string) => void) | undefined;
}

/** A message with its files, errors and reply count. */
export const MessageView = memo(function MessageView({ message, compact, openThread }: MessageViewProps) {
  const { users, zone, now } = useDirectory();
  const user = users.get(message.user);
  const name = user?.name ?? message.user;
  const time = formatSlackDate(message.at / 1000, '{time}', { zone, now: now() });
  if (isWelcome(message, user !== undefined && !isSelectable(user))) return <Welcome message={message} />;
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
        {compact ? (
          <Time at={message.at} text={time.replace(/ [AP]M$/, '')} />
        ) : (
          <Avatar user={user} size={36} />
        )}
      </div>
      <div className="message-main">
        {compact ? null : (
          <p className="message-head">
            <strong className="message-name">{name}</strong>
            {user?.kind === 'bot' ? <span className="tag">app</span> : null}
            <Time at={message.at} text={time} />
          </p>
        )}
        <BlockSurface
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
        </BlockSurface>
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
  const runAction = useRunAction();
  return (
    <button
      type="button"
      className="link-button dismiss"
      onClick={() => void runAction({ type: 'dismiss', channel: message.channel, ts: message.ts })}
    >
      Dismiss message
    </button>
  );
}

interface MessageActionsProps {
  message: PageMessage;
  openThread: ((ts: string) => void) | undefined;
}

/** Actions on a message, shown on hover and focus. */
function MessageActions({ message, openThread }: MessageActionsProps) {
  const shortcuts = useWorkspacePart((workspace) => workspace.shortcuts);
  const runAction = useRunAction();
  const messageShortcuts = shortcuts.filter((shortcut) => shortcut.type === 'message');
  if (!openThread && messageShortcuts.length === 0) return null;
  return (
    <div className="message-actions">
      {openThread ? (
        <button
          type="button"
          className="icon-button"
          aria-label="Reply in thread"
          title="Reply in thread"
          onClick={() => openThread(message.threadTs ?? message.ts)}
        >
          <Icon name="reply" />
        </button>
      ) : null}
      {messageShortcuts.length > 0 ? (
        <Menu
          label="Message shortcuts"
          buttonClass="icon-button"
          align="end"
          button={<Icon name="bolt" />}
          items={messageShortcuts.map((shortcut) => ({
            id: shortcut.callbackId,
            content: shortcut.name,
            choose: () =>
              void runAction({
                type: 'message-shortcut',
                callbackId: shortcut.callbackId,
                channel: message.channel,
                ts: message.ts,
              }),
          }))}
        />
      ) : null}
    </div>
  );
}

/** The number of replies, their authors and the time of the last one. Opens the thread. */
function ReplyLine({ message, open }: { message: PageMessage; open(ts: string): void }) {
  const messages = useWorkspacePart((workspace) => workspace.messages);
  const { users, zone, now } = useDirectory();
  const replies = threadMessages(messages, message.channel, message.ts).filter(isReply);
  const authors = [...new Set(replies.map((reply) => reply.user))].slice(0, 4);
  const last = replies.at(-1);
  return (
    <button type="button" className="reply-line" onClick={() => open(message.ts)}>
      <span className="reply-authors">
        {authors.map((id) => (
          <Avatar key={id} user={users.get(id)} size={20} />
        ))}
      </span>
      <span className="reply-count">
        {message.replyCount} {message.replyCount === 1 ? 'reply' : 'replies'}
      </span>
      {last ? (
        <span className="reply-last">
          Last reply {formatSlackDate(last.at / 1000, '{date_short_pretty} at {time}', { zone, now: now() })}
        </span>
      ) : null}
    </button>
  );
}

/** The command is visible this long before it is sent. */
const sendDelayMs = 450;

/** The welcome message, with what is for the user. A click types a command where it belongs, and sends it. */
function Welcome({ message }: { message: PageMessage }) {
  const { me } = useDirectory();
  const blocks = pageBlocks(message.blocks).filter(({ block_id: id = '' }) => {
    const user = /^(?:commands )?for (\w+)$/.exec(id)?.[1];
    return user === undefined || user === me.id;
  });
  return (
    <section className="welcome" aria-label="Welcome">
      <BrandMark />
      <div className="blocks">
        {blocks.map((block) => {
          const commands = commandsIn(block);
          if (commands.length === 0) return <BlockList key={block.block_id} blocks={[block]} />;
          return (
            <ul key={block.block_id} className="welcome-commands">
              {commands.map(({ line, channel }) => (
                <li key={line}>
                  <WelcomeCommand line={line} channel={channel} here={message.channel} />
                </li>
              ))}
            </ul>
          );
        })}
      </div>
    </section>
  );
}

function WelcomeCommand({ line, channel, here }: { line: string; channel: string; here: string }) {
  const { channels, openChannel } = useDirectory();
  const [, setDraft] = useDraft(channel);
  const [send] = useSendText({ channel });
  const there = channels.get(channel);
  function run() {
    setDraft(line);
    if (channel !== here) openChannel(channel);
    setTimeout(() => {
      send(line);
      setDraft('');
    }, sendDelayMs);
  }
  return (
    <button type="button" className="welcome-command" onClick={run}>
      <code>{line}</code>
      {there && channel !== here ? (
        <span>{there.kind === 'im' ? 'in direct messages' : `in #${there.name}`}</span>
      ) : null}
    </button>
  );
}

/** True for a message of Slackbot with commands on buttons. */
function isWelcome(message: PageMessage, isSlackItself: boolean): boolean {
  return isSlackItself && pageBlocks(message.blocks).some((block) => commandsIn(block).length > 0);
}

/** The ID of a button ends with the channel of its command. */
function commandsIn(block: PageBlock): { line: string; channel: string }[] {
  if (block.type !== 'actions') return [];
  return (block as ActionsBlock).elements.flatMap((element) =>
    element.type === 'button' && element.value?.startsWith('/')
      ? [{ line: element.value, channel: element.action_id?.split(' ')[2] ?? '' }]
      : [],
  );
}

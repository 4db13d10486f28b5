import type { PageMessage } from '../../server/page-protocol.js';
import { useWorkspacePart } from '../connection/use-workspace.js';
import { Avatar } from '../parts/avatar.js';
import { useDirectory } from '../text/directory.js';
import { formatSlackDate } from '../text/slack-date.js';
import { isReply, threadMessages } from './timeline.js';

/** How many replies a message has, who wrote them and when last; opens the thread. */
export function ReplyLine({ message, open }: { message: PageMessage; open(ts: string): void }) {
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

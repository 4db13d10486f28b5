import type { Act, PageUser } from '../../slack/page-protocol.js';

/** What a typed text asks for; a string is a sentence to the one who typed it. */
export function actForText(
  text: string,
  where: { readonly channel: string; readonly threadTs?: string | undefined },
  users: Iterable<PageUser>,
): Act | string {
  const { channel, threadTs } = where;
  const line = text.trim();
  if (!line.startsWith('/')) {
    return { type: 'post', channel, text: line, ...(threadTs === undefined ? {} : { threadTs }) };
  }
  if (threadTs !== undefined) {
    return 'Slack has no slash commands in threads. Mention the bot instead, with the same words.';
  }
  const [command, ...rest] = line.split(/\s+/);
  if (command === '/leave') return { type: 'leave', channel };
  if (command === '/invite' || command === '/remove') {
    const wanted = rest.join(' ').replace(/^@/, '').toLowerCase();
    const user = [...users].find(({ handle, name }) =>
      [handle, name].some((word) => word.toLowerCase() === wanted),
    );
    if (!user) return `Nobody here is called “${rest.join(' ')}”. Type @ to pick somebody.`;
    return { type: command === '/invite' ? 'invite' : 'remove', channel, user: user.id };
  }
  return { type: 'command', channel, line };
}

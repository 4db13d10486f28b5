import type { Act } from '../../server/page-protocol.js';

/** What a typed text asks for; a string is a sentence to the one who typed it. */
export function actForText(
  text: string,
  { channel, threadTs }: { readonly channel: string; readonly threadTs?: string | undefined },
): Act | string {
  const line = text.trim();
  // A blank before the slash sends it as a message, as in Slack.
  if (!text.startsWith('/')) {
    return { type: 'post', channel, text: line, ...(threadTs === undefined ? {} : { threadTs }) };
  }
  if (threadTs !== undefined) {
    return 'Slack has no slash commands in threads. Mention the bot instead, with the same words.';
  }
  return { type: 'command', channel, line };
}

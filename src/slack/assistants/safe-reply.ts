import type { ToolReply } from '../../assistants/replies.js';

/** An e-mail address, whatever is around it. */
const address = /[^\s@<>()[\]"“”,;:]+@[^\s@<>()[\]{}"'“”‘’,;:|=]+\.[^\s@<>()[\]{}"'“”‘’,;:|=.…]+/gu;

/** The beginning of a mention or of a link in Slack's markup. */
const markup = /<(?=[@#!]|https?:|mailto:|tel:)/gi;

/**
 * A reply in which no text holds an address or mentions anybody, wherever the text is from. The last check of many: rights
 * and small groups are decided where the answer is made.
 */
export function safeReply(reply: ToolReply): ToolReply {
  return JSON.parse(JSON.stringify(reply), (_, value: unknown) =>
    typeof value === 'string' ? value.replace(address, '…').replace(markup, '<\u200b') : value,
  );
}

/** The text of a message without what kept Slack from formatting it. */
export function plainTextOf(text: string): string {
  return text
    .replaceAll('\u200b', '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

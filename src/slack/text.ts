/** Fits anywhere and shows nowhere: keeps two characters from forming a mark. */
const zeroWidthSpace = '\u200b';

/**
 * Text made safe for a message's `text` and for mrkdwn: it can mention nobody, link nowhere and format nothing.
 * Marks inside a word, as in `content_title`, format nothing in Slack and stay as they are.
 */
export function escaped(text: string): string {
  return text
    .replace(/(?<![\p{L}\p{N}])[*_~`]+|[*_~`]+(?![\p{L}\p{N}])/gu, (marks) =>
      [...marks].map((mark) => `${zeroWidthSpace}${mark}${zeroWidthSpace}`).join(''),
    )
    .replace(/^>/, `${zeroWidthSpace}>`)
    .replace(/:(?=[\p{L}\p{N}_+'-]+:)/gu, `:${zeroWidthSpace}`)
    .replace(/:\/\//g, `:${zeroWidthSpace}//`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** True for what can be a person's ID in Slack, and so may be written as a mention. */
export function isUserId(id: string): boolean {
  return /^[UW][A-Z0-9]{1,30}$/.test(id);
}

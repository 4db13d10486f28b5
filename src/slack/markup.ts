/** What Slack puts between `<` and `>`: a mention, a channel, a group or date, or an address; then maybe a label. */
const markup = /<(?:([@#!])([^<>|]*)|((?:https?|mailto|tel):[^<>|]*))(?:\|([^<>]*))?>/g;

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Where a value stands: after a colon or comma, maybe in quotes. */
const valueFollows = /[:,]\s*["“”„‟]?$/;

/**
 * The plain text of a text that came from Slack: a link becomes its label, a mention `@name`, a channel `#name`, and
 * `&amp; &lt; &gt;` the characters they stand for. As the value of an option, a mention is the name alone; elsewhere it
 * keeps its `@`, so that nobody's name is taken for a word of a command. To be done once, where Slack's text comes in.
 */
export function stripSlackMarkup(text: string): string {
  return text
    .replace(
      markup,
      (_whole, sign: string | undefined, name = '', address = '', label = '', place: number) => {
        if (sign === undefined) return label || address.replace(/^(?:mailto|tel):/, '');
        const isValue = valueFollows.test(text.slice(Math.max(0, place - 10), place));
        const shown = signed(sign, name, label);
        return sign === '@' && isValue ? shown.replace(/^@/, '') : shown;
      },
    )
    .replace(/&(?:amp|lt|gt);/g, (entity) => entities[entity] ?? entity);
}

function signed(sign: string, name: string, label: string): string {
  if (sign === '!' && name.startsWith('date^')) return label;
  const shown = label || name.replace(/^subteam\^/, '');
  const mark = sign === '!' ? '@' : sign;
  return shown.startsWith(mark) ? shown : mark + shown;
}

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

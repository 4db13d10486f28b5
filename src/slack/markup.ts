/** Slack's markup between `<` and `>`: a mention, a channel, a group, a date or an address, with an optional label. */
const markup = /<(?:([@#!])([^<>|]*)|((?:https?|mailto|tel):[^<>|]*))(?:\|([^<>]*))?>/g;

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Matches before the value of an option: a colon or comma, and an optional quotation mark. */
const valueFollows = /[:,]\s*["“”„‟]?$/;

/**
 * Converts text from Slack to plain text. A link becomes its label, a mention `@name`, and a channel `#name`. `&amp;`,
 * `&lt;` and `&gt;` become characters. As the value of an option, a mention becomes the name alone. Elsewhere it keeps
 * its `@`, so that a name is not read as a word of a command. After `audit`, mentions and channels keep their IDs
 * instead of their names. Call it once, where the text arrives.
 */
export function stripSlackMarkup(text: string): string {
  const keepsIds = /^\s*(?:\/report\s+)?audit\s/i.test(text);
  return text
    .replace(
      markup,
      (_whole, sign: string | undefined, name = '', address = '', label = '', place: number) => {
        if (sign === undefined) return label || address.replace(/^(?:mailto|tel):/, '');
        if (keepsIds && (sign === '@' || sign === '#')) return sign + name;
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

/** Invisible. It keeps two characters from forming markup. */
const zeroWidthSpace = '\u200b';

/**
 * Escapes text for a message's `text` and for mrkdwn: it mentions no one, links nowhere and formats nothing. Characters
 * inside a word, as in `content_title`, format nothing in Slack and stay as they are.
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

/** True for the form of a Slack user ID, which is safe to write as a mention. */
export function isUserId(id: string): boolean {
  return /^[UW][A-Z0-9]{1,30}$/.test(id);
}

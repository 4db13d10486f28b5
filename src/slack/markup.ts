import { ok, type Result, refused } from '../errors/failure.js';

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

/** The pieces of a text between mentions of a person, which may have a label: `<@U1>`, `<@U1|name>`. */
export function splitAtMentions(text: string, user: string): readonly string[] {
  return text.split(new RegExp(`<@${user}(?:\\|[^<>]*)?>`));
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

/** The most characters of a command, a mention or a direct message, without Slack's markup. */
const maxTypedLength = 4_000;

/** With the markup of links and mentions, which is longer than what people see. */
export const maxMarkedUpLength = 3 * maxTypedLength;

const tooLong = `That text is too long: it may have ${maxTypedLength.toLocaleString('en-GB')} characters. Shorten it, or type /report to use the form.`;

/**
 * The words that a person typed, without Slack's markup. A longer text is not read at all: Slack allows 40,000 characters,
 * and reading them would hold up everybody. The refusal is a sentence for the person.
 *
 * @param text as Slack delivered it, cut to one character more than its limit
 * @param words the part of it that is for the bot
 */
export function readTypedText(text: string, words: string = text): Result<string> {
  if (text.length > maxMarkedUpLength) return refused(tooLong);
  const typed = stripSlackMarkup(words).trim();
  return typed.length > maxTypedLength ? refused(tooLong) : ok(typed);
}

/** The most characters of an input of a form or of a button, by Slack's own limits. */
export const maxInputLength = 3_000;

export const inputTooLong = `That text is too long: it may have ${maxInputLength.toLocaleString('en-GB')} characters.`;

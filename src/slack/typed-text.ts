import { ok, type Result, refused } from '../errors/result.js';
import { stripSlackMarkup } from './markup.js';

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

import { z } from 'zod';

/*
 * How a variable's text is read. Each refusal is the end of a sentence that begins with the variable's name, and says
 * what to do. None repeats the value, which may be a secret that was set in the wrong place.
 */

/** Text that has to be set. */
export function required(remedy: string) {
  return z.string({ error: `is not set: ${remedy}` });
}

export function wholeNumber(least: number, most: number) {
  return z
    .string()
    .refine(
      (text) => /^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most,
      `is not understood: give a whole number from ${least} to ${most}`,
    )
    .transform(Number);
}

/** Seconds, also parts of one; they leave as milliseconds. */
export function seconds(most: number) {
  return z
    .string()
    .refine(
      (text) => /^\d{1,15}(\.\d{1,3})?$/.test(text) && Number(text) > 0 && Number(text) <= most,
      `is not understood: give a number of seconds above 0 and up to ${most}`,
    )
    .transform((text) => Number(text) * 1000);
}

/** One of a few words, in any case. */
export function oneOf<Word extends string>(words: readonly [Word, ...Word[]]) {
  return z
    .string()
    .toLowerCase()
    .pipe(z.enum(words, `is not understood: give ${words.join(' or ')}`));
}

/** Entries with commas between them. */
export function list(entry: RegExp, remedy: string) {
  return z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .refine((entries) => entries.every((part) => entry.test(part)), `is not understood: ${remedy}`);
}

/** An http or https address without user name, question mark or hash; it leaves without a slash at its end. */
export function address(schema: z.ZodString) {
  return schema
    .refine(isAddress, 'is not an address: give one that begins with https:// or http:// and has no ? or #')
    .transform((text) => text.replace(/\/+$/, ''));
}

function isAddress(text: string): boolean {
  if (!/^https?:\/\/[^\s?#]+$/.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

/** The name of a time zone in the IANA database. */
export function zone() {
  return z
    .string()
    .refine(isZone, 'is not a time zone: give an IANA name such as Europe/Berlin, America/New_York or UTC');
}

function isZone(text: string): boolean {
  // Some versions of Node also take offsets, which follow no daylight saving.
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

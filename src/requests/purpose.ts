import { ok, type Result, refused } from '../errors/failure.js';

export const maxPurposeLength = 200;

/**
 * What a file, an approval or a rule is for, as one line of words. Control characters and line breaks become blanks, and
 * double quotes become single ones, so that `purpose:"…"` holds it.
 */
export function parsePurpose(typed: string): Result<string, 'empty' | 'too-long'> {
  const purpose = typed
    .replace(/[\p{C}\s]+/gu, ' ')
    .replace(/["“”„‟]/g, "'")
    .trim();
  if (!/[\p{L}\p{N}]/u.test(purpose)) return refused('empty');
  return [...purpose].length > maxPurposeLength ? refused('too-long') : ok(purpose);
}

/** `purpose:"Audit of the third quarter"` */
export function formatPurpose(purpose: string): string {
  return `purpose:"${purpose}"`;
}

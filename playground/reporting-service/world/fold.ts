/**
 * A text as filters compare it: composed Unicode, lower case, no blanks at the ends and single ones inside, so that
 * `field  operations` finds `Field Operations`.
 */
export function fold(text: string): string {
  return text.normalize('NFC').trim().replace(/\s+/gu, ' ').toLowerCase();
}

import type { Field } from '../../catalogue/index.js';

/** What a record of that field has or lacks, inside a sentence: `due date`, `value for sessions`, `user ID`. */
export function fieldInWords({ label, kind }: Field): string {
  const words = /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
  if (kind === 'number') return `value for ${words}`;
  return kind === 'date' && !/\b(?:on|date)$/.test(words) ? `${words} date` : words;
}

import { memberOf, reportNamed } from '../catalogue/index.js';
import type { FilterChoice, ReportRequest, TitleChoice } from './request.js';
import type { Titled, TitleMatches } from './titles.js';
import { quoteEntry, readTokens, signBefore } from './tokens.js';
import { memberName, namesOfConditionField, qualifiedName } from './vocabulary.js';

/** An entry of an option, and what replaces it. */
export interface EntryChange {
  /** The names of the option, in lower case. */
  readonly names: readonly string[];
  readonly entry: string;
  readonly replacement: string;
}

/** The typed words with an entry replaced; undefined where no option has it. */
export function replaceEntry(text: string, { names, entry, replacement }: EntryChange): string | undefined {
  for (const token of readTokens(text, 0)) {
    if (token.kind !== 'option' || !names.includes(token.name.toLowerCase())) continue;
    for (const typed of token.entries) {
      const sign = signBefore(typed, text) ?? '';
      if (typed.text.slice(sign.length).trim() !== entry) continue;
      return text.slice(0, typed.start) + sign + quoteEntry(replacement) + text.slice(typed.end);
    }
  }
  return undefined;
}

/** An entry of a filter or a condition that no answer has held, while one has held a near one. */
export interface MistypedEntry extends Omit<FilterChoice, 'entries'> {
  /** The ID of the field that a condition is about; absent: it is an entry of the filter. */
  readonly field?: string | undefined;
  readonly entry: string;
  readonly near: string;
}

export function entryChangeOf(
  request: Pick<ReportRequest, 'report'>,
  { entry, near, field, ...choice }: MistypedEntry,
): EntryChange {
  const report = reportNamed(request.report);
  if (field !== undefined) return { names: namesOfConditionField(report, field), entry, replacement: near };
  const known = memberOf(report, choice);
  const names = known
    ? [memberName(report, known.object, known.member), qualifiedName(known.object, known.member)]
    : [];
  return { names, entry, replacement: near };
}

/** The change of a title to the thing that a person chose. */
export function titleChangeOf(
  { option, text }: TitleChoice,
  titled: Titled,
  { found, nearest }: TitleMatches,
): EntryChange {
  return { names: [option], entry: text, replacement: titleEntry(titled, [...found, ...nearest]) };
}

/** Longer titles are typed by their identifier. */
const maxTypedTitle = 200;

/**
 * How a thing is typed so that it alone is found: by its title, or by its identifier where another thing has the same
 * title or where the title cannot be typed.
 */
function titleEntry({ id, title }: Titled, others: readonly Titled[]): string {
  const isShared = others.some((other) => other.id !== id && other.title === title);
  const isTypeable = title.length <= maxTypedTitle && title.trim() !== '' && !/\p{C}|[^\S ]/u.test(title);
  return isShared || !isTypeable ? id : title;
}

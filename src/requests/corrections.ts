import { fieldOf, type Report, sixReports } from '../catalogue/index.js';
import type { OptionsPlace } from './asked.js';
import { nearest } from './nearest.js';
import { optionsOf, reportsWithOption } from './option-names.js';
import { type Problem, type ProblemCause, quotable, withNearest, withReplaced } from './problem.js';
import type { Entry, OptionToken } from './tokens.js';

/** What to say of an option that the report does not have. */
export function unknownOption(token: OptionToken, place: OptionsPlace): Problem {
  const { report } = place;
  const name = token.name.toLowerCase();
  const whole = quotable(place.text.slice(token.start, token.end));
  if (name === 'since') {
    const corrected = withReplaced(place.text, token, '');
    return { kind: 'range', refused: 'no-range', report: report.name, word: whole, corrected };
  }
  if (name === 'assigned') {
    const plainRange = report.range ? token.entries.map(({ text }) => text).join(',') : '';
    const corrected = withReplaced(place.text, token, plainRange);
    return { kind: 'only-for-overdue', report: report.name, word: whole, corrected };
  }
  // A colon alone says nothing to whoever typed it.
  const word = name === '' ? whole : quotable(`${token.name}:`);
  const reports = reportsWithOption(name);
  if (reports.length > 0) {
    const corrected = withReplaced(place.text, token, '');
    return { kind: 'not-for-report', word, report: report.name, reports, corrected };
  }
  const near = nearest(name.replace(/\s+/g, '_'), optionsOf(report, place.overdueOnly).keys());
  const stretch = { start: token.start, end: token.nameEnd };
  return withNearest(
    { kind: 'unknown-option', report: report.name },
    word,
    near && `${near}:`,
    stretch,
    place,
  );
}

export function unknownField(entry: Entry, option: string, place: OptionsPlace): Problem {
  const near = nearestField(entry.text.trim().replace(/[\s-]+/g, '_'), place.report);
  const cause: ProblemCause = { kind: 'unknown-field', option, report: place.report.name };
  return withNearest(cause, quotable(entry.text), near, entry, place);
}

/**
 * The field that was probably meant: the one that goes by the same label as another report's field of that name
 * (`user_metadata` is `assignee_metadata` for assignments); the one of that label; else the nearest name; else the
 * longest name that what was typed begins or ends with.
 */
function nearestField(typed: string, { fields }: Report): string | undefined {
  const flag = typed.toLowerCase();
  const labelElsewhere = sixReports.flatMap((report) => fieldOf(report, flag) ?? [])[0]?.label;
  const label = labelElsewhere ?? typed.replaceAll('_', ' ');
  const sameLabel = fields.find((field) => field.label.toLowerCase() === label.toLowerCase());
  const flags = fields.map((field) => field.flag);
  return (
    sameLabel?.flag ??
    nearest(typed, flags) ??
    flags
      .filter((known) => flag.startsWith(`${known}_`) || flag.endsWith(`_${known}`))
      .sort((a, b) => b.length - a.length)[0]
  );
}

export function unknownChoice(
  entry: Entry,
  option: string,
  choices: readonly string[],
  place: OptionsPlace,
): Problem {
  const cause = { kind: 'unknown-choice', option, choices, report: place.report.name } as const;
  const near = choices.length === 1 ? choices[0] : nearest(entry.text.replace(/[\s-]+/g, '_'), choices);
  return withNearest(cause, quotable(entry.text), near, entry, place);
}

/** What to say where an entry, after a blank, looks like the next option: a value or a comma is one too few or many. */
export function entryLikeAnOption(
  token: OptionToken,
  option: string,
  place: OptionsPlace,
): Problem | undefined {
  const entry = token.entries.find(({ apart, quoted, text }) => apart && !quoted && looksLikeOption(text));
  if (!entry) return undefined;
  if (entry === token.entries[0]) return { kind: 'value-missing', word: option, option };
  const before = place.text.slice(token.start, entry.start).replace(/[\s,]+$/, '');
  const corrected = withReplaced(place.text, { start: token.start, end: entry.start }, `${before} `);
  return { kind: 'option-after-comma', word: quotable(entry.text), option, corrected };
}

function looksLikeOption(text: string): boolean {
  const colon = text.indexOf(':');
  const name = text.slice(0, colon).toLowerCase();
  return colon > 0 && (name === 'assigned' || reportsWithOption(name).length > 0);
}

import { type Report, reportNamed } from '../../../catalogue/index.js';
import { sayRangeRefusal } from '../../../requests/words-for-ranges.js';
import { isInTheFuture, parseRangeWords, rangeNames, yearUpToNow } from '../../../requests/range-words.js';
import { inputNames } from './input-names.js';
import { type Problem, problemsWith } from './problem.js';
import type { ChosenRange } from './state.js';

/** Ranges with a number that people ask for most, offered beside those without one. */
const counted = ['last-7-days', 'last-30-days', 'last-90-days', 'last-12-months'];
const countedAhead = ['next-7-days', 'next-30-days'];

/** The ranges that are offered by name, without the one that is the report's own. */
export function offeredRanges({ range }: Report): readonly string[] {
  if (!range) return [];
  const all = [...rangeNames(false), ...counted];
  const ahead = range.hasFuture ? rangeNames(true).filter((name) => !all.includes(name)) : [];
  return [...all, ...ahead, ...(range.hasFuture ? countedAhead : [])].filter(
    (name) => name !== range.byDefault,
  );
}

const twoDays = /^(\d{4}-\d{2}-\d{2})(?:\.\.(\d{4}-\d{2}-\d{2}))?$/;

/** How the builder holds a range that was asked for. */
export function chosenRange(words: string | undefined, report: Report): ChosenRange {
  if (words === undefined) return { choice: 'usual', words: '' };
  if (words === report.range?.byDefault || offeredRanges(report).includes(words)) {
    return { choice: words, words: '' };
  }
  const [, firstDay, lastDay = firstDay] = twoDays.exec(words) ?? [];
  if (firstDay && lastDay) return { choice: 'dates', firstDay, lastDay, words: '' };
  return { choice: 'words', words };
}

/** The choice that holds for a report: one that is only for reports with a future does not hold for the others. */
export function rangeChoiceFor(report: Report, { choice }: ChosenRange): string {
  if (choice === 'usual' || choice === 'dates' || choice === 'words') return choice;
  return choice === report.range?.byDefault || offeredRanges(report).includes(choice) ? choice : 'usual';
}

/** The range in its canonical words, absent for the report's own; or what is wrong with it. */
export function rangeIn(
  chosen: ChosenRange,
  report: Report,
): { readonly range?: string } | { readonly problems: readonly Problem[] } {
  if (!report.range) return {};
  const choice = rangeChoiceFor(report, chosen);
  if (choice === 'usual') return {};
  if (choice === 'dates') return rangeBetweenDays(chosen, report);
  if (choice !== 'words') return { range: choice };
  if (chosen.words.trim() === '') {
    return problemsWith(inputNames.rangeWords, 'Write a range, such as last-30-days or 2026-Q1.');
  }
  return readRange(chosen.words, report, inputNames.rangeWords);
}

/**
 * The name of the input that offers ranges. It is another one wherever it offers others, since Slack keeps what stands
 * in an input of the same name.
 */
export function rangeInputName({ name, range }: Report): string {
  if (range?.byDefault === yearUpToNow.words) return inputNames.range('overdue');
  const isAhead = range?.hasFuture === true && reportNamed(name).range?.hasFuture === false;
  return inputNames.range(isAhead ? `${name}-ahead` : name);
}

/** Where a problem with the range is said. */
export function rangeInput(chosen: ChosenRange, report: Report): string {
  const choice = rangeChoiceFor(report, chosen);
  if (choice === 'dates') return inputNames.lastDay;
  return choice === 'words' ? inputNames.rangeWords : rangeInputName(report);
}

function rangeBetweenDays({ firstDay, lastDay }: ChosenRange, report: Report) {
  if (!firstDay) return problemsWith(inputNames.firstDay, 'Choose the first day.');
  if (!lastDay) return problemsWith(inputNames.lastDay, 'Choose the last day. It counts too.');
  return readRange(`${firstDay}..${lastDay}`, report, inputNames.lastDay);
}

function readRange(words: string, report: Report, input: string) {
  const parsed = parseRangeWords(words);
  if (!parsed) return problemsWith(input, sayRangeRefusal('not-a-range', report.name));
  if ('impossible' in parsed) return problemsWith(input, sayRangeRefusal(parsed.impossible, report.name));
  if (isInTheFuture(parsed.meaning) && !report.range?.hasFuture) {
    return problemsWith(input, sayRangeRefusal('future', report.name));
  }
  return { range: parsed.words };
}

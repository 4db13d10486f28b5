import type { AnyBlock } from '@slack/types';
import { allReports, fieldOf, type Report, reportNamed } from '../../../catalogue/index.js';
import { ok, type Result, refused } from '../../../errors/result.js';
import { compact } from '../../../requests/compact.js';
import { rangeRefusalText } from '../../../requests/problem-messages.js';
import {
  isInTheFuture,
  parseRangeWords,
  rangeNames,
  sinceLastYear,
  weekFromNow,
} from '../../../requests/range-words.js';
import { subcommands } from '../../../requests/vocabulary.js';
import { context } from '../../messages/blocks.js';
import { type Choice, input, selectInput, textInput } from '../inputs.js';
import {
  type BuilderState,
  type ChosenRange,
  type InputProblems,
  inputNames,
  inputProblem,
  noChoice,
  reportChoices,
  reportInForm,
  viewChoices,
} from './state.js';

const countedRanges = ['last-7-days', 'last-30-days', 'last-90-days', 'last-12-months'];
const countedFutureRanges = ['next-7-days', 'next-30-days'];

/** The ranges in the menu, without the report's default. */
export function rangeChoices({ range }: Report): readonly string[] {
  if (!range) return [];
  const all = [...rangeNames(false), ...countedRanges];
  const ahead = range.hasFuture ? rangeNames(true).filter((name) => !all.includes(name)) : [];
  return compact(all, ahead, range.hasFuture && countedFutureRanges).filter(
    (name) => name !== range.defaultWords,
  );
}

const twoDays = /^(\d{4}-\d{2}-\d{2})(?:\.\.(\d{4}-\d{2}-\d{2}))?$/;

/** The choice in the builder for the range of a request. */
export function parseChosenRange(words: string | undefined, report: Report): ChosenRange {
  if (words === undefined) return { choice: 'usual', words: '' };
  if (words === report.range?.defaultWords || rangeChoices(report).includes(words)) {
    return { choice: words, words: '' };
  }
  const [, firstDay, lastDay = firstDay] = twoDays.exec(words) ?? [];
  if (firstDay && lastDay) return { choice: 'dates', firstDay, lastDay, words: '' };
  return { choice: 'words', words };
}

/** The choice for this report: the default instead of a range that only other reports have. */
function rangeChoiceFor(report: Report, { choice }: ChosenRange): string {
  if (choice === 'usual' || choice === 'dates' || choice === 'words') return choice;
  return choice === report.range?.defaultWords || rangeChoices(report).includes(choice) ? choice : 'usual';
}

/** The range in its canonical words; undefined means the report's default. */
export function rangeFromChoice(
  chosen: ChosenRange,
  report: Report,
): Result<string | undefined, InputProblems> {
  if (!report.range) return ok(undefined);
  const choice = rangeChoiceFor(report, chosen);
  if (choice === 'usual') return ok(undefined);
  if (choice === 'dates') return rangeBetweenDays(chosen, report);
  if (choice !== 'words') return ok(choice);
  if (chosen.words.trim() === '') {
    return refused(inputProblem(inputNames.rangeWords, 'Enter a range, such as last-30-days or 2026-Q1.'));
  }
  return parseRange(chosen.words, report, inputNames.rangeWords);
}

/** The name of the menu of ranges. It depends on the ranges in the menu, because Slack keeps values by name. */
export function rangeInputName({ name, range }: Report): string {
  if (range?.defaultWords === weekFromNow.words) return inputNames.range('due');
  const menu = range?.defaultWords === sinceLastYear.words ? 'overdue' : name;
  const isAhead = range?.hasFuture === true && reportNamed(name).range?.hasFuture === false;
  return inputNames.range(isAhead ? `${menu}-ahead` : menu);
}

export function rangeInput(chosen: ChosenRange, report: Report): string {
  const choice = rangeChoiceFor(report, chosen);
  if (choice === 'dates') return inputNames.lastDay;
  return choice === 'words' ? inputNames.rangeWords : rangeInputName(report);
}

function rangeBetweenDays({ firstDay, lastDay }: ChosenRange, report: Report): Result<string, InputProblems> {
  if (!firstDay) return refused(inputProblem(inputNames.firstDay, 'Choose the first day.'));
  if (!lastDay) {
    return refused(inputProblem(inputNames.lastDay, 'Choose the last day. The range includes it.'));
  }
  return parseRange(`${firstDay}..${lastDay}`, report, inputNames.lastDay);
}

/** Range words from a form in their canonical spelling. */
export function parseRange(words: string, report: Report, input: string): Result<string, InputProblems> {
  const refuse = (reason: Parameters<typeof rangeRefusalText>[0]) =>
    refused(inputProblem(input, rangeRefusalText(reason, report.name)));
  const parsed = parseRangeWords(words);
  if (!parsed.ok) return refuse(parsed.refusal);
  if (isInTheFuture(parsed.value.meaning) && !report.range?.hasFuture) return refuse('future');
  return ok(parsed.value.words);
}

/** The longest range is `2026-03-01..2026-03-31`. The rest is for spaces. */
const maxRangeLength = 60;

export function reportInputs(state: BuilderState, report: Report): AnyBlock[] {
  return [
    selectInput(inputNames.report, 'Report', reportOptions, state.view ?? report.name, { dispatches: true }),
    ...rangeInputs(state, report),
  ];
}

const reportOptions: readonly Choice[] = allReports.flatMap(({ name, title, description }) =>
  compact(
    { value: name, text: title, description },
    name === 'assignments' &&
      viewChoices.map((view) => ({
        value: view,
        text: capitalized(view),
        description: subcommands.find(({ word }) => word === view)?.description,
      })),
  ),
);

function rangeInputs(state: BuilderState, report: Report): AnyBlock[] {
  if (!report.range) return [context(`${report.title} show the current state, so they have no range.`)];
  const { range } = state;
  const current = reportInForm(state);
  const choice = rangeChoiceFor(current, range);
  const defaultRange = current.range?.defaultWords ?? '';
  const choices: Choice[] = compact(
    { value: 'usual', text: `${defaultRangeName(state, defaultRange)} (default)` },
    choice === defaultRange && { value: defaultRange, text: formatRangeName(defaultRange) },
    rangeChoices(current).map((name) => ({ value: name, text: formatRangeName(name) })),
    { value: 'dates', text: 'Between two dates…' },
    { value: 'words', text: 'Custom range…' },
  );
  return compact(
    selectInput(rangeInputName(current), rangeLabel(state), choices, choice, { dispatches: true }),
    choice === 'dates' && [
      dayInput(inputNames.firstDay, 'First day', range.firstDay),
      dayInput(inputNames.lastDay, 'Last day', range.lastDay, 'The range includes this day.'),
    ],
    choice === 'words' && wordsInput(range.words),
    takesAssigned(state) && assignedInput(state),
  );
}

function rangeLabel(state: BuilderState): string {
  return takesAssigned(state) ? 'Due in' : 'Range';
}

/** True where the range is about due dates, so that assigned dates have an input of their own. */
export function takesAssigned(state: BuilderState): boolean {
  const { view } = state;
  return view === 'due' || (view === 'overdue' && reportChoices(state).dateField === undefined);
}

function defaultRangeName(state: BuilderState, words: string): string {
  if (words !== sinceLastYear.words) return formatRangeName(words);
  return takesAssigned(state) ? 'Any time until now' : 'Assigned since 1 January of last year';
}

/** The range of the assigned date, beside that of the due date. */
function assignedInput({ assigned }: BuilderState): AnyBlock {
  const hint =
    'For example: 2026 or last-12-months. Leave empty for what was assigned since 1 January of last year.';
  return textInput(inputNames.assigned, { label: 'Assigned in', hint }, assigned, {
    maxLength: maxRangeLength,
    optional: true,
  });
}

function formatRangeName(range: string): string {
  const words = range.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function dayInput(name: string, label: string, chosen: string | undefined, hint?: string) {
  return input(name, { label, hint }, { type: 'datepicker', initial_date: chosen });
}

function wordsInput(words: string) {
  const hint = 'For example: last-30-days, 2026-Q1, 2026-03-01..2026-03-31 or since:2026-03-01.';
  const options = { maxLength: maxRangeLength };
  return textInput(inputNames.rangeWords, { label: 'Custom range', hint }, words, options);
}

/** The input for the date that the range applies to, if the report has several. */
export function dateInput(state: BuilderState, report: Report): AnyBlock[] {
  const { dateField } = report;
  if (!dateField || state.view === 'due') return [];
  const usualFlag = state.view === 'overdue' ? 'due_date' : dateField.defaultFlag;
  const usual = dateField.choices.find(({ flag }) => flag === usualFlag)?.words;
  const choices = [
    { value: noChoice, text: usual ? `${capitalized(usual)} (default)` : 'Default date' },
    ...dateField.choices.map(({ flag, words }) => ({ value: flag, text: capitalized(words) })),
  ];
  const chosen = reportChoices(state).dateField ?? noChoice;
  // A date that can be in the future has more ranges.
  const dispatches = dateField.choices.some(({ canBeFuture }) => canBeFuture);
  return [selectInput(inputNames.dateField(report.name), 'Filter dates by', choices, chosen, { dispatches })];
}

export function sortInput(state: BuilderState, report: Report): AnyBlock[] {
  if (report.sorts.length === 0) return [];
  const labelOf = (flag: string) =>
    fieldOf(report, flag)?.label ??
    capitalized(report.dateField?.choices.find((choice) => choice.flag === flag)?.words ?? flag);
  const choices = [
    { value: noChoice, text: 'Default order' },
    ...report.sorts.map((flag) => ({ value: flag, text: labelOf(flag) })),
  ];
  const chosen = reportChoices(state).sort ?? noChoice;
  return [selectInput(inputNames.sort(report.name), 'Sort rows by', choices, chosen)];
}

function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

import type { AnyBlock } from '@slack/types';
import { allReports, fieldOf, type Report, reportNamed } from '../../catalogue/index.js';
import { rangeRefusalText } from '../../requests/problem-messages.js';
import {
  isInTheFuture,
  parseRangeWords,
  rangeNames,
  sinceLastYear,
  weekFromNow,
} from '../../requests/range-words.js';
import { compact } from '../../requests/text.js';
import { subcommands } from '../../requests/vocabulary.js';
import { context } from '../messages/blocks.js';
import {
  type BuilderDraft,
  choiceIn,
  inputNames,
  noChoice,
  reportChoices,
  reportInForm,
  viewChoices,
} from './draft.js';
import { type Choice, type FormValues, input, selectInput, textIn, textInput } from './inputs.js';
import { comparisonInput, hasPast, isOverTime, overChoice, overTimeInputs } from './over-time.js';

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

export function rangeValues(words: string | undefined, report: Report): FormValues {
  if (words === undefined || isInMenu(words, report)) return { [inputNames.range]: words };
  const [, firstDay, lastDay = firstDay] = twoDays.exec(words) ?? [];
  return firstDay && lastDay
    ? { [inputNames.range]: 'dates', [inputNames.firstDay]: firstDay, [inputNames.lastDay]: lastDay }
    : { [inputNames.range]: 'words', [inputNames.rangeWords]: words };
}

function isInMenu(words: string, report: Report): boolean {
  return words === report.range?.defaultWords || rangeChoices(report).includes(words);
}

/** The choice for the current report: the default instead of a range that only other reports have. */
function rangeChoice(draft: BuilderDraft): string {
  const choice = textIn(draft.values, inputNames.range);
  if (isOverTime(draft)) return overChoice.value;
  const isOffered = choice === 'dates' || choice === 'words' || isInMenu(choice, reportInForm(draft));
  return isOffered ? choice : 'usual';
}

/** Says why the value of an input is invalid. */
export type Refuse = (input: string, sentence: string) => undefined;

/** The range in its canonical words; undefined means the report's default. */
export function rangeIn(draft: BuilderDraft, refuse: Refuse): string | undefined {
  const report = reportInForm(draft);
  const choice = rangeChoice(draft);
  const text = (name: string) => textIn(draft.values, name).trim();
  const { firstDay: first, lastDay: last, rangeWords: words } = inputNames;
  if (!report.range || choice === 'usual' || choice === overChoice.value) return undefined;
  if (choice === 'words') {
    return text(words) === ''
      ? refuse(words, 'Enter a range, such as last-30-days or 2026-Q1.')
      : parseRange(text(words), report, words, refuse);
  }
  if (choice !== 'dates') return choice;
  if (text(first) === '') return refuse(first, 'Choose the first day.');
  if (text(last) === '') return refuse(last, 'Choose the last day. The range includes it.');
  return parseRange(`${text(first)}..${text(last)}`, report, last, refuse);
}

/** The block of the menu of ranges. It depends on the ranges in the menu, because Slack keeps values by block. */
export function rangeMenu({ name, range }: Report): string {
  if (range?.defaultWords === weekFromNow.words) return 'range:due';
  const menu = range?.defaultWords === sinceLastYear.words ? 'overdue' : name;
  const isAhead = range?.hasFuture === true && reportNamed(name).range?.hasFuture === false;
  return `range:${menu}${isAhead ? '-ahead' : ''}`;
}

export function rangeInput(draft: BuilderDraft): string {
  const choice = rangeChoice(draft);
  if (choice === 'dates') return inputNames.lastDay;
  if (choice === overChoice.value) return inputNames.over;
  return choice === 'words' ? inputNames.rangeWords : rangeMenu(reportInForm(draft));
}

/** Range words from a form in their canonical spelling. */
export function parseRange(words: string, report: Report, input: string, refuse: Refuse): string | undefined {
  const parsed = parseRangeWords(words);
  const isEarly = parsed.ok && isInTheFuture(parsed.value.meaning) && !report.range?.hasFuture;
  if (parsed.ok && !isEarly) return parsed.value.words;
  return refuse(input, rangeRefusalText(parsed.ok ? 'future' : parsed.refusal, report.name));
}

/** The longest range is `2026-03-01..2026-03-31`. The rest is for spaces. */
const maxRangeLength = 60;

export function reportInputs(draft: BuilderDraft, report: Report): AnyBlock[] {
  const { view } = reportChoices(draft);
  return [
    selectInput(inputNames.report, 'Report', reportOptions, view ?? report.name, { dispatches: true }),
    ...rangeInputs(draft, report),
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

function rangeInputs(draft: BuilderDraft, report: Report): AnyBlock[] {
  if (!report.range) return [context(`${report.title} show the current state, so they have no range.`)];
  const current = reportInForm(draft);
  const choice = rangeChoice(draft);
  const isDue = takesAssigned(draft);
  const defaultRange = current.range?.defaultWords ?? '';
  const choices: Choice[] = compact(
    { value: 'usual', text: `${defaultRangeName(defaultRange, isDue)} (default)` },
    choice === defaultRange && { value: defaultRange, text: formatRangeName(defaultRange) },
    rangeChoices(current).map((name) => ({ value: name, text: formatRangeName(name) })),
    { value: 'dates', text: 'Between two dates…' },
    { value: 'words', text: 'Custom range…' },
    hasPast(draft) && overChoice,
  );
  return compact(
    selectInput(rangeMenu(current), isDue ? 'Due in' : 'Range', choices, choice, { dispatches: true }),
    overTimeInputs(draft),
    choice === 'dates' && [
      dayInput(draft, inputNames.firstDay, 'First day'),
      dayInput(draft, inputNames.lastDay, 'Last day', 'The range includes this day.'),
    ],
    choice === 'words' &&
      wordsInput(draft, inputNames.rangeWords, {
        label: 'Custom range',
        hint: 'For example: last-30-days, 2026-Q1, 2026-03-01..2026-03-31 or since:2026-03-01.',
      }),
    // The range of the assigned date, beside that of the due date.
    isDue &&
      wordsInput(
        draft,
        inputNames.assigned,
        {
          label: 'Assigned in',
          hint: 'For example: 2026 or last-12-months. Leave empty for what was assigned since 1 January of last year.',
        },
        true,
      ),
    comparisonInput(draft),
  );
}

/** True where the range is about due dates, so that assigned dates have an input of their own. */
export function takesAssigned(draft: BuilderDraft): boolean {
  const { view, dateField } = reportChoices(draft);
  return view === 'due' || (view === 'overdue' && dateField === undefined);
}

function defaultRangeName(words: string, isDue: boolean): string {
  if (words !== sinceLastYear.words) return formatRangeName(words);
  return isDue ? 'Any time until now' : 'Assigned since 1 January of last year';
}

function formatRangeName(range: string): string {
  return capitalized(range.replaceAll('-', ' '));
}

function dayInput({ values }: BuilderDraft, name: string, label: string, hint?: string) {
  return input(
    name,
    { label, hint },
    { type: 'datepicker', initial_date: textIn(values, name) || undefined },
  );
}

function wordsInput(
  { values }: BuilderDraft,
  name: string,
  text: { readonly label: string; readonly hint: string },
  optional = false,
) {
  return textInput(name, text, textIn(values, name), { maxLength: maxRangeLength, optional });
}

/** The input for the date that the range applies to, if the report has several. */
export function dateInput(draft: BuilderDraft, report: Report): AnyBlock[] {
  const { dateField } = report;
  const { view } = reportChoices(draft);
  if (!dateField || view === 'due') return [];
  const usualFlag = view === 'overdue' ? 'due_date' : dateField.defaultFlag;
  const usual = dateField.choices.find(({ flag }) => flag === usualFlag)?.words;
  const choices = [
    { value: noChoice, text: usual ? `${capitalized(usual)} (default)` : 'Default date' },
    ...dateField.choices.map(({ flag, words }) => ({ value: flag, text: capitalized(words) })),
  ];
  const name = inputNames.dateField(report.name);
  // A date that can be in the future has more ranges.
  const dispatches = dateField.choices.some(({ canBeFuture }) => canBeFuture);
  return [selectInput(name, 'Filter dates by', choices, choiceIn(draft, name), { dispatches })];
}

export function sortInput(draft: BuilderDraft, report: Report): AnyBlock[] {
  if (report.sorts.length === 0) return [];
  const labelOf = (flag: string) =>
    fieldOf(report, flag)?.label ??
    capitalized(report.dateField?.choices.find((choice) => choice.flag === flag)?.words ?? flag);
  const choices = [
    { value: noChoice, text: 'Default order' },
    ...report.sorts.map((flag) => ({ value: flag, text: labelOf(flag) })),
  ];
  const name = inputNames.sort(report.name);
  return [selectInput(name, 'Sort rows by', choices, choiceIn(draft, name))];
}

function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

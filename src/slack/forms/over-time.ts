import type { AnyBlock } from '@slack/types';
import { reportNamed } from '../../catalogue/index.js';
import { figuresInTime } from '../../figures/summary/over-time.js';
import { formatOver, maxUnits, minUnits, parseOver } from '../../requests/over-time.js';
import { asksForOpen, type ReportRequest } from '../../requests/request.js';
import { compact } from '../../requests/text.js';
import { type BuilderDraft, choiceIn, inputNames, noChoice, reportChoices } from './draft.js';
import { type FormValues, selectInput, textIn, textInput } from './inputs.js';

/** The choice in the menu of ranges for an answer over time. */
export const overChoice = { value: 'over', text: 'Over time, unit by unit…' };

/** True where the report has a past: what is open now has none. */
export function hasPast(draft: BuilderDraft): boolean {
  const choices = reportChoices(draft);
  const hasRange = reportNamed(choices.report).range !== undefined;
  return hasRange && !asksForOpen(choices) && figuresInTime(choices).shown.length > 0;
}

/** True where the answer has a line for each unit. It then has no rows, and no breakdown. */
export function isOverTime(draft: BuilderDraft): boolean {
  return hasPast(draft) && textIn(draft.values, inputNames.range) === overChoice.value;
}

export function overTimeValues({ report, over, figure, against }: ReportRequest): FormValues {
  return {
    ...(over !== undefined && { [inputNames.range]: overChoice.value }),
    [inputNames.over]: over,
    [inputNames.figure(report)]: figure,
    [inputNames.against]: against,
  };
}

/** The part of the request that is about time, without its range. */
export function overTimeIn(
  draft: BuilderDraft,
  refuse: (input: string, sentence: string) => undefined,
): Pick<ReportRequest, 'over' | 'figure' | 'against'> {
  const { values } = draft;
  const against = choiceIn(draft, inputNames.against) === 'last-year' && hasPast(draft);
  const compared = against ? ({ against: 'last-year' } as const) : {};
  if (!isOverTime(draft)) return compared;
  const typed = textIn(values, inputNames.over).trim();
  const over = parseOver(typed === '' ? defaultOver : typed);
  if (!over.ok) {
    const near = over.refusal.near === undefined ? '' : ` Did you mean ${over.refusal.near}?`;
    return refuse(inputNames.over, `Enter ${minUnits} to ${maxUnits} units, such as 12w or 6m.${near}`) ?? {};
  }
  const { report } = reportChoices(draft);
  const chosen = choiceIn(draft, inputNames.figure(report));
  const figure = figuresInTime(reportChoices(draft)).shown.find(({ id }) => id === chosen)?.id;
  return { ...compared, over: formatOver(over.value), figure };
}

const defaultOver = '12w';

/** The longest is `20w`. The rest is for words, which are corrected. */
const maxOverLength = 20;

/** The inputs below the menu of ranges. */
export function overTimeInputs(draft: BuilderDraft): AnyBlock[] {
  if (!isOverTime(draft)) return [];
  const choices = reportChoices(draft);
  const name = inputNames.figure(choices.report);
  const [first, ...others] = figuresInTime(choices).shown;
  return compact(
    textInput(
      inputNames.over,
      {
        label: 'How far back',
        hint: `${defaultOver} is the last 12 ended weeks, each by itself. Also d, m and q for days, months and quarters; ${minUnits} to ${maxUnits} of them.`,
      },
      textIn(draft.values, inputNames.over) || defaultOver,
      { maxLength: maxOverLength },
    ),
    first &&
      selectInput(
        name,
        'Figure of the line',
        [
          { value: noChoice, text: `${first.label} (default)` },
          ...others.map(({ id, label }) => ({ value: id, text: label })),
        ],
        choiceIn(draft, name),
      ),
  );
}

/** What the answer is compared with. */
export function comparisonInput(draft: BuilderDraft): AnyBlock[] {
  if (!hasPast(draft)) return [];
  const choices = [
    { value: noChoice, text: 'The period before (default)' },
    { value: 'last-year', text: 'The same time a year before' },
  ];
  return [selectInput(inputNames.against, 'Compare with', choices, choiceIn(draft, inputNames.against))];
}

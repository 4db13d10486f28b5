import type { AnyBlock } from '@slack/types';
import {
  essentialsWithManager,
  fieldOf,
  managerFlag,
  type Report,
  type ReportName,
  reportNamed,
} from '../../catalogue/index.js';
import { maxPurposeLength } from '../../requests/purpose.js';
import { compact } from '../../requests/text.js';
import { button, buttons } from '../messages/blocks.js';
import { type BuilderDraft, builderActions, choiceIn, inputNames, noChoice, reportChoices } from './draft.js';
import { listIn, multiSelectInput, radioInput, selectInput, textIn, textInput } from './inputs.js';
import { isOverTime } from './over-time.js';

interface Preset {
  readonly label: string;
  /** Undefined means the Essentials. */
  columns(report: Report): readonly string[] | undefined;
}

/** By the name in the button's action. */
export const presets: Readonly<Record<string, Preset>> = {
  essentials: { label: 'Essentials', columns: () => undefined },
  'with-manager': { label: 'With manager', columns: essentialsWithManager },
  everything: { label: 'Everything', columns: ({ fields }) => fields.map(({ flag }) => flag) },
};

/** The draft with the columns of a preset, which overwrite those in the form. */
export function withPreset(draft: BuilderDraft, name: string): BuilderDraft {
  const report = reportNamed(reportChoices(draft).report);
  const values = { ...draft.values, [inputNames.columns(report.name)]: presets[name]?.columns(report) };
  return { ...draft, values, presetsTaken: (draft.presetsTaken ?? 0) + 1 };
}

/** The block of the columns. Slack shows the columns of a preset only in a new block. */
export function columnsBlock(report: ReportName, { presetsTaken = 0 }: BuilderDraft): string {
  return inputNames.columns(report) + (presetsTaken === 0 ? '' : `#${presetsTaken}`);
}

/** Undefined means the Essentials. */
export function columnsIn({ values }: BuilderDraft, { name }: Report): readonly string[] | undefined {
  const columns = inputNames.columns(name);
  return values[columns] === undefined ? undefined : listIn(values, columns);
}

/**
 * The chosen columns, in the order in which they were picked. If the input still has the columns it had before, their
 * earlier order stays, even if Slack has sorted them like its options.
 */
export function pickedColumns(
  picked: readonly string[],
  before: readonly string[] | undefined,
  report: Report,
): readonly string[] | undefined {
  const known = picked.filter((flag) => fieldOf(report, flag));
  const shown = before ?? report.essentials;
  const offered = report.fields.map(({ flag }) => flag).filter((flag) => shown.includes(flag));
  return sameOrder(known, shown) || sameOrder(known, offered) ? before : known;
}

function sameOrder(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((flag, index) => flag === others[index]);
}

export function answerInputs(draft: BuilderDraft, report: Report, asksPurpose: boolean): AnyBlock[] {
  const groups = fieldGroups(report);
  const by = inputNames.by(report.name);
  const fileFor = textIn(draft.values, inputNames.fileFor);
  const hasRows = !isOverTime(draft);
  return compact(
    hasRows &&
      selectInput(
        by,
        'Break down by',
        [{ label: 'Default', choices: [{ value: noChoice, text: 'Default table' }] }, ...groups],
        choiceIn(draft, by),
      ),
    hasRows &&
      radioInput(
        inputNames.rows,
        'Answer',
        [
          { value: 'no', text: 'Summary' },
          {
            value: 'yes',
            text: 'Summary and rows',
            description: 'A table of rows takes the place of the chart',
          },
        ],
        choiceIn(draft, inputNames.rows) === 'yes' ? 'yes' : 'no',
      ),
    radioInput(
      inputNames.file,
      'File',
      [
        { value: noChoice, text: 'None' },
        { value: 'csv', text: 'CSV' },
        { value: 'xlsx', text: 'Excel' },
        {
          value: 'evidence',
          text: 'Evidence',
          description: 'A ZIP that proves the rows, in direct messages',
        },
      ],
      choiceIn(draft, inputNames.file),
    ),
    (asksPurpose || fileFor !== '') &&
      textInput(
        inputNames.fileFor,
        {
          label: 'What the file is for',
          hint: asksPurpose ? 'Files need a purpose. The record of access keeps it.' : undefined,
        },
        fileFor,
        { maxLength: maxPurposeLength, optional: true },
      ),
    hasRows &&
      multiSelectInput(
        columnsBlock(report.name, draft),
        {
          label: 'Columns of the rows',
          hint: 'In the order you pick them. Without a file, the answer shows the rows. Leave empty for the Essentials.',
          placeholder: 'Essentials',
        },
        groups,
        columnsIn(draft, report) ?? report.essentials,
      ),
    hasRows &&
      buttons(
        ...Object.entries(presets)
          .filter(([name]) => name !== 'with-manager' || fieldOf(report, managerFlag))
          .map(([name, { label }]) => ({
            ...button(`${builderActions.preset}${name}`, label, name),
            accessibility_label: `Columns: ${label}`,
          })),
      ),
  );
}

function fieldGroups({ fields }: Report) {
  const groups = new Map<string, { value: string; text: string }[]>();
  for (const { flag, label, group } of fields) {
    const choices = groups.get(group) ?? [];
    choices.push({ value: flag, text: label });
    groups.set(group, choices);
  }
  return [...groups].map(([label, choices]) => ({ label, choices }));
}

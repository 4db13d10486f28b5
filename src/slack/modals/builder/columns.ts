import type { AnyBlock } from '@slack/types';
import { essentialsWithManager, fieldOf, managerFlag, type Report } from '../../../catalogue/index.js';
import { compact } from '../../../requests/compact.js';
import { maxPurposeLength } from '../../../requests/purpose.js';
import { builderActions } from '../../ids.js';
import { button, buttons } from '../../messages/blocks.js';
import { type ChoiceGroup, multiSelectInput, radioInput, selectInput, textInput } from '../inputs.js';
import {
  type BuilderState,
  blockIdOf,
  inputNames,
  noChoice,
  reportChoices,
  withRedraw,
  withReportChoices,
} from './state.js';

export const presets = ['essentials', 'with-manager', 'everything'] as const;
export type Preset = (typeof presets)[number];

export function presetsOf(report: Report): readonly Preset[] {
  return fieldOf(report, managerFlag)
    ? ['essentials', 'with-manager', 'everything']
    : ['essentials', 'everything'];
}

/** The state with the columns of a preset, which overwrite those in the form. */
export function withPreset(state: BuilderState, report: Report, preset: Preset): BuilderState {
  const columns = columnsOfPreset(report, preset);
  return withRedraw(withReportChoices(state, { columns }), inputNames.columns(report.name));
}

/** Undefined means the Essentials. */
function columnsOfPreset(report: Report, preset: Preset): readonly string[] | undefined {
  if (preset === 'essentials') return undefined;
  if (preset === 'everything') return report.fields.map(({ flag }) => flag);
  return essentialsWithManager(report);
}

function shownColumns(state: BuilderState, report: Report): readonly string[] {
  return reportChoices(state).columns ?? report.essentials;
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

const presetLabels: Readonly<Record<Preset, string>> = {
  essentials: 'Essentials',
  'with-manager': 'With manager',
  everything: 'Everything',
};

/** The inputs for the breakdown, the rows, the file and their columns, with buttons for the presets. */
export function answerInputs(state: BuilderState, report: Report, asksPurpose: boolean): AnyBlock[] {
  const groups = fieldGroups(report);
  return compact(
    selectInput(
      inputNames.by(report.name),
      'Break down by',
      [{ label: 'Default', choices: [{ value: noChoice, text: 'Default table' }] }, ...groups],
      reportChoices(state).by ?? noChoice,
    ),
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
      state.showRows ? 'yes' : 'no',
    ),
    radioInput(
      inputNames.file,
      'File',
      [
        { value: noChoice, text: 'None' },
        { value: 'csv', text: 'CSV' },
        { value: 'xlsx', text: 'Excel' },
      ],
      state.file ?? noChoice,
    ),
    (asksPurpose || state.fileFor !== undefined) &&
      textInput(
        inputNames.fileFor,
        {
          label: 'What the file is for',
          hint: asksPurpose ? 'Files need a purpose. The record of access keeps it.' : undefined,
        },
        state.fileFor,
        { maxLength: maxPurposeLength, optional: true },
      ),
    multiSelectInput(
      blockIdOf(inputNames.columns(report.name), state),
      {
        label: 'Columns of the rows',
        hint: 'In the order you pick them. Without a file, the answer shows the rows. Leave empty for the Essentials.',
        placeholder: 'Essentials',
      },
      groups,
      shownColumns(state, report),
    ),
    buttons(
      ...presetsOf(report).map((preset) => ({
        ...button(`${builderActions.preset}${preset}`, presetLabels[preset], preset),
        accessibility_label: `Columns: ${presetLabels[preset]}`,
      })),
    ),
  );
}

/** All fields, in the groups of the catalogue. */
function fieldGroups({ fields }: Report): readonly ChoiceGroup[] {
  const groups = new Map<string, { value: string; text: string }[]>();
  for (const { flag, label, group } of fields) {
    const choices = groups.get(group) ?? [];
    choices.push({ value: flag, text: label });
    groups.set(group, choices);
  }
  return [...groups].map(([label, choices]) => ({ label, choices }));
}

import type { AnyBlock } from '@slack/types';
import type { Report } from '../../../catalogue/index.js';
import { builderActions } from '../../ids.js';
import { button, buttons } from '../../messages/blocks.js';
import { type ChoiceGroup, oneOf, radio, someOf } from '../inputs.js';
import { type Preset, presetsOf, shownColumns } from './columns.js';
import { drawnName, inputNames, noChoice } from './input-names.js';
import { type BuilderState, ofReport } from './state.js';

const presetWords: Readonly<Record<Preset, string>> = {
  essentials: 'Essentials',
  'with-manager': 'With manager',
  everything: 'Everything',
};

/** What the answer holds: its breakdown, and the columns of its file with presets for them. */
export function answerInputs(state: BuilderState, report: Report): AnyBlock[] {
  const groups = fieldGroups(report);
  return [
    oneOf(
      inputNames.by(report.name),
      { label: 'Break the summary down by' },
      [{ label: 'As usual', choices: [{ value: noChoice, text: 'The report’s own table' }] }, ...groups],
      ofReport(state).by ?? noChoice,
    ),
    radio(
      inputNames.csv,
      { label: 'Answer' },
      [
        { value: 'no', text: 'Summary' },
        { value: 'yes', text: 'Summary with the CSV file' },
      ],
      state.csv ? 'yes' : 'no',
    ),
    someOf(
      drawnName(inputNames.columns(report.name), state),
      {
        label: 'Columns of the file',
        hint: 'In the order you pick them. With none, the Essentials.',
        placeholder: 'The Essentials',
      },
      groups,
      shownColumns(state, report),
    ),
    buttons(
      ...presetsOf(report).map((preset) => ({
        ...button(`${builderActions.preset}${preset}`, presetWords[preset], preset),
        accessibility_label: `Columns: ${presetWords[preset]}`,
      })),
    ),
  ];
}

/** Every field under the heading that the catalogue gives it. */
function fieldGroups({ fields }: Report): readonly ChoiceGroup[] {
  const groups = new Map<string, { value: string; text: string }[]>();
  for (const { flag, label, group } of fields) {
    const choices = groups.get(group) ?? [];
    choices.push({ value: flag, text: label });
    groups.set(group, choices);
  }
  return [...groups].map(([label, choices]) => ({ label, choices }));
}

import type { AnyBlock } from '@slack/types';
import { fieldOf, type Report } from '../../../catalogue/index.js';
import { builderActions } from '../../ids.js';
import { button, buttons } from '../../messages/blocks.js';
import { type ChoiceGroup, multiSelectInput, radioInput, selectInput } from '../inputs.js';
import {
  type BuilderState,
  blockIdOf,
  inputNames,
  noChoice,
  reportChoices,
  withRedraw,
  withReportChoices,
} from './state.js';

export type Preset = 'essentials' | 'with-manager' | 'everything';

const managerFlag = 'manager_email';

/** The presets that a report has. */
export function presetsOf(report: Report): readonly Preset[] {
  return fieldOf(report, managerFlag)
    ? ['essentials', 'with-manager', 'everything']
    : ['essentials', 'everything'];
}

/** The state with a preset's columns, to be drawn over those that are shown. */
export function withPreset(state: BuilderState, report: Report, preset: Preset): BuilderState {
  const columns = columnsOfPreset(report, preset);
  return withRedraw(withReportChoices(state, { columns }), inputNames.columns(report.name));
}

/** Essentials are what holds when nothing is chosen. */
function columnsOfPreset(report: Report, preset: Preset): readonly string[] | undefined {
  if (preset === 'essentials') return undefined;
  if (preset === 'everything') return report.fields.map(({ flag }) => flag);
  const { essentials } = report;
  const place = essentials.indexOf('email') + 1;
  return [...essentials.slice(0, place), managerFlag, ...essentials.slice(place)];
}

/** The columns that stand in the input. */
function shownColumns(state: BuilderState, report: Report): readonly string[] {
  return reportChoices(state).columns ?? report.essentials;
}

/**
 * The columns after the input was seen with these in it. Their order is the one in which they were picked. Where the
 * same ones stand in it as before, they were not touched, and keep the order they had, also should Slack have sorted
 * them as they are offered.
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
  return some.length === others.length && some.every((flag, place) => flag === others[place]);
}

const presetLabels: Readonly<Record<Preset, string>> = {
  essentials: 'Essentials',
  'with-manager': 'With manager',
  everything: 'Everything',
};

/** What the answer holds: its breakdown, and the columns of its file with presets for them. */
export function answerInputs(state: BuilderState, report: Report): AnyBlock[] {
  const groups = fieldGroups(report);
  return [
    selectInput(
      inputNames.by(report.name),
      { label: 'Break the summary down by' },
      [{ label: 'Default', choices: [{ value: noChoice, text: 'The report’s own table' }] }, ...groups],
      reportChoices(state).by ?? noChoice,
    ),
    radioInput(
      inputNames.csv,
      { label: 'Answer' },
      [
        { value: 'no', text: 'Summary' },
        { value: 'yes', text: 'Summary with the CSV file' },
      ],
      state.csv ? 'yes' : 'no',
    ),
    multiSelectInput(
      blockIdOf(inputNames.columns(report.name), state),
      {
        label: 'Columns of the file',
        hint: 'In the order you pick them. Leave empty for the Essentials.',
        placeholder: 'The Essentials',
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

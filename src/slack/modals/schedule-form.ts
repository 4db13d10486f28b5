import type { ViewOutput } from '@slack/bolt';
import type { InputBlock, ModalView, PlainTextOption } from '@slack/types';
import { dayNames } from '../../requests/cadence-words.js';
import { compact } from '../../requests/compact.js';
import { weekdays } from '../../schedule/cadence.js';
import { parseKeepDays } from '../../schedule/keep-days.js';
import { digestActions, digestInputs, digestViews } from '../ids.js';
import { button, buttons, plainText, section } from '../messages/blocks.js';
import { type CadenceChoices, cadenceKinds, choicesFromCadence, inputsOfKind } from './cadence-choices.js';

/** The values of the schedule form. */
export interface ScheduleFormState {
  readonly choices: CadenceChoices;
  readonly skipEmpty: boolean;
  readonly replace?: boolean | undefined;
  /** After so many days, its messages and files are deleted. Absent: they stay. */
  readonly keepDays?: number | undefined;
  /** Absent: the direct messages with the bot. */
  readonly channel?: string;
}

/** The form that schedules an answer: how often and in which channel. */
export function scheduleForm(
  answer: string,
  { choices, channel, ...digestOptions }: ScheduleFormState,
): ModalView {
  return {
    type: 'modal',
    callback_id: digestViews.cadence,
    private_metadata: answer,
    title: plainText('Schedule'),
    submit: plainText('Show next times'),
    close: plainText('Cancel'),
    blocks: [
      section('You can check the next three times before anything is saved.'),
      ...cadenceInputs(choices, (choice) => ({ block: digestInputs[choice], action: digestInputs[choice] })),
      channelInput(digestInputs.channel, digestInputs.channel, channel),
      ...digestOptionInputs(digestOptions, (name) => ({
        block: digestInputs[name],
        action: digestInputs[name],
      })),
      buttons(button(digestActions.testForm, 'Send me a test', answer)),
    ],
  };
}

/** The input for the channel of a digest. */
export function channelInput(block: string, action: string, channel: string | undefined): InputBlock {
  return input(
    block,
    'Channel (leave empty for your direct messages)',
    {
      type: 'conversations_select',
      action_id: action,
      filter: { include: ['public', 'private'], exclude_bot_users: true },
      initial_conversation: channel,
    },
    true,
  );
}

type DigestOptions = Pick<ScheduleFormState, 'skipEmpty' | 'replace' | 'keepDays'>;

/** The inputs that leave out digests without results, and delete what is old. */
export function digestOptionInputs(
  { skipEmpty, replace, keepDays }: DigestOptions,
  ids: (name: 'skipEmpty' | 'keepDays') => { readonly block: string; readonly action: string },
): InputBlock[] {
  const chosen = compact(skipEmpty && skip, replace && replaceLast);
  const options: InputBlock['element'] = {
    type: 'checkboxes',
    action_id: ids('skipEmpty').action,
    options: [skip, replaceLast],
    initial_options: chosen.length > 0 ? chosen : undefined,
  };
  return [
    input(ids('skipEmpty').block, 'Options', options, true),
    keepDaysInput(ids('keepDays'), 'Delete messages and files after (days)', keepDays),
  ];
}

const skip = option('skip', 'Skip when there are no results');
const replaceLast = option('replace', 'Delete the last message when the next one is posted');

/** Reads the values of the inputs. Slack itself checks the number of days. */
export function readDigestOptions(checked: readonly unknown[], keepDays: string): DigestOptions {
  return {
    skipEmpty: checked.includes('skip'),
    replace: checked.includes('replace'),
    keepDays: parseKeepDays(keepDays),
  };
}

/** An optional input for a number of days. */
export function keepDaysInput(
  { block, action }: { readonly block: string; readonly action: string },
  label: string,
  days: number | undefined,
): InputBlock {
  const element: InputBlock['element'] = {
    type: 'number_input',
    action_id: action,
    is_decimal_allowed: false,
    min_value: '1',
    max_value: '365',
    initial_value: days === undefined ? undefined : String(days),
  };
  return { ...input(block, label, element, true), hint: plainText('Leave empty to keep them.') };
}

function input(block: string, label: string, element: InputBlock['element'], optional = false): InputBlock {
  return {
    type: 'input',
    block_id: block,
    label: plainText(label),
    element,
    optional,
  };
}

/** The block ID and action ID of each input. */
export type InputIds = (choice: keyof CadenceChoices) => { readonly block: string; readonly action: string };

const kinds = Object.entries(cadenceKinds).map(([value, text]) => option(value, text));
const days = weekdays.map((name) => option(name, dayNames[name]));
const monthDays = [
  ...Array.from({ length: 31 }, (_, i) => option(String(i + 1), String(i + 1))),
  option('last', 'The last day'),
];

/**
 * The inputs for how often, on which days, at what time and in which time zone. They depend on the chosen kind of
 * cadence, so the input for the kind dispatches an action that updates the form.
 */
export function cadenceInputs(choices: CadenceChoices, ids: InputIds): InputBlock[] {
  const shown = inputsOfKind(choices.kind);
  return compact(
    kindInput(choices, ids),
    shown.includes('days') && daysInput(choices, ids),
    shown.includes('day') && dayInput(choices, ids),
    shown.includes('time') && timeInput(choices, ids),
    shown.includes('words') && wordsInput(choices, ids),
    zoneInput(choices, ids),
  );
}

function kindInput(choices: CadenceChoices, ids: InputIds): InputBlock {
  const chosen = kinds.find(({ value }) => value === choices.kind);
  const element: InputBlock['element'] = {
    type: 'static_select',
    action_id: ids('kind').action,
    options: kinds,
    initial_option: chosen,
  };
  return { ...cadenceInput(ids('kind'), 'How often', element), dispatch_action: true };
}

function daysInput(choices: CadenceChoices, ids: InputIds): InputBlock {
  const chosen = days.filter(({ value }) => choices.days.includes(value ?? ''));
  return cadenceInput(ids('days'), 'Days of the week', {
    type: 'multi_static_select',
    action_id: ids('days').action,
    options: days,
    initial_options: chosen.length > 0 ? chosen : undefined,
  });
}

function dayInput({ kind, day }: CadenceChoices, ids: InputIds): InputBlock {
  const offered = kind === 'quarterly' ? monthDays.filter(({ value }) => value !== 'last') : monthDays;
  const chosen = offered.find(({ value }) => value === day);
  const element: InputBlock['element'] = {
    type: 'static_select',
    action_id: ids('day').action,
    options: offered,
    initial_option: chosen,
  };
  return cadenceInput(
    ids('day'),
    'Day of the month',
    element,
    'In shorter months, the 31st means the last day.',
  );
}

function timeInput({ time }: CadenceChoices, ids: InputIds): InputBlock {
  return cadenceInput(ids('time'), 'Time', {
    type: 'timepicker',
    action_id: ids('time').action,
    initial_time: time,
  });
}

function wordsInput({ words }: CadenceChoices, ids: InputIds): InputBlock {
  const element: InputBlock['element'] = {
    type: 'plain_text_input',
    action_id: ids('words').action,
    max_length: 150,
    initial_value: words || undefined,
  };
  const examples = 'For example: every 3 weeks fri 16:00, monthly last fri 15:00, or cron "0 9 * * 1-5".';
  return cadenceInput(ids('words'), 'Custom schedule', element, examples);
}

function zoneInput({ zone }: CadenceChoices, ids: InputIds): InputBlock {
  const element: InputBlock['element'] = {
    type: 'plain_text_input',
    action_id: ids('zone').action,
    max_length: 60,
    initial_value: zone || undefined,
  };
  const hint = 'For example: Europe/Berlin or America/New_York. Leave empty to use your own.';
  // Optional, because not every form knows the reader's zone when it is built.
  return { ...cadenceInput(ids('zone'), 'Time zone', element, hint), optional: true };
}

function cadenceInput(
  { block }: ReturnType<InputIds>,
  label: string,
  element: InputBlock['element'],
  hint?: string,
): InputBlock {
  return {
    type: 'input',
    block_id: block,
    label: plainText(label),
    element,
    hint: hint ? plainText(hint) : undefined,
  };
}

function option(value: string, text: string): PlainTextOption {
  return { text: plainText(text), value };
}

/** Reads the schedule form. Inputs that it does not show have their default values. */
export function readScheduleForm({ state }: Pick<ViewOutput, 'state'>): ScheduleFormState {
  const inputOf = (name: string) => state.values[name]?.[name];
  const defaults = choicesFromCadence(undefined, '');
  const days = inputOf(digestInputs.days)?.selected_options?.map(({ value }) => value);
  const channel = inputOf(digestInputs.channel)?.selected_conversation;
  return {
    choices: {
      kind: inputOf(digestInputs.kind)?.selected_option?.value ?? defaults.kind,
      days: days ?? defaults.days,
      day: inputOf(digestInputs.day)?.selected_option?.value ?? defaults.day,
      time: inputOf(digestInputs.time)?.selected_time ?? defaults.time,
      zone: inputOf(digestInputs.zone)?.value ?? '',
      words: inputOf(digestInputs.words)?.value ?? '',
    },
    ...readDigestOptions(
      (inputOf(digestInputs.skipEmpty)?.selected_options ?? []).map(({ value }) => value),
      inputOf(digestInputs.keepDays)?.value ?? '',
    ),
    channel: channel ?? undefined,
  };
}

import type { ViewOutput } from '@slack/bolt';
import type { InputBlock, ModalView, PlainTextOption } from '@slack/types';
import type { DigestDraft } from '../../digests/digest.js';
import { dayNames, formatCadence } from '../../requests/cadence-words.js';
import { type Schedule, weekdays } from '../../schedule/cadence.js';
import { scheduleFrom } from '../../schedule/next-runs.js';
import type { Store } from '../../store/store.js';
import { digestActions, digestInputs, digestViews } from '../ids.js';
import { button, buttons, plainText, section } from '../messages/blocks.js';
import { type CadenceChoices, cadenceKinds, choicesFromCadence, inputsOfKind } from './cadence-choices.js';

/** What stands in the light form. */
export interface ScheduleFormState {
  readonly choices: CadenceChoices;
  readonly skipEmpty: boolean;
  /** Absent: the direct messages with the bot. */
  readonly channel?: string;
}

/** The light form for how often an answer is to come, and where to. */
export function scheduleForm(
  requestId: string,
  { choices, channel, skipEmpty }: ScheduleFormState,
): ModalView {
  return {
    type: 'modal',
    callback_id: digestViews.cadence,
    private_metadata: requestId,
    title: plainText('Schedule'),
    submit: plainText('Show next times'),
    close: plainText('Cancel'),
    blocks: [
      section(plainText('You see the next three times before anything is saved.')),
      ...cadenceInputs(choices, (choice) => ({ block: digestInputs[choice], action: digestInputs[choice] })),
      channelInput(digestInputs.channel, digestInputs.channel, channel),
      skipEmptyInput(digestInputs.skipEmpty, digestInputs.skipEmpty, skipEmpty),
      buttons(button(digestActions.testForm, 'Send me a test', requestId)),
    ],
  };
}

/** Where a digest goes. */
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

/** Whether times at which nothing is found are left out. */
export function skipEmptyInput(block: string, action: string, skipEmpty: boolean): InputBlock {
  const element: InputBlock['element'] = {
    type: 'checkboxes',
    action_id: action,
    options: [skip],
    initial_options: skipEmpty ? [skip] : undefined,
  };
  return input(block, 'Options', element, true);
}

const skip: PlainTextOption = { text: plainText('Skip when there are no results'), value: 'skip' };

function input(block: string, label: string, element: InputBlock['element'], optional = false): InputBlock {
  return {
    type: 'input',
    block_id: block,
    label: plainText(label),
    element,
    optional,
  };
}

/** The block and the action of each picker. */
export type InputIds = (choice: keyof CadenceChoices) => { readonly block: string; readonly action: string };

const kinds = Object.entries(cadenceKinds).map(([value, text]) => option(value, text));
const days = weekdays.map((name) => option(name, dayNames[name]));
const monthDays = [
  ...Array.from({ length: 31 }, (_, i) => option(String(i + 1), String(i + 1))),
  option('last', 'The last day'),
];

/**
 * How often, on which days, when and where the clocks hang. Only what belongs to the chosen kind is there, so that the
 * form has to be drawn anew when another one is chosen: that input tells.
 */
export function cadenceInputs(choices: CadenceChoices, name: InputIds): InputBlock[] {
  const belongs = inputsOfKind(choices.kind);
  return [
    kindInput(choices, name),
    ...(belongs.includes('days') ? [daysInput(choices, name)] : []),
    ...(belongs.includes('day') ? [dayInput(choices, name)] : []),
    ...(belongs.includes('time') ? [timeInput(choices, name)] : []),
    ...(belongs.includes('words') ? [wordsInput(choices, name)] : []),
    zoneInput(choices, name),
  ];
}

function kindInput(choices: CadenceChoices, name: InputIds): InputBlock {
  const chosen = kinds.find(({ value }) => value === choices.kind);
  const element: InputBlock['element'] = {
    type: 'static_select',
    action_id: name('kind').action,
    options: kinds,
    initial_option: chosen,
  };
  return { ...cadenceInput(name('kind'), 'How often', element), dispatch_action: true };
}

function daysInput(choices: CadenceChoices, name: InputIds): InputBlock {
  const chosen = days.filter(({ value }) => choices.days.includes(value ?? ''));
  return cadenceInput(name('days'), 'Days of the week', {
    type: 'multi_static_select',
    action_id: name('days').action,
    options: days,
    initial_options: chosen.length > 0 ? chosen : undefined,
  });
}

function dayInput({ kind, day }: CadenceChoices, name: InputIds): InputBlock {
  const offered = kind === 'quarterly' ? monthDays.filter(({ value }) => value !== 'last') : monthDays;
  const chosen = offered.find(({ value }) => value === day);
  const element: InputBlock['element'] = {
    type: 'static_select',
    action_id: name('day').action,
    options: offered,
    initial_option: chosen,
  };
  return cadenceInput(
    name('day'),
    'Day of the month',
    element,
    'In shorter months the 31st means the last day.',
  );
}

function timeInput({ time }: CadenceChoices, name: InputIds): InputBlock {
  return cadenceInput(name('time'), 'Time', {
    type: 'timepicker',
    action_id: name('time').action,
    initial_time: time,
  });
}

function wordsInput({ words }: CadenceChoices, name: InputIds): InputBlock {
  const element: InputBlock['element'] = {
    type: 'plain_text_input',
    action_id: name('words').action,
    max_length: 150,
    initial_value: words || undefined,
  };
  const examples = 'For example every 3 weeks fri 16:00, monthly last fri 15:00 or cron "0 9 * * 1-5".';
  return cadenceInput(name('words'), 'In words', element, examples);
}

function zoneInput({ zone }: CadenceChoices, name: InputIds): InputBlock {
  const element: InputBlock['element'] = {
    type: 'plain_text_input',
    action_id: name('zone').action,
    max_length: 60,
    initial_value: zone || undefined,
  };
  const hint = 'A name such as Europe/Berlin or America/New_York. Leave empty for your own.';
  // An empty one means the reader's own, which not every form knows while it is drawn.
  return { ...cadenceInput(name('zone'), 'Time zone', element, hint), optional: true };
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

/**
 * When a draft would come. One that leaves how often as it was goes on as it did; and as long as it comes every so many
 * weeks, it goes on counting them from where it began, whatever day and time it gets.
 */
export async function scheduleFor(
  { cadence, zone, changes }: DigestDraft,
  { digests }: Pick<Store, 'digests'>,
  now: number,
): Promise<Schedule> {
  const before = changes && (await digests.find(changes.id))?.schedule;
  const isSame = before?.zone === zone && formatCadence(before.cadence) === formatCadence(cadence);
  if (isSame) return before;
  const schedule = scheduleFrom(cadence, zone, now);
  const counted = before?.cadence;
  const goesOn =
    counted?.kind === 'every-weeks' && cadence.kind === 'every-weeks' && counted.weeks === cadence.weeks;
  return before && goesOn ? { ...schedule, firstDay: before.firstDay } : schedule;
}

/** What stands in the light form; what it does not show at the moment is as it is in a new one. */
export function readScheduleForm({ state }: Pick<ViewOutput, 'state'>): ScheduleFormState {
  const held = (name: string) => state.values[name]?.[name];
  const usual = choicesFromCadence(undefined, '');
  const days = held(digestInputs.days)?.selected_options?.map(({ value }) => value);
  const channel = held(digestInputs.channel)?.selected_conversation;
  return {
    choices: {
      kind: held(digestInputs.kind)?.selected_option?.value ?? usual.kind,
      days: days ?? usual.days,
      day: held(digestInputs.day)?.selected_option?.value ?? usual.day,
      time: held(digestInputs.time)?.selected_time ?? usual.time,
      zone: held(digestInputs.zone)?.value ?? '',
      words: held(digestInputs.words)?.value ?? '',
    },
    skipEmpty: (held(digestInputs.skipEmpty)?.selected_options ?? []).length > 0,
    channel: channel ?? undefined,
  };
}

import type { InputBlock, PlainTextOption } from '@slack/types';
import { dayNames } from '../../requests/say-cadence.js';
import { weekdays } from '../../schedule/cadence.js';
import { plain } from '../messages/blocks.js';
import { type CadenceChoices, cadenceKinds, choicesOf } from './cadence-choices.js';

/** The block and the action of each picker. */
export type NameInput = (choice: keyof CadenceChoices) => { readonly block: string; readonly action: string };

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
export function cadenceInputs(choices: CadenceChoices, name: NameInput): InputBlock[] {
  const belongs = choicesOf(choices.kind);
  return [
    kindInput(choices, name),
    ...(belongs.includes('days') ? [daysInput(choices, name)] : []),
    ...(belongs.includes('day') ? [dayInput(choices, name)] : []),
    ...(belongs.includes('time') ? [timeInput(choices, name)] : []),
    ...(belongs.includes('words') ? [wordsInput(choices, name)] : []),
    zoneInput(choices, name),
  ];
}

function kindInput(choices: CadenceChoices, name: NameInput): InputBlock {
  const chosen = kinds.find(({ value }) => value === choices.kind);
  const element: InputBlock['element'] = {
    type: 'static_select',
    action_id: name('kind').action,
    options: kinds,
    ...(chosen ? { initial_option: chosen } : {}),
  };
  return { ...input(name('kind'), 'How often', element), dispatch_action: true };
}

function daysInput(choices: CadenceChoices, name: NameInput): InputBlock {
  const chosen = days.filter(({ value }) => choices.days.includes(value ?? ''));
  return input(name('days'), 'Days of the week', {
    type: 'multi_static_select',
    action_id: name('days').action,
    options: days,
    ...(chosen.length > 0 ? { initial_options: chosen } : {}),
  });
}

function dayInput({ kind, day }: CadenceChoices, name: NameInput): InputBlock {
  const offered = kind === 'quarterly' ? monthDays.filter(({ value }) => value !== 'last') : monthDays;
  const chosen = offered.find(({ value }) => value === day);
  const element: InputBlock['element'] = {
    type: 'static_select',
    action_id: name('day').action,
    options: offered,
    ...(chosen ? { initial_option: chosen } : {}),
  };
  return input(name('day'), 'Day of the month', element, 'The 31st of a shorter month is its last day.');
}

function timeInput({ time }: CadenceChoices, name: NameInput): InputBlock {
  return input(name('time'), 'Time', {
    type: 'timepicker',
    action_id: name('time').action,
    initial_time: time,
  });
}

function wordsInput({ words }: CadenceChoices, name: NameInput): InputBlock {
  const element: InputBlock['element'] = {
    type: 'plain_text_input',
    action_id: name('words').action,
    max_length: 150,
    ...(words === '' ? {} : { initial_value: words }),
  };
  const examples = 'For example every 3 weeks fri 16:00, monthly last fri 15:00 or cron "0 9 * * 1-5".';
  return input(name('words'), 'In words', element, examples);
}

function zoneInput({ zone }: CadenceChoices, name: NameInput): InputBlock {
  const element: InputBlock['element'] = {
    type: 'plain_text_input',
    action_id: name('zone').action,
    max_length: 60,
    ...(zone === '' ? {} : { initial_value: zone }),
  };
  const hint = 'An IANA name, such as Europe/Berlin or America/New_York. Empty: your own.';
  // An empty one means the reader's own, which not every form knows while it is drawn.
  return { ...input(name('zone'), 'Time zone', element, hint), optional: true };
}

function input(
  { block }: ReturnType<NameInput>,
  label: string,
  element: InputBlock['element'],
  hint?: string,
): InputBlock {
  return {
    type: 'input',
    block_id: block,
    label: plain(label),
    element,
    ...(hint ? { hint: plain(hint) } : {}),
  };
}

function option(value: string, text: string): PlainTextOption {
  return { text: plain(text), value };
}

import type { InputBlock, PlainTextOption } from '@slack/types';
import { weekdays } from '../../digests/cadence.js';
import { type CadenceChoices, cadenceKinds } from '../digests/cadence-choices.js';
import { plain } from './parts/blocks.js';

/** The block and the action of each picker. */
export type NameInput = (choice: keyof CadenceChoices) => { readonly block: string; readonly action: string };

const dayNames: Readonly<Record<string, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

const kinds = Object.entries(cadenceKinds).map(([value, text]) => option(value, text));
const days = weekdays.map((name) => option(name, dayNames[name] ?? name));
const monthDays = [
  ...Array.from({ length: 31 }, (_, i) => option(String(i + 1), String(i + 1))),
  option('last', 'The last day'),
];

/** How often, on which days, when and where the clocks hang. */
export function cadenceInputs(choices: CadenceChoices, name: NameInput): InputBlock[] {
  const kind = kinds.find(({ value }) => value === choices.kind);
  const day = monthDays.find(({ value }) => value === choices.day);
  const chosenDays = days.filter(({ value }) => choices.days.includes(value ?? ''));
  const input = (
    choice: keyof CadenceChoices,
    label: string,
    element: (action: string) => InputBlock['element'],
    { optional = false, hint }: { optional?: boolean; hint?: string } = {},
  ): InputBlock => ({
    type: 'input',
    block_id: name(choice).block,
    label: plain(label),
    element: element(name(choice).action),
    ...(optional ? { optional } : {}),
    ...(hint ? { hint: plain(hint) } : {}),
  });
  return [
    input('kind', 'How often', (action_id) => ({
      type: 'static_select',
      action_id,
      options: kinds,
      ...(kind ? { initial_option: kind } : {}),
    })),
    input(
      'days',
      'Days of the week',
      (action_id) => ({
        type: 'multi_static_select',
        action_id,
        options: days,
        ...(chosenDays.length > 0 ? { initial_options: chosenDays } : {}),
      }),
      { optional: true },
    ),
    input(
      'day',
      'Day of the month',
      (action_id) => ({
        type: 'static_select',
        action_id,
        options: monthDays,
        ...(day ? { initial_option: day } : {}),
      }),
      { optional: true, hint: 'The 31st of a shorter month is its last day.' },
    ),
    input('time', 'Time', (action_id) => ({
      type: 'timepicker',
      action_id,
      initial_time: choices.time,
    })),
    input(
      'zone',
      'Time zone',
      (action_id) => ({
        type: 'plain_text_input',
        action_id,
        max_length: 60,
        ...(choices.zone === '' ? {} : { initial_value: choices.zone }),
      }),
      {
        // Where nobody knows the reader's own zone yet, an empty one means it.
        optional: choices.zone === '',
        hint: 'An IANA name, such as Europe/Berlin or America/New_York. Empty: your own.',
      },
    ),
    input(
      'words',
      'Or in words',
      (action_id) => ({
        type: 'plain_text_input',
        action_id,
        max_length: 150,
        ...(choices.words === '' ? {} : { initial_value: choices.words }),
      }),
      {
        optional: true,
        hint: 'For example every 2 weeks fri 16:00, monthly last fri 15:00 or cron "0 9 * * 1-5".',
      },
    ),
  ];
}

function option(value: string, text: string): PlainTextOption {
  return { text: plain(text), value };
}

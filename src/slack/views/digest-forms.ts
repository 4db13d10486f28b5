import type { InputBlock, ModalView, PlainTextOption } from '@slack/types';
import { weekdays } from '../../digests/cadence.js';
import type { DigestDraft } from '../../digests/draft.js';
import { sayCadence } from '../../language/index.js';
import { digestInputs, digestViews } from '../digest-ids.js';
import { plain, section } from './parts/blocks.js';

/** What the form can say without words; anything else is said in words. */
export const cadenceKinds = {
  daily: 'Every day',
  weekdays: 'Monday to Friday',
  weekly: 'Every week, on these days',
  'every-2-weeks': 'Every 2 weeks, on these days',
  monthly: 'Every month, on this day',
  quarterly: 'Every quarter, on this day of its first month',
  hourly: 'Every hour',
  words: 'As in my words below',
} as const;

export type CadenceKind = keyof typeof cadenceKinds;

const dayNames: Readonly<Record<string, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

/** What stands in the form when it opens. */
export type FormFacts = Pick<DigestDraft, 'zone' | 'skipEmpty'> & {
  readonly cadence?: DigestDraft['cadence'];
  /** Absent: the direct messages with the bot. */
  readonly channel?: string;
};

/** The form for how often a digest comes, and where to. */
export function cadenceForm(metadata: string, facts: FormFacts): ModalView {
  const { cadence, zone, channel, skipEmpty } = facts;
  const kind = kindOf(cadence);
  const days = cadence && 'days' in cadence ? cadence.days : ['mon' as const];
  const day = cadence && 'day' in cadence ? String(cadence.day) : '1';
  const kinds = Object.entries(cadenceKinds).map(([value, text]) => option(value, text));
  return {
    type: 'modal',
    callback_id: digestViews.cadence,
    private_metadata: metadata,
    title: plain('Schedule'),
    submit: plain('Show next times'),
    close: plain('Cancel'),
    blocks: [
      section(plain('Nothing is saved yet: you see the next three times first.')),
      input(digestInputs.kind, 'How often', {
        type: 'static_select',
        action_id: digestInputs.kind,
        options: kinds,
        initial_option: option(kind, cadenceKinds[kind]),
      }),
      input(
        digestInputs.days,
        'Days of the week',
        {
          type: 'multi_static_select',
          action_id: digestInputs.days,
          options: weekdays.map((name) => option(name, dayNames[name] ?? name)),
          initial_options: days.map((name) => option(name, dayNames[name] ?? name)),
        },
        true,
      ),
      input(
        digestInputs.dayOfMonth,
        'Day of the month',
        {
          type: 'static_select',
          action_id: digestInputs.dayOfMonth,
          options: monthDays,
          initial_option:
            cadence?.kind === 'monthly-last' ? option('last', 'The last day') : option(day, day),
        },
        true,
      ),
      input(digestInputs.time, 'Time', {
        type: 'timepicker',
        action_id: digestInputs.time,
        initial_time: cadence && 'time' in cadence ? cadence.time : '09:00',
      }),
      {
        ...input(digestInputs.zone, 'Time zone', {
          type: 'plain_text_input',
          action_id: digestInputs.zone,
          initial_value: zone,
          max_length: 60,
        }),
        hint: plain('An IANA name, such as Europe/Berlin or America/New_York.'),
      },
      {
        ...input(
          digestInputs.words,
          'Or in words',
          {
            type: 'plain_text_input',
            action_id: digestInputs.words,
            max_length: 150,
            ...(cadence && kind === 'words' ? { initial_value: sayCadence(cadence) } : {}),
          },
          true,
        ),
        hint: plain('For example every 2 weeks fri 16:00, monthly last fri 15:00 or cron "0 9 * * 1-5".'),
      },
      input(
        digestInputs.channel,
        'Channel; leave it empty for your direct messages with me',
        {
          type: 'conversations_select',
          action_id: digestInputs.channel,
          filter: { include: ['public', 'private'], exclude_bot_users: true },
          ...(channel === undefined ? {} : { initial_conversation: channel }),
        },
        true,
      ),
      input(
        digestInputs.skipEmpty,
        'Options',
        {
          type: 'checkboxes',
          action_id: digestInputs.skipEmpty,
          options: [skipEmptyOption],
          ...(skipEmpty ? { initial_options: [skipEmptyOption] } : {}),
        },
        true,
      ),
    ],
  };
}

/** The form for a digest's new owner. */
export function handOverForm(digestId: string): ModalView {
  return {
    type: 'modal',
    callback_id: digestViews.handOver,
    private_metadata: digestId,
    title: plain('Hand over'),
    submit: plain('Hand over'),
    close: plain('Cancel'),
    blocks: [
      section(plain('It runs with the rights of its new owner, who has to be a member of its channel.')),
      input(digestInputs.owner, 'New owner', { type: 'users_select', action_id: digestInputs.owner }),
    ],
  };
}

const skipEmptyOption = option('skip', 'Leave out times at which nothing is found');

const monthDays = [
  ...Array.from({ length: 31 }, (_, i) => option(String(i + 1), String(i + 1))),
  option('last', 'The last day'),
];

function kindOf(cadence: FormFacts['cadence']): CadenceKind {
  if (!cadence) return 'weekly';
  if (cadence.kind === 'every-weeks') return cadence.weeks === 2 ? 'every-2-weeks' : 'words';
  if (cadence.kind === 'monthly-last') return 'monthly';
  if (cadence.kind === 'hourly') return cadence.minute === 0 ? 'hourly' : 'words';
  return cadence.kind === 'monthly-weekday' || cadence.kind === 'cron' ? 'words' : cadence.kind;
}

function option(value: string, text: string): PlainTextOption {
  return { text: plain(text), value };
}

function input(name: string, label: string, element: InputBlock['element'], optional = false): InputBlock {
  return { type: 'input', block_id: name, label: plain(label), element, ...(optional ? { optional } : {}) };
}

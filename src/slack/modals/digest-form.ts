import type { AnyBlock, ModalView } from '@slack/types';
import type { DigestDraft } from '../../digests/digest.js';
import { ok, type Result, refused } from '../../errors/result.js';
import { dayNames } from '../../requests/calendar-words.js';
import { compact } from '../../requests/compact.js';
import type { Asker } from '../../requests/request.js';
import { parseKeepDays } from '../../schedule/keep-days.js';
import { weekdays } from '../../schedule/weekdays.js';
import { type ValidatedDigest, validateDigest } from '../digests/validate.js';
import { digestActions, digestViews, digestInputs as ids } from '../ids.js';
import type { ListenerParts } from '../listeners/context.js';
import { button, buttons, section } from '../messages/blocks.js';
import {
  type CadenceChoices,
  cadenceKinds,
  choicesFromCadence,
  inputsOfKind,
  parseCadenceChoices,
} from './cadence-choices.js';
import { form } from './forms.js';
import {
  channelInput,
  daysInput,
  type InputId,
  type InputValue,
  input,
  multiSelectInput,
  named,
  optionsFor,
  readInputs,
  selectInput,
  textInput,
} from './inputs.js';
import { type AcknowledgeDeadline, resultBy } from './modal.js';

/** The fields of a digest. The form under an answer and the builder both have them. */
export const digestFields = [
  'kind',
  'days',
  'day',
  'time',
  'zone',
  'words',
  'channel',
  'skip-empty',
  'keep-days',
] as const;

export type DigestField = (typeof digestFields)[number];

/** The values of the fields. Absent: the default. Null: empty. */
export type DigestValues = Readonly<Partial<Record<DigestField, InputValue | undefined>>>;

type FilledIn = Pick<DigestDraft, 'cadence' | 'zone' | 'channel' | 'skipEmpty' | 'replace' | 'keepDays'>;

/** The values for a digest, or for what is known of one. */
export function valuesOfDigest({ cadence, zone, channel, ...options }: Partial<FilledIn>): DigestValues {
  return {
    ...(cadence && choicesFromCadence(cadence, '')),
    zone: zone ?? null,
    channel: channel?.startsWith('D') ? null : channel,
    'skip-empty': compact(options.skipEmpty && 'skip', options.replace && 'replace'),
    'keep-days': options.keepDays ? String(options.keepDays) : null,
  };
}

const days = weekdays.map((value) => ({ value, text: dayNames[value] }));
const monthDays = [
  ...Array.from({ length: 31 }, (_, i) => ({ value: String(i + 1), text: String(i + 1) })),
  { value: 'last', text: 'The last day' },
];
const options = [
  { value: 'skip', text: 'Skip when there are no results' },
  { value: 'replace', text: 'Delete the last message when the next one is posted' },
];

/**
 * The inputs for how often and when, which depend on the chosen kind of cadence, for the channel and the options, with
 * a button that sends a test.
 */
export function digestInputs(
  values: DigestValues,
  idOf: (field: DigestField) => InputId,
  about: string,
): AnyBlock[] {
  const { kind, day, time, words, zone, days: chosenDays } = cadenceChoicesIn(values, '');
  const shown = inputsOfKind(kind);
  return compact(
    selectInput(idOf('kind'), 'How often', cadenceKinds, kind, { dispatches: true }),
    shown.includes('days') &&
      multiSelectInput(idOf('days'), 'Days of the week', days, chosenDays, { optional: false }),
    shown.includes('day') &&
      selectInput(
        idOf('day'),
        { label: 'Day of the month', hint: 'In shorter months, the 31st means the last day.' },
        monthDays.filter(({ value }) => kind !== 'quarterly' || value !== 'last'),
        day,
      ),
    shown.includes('time') && input(idOf('time'), 'Time', { type: 'timepicker', initial_time: time }),
    shown.includes('words') &&
      textInput(idOf('words'), { label: 'Custom schedule', hint: examples }, words, { maxLength: 150 }),
    // Optional, because not every form knows the reader's zone when it is built.
    textInput(idOf('zone'), { label: 'Time zone', hint: zoneHint }, zone, { maxLength: 60, optional: true }),
    channelInput(idOf('channel'), 'Channel (leave empty for your direct messages)', textOf(values.channel), {
      optional: true,
    }),
    input(
      idOf('skip-empty'),
      'Options',
      {
        type: 'checkboxes',
        options: optionsFor(['skip', 'replace'], options) ?? [],
        initial_options: optionsFor(listOf(values['skip-empty']), options),
      },
      { optional: true },
    ),
    daysInput(idOf('keep-days'), 'Delete messages and files after (days)', textOf(values['keep-days'])),
    buttons(button(digestActions.testForm, 'Send me a test', about)),
  );
}

export function scheduleForm(metadata: string, values: DigestValues): ModalView {
  return form(digestViews.cadence, metadata, 'Schedule', 'Show next times', [
    section('You can check the next three times before anything is saved.'),
    ...digestInputs(values, (field) => named(ids[field]), metadata),
  ]);
}

export function scheduleFormValues(state: Parameters<typeof readInputs>[0]): DigestValues {
  const values = readInputs(state);
  return Object.fromEntries(digestFields.map((field) => [field, values.get(ids[field])]));
}

const examples = 'For example: every 3 weeks fri 16:00, monthly last fri 15:00, or cron "0 9 * * 1-5".';
const zoneHint = 'For example: Europe/Berlin or America/New_York. Leave empty to use your own.';

const textOf = (value: InputValue | undefined) =>
  typeof value === 'string' && value !== '' ? value : undefined;
const listOf = (value: InputValue | undefined) => (Array.isArray(value) ? value : []);

/** Inputs that the form does not show have their default values. */
function cadenceChoicesIn(values: DigestValues, zone: string): CadenceChoices {
  const defaults = choicesFromCadence(undefined, zone);
  const text = (field: Exclude<keyof CadenceChoices, 'days'>) => textOf(values[field]) ?? defaults[field];
  return {
    kind: text('kind'),
    days: Array.isArray(values.days) ? values.days : defaults.days,
    day: text('day'),
    time: text('time'),
    zone: text('zone'),
    words: text('words'),
  };
}

/** A problem of a form, at a field of the digest or at what it schedules. */
export interface DigestProblem {
  readonly about: DigestField | 'request' | 'range';
  readonly sentence: string;
}

type Filled = Omit<FilledIn, 'channel'> & { readonly channel: string | undefined };

/** @param zone the time zone if none is typed */
export function readDigest(values: DigestValues, zone: string): Result<Filled, DigestProblem> {
  const schedule = parseCadenceChoices(cadenceChoicesIn(values, zone));
  if (!schedule.ok) return schedule;
  const checked = listOf(values['skip-empty']);
  return ok({
    ...schedule.value,
    channel: textOf(values.channel),
    skipEmpty: checked.includes('skip'),
    replace: checked.includes('replace'),
    keepDays: parseKeepDays(textOf(values['keep-days']) ?? ''),
  });
}

/** Where a digest goes (undefined: direct messages), and the zone of its ranges; undefined without a valid schedule. */
export function digestDestination(values: DigestValues, zone: string) {
  const read = readDigest(values, zone);
  return { channel: textOf(values.channel), zone: read.ok ? read.value.zone : undefined };
}

interface DigestForm extends Pick<DigestDraft, 'owner' | 'changes' | 'request'> {
  readonly maker: Asker;
  readonly values: DigestValues;
  readonly deadline: AcknowledgeDeadline;
}

/** The draft, and what its validation said if it ended before the form had to close. */
export type ProposedDigest = () => Promise<{
  readonly draft: DigestDraft;
  readonly known: ValidatedDigest | undefined;
}>;

/** Validates a form by its deadline. It only reads. */
export async function proposeDigest(
  { values, maker, deadline, request, ...target }: DigestForm,
  parts: ListenerParts,
): Promise<Result<ProposedDigest, DigestProblem>> {
  const read = readDigest(values, maker.zone);
  if (!read.ok) return read;
  const makeDraft = async (): Promise<DigestDraft> => ({
    ...target,
    ...read.value,
    request: { ...request, toMe: false },
    channel: read.value.channel ?? (await parts.channels.directWith(target.owner)),
  });
  const validate = async () => validateDigest(await makeDraft(), maker.id, parts);
  // A check that takes too long runs again once the form has closed, and the reply has its result.
  const known = await resultBy(deadline.lookUpBy, validate()).catch(() => undefined);
  if (!known || known.ok) return ok(async () => ({ draft: await makeDraft(), known }));
  const { about, sentence } = known.refusal;
  if (about !== 'time') return refused({ about, sentence });
  const shown = inputsOfKind(textOf(values.kind) ?? '').find((one) => one === 'time' || one === 'words');
  return refused({ about: shown ?? 'kind', sentence });
}

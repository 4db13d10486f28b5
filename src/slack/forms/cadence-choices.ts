import { ok, type Result, refused } from '../../errors/failure.js';
import { formatCadence } from '../../requests/cadence-words.js';
import { nearestZone } from '../../requests/nearest.js';
import { parseCadence } from '../../requests/parse-cadence.js';
import { problemMessageText } from '../../requests/problem-messages.js';
import type { Cadence } from '../../schedule/cadence.js';
import { findZone } from '../../schedule/time-zones.js';
import { type FormValues, type InputProblem, listIn, textIn } from './inputs.js';

/** Inputs of the forms of digests. Block and action have the same name. */
export const digestInputs = {
  kind: 'digest_kind',
  days: 'digest_days',
  day: 'digest_day_of_month',
  time: 'digest_time',
  zone: 'digest_zone',
  words: 'digest_words',
  /** Whether it is an alert, and what that waits for. */
  when: 'digest_when',
  /** Of an alert. The name of its input also has what decides the figures. */
  figure: 'digest_figure',
  comparison: 'digest_comparison',
  value: 'digest_value',
  /** A channel, or each manager. */
  audience: 'digest_audience',
  channel: 'digest_channel',
  'skip-empty': 'digest_skip_empty',
  'keep-days': 'digest_keep_days',
} as const;

/** The cadences that have pickers of their own, with the words of a command. Every other one is typed. */
const kinds: Readonly<Record<string, { readonly text: string; readonly command: string }>> = {
  daily: { text: 'Every day', command: 'daily {time}' },
  weekdays: { text: 'Monday to Friday', command: 'weekdays {time}' },
  weekly: { text: 'Every week, on these days', command: 'weekly {days} {time}' },
  'every-2-weeks': { text: 'Every 2 weeks, on these days', command: 'every 2 weeks {days} {time}' },
  monthly: { text: 'Every month, on this day', command: 'monthly {day} {time}' },
  quarterly: {
    text: 'Every quarter, on this day of its first month',
    command: 'quarterly {day} {time}',
  },
  hourly: { text: 'Every hour', command: 'hourly' },
  words: { text: 'Custom schedule', command: '{words}' },
};

export const cadenceKinds = Object.entries(kinds).map(([value, { text }]) => ({ value, text }));

const commandOf = (kind: string) => (kinds[kind] ?? kinds.daily)?.command ?? '';

const cadenceInputs = ['days', 'day', 'time', 'words'] as const;

type CadenceInput = (typeof cadenceInputs)[number];

/** The inputs that a kind of cadence needs besides the kind and the zone. */
export function inputsOfKind(kind: string): readonly CadenceInput[] {
  return cadenceInputs.filter((name) => commandOf(kind).includes(`{${name}}`));
}

const usual: FormValues = {
  [digestInputs.kind]: 'weekly',
  [digestInputs.days]: ['mon'],
  [digestInputs.time]: '09:00',
};

/** The values of a form with a cadence: every Monday at 9:00 where nothing is chosen, as for inputs that are not shown. */
export function withUsualCadence(values: FormValues): FormValues {
  return { ...usual, ...Object.fromEntries(Object.entries(values).filter(([, value]) => value)) };
}

export function cadenceValues(cadence: Cadence): FormValues {
  const kind = kindOf(cadence);
  const day = 'day' in cadence ? String(cadence.day) : null;
  return {
    [digestInputs.kind]: kind,
    [digestInputs.days]: 'days' in cadence ? cadence.days : [],
    [digestInputs.day]: cadence.kind === 'monthly-last' ? 'last' : day,
    [digestInputs.time]: 'time' in cadence ? cadence.time : null,
    [digestInputs.words]: kind === 'words' ? formatCadence(cadence) : null,
  };
}

function kindOf(cadence: Cadence): string {
  if (cadence.kind === 'every-weeks') return cadence.weeks === 2 ? 'every-2-weeks' : 'words';
  if (cadence.kind === 'monthly-last') return 'monthly';
  if (cadence.kind === 'hourly') return cadence.minute === 0 ? 'hourly' : 'words';
  return cadence.kind === 'monthly-weekday' || cadence.kind === 'cron' ? 'words' : cadence.kind;
}

/**
 * Parses the values of a form as the text of a command, so that forms and commands accept the same cadences.
 *
 * @param ownZone the time zone if none is typed
 */
export function parseCadenceValues(
  values: FormValues,
  ownZone: string,
): Result<{ readonly cadence: Cadence; readonly zone: string }, InputProblem> {
  const filled = withUsualCadence(values);
  const typedZone = textIn(filled, digestInputs.zone) || ownZone;
  const zone = findZone(typedZone.trim());
  if (!zone) return refused({ input: digestInputs.zone, sentence: unknownZone(typedZone) });
  const missing = missingChoice(filled);
  if (missing) return refused(missing);
  const kind = textIn(filled, digestInputs.kind);
  const needed = inputsOfKind(kind);
  const textOf = (name: CadenceInput) => listIn(filled, digestInputs[name]).join(',').trim();
  const parsed = parseCadence(
    needed.reduce((command, name) => command.replace(`{${name}}`, () => textOf(name)), commandOf(kind)),
  );
  if (!parsed.ok) {
    const sentence = problemMessageText(parsed.refusal).slice(0, maxErrorLength);
    // Only a time and a custom schedule can be wrong.
    return refused({ input: inputOfTime(kind), sentence });
  }
  return ok({ cadence: parsed.value.cadence, zone: parsed.value.zone ?? zone });
}

/** The input that says at which times a cadence of this kind runs. */
export function inputOfTime(kind: string): string {
  return digestInputs[inputsOfKind(kind).find((one) => one === 'words' || one === 'time') ?? 'kind'];
}

/** Short enough to read under an input. */
const maxErrorLength = 300;

function unknownZone(typed: string): string {
  const near = nearestZone(typed);
  return near
    ? `This time zone does not exist. Did you mean ${near}?`
    : 'This time zone does not exist. Enter a name such as Europe/Berlin or America/New_York.';
}

function missingChoice(values: FormValues): InputProblem | undefined {
  const kind = textIn(values, digestInputs.kind);
  const day = textIn(values, digestInputs.day);
  const needed = inputsOfKind(kind);
  if (needed.includes('days') && listIn(values, digestInputs.days).length === 0)
    return { input: digestInputs.days, sentence: 'Choose at least one day.' };
  if (kind === 'quarterly' && (day === '' || day === 'last'))
    return { input: digestInputs.day, sentence: 'Choose a day from 1 to 31.' };
  if (needed.includes('day') && day === '') return { input: digestInputs.day, sentence: 'Choose a day.' };
  if (needed.includes('words') && textIn(values, digestInputs.words).trim() === '')
    return { input: digestInputs.words, sentence: 'Enter how often to send the report.' };
  return undefined;
}

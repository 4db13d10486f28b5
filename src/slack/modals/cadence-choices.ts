import { ok, type Result, refused } from '../../errors/result.js';
import { formatCadence } from '../../requests/cadence-words.js';
import { nearestZone } from '../../requests/nearest.js';
import { parseCadence } from '../../requests/parse-cadence.js';
import { problemMessageText } from '../../requests/problem-messages.js';
import type { Cadence } from '../../schedule/cadence.js';
import { findZone } from '../../schedule/time-zones.js';

/** The values of a form's inputs for how often and when. */
export interface CadenceChoices {
  readonly kind: string;
  /** `mon`, `thu`, … */
  readonly days: readonly string[];
  /** `1` to `31` or `last`. Empty: nothing is chosen. */
  readonly day: string;
  /** `09:00` */
  readonly time: string;
  readonly zone: string;
  readonly words: string;
}

type CadenceInput = 'days' | 'day' | 'time' | 'words';

/** A kind of cadence: its text, the inputs that it needs besides the zone, and its words in a command. */
interface CadenceKind {
  readonly text: string;
  readonly inputs: readonly CadenceInput[];
  words(choices: CadenceChoices): string;
}

/** The cadences that have pickers of their own. Every other one is typed. */
const kinds: Readonly<Record<string, CadenceKind>> = {
  daily: { text: 'Every day', inputs: ['time'], words: ({ time }) => `daily ${time}` },
  weekdays: { text: 'Monday to Friday', inputs: ['time'], words: ({ time }) => `weekdays ${time}` },
  weekly: {
    text: 'Every week, on these days',
    inputs: ['days', 'time'],
    words: ({ days, time }) => `weekly ${days.join(',')} ${time}`,
  },
  'every-2-weeks': {
    text: 'Every 2 weeks, on these days',
    inputs: ['days', 'time'],
    words: ({ days, time }) => `every 2 weeks ${days.join(',')} ${time}`,
  },
  monthly: {
    text: 'Every month, on this day',
    inputs: ['day', 'time'],
    words: ({ day, time }) => `monthly ${day} ${time}`,
  },
  quarterly: {
    text: 'Every quarter, on this day of its first month',
    inputs: ['day', 'time'],
    words: ({ day, time }) => `quarterly ${day} ${time}`,
  },
  hourly: { text: 'Every hour', inputs: [], words: () => 'hourly' },
  words: { text: 'Custom schedule', inputs: ['words'], words: ({ words }) => words.trim() },
};

export const cadenceKinds = Object.entries(kinds).map(([value, { text }]) => ({ value, text }));

const kindNamed = (kind: string) => kinds[kind] ?? kinds.daily;

/** The inputs that a kind of cadence needs besides the kind and the zone. */
export function inputsOfKind(kind: string): readonly CadenceInput[] {
  return kindNamed(kind)?.inputs ?? [];
}

interface CadenceProblem {
  readonly about: keyof CadenceChoices;
  readonly sentence: string;
}

/** The choices that mean this cadence. Without a cadence: every Monday at 9:00. */
export function choicesFromCadence(cadence: Cadence | undefined, zone: string): CadenceChoices {
  if (!cadence) return { kind: 'weekly', days: ['mon'], day: '', time: '09:00', zone, words: '' };
  const kind = kindOf(cadence);
  const day = 'day' in cadence ? String(cadence.day) : '';
  return {
    kind,
    days: 'days' in cadence ? cadence.days : [],
    day: cadence.kind === 'monthly-last' ? 'last' : day,
    time: 'time' in cadence ? cadence.time : '09:00',
    zone,
    words: kind === 'words' ? formatCadence(cadence) : '',
  };
}

function kindOf(cadence: Cadence): string {
  if (cadence.kind === 'every-weeks') return cadence.weeks === 2 ? 'every-2-weeks' : 'words';
  if (cadence.kind === 'monthly-last') return 'monthly';
  if (cadence.kind === 'hourly') return cadence.minute === 0 ? 'hourly' : 'words';
  return cadence.kind === 'monthly-weekday' || cadence.kind === 'cron' ? 'words' : cadence.kind;
}

/** Parses the choices as the text of a command, so that forms and commands accept the same cadences. */
export function parseCadenceChoices(
  choices: CadenceChoices,
): Result<{ readonly cadence: Cadence; readonly zone: string }, CadenceProblem> {
  const zone = findZone(choices.zone.trim());
  if (!zone) return refused({ about: 'zone', sentence: unknownZone(choices.zone) });
  const missing = missingChoice(choices);
  if (missing) return refused(missing);
  const parsed = parseCadence(kindNamed(choices.kind)?.words(choices) ?? '');
  if (!parsed.ok) {
    const sentence = problemMessageText(parsed.refusal).slice(0, maxErrorLength);
    // Only a time and a custom schedule can be wrong.
    const about = inputsOfKind(choices.kind).find((one) => one === 'words' || one === 'time') ?? 'kind';
    return refused({ about, sentence });
  }
  return ok({ cadence: parsed.value.cadence, zone: parsed.value.zone ?? zone });
}

/** Short enough to read under an input. */
const maxErrorLength = 300;

function unknownZone(typed: string): string {
  const near = nearestZone(typed);
  return near
    ? `This time zone does not exist. Did you mean ${near}?`
    : 'This time zone does not exist. Enter a name such as Europe/Berlin or America/New_York.';
}

function missingChoice({ kind, days, day, words }: CadenceChoices): CadenceProblem | undefined {
  const needed = inputsOfKind(kind);
  if (needed.includes('days') && days.length === 0)
    return { about: 'days', sentence: 'Choose at least one day.' };
  if (kind === 'quarterly' && (day === '' || day === 'last'))
    return { about: 'day', sentence: 'Choose a day from 1 to 31.' };
  if (needed.includes('day') && day === '') return { about: 'day', sentence: 'Choose a day.' };
  if (needed.includes('words') && words.trim() === '')
    return { about: 'words', sentence: 'Enter how often to send the report.' };
  return undefined;
}

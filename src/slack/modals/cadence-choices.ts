import { ok, type Result, refused } from '../../errors/result.js';
import { formatCadence } from '../../requests/cadence-words.js';
import { nearestZone } from '../../requests/nearest.js';
import { parseCadence } from '../../requests/parse-cadence.js';
import { problemMessageText } from '../../requests/problem-messages.js';
import type { Cadence } from '../../schedule/cadence.js';
import { findZone } from '../../schedule/time-zones.js';

/** The cadences that have pickers of their own. Every other one is typed. */
export const cadenceKinds = {
  daily: 'Every day',
  weekdays: 'Monday to Friday',
  weekly: 'Every week, on these days',
  'every-2-weeks': 'Every 2 weeks, on these days',
  monthly: 'Every month, on this day',
  quarterly: 'Every quarter, on this day of its first month',
  hourly: 'Every hour',
  words: 'Custom schedule',
} as const;

type CadenceKind = keyof typeof cadenceKinds;

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

/** The inputs that a kind of cadence needs besides the kind and the zone. */
export function inputsOfKind(kind: string): readonly ('days' | 'day' | 'time' | 'words')[] {
  switch (kind) {
    case 'weekly':
    case 'every-2-weeks':
      return ['days', 'time'];
    case 'monthly':
    case 'quarterly':
      return ['day', 'time'];
    case 'hourly':
      return [];
    case 'words':
      return ['words'];
    default:
      return ['time'];
  }
}

/** A problem of the choices. */
interface CadenceProblem {
  /** The choice to correct. */
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

function kindOf(cadence: Cadence): CadenceKind {
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
  const text = cadenceText(choices);
  if (!text.ok) return text;
  const parsed = parseCadence(text.value);
  if (!parsed.ok) {
    const sentence = problemMessageText(parsed.refusal).slice(0, maxErrorLength);
    return refused({ about: choiceToCorrect(choices.kind), sentence });
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

/** The choice to correct when the text does not parse: only a time and a custom schedule can be wrong. */
function choiceToCorrect(kind: string): keyof CadenceChoices {
  if (kind === 'words') return 'words';
  return kind === 'hourly' ? 'kind' : 'time';
}

function cadenceText({ kind, days, day, time, words }: CadenceChoices): Result<string, CadenceProblem> {
  switch (kind) {
    case 'weekly':
    case 'every-2-weeks':
      if (days.length === 0) return refused({ about: 'days', sentence: 'Choose at least one day.' });
      return ok(`${kind === 'weekly' ? 'weekly' : 'every 2 weeks'} ${days.join(',')} ${time}`);
    case 'monthly':
      if (day === '') return refused({ about: 'day', sentence: 'Choose a day.' });
      return ok(`monthly ${day} ${time}`);
    case 'quarterly':
      if (day === '' || day === 'last') {
        return refused({ about: 'day', sentence: 'Choose a day from 1 to 31.' });
      }
      return ok(`quarterly ${day} ${time}`);
    case 'hourly':
      return ok('hourly');
    case 'words':
      if (words.trim() === '')
        return refused({ about: 'words', sentence: 'Enter how often to send the report.' });
      return ok(words.trim());
    default:
      return ok(`${kind} ${time}`);
  }
}

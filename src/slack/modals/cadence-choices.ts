import { formatCadence } from '../../requests/cadence-words.js';
import { nearestZone } from '../../requests/nearest.js';
import { parseCadence } from '../../requests/parse-cadence.js';
import { problemMessageText } from '../../requests/problem-messages.js';
import type { Cadence } from '../../schedule/cadence.js';
import { findZone } from '../../schedule/time-zones.js';

/** What the pickers can say without words; anything else is said in words. */
export const cadenceKinds = {
  daily: 'Every day',
  weekdays: 'Monday to Friday',
  weekly: 'Every week, on these days',
  'every-2-weeks': 'Every 2 weeks, on these days',
  monthly: 'Every month, on this day',
  quarterly: 'Every quarter, on this day of its first month',
  hourly: 'Every hour',
  words: 'Other, in words',
} as const;

type CadenceKind = keyof typeof cadenceKinds;

/** How often and when, as it stands in the pickers of a form. */
export interface CadenceChoices {
  readonly kind: string;
  /** `mon`, `thu`, … */
  readonly days: readonly string[];
  /** `1` to `31`, or `last`; empty: none is chosen. */
  readonly day: string;
  /** `09:00` */
  readonly time: string;
  readonly zone: string;
  readonly words: string;
}

/** The choices that belong to a kind, beside how often and the zone. */
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

/** What the choices come to; or what is wrong, and with which of them. */
export type ParsedCadenceChoices =
  | { readonly cadence: Cadence; readonly zone: string }
  | { readonly about: keyof CadenceChoices; readonly problem: string };

/** The pickers as they stand for a cadence, with nothing chosen that it does not have; for none, every Monday at nine. */
export function choicesFromCadence(cadence: Cadence | undefined, zone: string): CadenceChoices {
  const kind = kindOf(cadence);
  const isLast = cadence?.kind === 'monthly-last';
  return {
    kind,
    days: !cadence ? ['mon'] : 'days' in cadence ? cadence.days : [],
    day: isLast ? 'last' : cadence && 'day' in cadence ? String(cadence.day) : '',
    time: cadence && 'time' in cadence ? cadence.time : '09:00',
    zone,
    words: cadence && kind === 'words' ? formatCadence(cadence) : '',
  };
}

function kindOf(cadence: Cadence | undefined): CadenceKind {
  if (!cadence) return 'weekly';
  if (cadence.kind === 'every-weeks') return cadence.weeks === 2 ? 'every-2-weeks' : 'words';
  if (cadence.kind === 'monthly-last') return 'monthly';
  if (cadence.kind === 'hourly') return cadence.minute === 0 ? 'hourly' : 'words';
  return cadence.kind === 'monthly-weekday' || cadence.kind === 'cron' ? 'words' : cadence.kind;
}

/** Reads the choices as the words that ask for the same: there is one way to read a cadence. */
export function parseCadenceChoices(choices: CadenceChoices): ParsedCadenceChoices {
  const zone = findZone(choices.zone.trim());
  if (!zone) {
    const near = nearestZone(choices.zone);
    const problem = near
      ? `There is no such time zone. Did you mean ${near}?`
      : 'There is no such time zone. Write one such as Europe/Berlin or America/New_York.';
    return { about: 'zone', problem };
  }
  const said = cadenceText(choices);
  if ('problem' in said) return said;
  const read = parseCadence(said.text);
  if (!read.ok) return { about: said.about, problem: problemMessageText(read.refusal).slice(0, 300) };
  return { cadence: read.value.cadence, zone: read.value.zone ?? zone };
}

type CadenceText =
  | { readonly text: string; readonly about: keyof CadenceChoices }
  | { readonly about: keyof CadenceChoices; readonly problem: string };

function cadenceText({ kind, days, day, time, words }: CadenceChoices): CadenceText {
  const at = (text: string): CadenceText => ({ text: `${text} ${time}`, about: 'time' });
  switch (kind) {
    case 'weekly':
    case 'every-2-weeks':
      if (days.length === 0) return { about: 'days', problem: 'Choose at least one day.' };
      return at(`${kind === 'weekly' ? 'weekly' : 'every 2 weeks'} ${days.join(',')}`);
    case 'monthly':
      if (day === '') return { about: 'day', problem: 'Choose a day.' };
      return at(`monthly ${day}`);
    case 'quarterly':
      if (day === '' || day === 'last') return { about: 'day', problem: 'Choose a day from 1 to 31.' };
      return at(`quarterly ${day}`);
    case 'hourly':
      return { text: 'hourly', about: 'kind' };
    case 'words':
      return words.trim() === ''
        ? { about: 'words', problem: 'Write how often to send it.' }
        : { text: words.trim(), about: 'words' };
    default:
      return at(kind);
  }
}

import type { ConditionField } from '../catalogue/conditions.js';
import type { ProblemCause } from './problem.js';
import { maxConditions } from './row-conditions.js';

type ConditionCause = Extract<ProblemCause, { readonly kind: 'condition' }>;

/** Why an option is no condition on rows, and what to type. */
export function rowConditionSentence(cause: ConditionCause, quoted: string): string {
  const { reason, option, field, other } = cause;
  const inQuotes = `If an entry begins so, put it in quotes: ${option}"…"`;
  switch (reason) {
    case 'no-field':
      return `No row says what ${option} is about, so ${quoted} can't leave out or compare. Type the entries to keep. ${inQuotes}`;
    case 'value-missing':
      return `${quoted} needs a value right after it, as in ${exampleOf(option, field)}. In a terminal, put it in quotes: a shell takes < and > away.`;
    case 'sign-first':
      return `${quoted} has a sign at a later entry. Type ! before the first entry alone: it covers all of them. ${inQuotes}`;
    case 'one-value':
      return `${quoted} compares with several values. Type one value${field?.kind === 'number' ? '; a decimal has a point, as in 1.5' : ''}.`;
    case 'alone':
      return `${quoted} has none or any beside other entries. Type none or any alone. ${inQuotes}`;
    case 'sign-missing':
      return `${option} needs a sign before its value: =, !, >, >=, < or <=.`;
    case 'not-a-number':
      return `${option} compares numbers, and ${quoted} is none. Type digits alone, with a point for decimals.`;
    case 'not-a-date':
      return `${option} takes dates and ranges, and ${quoted} is none. Type 2026-03-05, 2026-Q1 or this-year, for example.`;
    case 'date-with-time':
      return `${quoted} has a time, and conditions go by whole days.`;
    case 'no-order':
      return `${option} holds words, so ${quoted} can't compare them. Use = for the same and ! for all others. ${inQuotes}`;
    case 'not-yes-or-no':
      return `${option} is yes or no, so it can't be ${quoted}. Type =yes, !yes, none or any.`;
    case 'key-missing':
      return `${option} holds many values. Name one that an admin has released: ${option.slice(0, -1)}.<key>:…`;
    case 'contradiction':
      return `No row can meet both “${other}” and ${quoted}. Leave one of them out.`;
    case 'too-many':
      return `An answer has at most ${maxConditions} conditions. Leave ${quoted} out.`;
  }
}

/** `score:<60`, for the kind of a field. */
function exampleOf(option: string, field: ConditionField | undefined): string {
  switch (field?.kind) {
    case 'number':
      return `${option}<60`;
    case 'date':
      return `${option}this-year`;
    case 'yes-no':
      return `${option}!yes`;
    default:
      return `${option}!Sales`;
  }
}

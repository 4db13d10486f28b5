import { readCron } from '../schedule/cron.js';
import { type CadenceRefusal, type CadenceTyped, refuse } from './cadence-refusal.js';
import type { CadenceRead } from './cadence-times.js';
import type { Problem } from './problem.js';

const FIELDS = 5;

/** `cron "0 9 * * 1-5"` */
export function readCronWords(typed: CadenceTyped): CadenceRead | Problem {
  const { words, text } = typed;
  const word = words[1];
  if (!word) return refuse('cron-fields', typed, undefined);
  if (!word.quoted) {
    const last = words[FIELDS];
    const unquoted = { start: word.start, end: (last ?? words.at(-1) ?? word).end };
    const near = last && `"${text.slice(unquoted.start, unquoted.end)}"`;
    return refuse('cron-quotes', typed, unquoted, near);
  }
  const expression = word.text.replace(/\s+/g, ' ');
  const read = readCron(expression);
  if (!('refused' in read)) return { cadence: { kind: 'cron', expression }, next: 2 };
  const fields = expression.split(' ');
  const withoutSeconds = read.refused === 'seconds' && fields.length === FIELDS + 1;
  return refuse(
    whyRefused[read.refused],
    typed,
    word,
    withoutSeconds ? `"${fields.slice(1).join(' ')}"` : undefined,
  );
}

const whyRefused = {
  form: 'cron-fields',
  seconds: 'cron-seconds',
  'too-often': 'cron-too-often',
  never: 'cron-never',
} as const satisfies Readonly<Record<string, CadenceRefusal>>;

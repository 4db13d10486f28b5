import { type AlertComparison, type AlertCondition, formatCondition } from '../alert-condition.js';
import { parseCommand } from '../parse-command.js';

/** A sentence that waits for a number, without it. */
export interface SpokenAlert {
  /** How the rest reads: a schedule of what the number is about. */
  readonly sentence: string;
  readonly condition: AlertCondition;
  /** True for “tell me when …”, which wants an alert even if it does not say how often. */
  readonly isAsked: boolean;
}

const comparisons: Readonly<Record<string, AlertComparison>> = {
  'more than': '>',
  over: '>',
  above: '>',
  'at least': '>=',
  'less than': '<',
  'fewer than': '<',
  under: '<',
  below: '<',
  'at most': '<=',
};
const compared = `(?<compared>${Object.keys(comparisons).join('|')})`;

/** What asks for an alert says nothing more, but only at the start: “don't tell me when …” asks for none. */
const asking =
  '(?<asking>^\\W*(?:please\\s+)?(?:(?:tell|alert|notify|warn|ping)\\s+(?:me|us)|let\\s+(?:me|us)\\s+know)\\s+)?';
const when = `${asking}\\b(?:when|once|if|as\\s+soon\\s+as)\\s+`;

/** “when more than 50 assignments are overdue” */
const overdueForm = new RegExp(
  `${when}(?:there\\s+are\\s+)?${compared}\\s+(?<number>\\d{1,6})\\s+(?<noun>people\\s+|(?:assignments|trainings|courses)\\s+)?(?:are\\s+)?overdue\\b`,
  'iu',
);
/** “when overdue goes above 50” */
const overdueNumberForm = new RegExp(
  `${when}(?:the\\s+)?(?:number\\s+of\\s+)?overdue(?:\\s+(?:assignments|trainings|courses))?\\s+(?:(?:is|are|goes?|gets?|rises?|climbs?|falls?|drops?)\\s+)?${compared}\\s+(?<number>\\d{1,6})(?![\\d.,%]*[\\d%]|\\s+(?:people|persons?|assignments|trainings|courses|days?|hours?|percent)\\b)`,
  'iu',
);
/** “when the completion rate in Sales drops below 80%” */
const rateForm = new RegExp(
  `${when}(?:the\\s+|our\\s+)?(?<rate>completion|pass)\\s+rate(?<about>\\s[^.!?]{0,80}?)??\\s+(?:(?:is|falls|drops|goes|gets|rises|climbs)\\s+)?${compared}\\s+(?<number>\\d{1,3}(?:\\.\\d{1,2})?)\\s?(?:%|percent\\b)`,
  'iu',
);

/** The condition that a sentence waits for; undefined: none, or none of these. */
export function alertIn(text: string): SpokenAlert | undefined {
  if (/["“”„‟]/.test(text)) return undefined;
  return overdueAlert(text) ?? rateAlert(text);
}

function overdueAlert(text: string): SpokenAlert | undefined {
  const found = overdueForm.exec(text) ?? overdueNumberForm.exec(text);
  if (!found?.groups) return undefined;
  const { noun = '' } = found.groups;
  const figure = /^people/i.test(noun) ? 'people' : 'overdue';
  return spoken(text, found, 'overdue', figure, false);
}

function rateAlert(text: string): SpokenAlert | undefined {
  const found = rateForm.exec(text);
  if (!found?.groups) return undefined;
  const { rate = '', about = '' } = found.groups;
  const isPass = rate.toLowerCase() === 'pass';
  const report = isPass ? 'assessments' : 'assignments';
  const isNamed = /\b(?:assignments|tracks|assessments)\b/i.test(about);
  const subject = isNamed ? about : `${report}${about}`;
  return spoken(text, found, subject, isPass ? 'pass-rate' : 'completion-rate', true);
}

function spoken(
  text: string,
  { 0: said, index, groups = {} }: RegExpExecArray,
  subject: string,
  figure: string,
  isPercent: boolean,
): SpokenAlert | undefined {
  const comparison = comparisons[(groups.compared ?? '').toLowerCase().replace(/\s+/g, ' ')];
  if (!comparison) return undefined;
  const sentence = `${text.slice(0, index)}${subject}${text.slice(index + said.length)}`;
  return {
    sentence,
    condition: { kind: 'threshold', figure, comparison, value: Number(groups.number), isPercent },
    isAsked: groups.asking !== undefined,
  };
}

/** Schedules with a condition; commands that are none are left out, because they would run at once. */
export function withCondition(
  commands: readonly string[],
  { condition }: SpokenAlert,
  savedNames: readonly string[],
): readonly string[] {
  return commands.flatMap((command) => {
    const read = parseCommand(command, { savedNames });
    if (!read.ok || read.value.kind !== 'schedule' || !('request' in read.value.what)) return [];
    const { cadenceTyped } = read.value;
    const alert = `${command.slice(0, -cadenceTyped.length)}when ${formatCondition(condition)} ${cadenceTyped}`;
    return parseCommand(alert, { savedNames }).ok ? [alert] : [];
  });
}

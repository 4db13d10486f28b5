import type { InputBlock } from '@slack/types';
import { reportNamed } from '../../catalogue/index.js';
import { ok, type Result, refused } from '../../errors/failure.js';
import { figuresOfRequest } from '../../figures/summary/named-figures.js';
import type { AlertComparison, AlertCondition } from '../../requests/alert-condition.js';
import { parseThresholdValue } from '../../requests/parse-condition.js';
import type { ReportRequest } from '../../requests/request.js';
import { compact } from '../../requests/text.js';
import { digestInputs as ids } from './cadence-choices.js';
import { type Choice, type FormValues, type InputProblem, input, selectInput, textIn } from './inputs.js';

/** The parts of a request that decide its figures. */
export type CountedRequest = Pick<ReportRequest, 'report' | 'view' | 'states' | 'by' | 'scorecard'>;

/** What a form knows of the request whose digest it makes. */
export interface AlertOffer {
  readonly request: CountedRequest;
  /** True where its readers see no figure about few people, wherever the digest goes. */
  readonly isProtected: boolean;
  /** The last known values of its figures in words, by ID: `today 42`. */
  readonly lastValues?: ReadonlyMap<string, string> | undefined;
}

type Waits = 'always' | AlertCondition['kind'];

const waits: readonly (Choice & { readonly value: Waits })[] = [
  { value: 'always', text: 'Always' },
  { value: 'threshold', text: 'A figure passes a value' },
  { value: 'changed', text: 'A figure changes' },
  { value: 'new-rows', text: 'There are new rows' },
];

const comparisons: readonly (Choice & { readonly value: AlertComparison })[] = [
  { value: '>', text: 'above' },
  { value: '>=', text: 'at least' },
  { value: '<', text: 'below' },
  { value: '<=', text: 'at most' },
];

/** Slack keeps the value of an input with the same name, so requests with other figures have another input. */
function figureInput({ report, view, states = [] }: CountedRequest): string {
  return [`${ids.figure}:${view ?? report}`, ...states].join(',');
}

/** True for the form of an alert. */
export function isAlertForm(values: FormValues): boolean {
  return waitsFor(values) !== 'always';
}

function waitsFor(values: FormValues): Waits {
  const chosen = textIn(values, ids.when);
  return waits.find(({ value }) => value === chosen)?.value ?? 'always';
}

/** The values of a form with this condition. */
export function conditionValues(
  when: AlertCondition | null | undefined,
  request: CountedRequest | undefined,
): FormValues {
  if (!when) return {};
  if (when.kind !== 'threshold' || !request) return { [ids.when]: when.kind };
  return {
    [ids.when]: when.kind,
    [figureInput(request)]: when.figure,
    [ids.comparison]: when.comparison,
    [ids.value]: String(when.value),
  };
}

/** Whether the digest always posts, and for a threshold its figure and its value. A scorecard always does. */
export function conditionInputs(
  values: FormValues,
  { request, isProtected, lastValues }: AlertOffer,
): InputBlock[] {
  if (request.scorecard) return [];
  const chosen = waitsFor(values);
  const isOffered = (kind: Waits) => {
    if (kind === 'always' || kind === 'threshold' || kind === chosen) return true;
    return !isProtected && (kind === 'changed' || reportNamed(request.report).rowIdentity !== undefined);
  };
  const offered = waits.filter(({ value }) => isOffered(value));
  const hint =
    chosen === 'always' ? undefined : 'The first run posts nothing. Later runs are compared with it.';
  const when = selectInput(ids.when, { label: 'Only when', hint }, offered, chosen, { dispatches: true });
  if (chosen !== 'threshold') return [when];
  const figures = figuresOfRequest(request, isProtected);
  const choices = figures.map(({ id, label }) => {
    const value = lastValues?.get(id);
    return { value: id, text: value === undefined ? label : `${label} (${value})` };
  });
  const name = figureInput(request);
  const rates = figures.some(({ unit }) => unit === 'percent');
  return compact(
    when,
    selectInput(name, 'Figure', choices, textIn(values, name)),
    selectInput(ids.comparison, 'Is', comparisons, textIn(values, ids.comparison) || '>'),
    input(
      ids.value,
      { label: 'Value', hint: rates ? 'Percentages without the sign: 80 means 80%.' : undefined },
      {
        type: 'number_input',
        is_decimal_allowed: true,
        initial_value: textIn(values, ids.value) || undefined,
      },
    ),
  );
}

/** Reads the condition of a form. Undefined: it always posts. */
export function readConditionInputs(
  values: FormValues,
  request: CountedRequest,
): Result<AlertCondition | undefined, InputProblem> {
  const kind = waitsFor(values);
  if (kind === 'always') return ok(undefined);
  if (kind !== 'threshold') return ok({ kind });
  const name = figureInput(request);
  const figure = figuresOfRequest(request).find(({ id }) => id === textIn(values, name));
  if (!figure) return refused({ input: name, sentence: 'Choose a figure.' });
  const typed = textIn(values, ids.value);
  if (typed.trim() === '') return refused({ input: ids.value, sentence: 'Enter a number.' });
  const read = parseThresholdValue(typed);
  if (!read) return refused({ input: ids.value, sentence: 'Enter a number such as 50, 0.5 or -10.' });
  const compared = textIn(values, ids.comparison);
  return ok({
    kind,
    figure: figure.id,
    comparison: comparisons.find(({ value }) => value === compared)?.value ?? '>',
    value: read.value,
    isPercent: figure.unit === 'percent',
  });
}

/** The input at which a form says why a condition is not possible. */
export function inputOfCondition(when: AlertCondition | null | undefined): string {
  return when?.kind === 'threshold' ? ids.value : ids.when;
}

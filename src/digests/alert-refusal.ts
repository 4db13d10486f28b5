import { allReports, reportNamed } from '../catalogue/index.js';
import { figureMeant, figuresOfRequest, type NamedFigure } from '../figures/summary/named-figures.js';
import { formatTitle } from '../figures/summary/request.js';
import { type AlertCondition, formatCondition, meets } from '../requests/alert-condition.js';
import { joinWords } from '../requests/join-words.js';
import { quoteTypedWord } from '../requests/problem.js';
import type { ReportRequest } from '../requests/request.js';
import { viewWords } from '../requests/vocabulary.js';
import { isDailyAtMost } from '../schedule/next-runs.js';
import type { DigestDraft } from './digest.js';

/** Why a condition is not possible, with the way out. */
export interface AlertRefusal {
  readonly sentence: string;
  readonly about: 'condition' | 'request' | 'time';
  /** The condition that was probably meant. */
  readonly instead?: AlertCondition;
}

type AlertDraft = Pick<DigestDraft, 'request' | 'cadence' | 'skipEmpty' | 'when'>;
type Threshold = Extract<AlertCondition, { kind: 'threshold' }>;

/** Validates the condition of a draft, whoever reads it. Undefined: it is possible, or there is none. */
export function alertRefusal({ request, skipEmpty, when }: AlertDraft): AlertRefusal | undefined {
  if (!when) return undefined;
  if (skipEmpty) {
    return {
      sentence:
        'An alert posts only when its condition becomes true. Leave out “Skip when there are no results”.',
      about: 'condition',
    };
  }
  if (request.over !== undefined) {
    const sentence = `An alert looks at one range in each run, and over:${request.over} at several. Leave out over: and figure:, and type a range such as last-week.`;
    return { sentence, about: 'request' };
  }
  if (when.kind === 'threshold') return thresholdRefusal(when, request);
  if (when.kind === 'changed' || reportNamed(request.report).rowIdentity) return undefined;
  const known = allReports.filter(({ rowIdentity }) => rowIdentity).map(({ name }) => name);
  return {
    sentence: `Rows of ${request.report} cannot be told apart from run to run. new-rows is for ${joinWords([...known, ...viewWords])}; here, use a figure, as in ${exampleFor(request)}.`,
    about: 'condition',
  };
}

/** The readers of an alert who are protected: they see no figure about fewer than `smallestGroup` people. */
export interface Protection {
  readonly smallestGroup: number;
  /** True where its owner may see everything in direct messages. */
  readonly endsInDirectMessages: boolean;
}

/** Validates the condition of a draft whose readers see no figure about few people. */
export function protectedAlertRefusal(
  { request, cadence, when }: AlertDraft,
  { smallestGroup, endsInDirectMessages }: Protection,
): AlertRefusal | undefined {
  if (!when) return undefined;
  const because = `Figures here are about ${smallestGroup} people at least`;
  const orDirect = endsInDirectMessages ? ', or send it to your direct messages with to:me' : '';
  if (when.kind !== 'threshold') {
    const sentence = `${because}, and an alert on every change would tell of fewer. Use a figure, as in ${exampleFor(request, true)}${orDirect}.`;
    return { sentence, about: 'condition' };
  }
  if (!isDailyAtMost(cadence)) {
    const sentence = `${because}, so an alert runs daily at most. Choose daily, weekly or less${orDirect}.`;
    return { sentence, about: 'time' };
  }
  if (figuresOfRequest(request, true).some(({ id }) => id === when.figure)) return undefined;
  const sentence = `${because}, so “${when.figure}” is left out of a breakdown by ${request.by}. Leave out by:${request.by}, or use another figure${orDirect}.`;
  return { sentence, about: 'request' };
}

function thresholdRefusal(when: Threshold, request: ReportRequest): AlertRefusal | undefined {
  const figures = figuresOfRequest(request);
  const figure = figures.find(({ id }) => id === when.figure);
  if (!figure) return unknownFigure(when, figures, request);
  const isPercent = figure.unit === 'percent';
  if (isPercent !== when.isPercent) return otherKind(when, figure, figures, request);
  return emptyRange(when, figure);
}

function unknownFigure(
  when: Threshold,
  figures: readonly NamedFigure[],
  request: ReportRequest,
): AlertRefusal {
  const near = figureMeant(when.figure, figures);
  const title = formatTitle({ report: reportNamed(request.report), request }).toLowerCase();
  const which = request.states ? `${title} with only:${request.states.join(',')}` : title;
  const ids = joinWords(figures.map(({ id }) => id));
  const meant = near === undefined ? '' : ` Did you mean “${near}”?`;
  return {
    sentence: `There is no figure “${quoteTypedWord(when.figure)}” in ${which}: its figures are ${ids}.${meant}`,
    about: 'condition',
    ...(near !== undefined && correctedTo({ ...when, figure: near }, request)),
  };
}

/** A percentage for a number, or a number for a percentage. */
function otherKind(
  when: Threshold,
  { label, unit }: NamedFigure,
  figures: readonly NamedFigure[],
  request: ReportRequest,
): AlertRefusal {
  if (unit === 'percent') {
    const isShare = when.value > 0 && when.value < 1;
    const value = isShare ? Math.round(when.value * 1e6) / 1e4 : when.value;
    const corrected = correctedTo({ ...when, value, isPercent: true }, request);
    const out = corrected.instead ? `the sign too, as in ${value}%` : 'one from 0% to 100%';
    return { sentence: `${label} is a percentage. Type ${out}.`, about: 'condition', ...corrected };
  }
  const rates = figures.filter((other) => other.unit === 'percent').map(({ id }) => id);
  const orRate = rates.length === 0 ? '' : `, or use ${joinWords(rates, 'or')}`;
  return {
    sentence: `${label} is ${unitWords[unit]}, not a percentage. Type ${when.value} without the sign${orRate}.`,
    about: 'condition',
    ...correctedTo({ ...when, isPercent: false }, request),
  };
}

const unitWords: Readonly<Record<Exclude<NamedFigure['unit'], 'percent'>, string>> = {
  number: 'a number',
  hours: 'a number of hours',
  days: 'a number of days',
  points: 'a number of points',
  rating: 'a rating',
  attempts: 'a number of attempts',
};

/** A threshold that every value of the figure meets, or none. */
function emptyRange(when: Threshold, { min, max }: NamedFigure): AlertRefusal | undefined {
  const [atMin, atMax] = [meets(when, min), meets(when, max)];
  if (atMin !== atMax) return undefined;
  const sign = when.isPercent ? '%' : '';
  // Whoever waits for more than the most there is, needs less, and the other way round.
  const isTooHigh = when.comparison.startsWith('>') !== atMin;
  const limit = isTooHigh ? max : min;
  const isLimitPossible = meets({ ...when, value: limit }, min) !== meets({ ...when, value: limit }, max);
  const orLimit = isTooHigh ? `of ${max}${sign} or less` : `of ${min}${sign} or more`;
  const beyond = isTooHigh ? `below ${max}${sign}` : `above ${min}${sign}`;
  const value = isLimitPossible ? orLimit : beyond;
  const words = `“${formatCondition(when)}” is ${atMin ? 'always' : 'never'} true`;
  return { sentence: `${words}, so it would never post. Type a value ${value}.`, about: 'condition' };
}

/** The corrected condition, if it is possible. */
function correctedTo(when: AlertCondition, request: ReportRequest): Pick<AlertRefusal, 'instead'> {
  const again = when.kind === 'threshold' ? thresholdRefusal(when, request) : undefined;
  if (!again) return { instead: when };
  return again.instead ? { instead: again.instead } : {};
}

/** `when overdue > 50`, with the first number of the report. */
function exampleFor(request: ReportRequest, isProtected = false): string {
  const figure = figuresOfRequest(request, isProtected).find(({ unit }) => unit === 'number');
  return `when ${figure?.id ?? 'overdue'} > 50`;
}

import { reportNamed } from '../catalogue/index.js';
import { formatMoment, formatPlural } from '../figures/format/values.js';
import type { Chart } from '../figures/result.js';
import { notReached } from '../figures/summary/changes.js';
import { figuresOfRequest, type NamedFigure, type NumberUnit } from '../figures/summary/named-figures.js';
import {
  type AlertComparison,
  type AlertCondition,
  armsAgainAt,
  meets,
} from '../requests/alert-condition.js';
import type { ReportRequest } from '../requests/request.js';
import { dayAt } from '../time/calendar.js';
import { type AlertJudgement, type AlertReading, type AlertState, changedFigures } from './alert.js';

/* What an alert says about its runs. None of these texts has words of people or of the service. */

/** A run of an alert, with what it was judged by. */
export interface JudgedRun {
  readonly when: AlertCondition;
  readonly request: ReportRequest;
  /** IANA zone of the digest. */
  readonly zone: string;
  readonly judged: AlertJudgement;
  readonly reading: AlertReading;
  /** Before this run. */
  readonly state: AlertState;
  /** True where it is posted because a person wants it. */
  readonly isByHand: boolean;
}

/** What the message of an alert says above its summary. */
export interface AlertWords {
  /** One sentence without a full stop. */
  readonly finding: string;
  /** What it was before, in sentences; for `changed`, also what has changed. */
  readonly lines: readonly string[];
  /** The last runs; absent for fewer than three values. */
  readonly chart?: Chart | undefined;
}

type Threshold = Extract<AlertCondition, { kind: 'threshold' }>;

export function alertWords(run: JudgedRun): AlertWords {
  const { when, judged, isByHand } = run;
  const [finding, ...lines] = when.kind === 'threshold' ? thresholdWords(run, when) : newsWords(run, when);
  return {
    finding: finding ?? '',
    lines: isByHand && judged.kind !== 'post' ? [...lines, 'Sent by hand.'] : lines,
    chart: chartOf(run),
  };
}

/** Why a run posted nothing: for the history and for its owner. One sentence. */
export function describeCheck(run: JudgedRun): string {
  const { when, judged, reading, request } = run;
  if (judged.kind === 'held') {
    const { rowWords } = reportNamed(request.report);
    return `Only ${formatPlural(reading.rows ?? 0, rowWords)}, and ${judged.smallest.toLocaleString('en-US')} or more at each run before.`;
  }
  if (when.kind === 'threshold') return checkedThreshold(run, when);
  if (judged.kind === 'baseline') return 'Later runs are compared with this one.';
  return when.kind === 'changed' ? 'No figure has changed.' : 'No new rows.';
}

function checkedThreshold({ when, judged, reading, request, zone, state }: JudgedRun, threshold: Threshold) {
  const figure = figureOf(when, request);
  const value = reading.figures[threshold.figure];
  if (value === undefined) return `${figure.label} could not be shown.`;
  const words = `${figure.label}: ${formatReading(figure, value, threshold)}`;
  if (judged.kind === 'baseline' || !state.isOn) return `${words}.`;
  const since = state.switchedAt === undefined ? '' : ` since ${formatMoment(state.switchedAt, zone)}`;
  if (meets(threshold, value)) return `${words}${since}.`;
  if (!judged.next.isOn) return `${words} any more.`;
  return `${words}. It can post again at ${formatArming(threshold, figure.unit)}.`;
}

function thresholdWords(run: JudgedRun, when: Threshold): readonly string[] {
  const { judged, reading, request, zone, state } = run;
  const figure = figureOf(when, request);
  const value = reading.figures[when.figure];
  const finding =
    value === undefined
      ? `${figure.label} could not be shown`
      : `${figure.label}: ${formatReading(figure, value, when)}`;
  const { lastShown } = state;
  const earlier = lastShown?.figures[when.figure];
  if (!lastShown || earlier === undefined) return [finding];
  const was = `It was ${formatNumber(earlier, figure.unit, when.value)} on ${formatMoment(lastShown.dueAt, zone)}`;
  if (judged.kind !== 'post') return [finding, `${was}.`];
  const side = formatSide(when, figure.unit);
  return judged.since === undefined
    ? [finding, `${was}, and never ${side} until now.`]
    : [finding, `${was}, and not ${side} since ${formatMoment(judged.since, zone)}.`];
}

const maxChanges = 8;

function newsWords(
  { state, reading, request, zone }: JudgedRun,
  { kind }: Exclude<AlertCondition, Threshold>,
): readonly string[] {
  const last = state.readings.at(-1);
  if (!last) return ['This is the first run, so there is nothing to compare with'];
  const since = `since ${formatMoment(last.dueAt, zone)}`;
  if (kind === 'new-rows') {
    const { rowWords } = reportNamed(request.report);
    const [one, many] = rowWords;
    const count = reading.newRows ?? 0;
    return [
      count === 0
        ? `No new ${many} ${since}`
        : `${formatPlural(count, [`new ${one}`, `new ${many}`])} ${since}`,
    ];
  }
  const figures = figuresOfRequest(request);
  const changed = changedFigures(last, reading);
  const lines = changed.flatMap((id) => {
    const figure = figures.find((one) => one.id === id);
    const [before, now] = [last.figures[id], reading.figures[id]];
    if (!figure || before === undefined || now === undefined) return [];
    const from = formatNumber(before, figure.unit, now);
    return [`${figure.label}: ${from} → ${formatNumber(now, figure.unit, before)}`];
  });
  const more = lines.length - maxChanges;
  const shown = more > 0 ? [...lines.slice(0, maxChanges), `And ${more} more.`] : lines;
  const count = formatPlural(changed.length, ['figure has changed', 'figures have changed']);
  return [changed.length === 0 ? `No figure has changed ${since}` : `${count} ${since}`, ...shown];
}

/** The figure of a threshold, which may be gone from its report since. */
export function figureOf(when: AlertCondition, request: ReportRequest): NamedFigure {
  const id = when.kind === 'threshold' ? when.figure : '';
  const known = figuresOfRequest(request).find((figure) => figure.id === id);
  const unit = when.kind === 'threshold' && when.isPercent ? 'percent' : 'number';
  return known ?? { id, label: id, unit, compared: 'nothing', min: 0, max: Number.POSITIVE_INFINITY };
}

const sides: Readonly<Record<AlertComparison, string>> = {
  '>': 'above',
  '>=': 'at least',
  '<': 'below',
  '<=': 'at most',
};

/** `above 50`, `at least 80%`. */
export function formatSide({ comparison, value }: Threshold, unit: NumberUnit): string {
  return `${sides[comparison]} ${formatExactly(value, unit)}`;
}

/** `47.5 or less`: where an alert that has posted can post again. */
export function formatArming(when: Threshold, unit: NumberUnit): string {
  const isBelow = when.comparison.startsWith('>');
  return `${formatExactly(armsAgainAt(when), unit)} or ${isBelow ? 'less' : 'more'}`;
}

/** `52, above 50`; `42, not above 50`. */
function formatReading({ unit }: NamedFigure, value: number, when: Threshold): string {
  const not = meets(when, value) ? '' : 'not ';
  return `${formatNumber(value, unit, when.value)}, ${not}${formatSide(when, unit)}`;
}

const upTo = (maximumFractionDigits: number) => new Intl.NumberFormat('en-US', { maximumFractionDigits });
const maxDecimals = 6;
const formats = Array.from({ length: maxDecimals + 1 }, (_, decimals) => upTo(decimals));

/**
 * A number in its unit: `52`, `79.96%`, `12 days`. It has one decimal, and more where it would look like nothing, or be on
 * the other side of the number beside it.
 */
export function formatNumber(value: number, unit: NumberUnit, beside?: number): string {
  if (value === notReached) return 'not reached';
  const sideOf = (number: number) => (beside === undefined ? 0 : Math.sign(number - beside));
  const isRight = (text: string) => {
    const shown = Number(text.replaceAll(',', ''));
    const isNear = Math.abs(shown - value) <= Math.abs(value) / 20;
    return shown === value || (shown !== 0 && isNear && sideOf(shown) === sideOf(value));
  };
  const texts = formats.slice(1).map((format) => format.format(value));
  return withUnit(texts.find(isRight) ?? texts.at(-1) ?? '', unit);
}

/** A number that was typed, or has to be reached, is not rounded: 4.8 does not reach 4.75. */
export function formatExactly(value: number, unit: NumberUnit): string {
  return withUnit(formats.at(-1)?.format(value) ?? '', unit);
}

function withUnit(number: string, unit: NumberUnit): string {
  if (unit === 'percent') return `${number}%`;
  if (unit === 'hours' || unit === 'days') return `${number} ${number === '1' ? unit.slice(0, -1) : unit}`;
  return number;
}

/** Fewer say no more than the sentence. */
const minPoints = 3;

function chartOf({ when, judged, reading, request, zone }: JudgedRun): Chart | undefined {
  const readings = judged.next.readings.includes(reading)
    ? judged.next.readings
    : [...judged.next.readings, reading];
  const figure = when.kind === 'changed' ? firstChanged(readings, request) : figureOf(when, request);
  const values = readings.flatMap(({ dueAt, figures }) => {
    const value = figure && figures[figure.id];
    return value === undefined || value === notReached ? [] : [{ dueAt, value }];
  });
  if (!figure || when.kind === 'new-rows' || values.length < minPoints) return undefined;
  const isPercent = figure.unit === 'percent' ? ' (%)' : '';
  return {
    title: `${figure.label}, last ${values.length} runs${isPercent}`,
    shape: 'line',
    categories: labelsOf(
      values.map(({ dueAt }) => dueAt),
      zone,
    ),
    series: [{ name: figure.label, values: values.map(({ value }) => Number(value.toFixed(2))) }],
    inTable: false,
  };
}

function firstChanged(
  [...readings]: readonly AlertReading[],
  request: ReportRequest,
): NamedFigure | undefined {
  const [before, now] = readings.slice(-2);
  const changed = before && now ? changedFigures(before, now) : [];
  return figuresOfRequest(request).find(({ id }) => changed.includes(id));
}

/** `20 Nov`; where two runs are of one day, `20 Nov, 14:00`. */
export function labelsOf(times: readonly number[], zone: string): readonly string[] {
  const moments = times.map((at) => formatMoment(at, zone).replace(/^\w+ /, ''));
  const days = new Set(times.map((at) => dayAt(Math.floor(at / 1000), zone).getTime()));
  return days.size === times.length ? moments.map((moment) => moment.replace(/,.*/, '')) : moments;
}

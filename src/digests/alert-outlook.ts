import { reportNamed } from '../catalogue/index.js';
import { formatMoment, formatPlural } from '../figures/format/values.js';
import { notReached } from '../figures/summary/changes.js';
import type { NumberUnit } from '../figures/summary/named-figures.js';
import { type AlertCondition, armsAgainAt } from '../requests/alert-condition.js';
import type { ReportRequest } from '../requests/request.js';
import { type AlertReading, type AlertState, changedFigures, judgeAlert, newAlert } from './alert.js';
import { figureOf, formatArming, formatExactly, formatNumber, formatSide, labelsOf } from './alert-words.js';

/* What an alert says beside its runs: before its first one, in lists, and under a test. */

type Threshold = Extract<AlertCondition, { kind: 'threshold' }>;

interface AlertOf {
  readonly when: AlertCondition;
  readonly request: ReportRequest;
}

/** When an alert posts, in sentences. */
export function describeAlert({ when, request }: AlertOf): readonly string[] {
  const first = 'The first run posts nothing: later runs are compared with it.';
  if (when.kind === 'changed') return ['Only when a figure differs from the last run.', first];
  if (when.kind === 'new-rows') {
    const [, rows] = reportNamed(request.report).rowWords;
    return [`Only when there are ${rows} that the last run did not have. It lists them.`, first];
  }
  const { label, unit, min, max } = figureOf(when, request);
  const armsAt = armsAgainAt(when);
  // There is nothing beyond the limit of a figure.
  const isAtLimit = armsAt === min || armsAt === max;
  const arms = isAtLimit ? formatExactly(armsAt, unit) : formatArming(when, unit);
  const moves = when.comparison.startsWith('>') ? 'falls' : 'rises';
  return [
    `Only when ${label} is ${formatSide(when, unit)}. After that it is quiet until it ${moves} to ${arms}.`,
    first,
  ];
}

/** `Last: 42, 8 below 50, Mon 23 Nov`; undefined before the first run, and for conditions without a value. */
export function describeLastReading(
  { when, request }: AlertOf,
  state: AlertState,
  zone: string,
): string | undefined {
  if (when.kind !== 'threshold') return undefined;
  const { readings, lastShown } = state;
  const last = readings.findLast(({ figures }) => figures[when.figure] !== undefined) ?? lastShown;
  const value = last?.figures[when.figure];
  if (last === undefined || value === undefined)
    return readings.length > 0 ? 'Last: the figure could not be shown' : undefined;
  const { unit } = figureOf(when, request);
  const words = [`Last: ${formatNumber(value, unit, when.value)}`, formatDistance(when, value, unit)];
  return [...words, dayOf(last.dueAt, zone)].filter((word) => word !== '').join(', ');
}

/** `8 below 50`, `2 points above 80%`. */
function formatDistance({ value: threshold }: Threshold, value: number, unit: NumberUnit): string {
  const limit = formatExactly(threshold, unit);
  if (value === threshold) return `exactly ${limit}`;
  const side = value > threshold ? 'above' : 'below';
  if (value === notReached) return `${side} ${limit}`;
  const distance = Math.abs(value - threshold);
  const isPoints = unit === 'percent';
  const number = formatNumber(distance, isPoints ? 'number' : unit);
  return `${number}${isPoints ? ` ${number === '1' ? 'point' : 'points'}` : ''} ${side} ${limit}`;
}

/** `Mon 23 Nov` in the zone. */
export function dayOf(instant: number, zone: string): string {
  return formatMoment(instant, zone).replace(/,.*/, '');
}

/**
 * What a condition would have done at each of the last runs, if it had begun with the first of them: `16 Nov: 48, quiet`.
 */
export function lookBack(
  { when, request }: AlertOf,
  readings: readonly AlertReading[],
  zone: string,
): readonly string[] {
  const days = labelsOf(
    readings.map(({ dueAt }) => dueAt),
    zone,
  );
  let state = newAlert;
  return readings.map((reading, i) => {
    const before = state.readings.at(-1);
    const judged = judgeAlert(when, state, reading);
    state = judged.next;
    const found = findingOf({ when, request }, reading, before);
    // Rows are only told apart once an alert waits for new ones.
    const isKnown = when.kind !== 'new-rows' || !before || reading.newRows !== undefined;
    const said = isKnown ? ends[judged.kind] : 'not known';
    return `${days[i]}: ${[...found, said].join(', ')}`;
  });
}

const ends = { baseline: 'first run', held: 'held', quiet: 'quiet', post: 'posted' } as const;

function findingOf(
  { when, request }: AlertOf,
  { figures, newRows }: AlertReading,
  before: AlertReading | undefined,
): readonly string[] {
  if (when.kind === 'threshold') {
    const value = figures[when.figure];
    return [
      value === undefined ? 'not shown' : formatNumber(value, figureOf(when, request).unit, when.value),
    ];
  }
  if (!before) return [];
  if (when.kind === 'changed') {
    const changed = changedFigures(before, { dueAt: 0, rows: 0, figures }).length;
    return changed === 0 ? [] : [formatPlural(changed, ['figure changed', 'figures changed'])];
  }
  return newRows ? [formatPlural(newRows, ['new row', 'new rows'])] : [];
}

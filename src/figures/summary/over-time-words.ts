import { joinWords } from '../../requests/join-words.js';
import type { ReportRequest } from '../../requests/request.js';
import { compact } from '../../requests/text.js';
import {
  formatDayAndTime,
  formatDays,
  formatPercent,
  formatPlural,
  formatValue,
  plainNumber,
} from '../format/values.js';
import type { FigureValue, OverTimeFigures, UnitLine, UnitValues } from '../result.js';
import { type Change, formatChange, fromYearBefore } from './changes.js';
import { formatFinding } from './finding.js';
import { formatTitle, type Reader, type ResultWithFigures } from './request.js';

interface OverTimeResult extends ResultWithFigures {
  readonly overTime: OverTimeFigures;
}

/**
 * The first sentence of an answer over time, without a full stop, and the figure in it:
 * `Assignments over 12 weeks: completion rate 78% in the latest week, up 3 points, 61% in the first`.
 */
export function formatOverTimeFinding(
  result: OverTimeResult,
  reader: Reader,
  changes: ReadonlyMap<string, Change>,
) {
  const { overTime, request } = result;
  const { unit, units, columns, figure } = overTime;
  const at = columns.findIndex(({ id }) => id === figure);
  const label = columns[at]?.label ?? '';
  const title = formatTitle(result);
  const { subject } = formatFinding(result, reader, changes);
  const [first, latest] = [units[0], units.at(-1)];
  const value = latest?.values[at];
  if (!latest || !value || plainNumber(value) === undefined) {
    const why = latest?.gap === 'too-few' || value?.kind === 'too-few' ? 'too few people' : 'no value';
    return {
      sentence: `${subject}: ${label.toLowerCase()} has ${why} in the latest, ${formatDays(latestRange(latest))}`,
      says: [],
    };
  }
  const change = changes.get(figure);
  const earliest = first?.values[at];
  const parts = compact(
    `${label.toLowerCase() === title.toLowerCase() ? '' : `${label.toLowerCase()} `}${short(value)} in the latest ${unit}`,
    // Beside two other shares, counts would be too much.
    change && formatChangeBeside(change, request),
    earliest && plainNumber(earliest) !== undefined && `${short(earliest)} in the first`,
  );
  return { sentence: `${subject}: ${parts.join(', ')}`, says: [figure] };
}

function formatChangeBeside(change: Change, { against }: ReportRequest): string {
  const words = formatChange(change).words.replace(/ from .*$/, '');
  return against ? fromYearBefore(words) : words;
}

function latestRange(latest: UnitLine | undefined) {
  if (!latest) throw new Error('An answer over time has units');
  return latest.range;
}

/** Without what it was counted from. */
function short(value: FigureValue): string {
  if (value.kind === 'rate') return formatPercent(value.part, value.whole);
  return formatValue(value).replace(/ \(.*\)$/, '');
}

/** What the figures over time leave out, and how they are counted: what changes how they read, and the rest. */
export function formatOverTimeNotes({ overTime, asker: { zone } }: OverTimeResult) {
  const { unit, units, yearBefore, ofNow, ofAge, isCohort, readAt } = overTime;
  const many = (count: number) => formatPlural(count, [unit, `${unit}s`]);
  const gaps = (gap: UnitLine['gap'], lines: readonly UnitLine[]) =>
    lines.filter((line) => line.gap === gap).length;
  const tooFew = gaps('too-few', units);
  const undated = gaps('undated', units);
  const reading = compact(
    tooFew > 0 && `${many(tooFew)} ${tooFew === 1 ? 'is a gap' : 'are gaps'}: too few people match`,
    undated > 0 &&
      `${many(undated)} ${undated === 1 ? 'has' : 'have'} gaps: more than 1% of the completed rows have no completed date`,
    yearBefore && missingYear(yearBefore, unit),
    readAt !== undefined && `Earlier ${unit}s as of ${formatDayAndTime(readAt, zone)}`,
  );
  const rest = compact(
    isCohort && `Each ${unit} is counted as it stood one ${unit} after its end, so that all had equal time.`,
    yearBefore && `The year before: ${yearWords[unit]}.`,
    ofNow.length > 0 && `Left out, because they describe now and have no past: ${joinWords(ofNow)}.`,
    ofAge.length > 0 &&
      `Left out, because they grow with time and older ${unit}s had more of it: ${joinWords(ofAge)}.`,
  );
  return { reading, rest };
}

const yearWords: Readonly<Record<OverTimeFigures['unit'], string>> = {
  day: 'the same weekday 364 days before',
  week: 'the same week 52 weeks before',
  month: 'the same month',
  quarter: 'the same quarter',
};

function missingYear(yearBefore: readonly UnitValues[], unit: string): string | undefined {
  const missing = yearBefore.filter(({ gap }) => gap !== undefined).length;
  if (missing === 0) return undefined;
  return `The year before has no line: ${formatPlural(missing, [`${unit} of it has`, `${unit}s of it have`])} gaps`;
}

import type { Field, FieldKind } from '../../catalogue/index.js';
import type { ReportRequest } from '../../requests/request.js';
import { formatValue, plainNumber } from '../format/values.js';
import type { FigureValue, OverTimeFigures } from '../result.js';
import type { NamedFigure } from './named-figures.js';
import { figuresInTime, unitName } from './over-time.js';

type UnitRow = Record<string, string | number | null>;

/**
 * The columns and rows of the file of an answer over time: a row for each unit, the oldest first, with every figure that
 * has a past.
 *
 * @param overTime absent where nothing may be shown: the file has its headings alone
 */
export function unitsTable(request: ReportRequest, overTime: OverTimeFigures | undefined) {
  const { shown } = figuresInTime(request);
  const isCompared = request.against !== undefined;
  const columns: Field[] = [
    column('unit', 'Period', 'text'),
    column('first_day', 'First day', 'date'),
    column('last_day', 'Last day', 'date'),
    ...shown.map((figure) => column(figure.id, headingOf(figure), 'number')),
    ...(isCompared ? shown : []).map((figure) =>
      column(beforeFlag(figure), `A year before: ${headingOf(figure)}`, 'number'),
    ),
  ];
  const rows = (overTime?.units ?? []).map(({ range, values }, index): UnitRow => {
    const row: UnitRow = {
      unit: unitName(range, overTime?.unit ?? 'day'),
      first_day: range.firstDay,
      last_day: range.lastDay,
    };
    const before = overTime?.yearBefore?.[index]?.values;
    for (const [at, figure] of shown.entries()) {
      row[figure.id] = cellOf(values[at]);
      if (before) row[beforeFlag(figure)] = cellOf(before[at]);
    }
    return row;
  });
  return { columns, rows };
}

function column(flag: string, label: string, kind: FieldKind): Field {
  return { flag, label, group: '', kind, personLevel: false };
}

function beforeFlag({ id }: NamedFigure): string {
  return `year-before-${id}`;
}

function headingOf({ label, unit }: NamedFigure): string {
  const inUnit = { percent: '%', hours: 'hours', days: 'days' }[unit as string];
  return inUnit === undefined || label.toLowerCase().includes(inUnit) ? label : `${label} (${inUnit})`;
}

/** A number with all of its digits, up to those that rounding errors make; in words where it has none. */
function cellOf(value: FigureValue | undefined): string | number | null {
  if (!value) return null;
  if (value.kind === 'too-few') return formatValue(value);
  const number = plainNumber(value);
  if (number !== undefined) return Number((value.kind === 'duration' ? number / 3600 : number).toFixed(6));
  return value.kind === 'median' && value.over > 0 ? 'not reached' : null;
}

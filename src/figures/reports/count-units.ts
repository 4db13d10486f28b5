import type { BesideRow } from '../conditions-plan.js';
import { completionDates, dateIn, isDueIn, isWholeDay } from '../counting/dates.js';
import { fieldIndexes } from '../counting/report-figures.js';
import type { RecordView } from '../record-view.js';
import {
  type FiguresPlan,
  type FiguresReader,
  type FiguresResult,
  nothingCounted,
  type UnitPlan,
  type UnitsPlan,
} from '../result.js';

/** The objects that may hold the date of a completion. */
const completionFields = ['content', 'assignment'] as const;

/** The flags that tell the unit of a record. */
export function fieldsOfUnits({ date }: UnitsPlan): readonly string[] {
  return date === 'completion' ? completionFields : [date];
}

/** The plan of one unit, as if it were asked by itself. */
export function planOfUnit({ units: _units, ...plan }: FiguresPlan, unit: UnitPlan): FiguresPlan {
  return { ...plan, range: { from: unit.from, until: unit.until }, asOf: unit.asOf };
}

/** Counts the records of each unit apart. A record without a readable moment is in none, and only counted. */
export class UnitFigures implements FiguresReader {
  private readonly placeOf;
  private unplaced = 0;
  readonly lastRank = Number.NaN;
  readonly lastOrder = Number.NaN;
  readonly lastDays = Number.NaN;

  constructor(
    private readonly plan: FiguresPlan,
    private readonly units: UnitsPlan,
    private readonly fields: readonly string[],
    /** One for each unit. */
    private readonly readers: readonly FiguresReader[],
  ) {
    this.placeOf = unitFinder(units, fields);
  }

  add(record: RecordView): void {
    const reader = this.readers[this.placeOf(record)];
    if (reader) reader.add(record);
    else this.unplaced += 1;
  }

  addBeside(record: RecordView, beside: BesideRow): void {
    const reader = this.readers[this.placeOf(record)];
    if (reader) reader.addBeside(record, beside);
    else this.unplaced += 1;
  }

  isCounted(): boolean {
    return true;
  }

  startPart(): UnitFigures {
    const { plan, units, fields, readers } = this;
    return new UnitFigures(
      plan,
      units,
      fields,
      readers.map((reader) => reader.startPart()),
    );
  }

  merge(part: UnitFigures): void {
    this.unplaced += part.unplaced;
    for (const [index, reader] of this.readers.entries()) {
      const later = part.readers[index];
      if (later) reader.merge(later);
    }
  }

  finish(): FiguresResult {
    const units = this.readers.map((reader) => reader.finish());
    return { ...nothingCounted, report: this.plan.report, units, unplaced: this.unplaced };
  }
}

/** Finds the index of a record's unit; -1: none. The units are adjacent, or have gaps between them. */
function unitFinder({ date, each }: UnitsPlan, fields: readonly string[]): (record: RecordView) => number {
  if (date === 'due_date') {
    const { due_date: index } = fieldIndexes(fields, ['due_date']);
    const tests = each.map(isDueIn);
    return (record) => {
      const due = dateIn(record, index);
      return tests.findIndex((isIn) => isIn(due));
    };
  }
  const dateOf = dateReader(date, fields);
  const starts = each.map(({ from }) => from * 1000);
  const ends = each.map(({ until }) => until * 1000);
  return (record) => {
    const moment = dateOf(record);
    // Only the service knows when a day without a time begins for it.
    if (Number.isNaN(moment) || isWholeDay(moment)) return -1;
    let at = starts.length - 1;
    while (at >= 0 && moment < (starts[at] as number)) at--;
    return at >= 0 && moment < (ends[at] as number) ? at : -1;
  };
}

function dateReader(date: string, fields: readonly string[]): (record: RecordView) => number {
  if (date !== 'completion') {
    const index = fieldIndexes(fields, [date])[date] ?? -1;
    return (record) => dateIn(record, index);
  }
  const index = fieldIndexes(fields, completionFields);
  return completionDates([index.content, index.assignment]);
}

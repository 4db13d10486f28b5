import { reportNamed } from '../../catalogue/index.js';
import { CompletedBy, CompletionDates, ZoneDays } from '../counting/dates.js';
import { DayCounts } from '../counting/day-counts.js';
import { MissingValues } from '../counting/missing-values.js';
import { personKeyFields, personKeyReader } from '../counting/person-fields.js';
import {
  type Contribution,
  type CountedRow,
  count,
  distinctPeople,
  type FigureRule,
  fieldIndexes,
  type RecordCounter,
  type ReportFigures,
  type ReportFindings,
} from '../counting/report-figures.js';
import { ValueSpread } from '../counting/statuses.js';
import type { RecordView } from '../record-view.js';
import { type FiguresPlan, type FigureValue, factIfAny } from '../result.js';

const flags = ['content', 'assignment'] as const;

/** Members that may hold the type of a content. The service does not specify it. */
const typeMembers = ['type', 'content_type', 'contentType', 'kind'] as const;

const at = { all: 0, people: 1, withoutPerson: 2, withoutDay: 3 } as const;

export const completions: ReportFigures = {
  sums: Object.keys(at).length,
  people: { sum: at.people },
  groupedBy: 'content',
  rules: (plan) => [
    {
      id: 'completions',
      denominator: 'all-rows',
      label: 'Completions',
      compared: 'equal-age',
      value: (row) => count(row.sum(at.all)),
    },
    {
      id: 'people',
      denominator: 'all-rows',
      countsPeople: true,
      label: 'People',
      inGroupsOnRequest: true,
      compared: 'equal-age',
      value: (row) => distinctPeople(row, at.people),
    },
    ...perDay(plan),
  ],
  size: (row) => row.sum(at.all),
  order: moreCompleted,
  highlights: [
    {
      title: 'Most completed',
      denominator: 'all-rows',
      order: moreCompleted,
      includes: () => true,
      value: (row) => count(row.sum(at.all)),
    },
  ],
  bars: {
    title: 'Completions',
    series: [{ name: 'Completions', denominator: 'all-rows', value: (row) => row.sum(at.all) }],
  },
  fields: (plan) => [...(needsDates(plan) ? flags : []), ...personKeyFields],
  counter: (plan, fields) => new CompletionCounter(plan, fields),
};

/** The key figures alone need neither content nor day, unless they are recounted. */
function needsDates({ figuresOnly, asOf }: FiguresPlan): boolean {
  return !figuresOnly || asOf !== undefined;
}

function perDay(plan: FiguresPlan): FigureRule[] {
  const days = daysIn(plan);
  if (days === 0) return [];
  const value = (row: CountedRow): FigureValue => ({ kind: 'per-day', count: row.sum(at.all), days });
  return [
    {
      id: 'per-day',
      denominator: 'all-rows',
      label: 'Completions per day',
      heading: 'Per day',
      compared: 'equal-age',
      value,
    },
  ];
}

function moreCompleted(a: CountedRow, b: CountedRow): number {
  return b.sum(at.all) - a.sum(at.all);
}

/** First and last day of the range, both inside. */
function daysOfRange({ range, zone }: FiguresPlan): readonly [first: number, last: number] | undefined {
  if (!range) return undefined;
  const days = new ZoneDays(zone);
  return [days.dayOf(range.from * 1000), days.dayOf(range.until * 1000 - 1)];
}

function daysIn(plan: FiguresPlan): number {
  if (plan.days !== undefined) return plan.days;
  const [first, last] = daysOfRange(plan) ?? [0, -1];
  return Math.max(0, last - first + 1);
}

class CompletionCounter implements RecordCounter {
  private readonly readPerson: (record: RecordView, into: Contribution) => boolean;
  /** Absent where no dates are needed. */
  private readonly content: number | undefined;
  private readonly dates: CompletionDates | undefined;
  /** Days since 1 January 1970. */
  private readonly today: number;
  private readonly missing: MissingValues;
  private readonly types = new ValueSpread();
  private readonly days = new DayCounts();
  private readonly completedBy: CompletedBy | undefined;

  constructor(
    private readonly plan: FiguresPlan,
    fields: readonly string[],
  ) {
    this.missing = new MissingValues(fields);
    this.completedBy = CompletedBy.start(plan);
    this.readPerson = personKeyReader(fields);
    this.today = new ZoneDays(plan.zone).dayOf(plan.now);
    if (!needsDates(plan)) return;
    const { content, assignment } = fieldIndexes(fields, flags);
    this.content = content;
    this.dates = new CompletionDates([content, assignment], plan.zone);
  }

  read(record: RecordView, into: Contribution): boolean {
    const { sums } = into;
    const { content, dates } = this;
    if (this.completedBy && dates && !this.completedBy.wasCompleted(dates.dateOf(record))) return false;
    sums[at.all] = 1;
    if (!this.readPerson(record, into)) sums[at.withoutPerson] = 1;
    if (content === undefined || !dates) return true;
    this.missing.countText(record, content, record.text(content));
    const type = typeOf(record, content);
    if (type !== undefined) this.types.add(type.toLowerCase(), type);
    const day = dates.dayOf(record);
    // A later day has not begun, and nothing can have been completed on it.
    if (day === undefined || day > this.today) sums[at.withoutDay] = 1;
    else this.days.add(day);
    return true;
  }

  finish(total: CountedRow): ReportFindings {
    const chart = this.days.chart('Completions', 'Completions', daysOfRange(this.plan));
    return {
      spreads: this.types.finish('By content type'),
      chart,
      recounted: this.completedBy?.finish(),
      notes: [
        ...this.missing.notes(reportNamed('completions')),
        ...factIfAny('nobody-named', total.sum(at.withoutPerson)),
        ...factIfAny('no-day-of-completion', total.sum(at.withoutDay)),
      ],
    };
  }
}

function typeOf(record: RecordView, content: number): string | undefined {
  for (const name of typeMembers) {
    const type = record.member(content, name).text()?.trim();
    if (type) return type;
  }
  return undefined;
}

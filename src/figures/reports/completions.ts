import { compact } from '../../requests/text.js';
import { dayNumberAt } from '../../time/calendar.js';
import { CompletedBy, completionDates, ZoneDays } from '../counting/dates.js';
import { DayCounts } from '../counting/day-counts.js';
import { MissingValues } from '../counting/missing-values.js';
import { personKeyReader } from '../counting/person-fields.js';
import { fieldIndexes, type RecordCounter, type ReportFigures } from '../counting/report-figures.js';
import { barsOf, byMost, figure, mostOf, numbered, peopleOf, sumOf } from '../counting/rules.js';
import { ValueSpread } from '../counting/statuses.js';
import type { RecordView } from '../record-view.js';
import { type FiguresPlan, factIfAny } from '../result.js';

const flags = ['content', 'assignment'] as const;

/** Members that may hold the type of a content. The service does not specify it. */
const typeMembers = ['type', 'content_type', 'contentType', 'kind'] as const;

const at = numbered('all', 'people', 'withoutPerson', 'withoutDay');

export const completions: ReportFigures = {
  sums: at,
  rows: at.all,
  size: at.all,
  people: { sum: at.people },
  groupedBy: 'content',
  rules: (plan) => {
    const days = daysIn(plan);
    const perDay = figure('per-day', 'Completions per day', 'equal-age', {
      denominator: 'all-rows',
      value: (row) => ({ kind: 'per-day', count: row.sum(at.all), days }),
    });
    return compact(
      figure('completions', 'Completions', 'equal-age', sumOf(at.all)),
      figure('people', 'People', 'equal-age', peopleOf(at.people)),
      days > 0 && { ...perDay, heading: 'Per day' },
    );
  },
  order: byMost(at.all),
  highlights: [mostOf('Most completed', at.all)],
  bars: { title: 'Completions', series: [barsOf('Completions', at.all)] },
  fields: (plan) => (needsDates(plan) ? flags : []),
  counter: countCompletions,
};

/** The key figures alone need neither content nor day, unless they are recounted. */
function needsDates({ figuresOnly, asOf }: FiguresPlan): boolean {
  return !figuresOnly || asOf !== undefined;
}

/** First and last day of the range, both inside. */
function daysOfRange({ range, zone }: FiguresPlan): readonly [first: number, last: number] | undefined {
  return range && [dayNumberAt(range.from, zone), dayNumberAt(range.until - 1, zone)];
}

function daysIn(plan: FiguresPlan): number {
  if (plan.days !== undefined) return plan.days;
  const [first, last] = daysOfRange(plan) ?? [0, -1];
  return Math.max(0, last - first + 1);
}

function countCompletions(plan: FiguresPlan, fields: readonly string[]): RecordCounter {
  const missing = new MissingValues(fields);
  const completedBy = CompletedBy.start(plan);
  const readPerson = personKeyReader(fields);
  const zoneDays = new ZoneDays(plan.zone);
  const today = zoneDays.dayOf(plan.now);
  const spread = new ValueSpread('By content type');
  const days = new DayCounts();
  const index = needsDates(plan) ? fieldIndexes(fields, flags) : undefined;
  const dateOf = completionDates(index ? [index.content, index.assignment] : []);
  return {
    parts: { missing, spread, completedBy, days },
    read(record, into) {
      const { sums } = into;
      const done = dateOf(record);
      if (completedBy && !completedBy.wasCompleted(done)) return false;
      sums[at.all] = 1;
      if (!readPerson(record, into)) sums[at.withoutPerson] = 1;
      if (!index) return true;
      missing.countText(record, index.content, record.text(index.content));
      const type = typeOf(record, index.content);
      if (type !== undefined) spread.add(type.toLowerCase(), type);
      const day = zoneDays.dayOfDate(done);
      // A later day has not begun, and nothing can have been completed on it.
      if (day <= today) days.add(day);
      else sums[at.withoutDay] = 1;
      return true;
    },
    finish: (total) => ({
      chart: days.chart('Completions', 'Completions', daysOfRange(plan)),
      notes: [
        ...factIfAny('no-person-named', total.sum(at.withoutPerson)),
        ...factIfAny('no-day-of-completion', total.sum(at.withoutDay)),
      ],
    }),
  };
}

function typeOf(record: RecordView, content: number): string | undefined {
  for (const name of typeMembers) {
    const type = record.member(content, name).text()?.trim();
    if (type) return type;
  }
  return undefined;
}

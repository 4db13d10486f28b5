import type { Report } from '../../../../src/catalogue/index.js';
import { engagementRows, workshopRows } from './engagement.js';
import { passes } from './filters.js';
import { assessmentRows, assignmentRows, completionRows, trackRows } from './learning.js';
import type { NaiveRow, Tables } from './tables.js';

export interface NaiveQuestion {
  readonly report: Report;
  readonly from: number;
  readonly until: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const ownDates: Record<string, string> = {
  assignments: 'assigned_date',
  tracks: 'updated_date',
  completions: 'completed_date',
  workshops: 'own',
};

/** Every report, computed with plain loops over arrays, to compare with the service. */
export function naiveAnswer(t: Tables, { report, from, until, body }: NaiveQuestion, now: number): unknown[] {
  const flags = report.fields.map(({ flag }) => flag).filter((flag) => body[flag] === true);
  const date = String(body.range_target ?? ownDates[report.name] ?? 'own');
  const rows = rowsOf(t, report, now, from, until).filter((row) => {
    const instant = row.dates[date];
    if (
      ownDates[report.name] &&
      (instant === null || instant === undefined || instant < from || instant >= until)
    ) {
      return false;
    }
    return report.filters.every(({ name }) =>
      Object.entries((body[name] ?? {}) as Record<string, string>).every(([member, said]) =>
        passes(t, row, name, member, said, now),
      ),
    );
  });
  rows.sort((a, b) => compareLists(a.order[date] ?? [], b.order[date] ?? []));
  if (typeof body.sort_by === 'string') sortBy(rows, body.sort_by);
  return rows.map(({ values }) => Object.fromEntries(flags.map((flag) => [flag, values[flag]])));
}

function rowsOf(t: Tables, report: Report, now: number, from: number, until: number): NaiveRow[] {
  switch (report.name) {
    case 'assignments':
      return assignmentRows(t, now);
    case 'tracks':
      return trackRows(t, now);
    case 'completions':
      return completionRows(t, now);
    case 'assessments':
      return assessmentRows(t, now);
    case 'engagement':
      return engagementRows(t, now, from, until);
    case 'workshops':
      return workshopRows(t, now);
  }
}

/** Missing values last; texts by code point. Array.sort is stable. */
function sortBy(rows: NaiveRow[], flag: string): void {
  const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  const key = (row: NaiveRow) => row.dates[flag] ?? row.values[flag] ?? null;
  rows.sort((a, b) => {
    const [one, other] = [key(a), key(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    if (typeof one === 'number' && typeof other === 'number') return one - other;
    return Buffer.compare(bytes(one), bytes(other));
  });
}

function compareLists(one: readonly number[], other: readonly number[]): number {
  for (const [index, value] of one.entries()) {
    const difference = value - (other[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

import { rm } from 'node:fs/promises';
import { reportNamed } from '../../src/catalogue/index.js';
import type { ConditionsPlan } from '../../src/figures/conditions-plan.js';
import { fieldsToCount } from '../../src/figures/reports/count-report.js';
import type { FiguresPlan } from '../../src/figures/result.js';
import { numberPeople } from '../../src/reporting-api/client.js';
import type { ReportSource } from '../../src/runner/ports.js';
import { openStore, type Store } from '../../src/store/store.js';
import { serveSide } from '../harness/side.js';
import { clientOf } from './client.js';
import { columnsOf, reportOf } from './columns.js';
import type { AnswerJob } from './jobs.js';

/* Rollcall's path from a query to a CSV on disk and figures, with client and reading thread as in the product. */

let store: Store | undefined;

serveSide<AnswerJob>(async ({ address, kind, records, csvPath, figures, conditions, database }) => {
  await rm(csvPath, { force: true });
  if (database) store ??= await openStore(database.path, Date.now);
  const asked = sourceOf(address, `${kind}/${records}`);
  const source = store && database?.numbers ? numberPeople(asked, store.personNumbers) : asked;
  const columns = columnsOf(kind);
  const flags = columns.map(({ flag }) => flag);
  const onRows = conditions ? metByAll : undefined;
  const plan: FiguresPlan = {
    report: reportOf(kind),
    people: false,
    smallestGroup: 1,
    now: Date.UTC(2026, 10, 20),
    zone: 'Europe/Berlin',
    range: { from: 1_793_750_400, until: 1_794_355_200 },
    conditions: onRows,
  };
  const read = await source.read(
    { operation: reportNamed(reportOf(kind)).operation, addsUp: false, body: {} },
    {
      fields: figures ? [...new Set([...flags, ...fieldsToCount(plan)])] : flags,
      file: { path: csvPath, format: 'csv', title: 'Rows', zone: 'UTC', columns },
      figures: figures ? plan : undefined,
      conditions: onRows,
    },
    { urgency: 'person', asker: 'bench', signal: new AbortController().signal },
  );
  return { records: read.records, figures: read.figures?.figures };
});

/** `departments:!Nowhere views:>=0 last_login:!1999`: a list, a number and a date, which every row meets. */
const metByAll: ConditionsPlan = {
  all: [
    {
      field: 'departments',
      sources: [{ field: 'departments' }],
      test: { kind: 'values', valueKind: 'list', entries: [['Nowhere']], isExcluded: true },
    },
    {
      field: 'views',
      sources: [{ field: 'views' }],
      test: { kind: 'numbers', spans: [{ from: 0 }], isExcluded: false },
    },
    {
      field: 'last_login',
      sources: [{ field: 'last_login' }],
      test: {
        kind: 'dates',
        spans: [{ from: 915_145_200, until: 946_681_200, firstDay: '1999-01-01', lastDay: '1999-12-31' }],
        isExcluded: true,
      },
    },
  ],
  now: Date.UTC(2026, 10, 20),
  zone: 'Europe/Berlin',
};

/** The source that asks the server of answers for one of its answers, whatever is asked. */
function sourceOf(address: string, operation: string): ReportSource {
  const { source } = clientOf(address);
  return { read: (query, plan, options) => source.read({ ...query, operation }, plan, options) };
}

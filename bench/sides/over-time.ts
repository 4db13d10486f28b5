import { unlimitedScope } from '../../src/access/scope.js';
import { plainRequest } from '../../src/requests/request.js';
import type { ReportSource } from '../../src/runner/ports.js';
import type { RunOptions } from '../../src/runner/queries.js';
import { startReport } from '../../src/runner/run-report.js';
import { openStore } from '../../src/store/store.js';
import { serveSide } from '../harness/side.js';
import { clientOf } from './client.js';
import type { OverTimeJob } from './jobs.js';

/* Answers over time, with the client, the reading thread and the database as in the product. */

/** A Wednesday: the newest week ended less than seven days before, and is read again. */
const requestedAt = Date.UTC(2026, 10, 18, 9);

const options: RunOptions = {
  asker: { id: 'bench', zone: 'Europe/Berlin' },
  requestedAt,
  scope: unlimitedScope,
  urgency: 'person',
  comparesLater: true,
  signal: new AbortController().signal,
};

serveSide<OverTimeJob>(async ({ address, records, weeks, databasePath }) => {
  const { source } = clientOf(address);
  let queries = 0;
  const counted: ReportSource = {
    read({ body }, plan, how) {
      queries += 1;
      // Without its range, with which the path would not end as the server wants it.
      return source.read({ operation: `engagement/${records}`, addsUp: false, body }, plan, how);
    },
  };
  const parts = { source: counted, weekStart: 'monday' } as const;
  const request = plainRequest('engagement');
  if (databasePath === undefined) {
    for (let week = 1; week <= weeks; week += 1)
      await startReport({ ...request, range: weekOf(week) }, options, parts);
    return { queries };
  }
  const store = await openStore(databasePath, () => requestedAt);
  try {
    const { unitTotals } = store;
    const { result } = await startReport({ ...request, over: `${weeks}w` }, options, {
      ...parts,
      unitTotals,
    });
    return { queries, units: result.figures?.overTime?.units.length };
  } finally {
    await store.close();
  }
});

/** The days of an ended week, some weeks ago. */
function weekOf(ago: number): string {
  const monday = Date.UTC(2026, 10, 16 - 7 * ago);
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  return `${day(monday)}..${day(monday + 6 * 86_400_000)}`;
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseRequest } from '../../../playground/reporting-service/request.js';
import { planStatements } from '../../../playground/reporting-service/sql/statement.js';
import { temporaryWorld, type World } from '../../../playground/reporting-service/world/world.js';
import { allReports, type Report } from '../../../src/catalogue/index.js';
import { everyFlag } from './service.js';

let world: World;
beforeAll(async () => {
  world = await temporaryWorld(async () => {});
});
afterAll(() => world.remove());

function explained(report: Report, body: Record<string, unknown>): readonly string[] {
  const plan = planStatements(
    { report, range: { from: 1, until: 2 } },
    parseRequest(report, body),
    'names',
    5,
  );
  const db = world.connect();
  try {
    return [plan.keys, plan.records].flatMap((statement) =>
      statement
        ? db
            .prepare<[object], { detail: string }>(`EXPLAIN QUERY PLAN ${statement.sql}`)
            .all({ ...statement.parameters, ids: '[]' })
            .map(({ detail }) => detail)
        : [],
    );
  } finally {
    db.close();
  }
}

/** All filters at once. */
function everyMember(report: Report): Record<string, unknown> {
  return Object.fromEntries(
    report.filters.map(({ name, members }) => [
      name,
      Object.fromEntries(members.map((member) => [member.name, member.kind === 'yes-no' ? 'true' : 'x'])),
    ]),
  );
}

const readings = allReports.flatMap((report) =>
  [undefined, ...(report.dateField?.choices ?? []).map(({ flag }) => flag)].map((target) => ({
    title: `${report.name} by ${target ?? 'its own date'}`,
    report,
    body: target === undefined ? {} : { range_target: target },
  })),
);

describe('no statement', () => {
  it.each(readings)('sorts, or scans a table of events: $title', ({ report, body }) => {
    const plan = explained(report, { ...everyFlag(report.name), ...everyMember(report), ...body });
    expect(plan.length).toBeGreaterThan(3);
    expect(plan.filter((step) => /TEMP B-TREE|AUTOMATIC/.test(step))).toEqual([]);
    const scans = plan.filter((step) => /^SCAN /.test(step) && !/^SCAN json_each/.test(step));
    expect(scans).toEqual(report.name === 'engagement' ? ['SCAN p'] : []);
  });

  it('sorts for a sort_by without an index: the service sorts in steps', () => {
    const completions = allReports.find(({ name }) => name === 'completions');
    if (!completions) throw new Error('There are no completions');
    for (const sort_by of completions.sorts) {
      const plan = explained(completions, { ...everyFlag('completions'), sort_by });
      expect(plan.filter((step) => /TEMP B-TREE|AUTOMATIC|^SCAN event/.test(step))).toEqual([]);
    }
  });
});

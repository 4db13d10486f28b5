import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Scope } from '../../../src/access/scope.js';
import type { FiguresResult } from '../../../src/figures/result.js';
import { comparableNumbers } from '../../../src/figures/summary/changes.js';
import { plainRequest, type ReportRequest } from '../../../src/requests/request.js';
import type { LastFiguresKey } from '../../../src/runner/ports.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { freshFolder, recordKey, sqlOn } from '../fresh-folder.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables('rollcall.db'), Date.now, { recordKey });
});
afterEach(() => store.close());

const mark = 'zzperson@marked.example';

/** Figures as an answer has them, with an address and a name wherever texts can be. */
const figures = {
  figures: [
    { id: 'overdue', label: mark, value: { kind: 'count', count: 7 }, compared: 'last-run' },
    { id: 'most', label: 'Most overdue', value: { kind: 'text', text: mark }, compared: 'last-run' },
  ],
  chart: { title: mark, bars: [{ label: mark, value: 3 }] },
  highlights: [{ label: mark, rows: [[mark]] }],
  people: [{ name: mark }],
} as unknown as FiguresResult;

const request = {
  ...plainRequest('assignments'),
  filters: [{ object: 'user_filter', member: 'manager_email', entries: [mark] }],
};

const everybody: Scope = { rows: 'all', smallestGroup: 1, namesPeople: true, onlyDirect: false };

const keyWith = (scope: Scope): LastFiguresKey => ({
  run: { kind: 'asker', channel: 'C1' },
  asker: 'U1',
  request,
  scope,
});

const save = (scope: Scope) =>
  store.lastFigures.save(keyWith(scope), comparableNumbers(figures, ['last-run']), 1);

describe('the figures that are kept to compare with', () => {
  it('are numbers by the ids of figures: no name, address or chart', async () => {
    await save({ ...everybody, rows: 'team', address: mark });
    const rows = await sqlOn<Record<string, unknown>>(folder.database(), 'SELECT * FROM last_figures');
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('zzperson');
    expect(JSON.parse(String(rows[0]?.figures))).toEqual({ overdue: 7 });
  });

  it('are of one meaning of a range alone, and of the same conditions', async () => {
    const overdue = { ...request, view: 'overdue' } as const;
    const requests: readonly ReportRequest[] = [
      overdue,
      { ...overdue, range: '2026' },
      { ...overdue, assigned: '2026' },
      { ...overdue, range: '2026', assigned: '2026' },
      { ...overdue, range: '2026', dateField: 'due_date' },
      { ...request, view: 'due', range: '2026' },
      { ...request, range: '2026' },
      { ...request, range: '2026', states: ['overdue'] },
      { ...overdue, conditions: [{ field: 'days_overdue', sign: '>', values: ['30'] }] },
      { ...overdue, conditions: [{ field: 'days_overdue', sign: '>', values: ['60'] }] },
    ];
    for (const one of requests) {
      const of = { ...keyWith(everybody), request: one };
      expect(await store.lastFigures.find(of)).toBeUndefined();
      await store.lastFigures.save(of, comparableNumbers(figures, ['last-run']), 1);
    }
  });

  it.each<[string, Scope]>([
    ['a team', { ...everybody, rows: 'team', address: 'noah@example.com' }],
    ['another team', { ...everybody, rows: 'team', address: 'bob@example.com' }],
    ['own rows', { ...everybody, rows: 'self', address: 'noah@example.com' }],
    ['joined small groups', { ...everybody, smallestGroup: 5 }],
  ])('of everybody are not compared with those of %s', async (_what, scope) => {
    await save(everybody);
    expect(await store.lastFigures.find(keyWith(scope))).toBeUndefined();
    await save(scope);
    expect((await store.lastFigures.find(keyWith(scope)))?.figures).toEqual({ overdue: 7 });
  });
});

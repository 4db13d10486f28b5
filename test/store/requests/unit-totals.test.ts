import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nothingCounted } from '../../../src/figures/result.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { freshFolder, recordKey, sqlOn } from '../fresh-folder.js';

const folder = freshFolder();
const day = 24 * 3_600_000;
let now = Date.parse('2026-11-20T10:00:00Z');
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables('rollcall.db'), () => now, { recordKey });
});
afterEach(() => store.close());

const unit = { figures: { ...nothingCounted, report: 'engagement' as const, records: 7 } };

async function keep(identity = 'ada@example.com last week') {
  await (await store.unitTotals.open(identity)).keep(unit);
}
const kept = async (identity = 'ada@example.com last week') => (await store.unitTotals.open(identity)).kept;

describe('the figures of ended units', () => {
  it('are found by what they were counted from alone, with when they were read', async () => {
    await keep();
    expect(await kept()).toEqual({ ...unit, readAt: now });
    expect(await kept('another query')).toBeUndefined();
  });

  it('name nobody whom the query names', async () => {
    await keep();
    const rows = await sqlOn<object>(folder.database(), 'SELECT * FROM unit_totals');
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('ada');
  });

  it('end with a change of the rules, also one while they were read', async () => {
    const rule = { subject: { kind: 'everyone' }, report: undefined, level: 'totals' } as const;
    await keep();
    const open = await store.unitTotals.open('asked before the change');
    await store.accessRules.set(rule, { by: 'U1', at: now });
    await open.keep(unit);
    expect(await kept()).toBeUndefined();
    expect(await kept('asked before the change')).toBeUndefined();
    expect(await sqlOn<object>(folder.database(), 'SELECT * FROM unit_totals')).toEqual([]);
    await keep();
    expect(await kept()).toMatchObject(unit);
  });

  it('end with an erasure of anybody', async () => {
    await keep();
    await store.erasePerson('bob@example.com');
    expect(await sqlOn<object>(folder.database(), 'SELECT * FROM unit_totals')).toEqual([]);
  });

  it('end after 30 days, and are not from the future', async () => {
    await keep();
    const readAt = now;
    now = readAt + 30 * day;
    expect(await kept()).toMatchObject(unit);
    now = readAt + 30 * day + 1;
    expect(await kept()).toBeUndefined();
    now = readAt - 1;
    expect(await kept()).toBeUndefined();
    now = readAt;
  });
});

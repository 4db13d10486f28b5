import type { Kysely } from 'kysely';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/store/database/database.js';
import {
  addRow,
  changeRows,
  countRows,
  deleteRows,
  is,
  plusOne,
  putRow,
} from '../../src/store/database/rows.js';
import type { Tables } from '../../src/store/database/schema.js';
import { preparedQuery, WorkspacePlugin } from '../../src/store/database/workspace.js';
import { freshFolder } from './fresh-folder.js';

const folder = freshFolder();

interface Age {
  readonly channel: string;
  readonly days: number;
}

/** How often the queries were built. */
const built = { insert: 0, find: 0 };

const insertAge = preparedQuery((db, { channel, days }: Age) => {
  built.insert += 1;
  return db.insertInto('channel_ages').values({ channel, days, set_by: 'U1', set_at: 1 });
});

const findOlder = preparedQuery((db, { days }: Pick<Age, 'days'>) => {
  built.find += 1;
  return db.selectFrom('channel_ages').select('channel').where('days', '>', days).orderBy('channel');
});

/** A database in which the workspace can be changed. */
function openLimited() {
  const whole = openDatabase(folder.path('rollcall.db'), Date.now);
  const current = { workspace: 'T1' };
  const db: Kysely<Tables> = whole.withPlugin(new WorkspacePlugin(() => current.workspace));
  const older = async (days: number) => (await findOlder(db, { days })).rows.map(({ channel }) => channel);
  return { whole, db, current, older };
}

it('a prepared query is built once and takes the values of each run, in transactions too', async () => {
  built.insert = built.find = 0;
  const { whole, db, older } = openLimited();
  await insertAge(db, { channel: 'C1', days: 10 });
  await db.transaction().execute((trx) => insertAge(trx, { channel: 'C2', days: 20 }));
  expect([await older(5), await older(10), await older(20)]).toEqual([['C1', 'C2'], ['C2'], []]);
  expect(built).toEqual({ insert: 1, find: 1 });
  await whole.destroy();
});

it('a prepared query stays in the workspace of its store, and of each store', async () => {
  const { whole, db, current, older } = openLimited();
  await insertAge(db, { channel: 'C1', days: 10 });
  current.workspace = 'T2';
  expect(await older(5)).toEqual([]);
  await insertAge(db, { channel: 'C2', days: 10 });
  const first = whole.withPlugin(new WorkspacePlugin(() => 'T1'));
  expect((await findOlder(first, { days: 5 })).rows).toEqual([{ channel: 'C1' }]);
  expect(await older(5)).toEqual(['C2']);
  await whole.destroy();
});

it('a prepared query that depends on a value in another way is refused', async () => {
  const { whole, db } = openLimited();
  const wrong = preparedQuery((limited, { channel, days }: Age) => {
    const ages = limited.selectFrom('channel_ages').select('channel').where('channel', '=', channel);
    return days === 3 ? ages.where('days', '=', days) : ages;
  });
  expect(() => wrong(db, { channel: 'C1', days: 3 })).toThrow('no place for days');
  const any = preparedQuery((limited, values: Partial<Age>) =>
    limited.insertInto('channel_ages').values({ channel: 'C1', days: 1, set_by: 'U1', set_at: 1, ...values }),
  );
  await any(db, { days: 2 });
  expect(() => any(db, { channel: 'C2', days: 2 })).toThrow('other values');
  await whole.destroy();
});

it('rows are found, changed and put by what is null, absent and listed, whatever was asked before', async () => {
  const { whole, db } = openLimited();
  const post = (id: string, more: object = {}) =>
    addRow(db, 'posts', {
      ...{ id, kind: 'answer', channel: 'C1', due_at: 1, state: 'running', created_at: 1, attempts: 1 },
      ...more,
    } as never);
  expect(await post('p1')).toBe(true);
  expect(await post('p2', { process: 'one' })).toBe(true);
  expect(await post('p2', { process: 'two' })).toBe(false);
  const count = (values: Parameters<typeof countRows<'posts'>>[2]) => countRows(db, 'posts', values);
  expect(await Promise.all([count({ process: null }), count({ process: 'one' }), count({})])).toEqual([
    1, 1, 2,
  ]);
  expect(await Promise.all([count({ id: [] }), count({ id: ['p1'] }), count({ id: ['p1', 'p2'] })])).toEqual([
    0, 1, 2,
  ]);
  expect(await count({ id: ['a', 'b', 'c', 'd', 'p1', 'p2'], attempts: is('>', 0) })).toBe(2);
  expect(await changeRows(db, 'posts', { id: 'p2' }, { process: null, late: undefined })).toBe(1);
  expect(await changeRows(db, 'posts', { process: null }, { process: 'two', late: 1 })).toBe(2);
  expect(await changeRows(db, 'posts', { process: 'one' }, { process: 'two', late: 1 })).toBe(0);
  expect(await changeRows(db, 'posts', { id: ['p1'] }, { attempts: plusOne('attempts') })).toBe(1);
  expect(await Promise.all([count({ process: 'two' }), count({ attempts: 2, late: 1 })])).toEqual([2, 1]);
  await putRow(db, 'channel_ages', { channel: 'C1', days: 1, set_by: 'U1', set_at: 1 });
  await putRow(db, 'channel_ages', { channel: 'C1', days: 2, set_by: 'U2', set_at: 3 });
  expect(await countRows(db, 'channel_ages', { channel: 'C1', days: 2, set_by: 'U2' })).toBe(1);
  expect(await deleteRows(db, 'channel_ages', { set_by: 'U1' })).toBe(0);
  expect(await deleteRows(db, 'channel_ages', { set_by: 'U2' })).toBe(1);
  await whole.destroy();
});

it('a query that was compiled for one call takes the values of the next', async () => {
  const { whole, db, current } = openLimited();
  for (const [channel, days] of [
    ['C1', 1],
    ['C2', 2],
  ] as const)
    await putRow(db, 'channel_ages', { channel, days, set_by: 'U1', set_at: 1 });
  expect(await countRows(db, 'channel_ages', { channel: 'C1' })).toBe(1);
  expect(await countRows(db, 'channel_ages', { channel: 'C3' })).toBe(0);
  current.workspace = 'T2';
  expect(await countRows(db, 'channel_ages', { channel: 'C1' })).toBe(0);
  await whole.destroy();
});

import type { Kysely } from 'kysely';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/store/database/database.js';
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

import { createHash, createHmac } from 'node:crypto';
import Sqlite, { type Database, type Statement } from 'better-sqlite3';
import fc from 'fast-check';
import { Kysely, SqliteDialect } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isFailure } from '../../../src/errors/failure.js';
import {
  type EventHead,
  type NewEvent,
  recordKeyOf,
  useRecordKey,
} from '../../../src/store/access/event-chain.js';
import { migrate } from '../../../src/store/database/migrate.js';
import type { Tables } from '../../../src/store/database/schema.js';
import { WorkspacePlugin } from '../../../src/store/database/workspace.js';
import { type Events, eventsIn } from '../../../src/store/erasure/events.js';
import { eraseFromEvents } from '../../../src/store/erasure/people-in-events.js';

const key = recordKeyOf('5a'.repeat(32));

let database: Database;
let db: Kysely<Tables>;
let events: Events;
let now = 0;

beforeEach(() => open());
afterEach(() => db.destroy());

const empty = (() => {
  const made = new Sqlite(':memory:');
  migrate(made, () => 1);
  return made.serialize();
})();

function open(content = empty) {
  const opened = new Sqlite(content);
  database = opened;
  const statements = new Map<string, Statement>();
  db = new Kysely<Tables>({
    dialect: new SqliteDialect({
      database: {
        // A statement takes longer to prepare than to run.
        prepare(text) {
          const statement = statements.get(text) ?? opened.prepare(text);
          statements.set(text, statement);
          return statement;
        },
        close: () => opened.close(),
      },
    }),
    plugins: [new WorkspacePlugin(() => 'T1')],
  });
  now = 1_000;
  events = eventsIn(db, () => now, key);
}

const erase = (...people: string[]) =>
  db.transaction().execute((trx) => {
    now += 1;
    return eraseFromEvents(trx, key, people, now);
  });

const asked = (changes: Partial<NewEvent> = {}): NewEvent => ({
  kind: 'asked',
  at: now,
  person: 'U1',
  place: 'C1',
  report: 'engagement',
  subjects: ['Ada@Example.com'],
  details: { words: 'engagement last-week email:ada@example.com' },
  ...changes,
});

describe('the record of access', () => {
  it('gives an event back as it was recorded', async () => {
    const head = await events.append(asked({ place: 'D123' }));
    expect(head).toEqual({ seq: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    await events.append({ kind: 'deleted', at: 5 });
    expect(await events.oldest({}, 9)).toEqual([
      {
        seq: 1,
        at: 1000,
        kind: 'asked',
        person: 'U1',
        place: 'direct',
        report: 'engagement',
        subjects: ['ada@example.com'],
        details: { words: 'engagement last-week email:ada@example.com' },
      },
      { seq: 2, at: 5, kind: 'deleted', subjects: [], details: {} },
    ]);
    expect(await events.head()).toMatchObject({ seq: 2 });
    expect((await events.newest({}, 1)).map(({ seq }) => seq)).toEqual([2]);
  });

  it('holds neither IDs nor addresses nor direct messages in its chain', async () => {
    await events.append(asked({ place: 'D0DIRECT1' }));
    const chain = JSON.stringify([
      database.prepare('SELECT * FROM event_chain').all(),
      database.prepare('SELECT * FROM event_subjects').all(),
    ]);
    expect(chain).not.toMatch(/U1|ada@|D0DIRECT1/);
  });

  it('is found by who did it, whom it is about, where, which report and when, page by page', async () => {
    const plain = { subjects: [], details: {} };
    await events.append(asked({ ...plain, person: 'U1', at: 10 }));
    await events.append(asked({ ...plain, person: 'U2', subjects: ['U1'], at: 20, place: 'C2' }));
    await events.append(asked({ ...plain, person: 'U2', at: 30, report: 'tracks' }));
    await events.append(asked({ ...plain, person: 'U3', subjects: ['a@b.c'], at: 40, place: 'D3' }));
    const seqs = async (query: Parameters<Events['oldest']>[0], limit = 9, edge?: number) =>
      (await events.oldest(query, limit, edge)).map(({ seq }) => seq);
    expect(await seqs({ people: ['U1', 'A@B.C'] })).toEqual([1, 2, 4]);
    expect(await seqs({ people: ['U9'] })).toEqual([]);
    expect(await seqs({ people: [] })).toEqual([]);
    expect(await seqs({ place: 'C1' })).toEqual([1, 3]);
    expect(await seqs({ place: 'direct' })).toEqual([4]);
    expect(await seqs({ report: 'tracks' })).toEqual([3]);
    expect(await seqs({ from: 20, until: 40 })).toEqual([2, 3]);
    expect(await seqs({}, 2)).toEqual([1, 2]);
    expect(await seqs({}, 2, 2)).toEqual([3, 4]);
    expect((await events.newest({ people: ['U2'] }, 1, 3)).map(({ seq }) => seq)).toEqual([2]);
  });
});

it('tells whether a person was erased since a time', async () => {
  await events.append(asked());
  expect(await events.wasAnybodyErased(0)).toBe(false);
  await erase('U1');
  await events.append(asked({ at: now + 1 }));
  expect(await events.wasAnybodyErased(now)).toBe(true);
  expect(await events.wasAnybodyErased(now + 1)).toBe(false);
});

it('is read through indexes', async () => {
  const asks: { readonly sql: string; readonly parameters: readonly unknown[] }[] = [];
  const watched = new Kysely<Tables>({
    dialect: new SqliteDialect({ database }),
    plugins: [new WorkspacePlugin(() => 'T1')],
    log({ query }) {
      asks.push(query);
    },
  });
  const watchedEvents = eventsIn(watched, () => now, key);
  await watchedEvents.append(asked());
  await watchedEvents.newest({ people: ['U1', 'ada@example.com'] }, 9);
  await watchedEvents.newest({ place: 'C1' }, 9);
  await watchedEvents.newest({ report: 'tracks' }, 9);
  await watchedEvents.verify();
  await watchedEvents.wasAnybodyErased(now);
  await watched.transaction().execute((trx) => eraseFromEvents(trx, key, ['U1'], now));
  await watchedEvents.deleteBefore(1, 9);
  const plans = asks
    .filter(({ sql }) => !/^(?:begin|commit|insert)/.test(sql))
    .flatMap(({ sql, parameters }) =>
      (database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as { detail: string }[]).map(
        ({ detail }) => `${detail} in ${sql}`,
      ),
    );
  expect(plans.length).toBeGreaterThan(20);
  expect(plans.filter((step) => step.startsWith('SCAN'))).toEqual([]);
  // There are few erasures, and many events since.
  expect(plans.filter((step) => step.includes('+at'))).toEqual([
    expect.stringContaining('event_chain_by_kind (workspace=? AND kind=?)'),
  ]);
  // The newest event and the newest details are at the end of their index.
  const ends = plans.filter(
    (step) =>
      step.includes('(workspace=?)') &&
      // An erasure looks through all details.
      !step.includes('LIKE') &&
      // All of it is hashed, and it is small.
      !step.includes('kept_evidence') &&
      !/order by "seq" desc limit/.test(step),
  );
  expect(ends).toEqual([]);
});

describe('an erased person', () => {
  it('is in no event any more, nor are the details of events with them', async () => {
    await events.append(asked());
    await events.append(asked({ person: 'U2' }));
    const others = await events.append(asked({ person: 'U2', subjects: [], details: {} }));
    expect(await erase('ADA@example.com')).toBe(2);
    expect(await erase('ada@example.com')).toBe(0);
    const found = await events.oldest({}, 9);
    expect(found.map(({ person, subjects, details }) => [person, subjects, details !== undefined])).toEqual([
      ['U1', ['forgotten'], false],
      ['U2', ['forgotten'], false],
      ['U2', [], true],
      [undefined, [], true],
      [undefined, [], true],
    ]);
    expect(found[3]).toMatchObject({ kind: 'erased', details: { events: [[1, 2]] } });
    expect(await events.oldest({ people: ['ada@example.com'] }, 9)).toEqual([]);
    // A second erasure of a person who is gone is an event, too: running bots notice it.
    expect(await events.verify(others)).toMatchObject({ checked: 5, problems: [] });
    const everything = tables.map((table) => database.prepare(`SELECT * FROM ${table}`).all());
    expect(JSON.stringify(everything)).not.toContain('ada@');
    expect(database.prepare('SELECT person FROM person_tokens').pluck().all().sort()).toEqual(['U1', 'U2']);
  });

  it('gets another token if they come back', async () => {
    await events.append(asked());
    await erase('U1');
    await events.append(asked());
    expect((await events.oldest({ people: ['U1'] }, 9)).map(({ seq }) => seq)).toEqual([3]);
  });
});

describe('old events', () => {
  it('leave a checkpoint from which the rest verifies', async () => {
    const heads: EventHead[] = [];
    for (let n = 1; n <= 9; n += 1) heads.push(await events.append(asked({ at: n, person: `U${n}` })));
    now = 50;
    expect(await events.deleteBefore(4, 100)).toBe(3);
    expect(await events.deleteBefore(4, 100)).toBe(0);
    expect((await events.oldest({}, 99)).map(({ seq }) => seq)).toEqual([4, 5, 6, 7, 8, 9]);
    for (const head of heads.slice(2)) {
      expect(await events.verify(head)).toMatchObject({ checked: 7, problems: [], headIsTooOld: false });
    }
    expect(await events.verify(heads[0])).toMatchObject({ problems: [], headIsTooOld: true });
    const people = database.prepare('SELECT person FROM person_tokens ORDER BY person').pluck().all();
    expect(people).toEqual(['U4', 'U5', 'U6', 'U7', 'U8', 'U9', 'ada@example.com']);
  });

  it('may be all there are', async () => {
    await events.append(asked());
    now = 5_000;
    expect(await events.deleteBefore(4_000, 100)).toBe(1);
    expect(await events.deleteBefore(4_000, 100)).toBe(0);
    const next = await events.append(asked());
    expect(next.seq).toBe(3);
    expect(await events.verify(next)).toMatchObject({ checked: 2, problems: [] });
  });
});

const tables = ['event_chain', 'event_details', 'event_subjects', 'person_tokens'] as const;

/** Nothing vouches for a token that only events with erased details have. */
const vouched = `SELECT token FROM event_subjects WHERE seq IN (SELECT seq FROM event_details WHERE salt IS NOT NULL)
  UNION SELECT person FROM event_chain WHERE seq IN (SELECT seq FROM event_details WHERE salt IS NOT NULL)`;

function rowsOf(table: string): Record<string, unknown>[] {
  const only = table === 'person_tokens' ? `WHERE token IN (${vouched})` : '';
  const rows = database.prepare(`SELECT rowid, * FROM ${table} ${only} ORDER BY rowid`).all();
  return rows as Record<string, unknown>[];
}

type Roll = () => number;

function pick<Item>(items: readonly Item[], roll: Roll): Item {
  const item = items[roll() % items.length];
  if (item === undefined) throw new Error('There is nothing to pick from');
  return item;
}

/** Each returns false where it changed nothing. */
const tamperings: Readonly<Record<string, (table: string, roll: Roll) => boolean>> = {
  'a changed cell': (table, roll) => {
    const row = pick(rowsOf(table), roll);
    const columns = Object.keys(row).filter((name) => name !== 'rowid' && name !== 'workspace');
    const column = pick(columns, roll);
    const value = typeof row[column] === 'number' ? Number(row[column]) + 1_000_000 : `${row[column]}x`;
    database.prepare(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`).run(value, row.rowid);
    return true;
  },

  'a removed row': (table, roll) => {
    database.prepare(`DELETE FROM ${table} WHERE rowid = ?`).run(pick(rowsOf(table), roll).rowid);
    return true;
  },

  'two swapped rows': (table, roll) => {
    const key = table === 'person_tokens' ? 'token' : 'seq';
    const [one, other] = [pick(rowsOf(table), roll), pick(rowsOf(table), roll)];
    const rest = ({ rowid: _, ...columns }: Record<string, unknown>) => ({ ...columns, [key]: '' });
    if (one[key] === other[key] || JSON.stringify(rest(one)) === JSON.stringify(rest(other))) return false;
    const move = database.prepare(`UPDATE ${table} SET ${key} = ? WHERE rowid = ?`);
    move.run(-1, one.rowid);
    move.run(one[key], other.rowid);
    move.run(other[key], one.rowid);
    return true;
  },

  'a cut tail': (_, roll) => {
    const { seq } = pick(rowsOf('event_chain').slice(1), roll);
    for (const table of tables.slice(0, 3)) database.prepare(`DELETE FROM ${table} WHERE seq >= ?`).run(seq);
    return true;
  },

  'a removed beginning': (_, roll) => {
    const { seq } = pick(rowsOf('event_chain').slice(1), roll);
    for (const table of tables.slice(0, 3)) database.prepare(`DELETE FROM ${table} WHERE seq < ?`).run(seq);
    return true;
  },
};

describe('verifying', () => {
  it('says what is wrong and where', async () => {
    let head: EventHead | undefined;
    for (let n = 1; n <= 9; n += 1) head = await events.append(asked({ at: n }));
    const problems = async (...statements: string[]) => {
      const whole = database.serialize();
      for (const statement of statements) database.exec(statement);
      const found = (await events.verify(head)).problems;
      await db.destroy();
      open(whole);
      return found;
    };
    expect(await problems("UPDATE event_chain SET place = 'C2' WHERE seq = 3")).toEqual([
      { kind: 'changed', from: 3, to: 3 },
    ]);
    expect(await problems('DELETE FROM event_chain WHERE seq IN (4, 5)')).toEqual([
      { kind: 'missing', from: 4, to: 5 },
    ]);
    expect(await problems('DELETE FROM event_details WHERE seq = 4')).toEqual([
      { kind: 'missing', from: 4, to: 4 },
    ]);
    expect(await problems('UPDATE event_details SET salt = NULL, details = NULL WHERE seq = 4')).toEqual([
      { kind: 'missing', from: 4, to: 4 },
    ]);
    const cut = tables.slice(0, 3).map((table) => `DELETE FROM ${table} WHERE seq > 7`);
    expect(await problems(...cut)).toEqual([{ kind: 'cut-off', from: 8, to: 9 }]);
    expect(await problems()).toEqual([]);
  });

  const step = fc.oneof(
    { weight: 8, arbitrary: fc.record({ person: fc.nat({ max: 3 }), about: fc.boolean() }) },
    { weight: 1, arbitrary: fc.constant('erase' as const) },
    { weight: 1, arbitrary: fc.constant('expire' as const) },
  );
  const chains = fc.array(step, { minLength: 12, maxLength: 40 });
  const dice = fc.infiniteStream(fc.nat());
  const upheaval = fc.constantFrom('new key' as const, 'back up' as const, 'restore' as const);
  const histories = fc.array(fc.oneof({ weight: 4, arbitrary: step }, { weight: 1, arbitrary: upheaval }), {
    minLength: 12,
    maxLength: 40,
  });

  /** Makes a chain of which some events are erased or expired. Returns its head. */
  async function fill(steps: typeof chains extends fc.Arbitrary<infer Steps> ? Steps : never) {
    await db.destroy();
    open();
    for (const [n, one] of steps.entries()) {
      now += 10;
      if (one === 'erase') await erase(`U${n % 4}`);
      else if (one === 'expire') await events.deleteBefore(now - 100, 3);
      else {
        const subjects = one.about ? [`p${n % 3}@example.com`] : [];
        await events.append(asked({ person: `U${one.person}`, subjects, details: { n } }));
      }
    }
    await events.append(asked());
    return events.append(asked({ person: 'U8', subjects: ['z@example.com'] }));
  }

  /** Lives through a history with changes of the key, and with backups that are restored. Returns the head and the key. */
  async function live(history: typeof histories extends fc.Arbitrary<infer Steps> ? Steps : never) {
    await db.destroy();
    open();
    let used = { text: '5a'.repeat(32), key };
    let backup = database.serialize();
    for (const [n, one] of history.entries()) {
      now += 10;
      const at = now;
      if (one === 'new key') {
        const text = String(n).padStart(2, '0').repeat(32);
        used = { text, key: recordKeyOf(text) };
      } else if (one === 'back up') backup = database.serialize();
      else if (one === 'restore') {
        await db.destroy();
        open(backup);
        now = at;
      } else if (one === 'erase') {
        await db.transaction().execute((trx) => eraseFromEvents(trx, used.key, [`U${n % 4}`], now));
      } else if (one === 'expire') await events.deleteBefore(now - 100, 3);
      else await events.append(asked({ person: `U${one.person}`, details: { n } }));
      events = eventsIn(db, () => now, used.key);
      // As at the start of the bot.
      const alone = { process: 'one', hasEnded: async () => true };
      await useRecordKey(db, used.key, alone, now);
    }
    return { head: await events.append(asked()), text: used.text };
  }

  /** Verifies once more, with nothing but the rows and the text of the key. */
  function isWholeChain(text: string): boolean {
    const rows = database.prepare('SELECT * FROM event_chain ORDER BY seq').all() as (ChainRow & {
      hash: string;
      previous_hash: string;
      key_id: string;
    })[];
    const newest = rows.at(-1)?.key_id;
    let first = rows.length;
    while (first > 0 && rows[first - 1]?.key_id === newest) first -= 1;
    return rows.slice(first).every((row, index, all) => {
      const { seq, at, kind, person, place, report, details_hash, previous_hash, key_id } = row;
      const about = database.prepare('SELECT token FROM event_subjects WHERE seq = ? ORDER BY token');
      const subjects = about.pluck().all(seq);
      const parts = [seq, at, kind, person, place, report, subjects, details_hash, previous_hash, key_id];
      const hash = createHmac('sha256', Buffer.from(text, 'hex'))
        .update(`event\n${JSON.stringify(parts)}`)
        .digest('hex');
      const before = all[index - 1];
      const follows = !before || (before.hash === previous_hash && before.seq + 1 === seq);
      return hash === row.hash && follows;
    });
  }

  it('agrees with a naive verification on any history, before and after a change by hand', async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.nat(), async (history, roll) => {
        const { head, text } = await live(history);
        expect(await events.verify(head)).toMatchObject({ problems: [], head, headIsTooOld: false });
        expect(isWholeChain(text)).toBe(true);
        const { start } = await events.verify();
        const left = head.seq - start.seq;
        database
          .prepare('UPDATE event_chain SET at = at + 1 WHERE seq = ?')
          .run(start.seq + 1 + (roll % left));
        expect((await events.verify()).problems).not.toEqual([]);
        expect(isWholeChain(text)).toBe(false);
      }),
      { numRuns: 40 },
    );
  });

  it('finds nothing wrong with a chain of any history', async () => {
    await fc.assert(
      fc.asyncProperty(chains, async (steps) => {
        const head = await fill(steps);
        expect(await events.verify(head)).toMatchObject({ problems: [], head, headIsTooOld: false });
      }),
      { numRuns: 40 },
    );
  });

  it.each(Object.keys(tamperings))('finds %s', async (name) => {
    await fc.assert(
      fc.asyncProperty(chains, fc.constantFrom(...tables), dice, async (steps, table, rolls) => {
        const head = await fill(steps);
        fc.pre(tamperings[name]?.(table, () => rolls.next().value) ?? false);
        const found = events.verify(head).then(
          ({ problems }) => problems.length > 0,
          // Of the newest event, somebody changed which key it has.
          (error: unknown) => isFailure(error, 'record-key-differs'),
        );
        expect(await found).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('finds a chain that was computed again: with another key at once, with the key by its head', async () => {
    const fillWith = async (record: Events, changed = 0) => {
      for (const table of tables.slice(0, 3)) database.exec(`DELETE FROM ${table}`);
      for (let n = 1; n <= 5; n += 1)
        await record.append(asked({ at: n, place: n === changed ? 'C9' : 'C1' }));
    };
    await fillWith(events);
    const head = await events.head();
    // Somebody with the database and the program, and without the key.
    const forger = recordKeyOf('ee'.repeat(32));
    await fillWith(
      eventsIn(db, () => now, forger),
      2,
    );
    await expect(events.verify()).rejects.toMatchObject({ code: 'record-key-differs' });
    database.prepare('UPDATE event_chain SET key_id = ?').run(key.id);
    const everyEvent = [1, 2, 3, 4, 5].map((seq) => ({ kind: 'changed', from: seq, to: seq }));
    expect(await events.verify()).toMatchObject({ problems: everyEvent });
    // Hashes without a key, as any program makes them.
    let previous = '';
    for (const row of database.prepare('SELECT * FROM event_chain ORDER BY seq').all() as ChainRow[]) {
      const { seq, at, kind, person, place, report, details_hash } = row;
      const subjects = database.prepare('SELECT token FROM event_subjects WHERE seq = ?').pluck().all(seq);
      const parts = [seq, at, kind, person, place, report, subjects, details_hash, previous, key.id];
      const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
      const change = database.prepare('UPDATE event_chain SET previous_hash = ?, hash = ? WHERE seq = ?');
      change.run(previous, hash, seq);
      previous = hash;
    }
    expect(await events.verify()).toMatchObject({ problems: everyEvent });
    // Somebody with the key as well: only a head from elsewhere tells.
    await fillWith(events, 2);
    expect(await events.verify()).toMatchObject({ problems: [] });
    expect(await events.verify(head)).toMatchObject({ problems: [{ kind: 'changed', from: 5, to: 5 }] });
  });
});

interface ChainRow {
  readonly seq: number;
  readonly at: number;
  readonly kind: string;
  readonly person: string | null;
  readonly place: string | null;
  readonly report: string | null;
  readonly details_hash: string;
}

describe('another key', () => {
  const newKey = recordKeyOf('77'.repeat(32));
  const one = { process: 'one', hasEnded: async () => true };
  const use = (used: typeof key) => {
    events = eventsIn(db, () => now, used);
    return useRecordKey(db, used, one, now);
  };

  it('goes on from a checkpoint, and what is before it can only be read', async () => {
    const before = [await events.append(asked()), await events.append(asked())];
    expect(await use(key)).toBeUndefined();
    expect(await use(newKey)).toEqual(before[1]);
    const head = await events.append(asked());
    expect(await events.oldest({}, 9)).toHaveLength(3);
    expect(await events.verify(head)).toEqual({
      checked: 2,
      start: before[1],
      ofEarlierKeys: 2,
      head: { seq: 4, hash: head.hash },
      problems: [],
      headIsTooOld: false,
    });
    expect(await events.verify(before[0])).toMatchObject({ problems: [], headIsTooOld: true });
    expect(await events.verify(before[1])).toMatchObject({ problems: [], headIsTooOld: false });
    expect(await events.verify({ seq: 2, hash: 'f'.repeat(64) })).toMatchObject({
      problems: [{ kind: 'changed', from: 2, to: 2 }],
    });
    // Erasing and ageing reach over the checkpoint.
    now = 2000;
    expect(
      await db.transaction().execute((trx) => eraseFromEvents(trx, newKey, ['ada@example.com'], now)),
    ).toBe(3);
    expect(await events.verify(head)).toMatchObject({ problems: [] });
    expect(await events.deleteBefore(1500, 9)).toBe(4);
    expect(await events.verify(head)).toMatchObject({ problems: [], ofEarlierKeys: 0 });
  });

  it('cannot append before a bot has used it', async () => {
    await events.append(asked());
    const other = eventsIn(db, () => now, newKey);
    await expect(other.append(asked())).rejects.toMatchObject({ code: 'record-key-differs' });
    expect(await events.verify()).toMatchObject({ checked: 1, problems: [] });
  });

  it('is refused while a process that runs has the one from before', async () => {
    const two = (ended: boolean) => ({ process: 'two', hasEnded: async () => ended });
    await use(key);
    await expect(useRecordKey(db, newKey, two(false), now)).rejects.toMatchObject({
      details: { isInUse: true },
    });
    expect(await useRecordKey(db, key, two(false), now)).toBeUndefined();
    await expect(useRecordKey(db, newKey, { ...two(false), process: 'three' }, now)).rejects.toThrow();
    expect(await useRecordKey(db, newKey, { ...two(true), process: 'three' }, now)).toBeUndefined();
  });

  it('does not let a false checkpoint hide what was changed', async () => {
    for (let n = 1; n <= 6; n += 1) await events.append(asked({ at: n }));
    const { hash } = database.prepare('SELECT hash FROM event_chain WHERE seq = 5').get() as ChainRow & {
      hash: string;
    };
    const through = JSON.stringify({ through: { seq: 5, hash } });
    database.exec("UPDATE event_chain SET place = 'C9' WHERE seq = 2");
    database.exec("UPDATE event_chain SET kind = 'checkpoint' WHERE seq = 6");
    database.prepare('UPDATE event_details SET details = ? WHERE seq = 6').run(through);
    expect((await events.verify()).problems).not.toEqual([]);
    // One that says of itself that it need not be looked at.
    database.exec("UPDATE event_chain SET kind = 'asked' WHERE seq = 6");
    database.exec("UPDATE event_chain SET kind = 'checkpoint' WHERE seq = 3");
    database.prepare('UPDATE event_details SET details = ? WHERE seq = 3').run(through);
    expect((await events.verify()).problems).not.toEqual([]);
  });
});

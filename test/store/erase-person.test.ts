import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unlimitedScope } from '../../src/access/scope.js';
import { plainRequest, type ReportRequest } from '../../src/requests/request.js';
import { tableNames } from '../../src/store/database/schema.js';
import { openStore, type Store } from '../../src/store/store.js';
import { addDigest } from './digest-setup.js';
import { connected, freshFolder, onPostgres, type RunSql, recordKey } from './fresh-folder.js';

const address = 'ada.lovelace@example.com';
const user = 'UADALOVELACE';

const folder = freshFolder();
/** The store of the running bot, and that of the command line. */
let bot: Store;
let operator: Store;
beforeEach(async () => {
  bot = await openStore(folder.databaseWithTables('rollcall.db'), Date.now, { recordKey });
  operator = await openStore(folder.database('rollcall.db'), Date.now, { recordKey });
});
afterEach(async () => {
  await bot.close();
  await operator.close();
});

function about(entries: readonly string[], more: ReportRequest['filters'] = []): ReportRequest {
  return {
    ...plainRequest('completions'),
    filters: [{ object: 'user_filter', member: 'email', entries }, ...more],
  };
}

const names = (member: string, ...entries: string[]) => ({ object: 'user_filter', member, entries });
const ask = (request: ReportRequest, asker = 'U2') => ({ channel: 'C1', asker, request, requestedAt: 1 });

/** Where a text is in the bytes of the database and its side files, in any case. */
function filesWith(text: string): readonly string[] {
  return ['rollcall.db', 'rollcall.db-wal', 'rollcall.db-shm'].filter((name) => {
    const path = folder.path(name);
    return (
      existsSync(path) && readFileSync(path).toString('latin1').toLowerCase().includes(text.toLowerCase())
    );
  });
}

async function fillEverywhere(): Promise<void> {
  for (const request of [about([address]), about(['bob@example.com'])]) {
    const id = await bot.requestLog.record(ask(request, user));
    await bot.ledger.markFailed({ id, worker: null }, { code: 'x', reason: `${address} failed` }, 2);
  }
  await bot.savedReports.save(
    { channel: 'C1', name: `About ${address}`, request: about([address]), createdBy: 'U2' },
    1,
  );
  await bot.savedReports.save({ channel: 'D1', name: 'Mine', request: about(['me']), createdBy: user }, 1);
  await addDigest(bot, 5, { owner: user, channel: 'C1' });
  await addDigest(bot, 6, { owner: 'U2', channel: 'C1', request: about([address.toUpperCase()]) });
  await bot.builderDrafts.open('U2', { request: about([address]) }, 1);
  await bot.builderDrafts.open(user, {}, 1);
  await bot.suggestions.add([{ list: 'departments', entry: address, people: 9 }], 1);
  await bot.digestNotifications.add([user], { kind: 'outage', subject: 'o1' }, 1);
  await bot.digestOutages.begin('service', { code: 'x', reason: `${address}: refused` }, 1);
  await bot.admins.add(user, 'U2', 1);
  await bot.approvals.approveChannel({ subject: 'C1', by: user, at: 1 });
  await bot.approvals.requestApproval('C2', user, '2026-11-22');
  await bot.events.append({ kind: 'asked', at: 1, person: user, subjects: [address] });
  // In the details alone.
  await bot.events.append({ kind: 'asked', at: 1, person: 'U2', details: { words: `email:${address}` } });
  await bot.events.append({ kind: 'asked', at: 1, person: 'U2', details: { words: 'tracks' } });
  for (let n = 0; n < 200; n += 1) await bot.requestLog.record(ask(about([address, `u${n}@example.com`])));
}

describe.skipIf(onPostgres)('the bytes of the files', () => {
  it('hold neither ID nor address after the erasure, while the bot has the database open', async () => {
    await fillEverywhere();
    expect(filesWith(address)).not.toEqual([]);
    expect(filesWith(user)).not.toEqual([]);
    const head = await bot.events.head();
    for (const person of [user, address]) {
      await operator.erasePerson(person);
      expect(await operator.compact()).toBe('done');
      expect(filesWith(person)).toEqual([]);
    }
    expect(await bot.events.verify(head)).toMatchObject({ problems: [] });
    expect((await bot.events.oldest({}, 9)).map(({ details }) => details)).toContainEqual({
      words: 'tracks',
    });
    expect(filesWith('u199@example.com')).not.toEqual([]);
    await bot.requestLog.record(ask(about(['carl@example.com'])));
  });

  it('are rewritten once another process has finished reading', { timeout: 30_000 }, async () => {
    await bot.requestLog.record(ask(plainRequest('tracks'), user));
    const reader = new Sqlite(folder.path('rollcall.db'), { readonly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT * FROM requests').all();
    await operator.erasePerson(user);
    const compaction = operator.compact();
    setTimeout(() => reader.close(), 500);
    expect(await compaction).toBe('done');
    expect(filesWith(user)).toEqual([]);
  });

  it('hold nothing of what was deleted for its age', async () => {
    await bot.suggestions.add([{ list: 'departments', entry: 'Deleted department', people: 9 }], 1);
    await bot.deleteBefore('suggestions', 2, 9);
    await bot.close();
    await operator.close();
    expect(filesWith('Deleted department')).toEqual([]);
    bot = await openStore(folder.database('rollcall.db'), Date.now, { recordKey });
    operator = bot;
  });

  it('hold nothing of the workspace after everything is erased', async () => {
    await fillEverywhere();
    await operator.eraseAll();
    expect(await operator.compact()).toBe('done');
    for (const text of [address, user, 'example.com', 'completions']) expect(filesWith(text)).toEqual([]);
    expect(await bot.events.head()).toMatchObject({ seq: 0 });
    await bot.requestLog.record(ask(about(['carl@example.com'])));
  });
});

describe('a request about an erased person', () => {
  it('keeps the other entries, and drops names and identifiers that belong to the address', async () => {
    const kept = await bot.requestLog.record(ask(about([address, 'bob@example.com'])));
    const beside = await bot.requestLog.record(
      ask(about([address], [names('first_name', 'Augusta'), names('id', '4711'), names('departments', 'X')])),
    );
    const several = await bot.requestLog.record(
      ask(about([address, 'bob@example.com'], [names('first_name', 'Ada', 'Bob')])),
    );
    const longer = await bot.requestLog.record(ask(about([`not.${address}`, `${address}.au`])));
    await operator.erasePerson(address.toUpperCase());
    const filtersOf = async (id: string) =>
      (await bot.requestLog.find(id))?.request.filters.map(({ entries }) => entries);
    expect(await filtersOf(kept)).toEqual([['bob@example.com']]);
    expect(await filtersOf(beside)).toEqual([['forgotten'], ['forgotten'], ['forgotten'], ['X']]);
    expect(await filtersOf(several)).toEqual([['bob@example.com'], ['Bob']]);
    expect(await filtersOf(longer)).toEqual([[`not.${address}`, `${address}.au`]]);
  });

  it('pauses its digest if it would cover everybody, and tells the owners', async () => {
    const alone = await addDigest(bot, 5, { owner: 'U2', request: about([address]) });
    const both = await addDigest(bot, 6, { owner: 'U2', request: about([address, 'bob@example.com']) });
    const { ok, value: saved } = (await bot.savedReports.save(
      { channel: 'C1', name: 'Ada', request: about([address]), createdBy: 'U3' },
      1,
    )) as { ok: true; value: string };
    expect(ok).toBe(true);
    expect(await operator.erasePerson(address)).toMatchObject({ savedReports: 1, digests: 2 });
    expect(await bot.digests.find(alone.id)).toMatchObject({
      state: 'paused',
      pauseReason: 'person-erased',
      nextDue: undefined,
      revision: alone.revision + 1,
      request: about(['forgotten']),
    });
    expect(await bot.digests.find(both.id)).toMatchObject({
      state: 'active',
      request: about(['bob@example.com']),
    });
    expect(await bot.savedReports.find(saved)).toMatchObject({ request: about(['forgotten']), revision: 2 });
    const told = await bot.digestNotifications.ready(Date.now() + 1, 9);
    expect(told.map(({ recipient, kind, subject }) => [recipient, kind, subject]).sort()).toEqual([
      ['U2', 'person-erased', alone.id],
      ['U3', 'saved-person-erased', saved],
    ]);
  });

  it('deletes figures of the person and about them, and no others', async () => {
    const run = { kind: 'asker', channel: 'C1' } as const;
    const of = (request: ReportRequest, asker = 'U2') => ({ run, asker, request, scope: unlimitedScope });
    for (const key of [of(about([address])), of(about(['b@example.com'])), of(about(['c@e.com']), user)]) {
      await bot.lastFigures.save(key, { overdue: 1 }, 1);
    }
    expect(await operator.erasePerson(address)).toMatchObject({ other: 1 });
    expect(await bot.lastFigures.find(of(about([address])))).toBeUndefined();
    expect(await operator.erasePerson(user)).toMatchObject({ other: 1 });
    expect(await bot.lastFigures.find(of(about(['c@e.com']), user))).toBeUndefined();
    expect(await bot.lastFigures.find(of(about(['b@example.com'])))).toBeDefined();
  });
});

describe('a run in progress', () => {
  it('of an erased person stores nothing more', async () => {
    const running = await bot.requestLog.record(ask(plainRequest('tracks'), user));
    const posting = await bot.requestLog.record(ask(plainRequest('tracks'), user));
    const others = await bot.requestLog.record(ask(plainRequest('tracks')));
    const held = (id: string) => ({ id, worker: null });
    await bot.ledger.markPosting(held(posting), { rows: 1, late: false });
    await operator.erasePerson(user);
    expect(await bot.requestLog.stillWanted([running, posting, others])).toEqual([others]);
    expect(await bot.ledger.markPosting(held(running))).toBe(false);
    const message = { channel: 'D7', ts: '1' };
    expect(await bot.ledger.markPosted(held(posting), { message, fileFollows: true }, 9)).toBe(false);
    const exported = { kind: 'exported', at: 1, person: user, post: posting } as const;
    await expect(bot.events.append(exported)).rejects.toMatchObject({ code: 'post-erased' });
    expect(await operator.compact()).toBe('done');
    expect(filesWith(user)).toEqual([]);
  });

  it('of a digest whose owner is erased stores nothing more', async () => {
    const digest = await addDigest(bot, 5, { owner: user });
    const run = await bot.ledger.enterNow(digest, 'a', 9);
    const [claimed] = await bot.ledger.claim({
      worker: 'w',
      now: 10,
      leaseMs: 99,
      limit: 1,
      busyChannels: [],
    });
    expect(claimed?.id).toBe(run);
    await operator.erasePerson(user);
    const entry = ask(plainRequest('tracks'), user);
    const request = await bot.requestLog.recordForPost(run ?? '', entry);
    expect(await bot.requestLog.find(request)).toBeUndefined();
    expect(await bot.ledger.markPosting({ id: run ?? '', worker: 'w' })).toBe(false);
    expect(await operator.compact()).toBe('done');
    expect(filesWith(user)).toEqual([]);
  });

  it('ends once everything is erased', async () => {
    const running = await bot.requestLog.record(ask(plainRequest('tracks'), user));
    await operator.eraseAll();
    expect(await bot.requestLog.stillWanted([running])).toEqual([]);
    await expect(bot.events.append({ kind: 'asked', at: 1, person: user, post: running })).rejects.toThrow();
  });
});

it.skipIf(onPostgres)(
  'waits for another process that writes for long, and then rewrites the file',
  {
    timeout: 60_000,
  },
  async () => {
    const writer = new Sqlite(folder.path('rollcall.db'));
    writer.exec('BEGIN IMMEDIATE');
    const compaction = operator.compact();
    setTimeout(() => writer.close(), 6000);
    // Its wait for one write takes five seconds, and it tries again.
    expect(await compaction).toBe('done');
  },
);

describe('everything that resembles a person', () => {
  const learner = '471199';
  const everything = [user, address, 'Ada Lovelace', learner];
  const spellings = [user, address, 'ada lovelace', 'ADA LOVELACE', learner];

  interface Column {
    readonly table: string;
    readonly name: string;
  }

  /** Every text column of every table, whoever added it. */
  async function textColumns(run: RunSql): Promise<readonly Column[]> {
    const found: Column[] = [];
    for (const table of tableNames) {
      const [row] = await run<Record<string, unknown>>(`SELECT * FROM ${table} LIMIT 1`);
      for (const [name, value] of Object.entries(row ?? {})) {
        if (typeof value !== 'number' && name !== 'workspace') found.push({ table, name });
      }
    }
    return found;
  }

  function tablesWith(text: string): Promise<readonly string[]> {
    return connected(folder.database('rollcall.db'), async (run) => {
      const found: string[] = [];
      for (const table of tableNames) {
        const rows = await run(`SELECT * FROM ${table}`);
        if (JSON.stringify(rows).toLowerCase().includes(text.toLowerCase())) found.push(table);
      }
      return found;
    });
  }

  /** Puts words about the person into one row of a column, where its table takes them. */
  async function plant(run: RunSql, { table, name }: Column, n: number): Promise<boolean> {
    const [row] = await run<Record<string, string | null>>(`SELECT ${name} FROM ${table} LIMIT 1`);
    const text = `Seen by ${spellings[n % spellings.length]}, and ${spellings[(n + 1) % spellings.length]}`;
    const before = row?.[name];
    const json = before?.startsWith('{') ? { ...JSON.parse(before), planted: [text] } : undefined;
    const planted = json ? JSON.stringify(json) : text;
    const where = before === null ? `${name} IS NULL` : `${name} = '${String(before).replaceAll("'", "''")}'`;
    try {
      await run(`UPDATE ${table} SET ${name} = '${planted.replaceAll("'", "''")}' WHERE ${where}`);
      return true;
    } catch {
      // It takes only some words, or it names a row of another table.
      return false;
    }
  }

  it('is gone from every column of every table, listed before, and from the bytes', {
    timeout: 60_000,
  }, async () => {
    await fillEverywhere();
    await bot.savedReports.save(
      {
        channel: 'C1',
        name: 'ADA  Lovelace, monthly',
        request: about(['b@example.com'], [names('first_name', 'Ada Lovelace'), names('id', learner)]),
        createdBy: 'U2',
      },
      1,
    );
    const notColumns = new Set(['event_chain', 'event_subjects', 'person_tokens', 'posts']);
    let planted = 0;
    await connected(folder.database('rollcall.db'), async (run) => {
      for (const [n, column] of (await textColumns(run)).entries()) {
        // The chain would be found changed, and posts have states.
        if (
          notColumns.has(column.table) ||
          /^(?:id|kind|state|schedule|keep_days|range)$|_(?:at|since|due|until)$/.test(column.name)
        )
          continue;
        if (await plant(run, column, n)) planted += 1;
      }
    });
    expect(planted).toBeGreaterThan(25);
    const rehearsed = await operator.erasePerson(everything, { isRehearsal: true });
    for (const spelling of [user, address, learner]) expect(await tablesWith(spelling)).not.toEqual([]);
    expect(rehearsed.list).toContainEqual(expect.stringContaining('“ADA  Lovelace, monthly”'));
    expect(rehearsed.list).toContainEqual(
      expect.stringMatching(/^the name and a filter of the saved report/),
    );
    const erased = await operator.erasePerson(everything);
    expect(erased).toEqual(rehearsed);
    for (const spelling of [...spellings, 'lovelace'])
      expect(await tablesWith(spelling), spelling).toEqual([]);
    const again = await operator.erasePerson(everything);
    expect(again).toEqual({
      ...again,
      requests: 0,
      savedReports: 0,
      digests: 0,
      events: 0,
      other: 0,
      list: [],
    });
    if (onPostgres) return;
    expect(await operator.compact()).toBe('done');
    for (const spelling of [...spellings, 'lovelace']) expect(filesWith(spelling), spelling).toEqual([]);
    expect(filesWith('u199@example.com')).not.toEqual([]);
  });

  it('leaves longer names, and numbers that are no learner', async () => {
    const kept = await bot.requestLog.record(
      ask(about(['b@example.com'], [names('first_name', 'Ada Lovelace-King')])),
    );
    const head = await bot.events.append({
      kind: 'exported',
      at: 1,
      person: 'U2',
      details: { rowCount: Number(learner), file: `rows_${learner}.csv` },
    });
    await operator.erasePerson(everything);
    expect(JSON.stringify(await bot.requestLog.find(kept))).toContain('Ada Lovelace-King');
    const [event] = await bot.events.newest({ kinds: ['exported'] }, 1);
    expect(event?.details).toMatchObject({ rowCount: Number(learner) });
    expect(await bot.events.verify(head)).toMatchObject({ problems: [] });
  });

  it('cannot be found by hashing an address without the key', async () => {
    const run = { kind: 'asker', channel: 'C1' } as const;
    const of = { run, asker: user, request: about([address]), scope: unlimitedScope };
    await bot.lastFigures.save(of, { overdue: 1 }, 1);
    for (const text of [user, address]) {
      for (const spelling of [text, text.toLowerCase()]) {
        const hash = createHash('sha256').update(spelling).digest('hex');
        expect(await tablesWith(hash.slice(0, 16))).toEqual([]);
      }
    }
    await operator.erasePerson([user, address]);
    expect(await tablesWith('"overdue"')).toEqual([]);
  });
});

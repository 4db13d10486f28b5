import { copyFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anybody, largePeopleSetOf, membersOf, peopleSetOf } from '../../../src/access/people-set.js';
import type { NewSentRows } from '../../../src/access/record.js';
import { always, namesOf, type RowNames } from '../../../src/store/access/person-numbers.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { propertyRuns } from '../../property-runs.js';
import { freshFolder, onPostgres, recordKey, sqlOn } from '../fresh-folder.js';

const folder = freshFolder();
const start = 1_000;
let now = start;
let store: Store;
beforeEach(async () => {
  now = start;
  store = await openStore(folder.databaseWithTables('rollcall.db'), () => now, { recordKey });
});
afterEach(() => store.close());

const sent = { recipient: 'UBOSS', report: 'tracks', what: 'file', place: 'direct' } as const;
const ada = { userid: '1', email: 'ada@example.com' };
const bob = { userid: '2', email: 'bob@example.com' };

const sends = (people: Parameters<Store['sentRows']['saveOf']>[1], more: Partial<NewSentRows> = {}) =>
  store.sentRows.saveOf({ ...sent, at: now, ...more }, people);

/** When rows of a person were sent, the newest first. */
async function timesOf(account: string, reader = account) {
  const wanted = await store.personNumbers.ofAccount(account);
  return (await store.sentRows.findOf(wanted, reader, 99)).map(({ at }) => at);
}

const sees = (id: string, email: string) => store.personNumbers.noteAccounts([{ id, email }]);

describe('a set of people', () => {
  it('holds the numbers that it was made of, and no others', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -3, max: 3_000_000 })),
        fc.integer({ max: 3_000_100 }),
        (numbers, other) => {
          const has = membersOf(peopleSetOf(numbers));
          for (const number of numbers) expect(has(number)).toBe(number >= 0);
          expect(has(other)).toBe(other >= 0 && numbers.includes(other));
        },
      ),
      { numRuns: propertyRuns(200) },
    );
  });

  it('is the same made in turns', async () => {
    const numbers = Int32Array.from({ length: 120_000 }, (_, index) => (index % 3 === 0 ? -1 : index * 7));
    let turns = 0;
    const pause = async () => {
      turns += 1;
    };
    expect(await largePeopleSetOf(numbers, pause)).toEqual(peopleSetOf(numbers));
    expect(turns).toBe(4);
    expect(await largePeopleSetOf([-1], pause)).toEqual(peopleSetOf([]));
  });

  it('takes few bytes, and holds everybody once it is damaged', () => {
    const million = peopleSetOf(Int32Array.from({ length: 1_000_000 }, (_, number) => number));
    expect(million.bits?.length).toBeLessThan(1_000);
    const some = peopleSetOf([5, 900_000]);
    expect(some.bits?.length).toBeLessThan(1_000);
    expect(membersOf({ ...some, bits: Uint8Array.of(1, 2, 3) })(6)).toBe(true);
    expect(membersOf(anybody)(123)).toBe(true);
    expect(membersOf(peopleSetOf([]))(0)).toBe(false);
  });
});

describe('the record of rows that were sent', () => {
  it('is known by the address from the day on which Rollcall saw it with the account', async () => {
    await sends([ada]);
    now += 1;
    await sees('UADA', 'Ada@Example.com');
    await sends([ada, bob]);
    now += 1;
    await sends([bob]);
    expect(await timesOf('UADA')).toEqual([start + 1]);
    expect(await timesOf('UBOB')).toEqual([]);
  });

  it('shows nobody what was about the person who had the address before', async () => {
    await sees('UOLD', 'sales@example.com');
    await sends([{ userid: '7', email: 'sales@example.com' }]);
    now += 1;
    await sees('UNEW', 'sales@example.com');
    await sends([{ userid: '8', email: 'sales@example.com' }]);
    expect(await timesOf('UOLD')).toEqual([start]);
    expect(await timesOf('UNEW')).toEqual([start + 1]);
  });

  it('is known by the user ID where its address came while the account had it', async () => {
    await sees('UADA', 'ada@example.com');
    await sends([{ userid: '1' }]);
    now += 1;
    await sends([{ userid: '1', email: 'ada.old@example.com' }]);
    now += 1;
    await sends([ada]);
    now += 1;
    await sends([{ userid: '2' }]);
    expect(await timesOf('UADA')).toEqual([start + 2, start + 1, start]);
    // A new account with that address is not the person of the ID.
    await sees('UNEW', 'ada@example.com');
    expect(await timesOf('UNEW')).toEqual([]);
  });

  it('leaves out what its reader got, and what Slack did not take', async () => {
    await sees('UADA', 'ada@example.com');
    const request = {
      channel: 'C1',
      asker: 'UBOSS',
      request: { report: 'tracks' } as never,
      requestedAt: now,
    };
    const post = await store.requestLog.record(request);
    await sends([ada], { recipient: 'UADA' });
    await sends([ada], { post });
    expect(await timesOf('UADA')).toEqual([]);
    const claim = { id: post, worker: null };
    await store.ledger.markPosting(claim);
    expect(await timesOf('UADA')).toEqual([now]);
    await store.ledger.markFailed(claim, { code: 'x' }, now);
    expect(await timesOf('UADA')).toEqual([]);
  });

  it('goes with an erased person, whose numbers nobody gets', async () => {
    await sees('UADA', 'ada@example.com');
    await sends([bob, ada, { userid: '1', email: 'ada@home.example' }]);
    const before = await store.personNumbers.ofAccount('UADA');
    expect(before).not.toEqual([]);
    await store.erasePerson(['ada@example.com']);
    expect(await store.personNumbers.ofAccount('UADA')).toEqual([]);
    expect(await store.personNumbers.ofName('1')).toEqual([]);
    expect(await store.personNumbers.ofName('2')).not.toEqual([]);
    now += 1;
    await sends([{ userid: '9', email: 'new@example.com' }]);
    const taken = new Set(before.map(({ number }) => number));
    for (const { number } of await store.personNumbers.ofName('9')) expect(taken).not.toContain(number);
  });

  it.skipIf(onPostgres)('shows nobody what was about others in a database that was restored', async () => {
    const path = folder.database().replace('sqlite:', '');
    const people = ['bob', 'cy', 'dan'].map((name) => ({ userid: name, email: `${name}@example.com` }));
    const reopen = async () => {
      store = await openStore(folder.database(), () => now, { recordKey });
    };
    await sends([ada]);
    await store.close();
    copyFileSync(path, `${path}.backup`);
    await reopen();
    for (const { userid, email } of people) await sees(`U${userid}`, email);
    now += 1;
    await sends(people.slice(0, 2));
    await store.close();
    copyFileSync(`${path}.backup`, path);
    await reopen();
    for (const { userid, email } of people) await sees(`U${userid}`, email);
    now += 1;
    await sends(people.slice(2));
    expect(await timesOf('Udan')).toEqual([now]);
    expect([await timesOf('Ubob'), await timesOf('Ucy')]).toEqual([[], []]);
    now += 1;
    await sends(people);
    expect(await timesOf('Ubob')).toEqual([now]);
  });

  it('names nobody any more once the key is lost', async () => {
    await store.useRecordKey(async () => true);
    await store.events.append({ kind: 'asked', at: 1 });
    await sees('UADA', 'ada@example.com');
    await sends([ada]);
    const other = await openStore(folder.database(), () => now, { recordKey: 'b7'.repeat(32) });
    await other.useRecordKey(async () => true);
    await other.personNumbers.noteAccounts([{ id: 'UADA', email: 'ada@example.com' }]);
    await other.sentRows.saveOf({ ...sent, at: now + 5 }, [bob]);
    const wanted = await other.personNumbers.ofAccount('UADA');
    expect(await other.sentRows.findOf(wanted, undefined, 9)).toEqual([]);
    expect(await other.sentRows.findOf(await other.personNumbers.ofName('2'), undefined, 9)).toHaveLength(1);
    await other.close();
  });

  it('has no name and no address in the database', async () => {
    // Long enough that neither a hash nor a random ID has it by chance.
    await sees('UZOLTAN', 'zoltan@example.com');
    await sends([{ userid: '1', email: 'zoltan@example.com' }], { recipient: 'UBOSS' });
    for (const table of ['person_numbers', 'account_addresses', 'sent_rows']) {
      const rows = await sqlOn(folder.database(), `SELECT * FROM ${table}`);
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toMatch(/zoltan|example/i);
    }
  });

  it('numbers people once, also where several processes do so at once', async () => {
    const others = await Promise.all(
      ['p2', 'p3'].map((process) => openStore(folder.database(), () => now, { process, recordKey })),
    );
    const people = Array.from({ length: 700 }, (_, id) => ({ userid: `${id}`, email: `p${id}@example.com` }));
    const all = await Promise.all(
      [store, ...others].map(({ personNumbers }) => personNumbers.numbersOf(namesOf(people))),
    );
    expect(all[1]).toEqual(all[0]);
    expect(all[2]).toEqual(all[0]);
    expect(new Set(all[0]).size).toBe(1400);
    for (const one of others) await one.close();
  });

  it.each(['userid', 'email'] as const)(
    'numbers one %s that hundreds have in common once',
    async (shared) => {
      const own = shared === 'userid' ? 'email' : 'userid';
      const one = (n: number): RowNames => ({ [own]: `own${n}`, [shared]: 'shared' });
      const numbersOf = async (people: readonly RowNames[]) => {
        const numbers = await store.personNumbers.numbersOf(namesOf(people));
        const at = shared === 'userid' ? 0 : 1;
        return {
          shared: new Set(numbers.filter((_, index) => index % 2 === at)),
          own: new Set(numbers.filter((_, index) => index % 2 !== at)),
        };
      };
      const first = await numbersOf(Array.from({ length: 620 }, (_, n) => one(n)));
      expect(first.shared.size).toBe(1);
      expect(first.own.size).toBe(620);
      const second = await numbersOf([{ [own]: 'alone' }, one(619), one(700), { [own]: 'own3' }]);
      expect(second.shared).toEqual(new Set([-1, ...first.shared]));
      expect(second.own.size).toBe(4);
      expect([...second.own].filter((number) => first.own.has(number))).toHaveLength(2);
    },
  );

  it('keeps numbers as long as what they are in', async () => {
    const day = 24 * 3_600_000;
    await sees('UADA', 'ada@example.com');
    await sends([ada]);
    now += 29 * day;
    await sees('UADA', 'ada@example.com');
    await sends([ada]);
    await store.deleteBefore('sent_rows', now - 20 * day, 9);
    await store.deleteBefore('person_numbers', now - 20 * day, 9);
    await store.deleteBefore('account_addresses', now - 20 * day, 9);
    expect(await timesOf('UADA')).toEqual([now]);
    await store.deleteBefore('person_numbers', now + 20 * day, 9);
    await store.deleteBefore('account_addresses', now + 20 * day, 9);
    expect(await store.personNumbers.ofAccount('UADA')).toEqual([]);
  });
});

/** One step of a history: an account gets an address, rows are sent, or a person is erased. */
const address = fc.constantFrom('a@x.example', 'b@x.example', 'c@x.example');
const account = fc.constantFrom('U1', 'U2', 'U3');
const row = fc.record({
  userid: fc.constantFrom(undefined, '1', '2', '3'),
  email: fc.option(address, { nil: undefined }),
});
const step = fc.oneof(
  fc.record({ kind: fc.constant('seen' as const), id: account, email: address }),
  fc.record({ kind: fc.constant('sent' as const), to: account, people: fc.array(row, { maxLength: 4 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** An address that another account had meanwhile. */
const gotBack: Step[] = [
  { kind: 'seen', id: 'U1', email: 'c@x.example' },
  { kind: 'seen', id: 'U2', email: 'c@x.example' },
  { kind: 'seen', id: 'U1', email: 'a@x.example' },
  { kind: 'seen', id: 'U1', email: 'c@x.example' },
  { kind: 'sent', to: 'U3', people: [{ userid: undefined, email: 'c@x.example' }] },
];

/** The same from plain texts, without numbers, hashes and bitmaps. */
function naiveTimes(history: readonly Step[], reader: string): readonly number[] {
  const holder = (id: string, at: number) =>
    history
      .slice(0, at + 1)
      .findLast((one): one is Step & { kind: 'seen' } => one.kind === 'seen' && one.id === id)?.email;
  /** Whether the account has the address at a time: it is its newest, and no other account has got it since. */
  const holds = (email: string, at: number) => {
    let has = false;
    for (let time = 0; time <= at; time++) {
      const one = history[time];
      if (one?.kind !== 'seen') continue;
      const isNew = holder(one.id, time - 1) !== one.email;
      if (one.email === email && isNew) has = one.id === reader;
      else if (one.email !== email && one.id === reader) has = false;
    }
    return has;
  };
  const theirs = new Set<string>();
  const together = new Set<string>();
  history.forEach((one, at) => {
    if (one.kind !== 'sent') return;
    for (const { userid, email } of one.people) {
      if (!userid || !email || together.has(`${userid} ${email}`)) continue;
      together.add(`${userid} ${email}`);
      if (holds(email, at)) theirs.add(userid);
    }
  });
  return history
    .flatMap((one, at) => {
      if (one.kind !== 'sent' || one.to === reader) return [];
      const isAbout = one.people.some(
        ({ userid, email }) => (userid && theirs.has(userid)) || (email && holds(email, at)),
      );
      return isAbout ? at : [];
    })
    .reverse();
}

it.skipIf(onPostgres)(
  'says for any history who got rows of whom',
  async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (history) => {
        run += 1;
        const one = await openStore(folder.database(`history${run}.db`), () => now, { recordKey });
        for (const [at, done] of history.entries()) {
          now = at;
          if (done.kind === 'seen') await one.personNumbers.noteAccounts([done]);
          else await one.sentRows.saveOf({ ...sent, at, recipient: done.to }, done.people);
        }
        for (const reader of ['U1', 'U2', 'U3']) {
          const found = await one.sentRows.findOf(await one.personNumbers.ofAccount(reader), reader, 99);
          expect(found.map(({ at }) => at)).toEqual(naiveTimes(history, reader));
        }
        expect(always.from).toBe(0);
        await one.close();
      }),
      { numRuns: propertyRuns(200), examples: [[gotBack]] },
    );
  },
  120_000,
);

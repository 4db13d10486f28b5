import { setImmediate as nextTurn } from 'node:timers/promises';
import { membersOf, peopleSetOf } from '../../access/people-set.js';
import type { NewSentRows } from '../../access/record.js';
import { hashText, lastHash } from '../../figures/hash.js';
import { hashKeyOf, rehashWith } from '../../figures/keyed-hash.js';
import { randomId } from '../../logging/logger.js';
import type { PostState } from '../../posts/states.js';
import { deleteByAge } from '../database/expiry.js';
import { deleteRows, inTransaction, is, putRow, rowsOf } from '../database/rows.js';
import type { Db, Trx } from '../database/schema.js';
import type { RecordKey } from './event-chain.js';
import { numberingIn, type Pair, perPerson, refreshMs } from './numbering.js';

/** The user ID and the address of a person in a row; each is absent where the row has none. */
export interface RowNames {
  readonly userid?: string | undefined;
  readonly email?: string | undefined;
}

/** A person of whom rows are looked for: those with one of these numbers, from a time on. */
export interface Wanted {
  readonly number: number;
  readonly from: number;
  /** Exclusive. */
  readonly until: number;
}

/** A time in which a Slack account had an address. */
interface AccountAddress {
  readonly address: string;
  readonly from: number;
  readonly until: number;
}

/** So many accounts are noted at once. More would hold other work up. */
const batchSize = 25;

const day = 24 * 3_600_000;

export const always = { from: 0, until: Number.MAX_SAFE_INTEGER };

/**
 * Numbers the people of rows that are sent, once and for as long as the record is kept. The database has keyed hashes of
 * their user IDs and addresses, and no names.
 */
export function personNumbersIn(db: Db, now: () => number, key: RecordKey) {
  const hashes = personHashes(key);

  return {
    ...numberingIn(db, now, hashes.pairAt),

    /**
     * Notes which confirmed addresses Slack accounts have. An address counts for an account from then on, because it may
     * have been that of another person before.
     */
    async noteAccounts(accounts: readonly { readonly id: string; readonly email: string }[]): Promise<void> {
      for (let from = 0; from < accounts.length; from += batchSize) {
        if (from > 0) await nextTurn();
        const some = new Map(
          accounts
            .slice(from, from + batchSize)
            .map(({ id, email }) => [hashes.of(id), hashes.of(email.toLowerCase())]),
        );
        await noteSome(some);
      }
    },

    /** The numbers by which the person of a Slack user ID is known, and from when on. */
    async ofAccount(account: string): Promise<readonly Wanted[]> {
      const wanted = await byId(account);
      for (const { address, ...period } of await periodsOf(account)) {
        for (const row of await rowsOf(db, 'person_numbers', { address }).selectAll().execute()) {
          if (row.address_number !== null) wanted.push({ number: row.address_number, ...period });
          // A user ID that took the address while the account had it is that of the person, whatever rows have beside it.
          const isTheirs = row.since >= period.from && row.since < period.until;
          if (row.id_number !== null && isTheirs) wanted.push({ number: row.id_number, ...always });
        }
      }
      return merged(wanted);
    },

    /** True if an account has had another address than this one. */
    async hasHadOther(account: string, email: string | undefined): Promise<boolean> {
      const own = email === undefined ? undefined : hashes.of(email.toLowerCase());
      return (await periodsOf(account)).some(({ address }) => address !== own);
    },

    /** The times in which an account had each of these addresses. */
    async addressTimes(
      account: string,
      emails: readonly string[],
    ): Promise<readonly { readonly email: string; readonly from: number; readonly until: number }[]> {
      const byHash = new Map(emails.map((email) => [hashes.of(email.toLowerCase()), email]));
      return (await periodsOf(account)).flatMap(({ address, from, until }) => {
        const email = byHash.get(address);
        return email === undefined ? [] : { email, from, until };
      });
    },

    /** The accounts among these that have had an address. */
    async accountsWith(email: string, accounts: readonly string[]): Promise<readonly string[]> {
      const rows = await rowsOf(db, 'account_addresses', { address: hashes.of(email.trim().toLowerCase()) })
        .select('account')
        .orderBy('since', 'desc')
        .execute();
      const byHash = new Map(accounts.map((account) => [hashes.of(account), account]));
      return [...new Set(rows.flatMap(({ account }) => byHash.get(account) ?? []))];
    },

    /** The numbers of a user ID of the service, or of an address that no Slack account has had. */
    async ofName(name: string): Promise<readonly Wanted[]> {
      const rows = await rowsOf(db, 'person_numbers', { address: hashes.of(name.trim().toLowerCase()) })
        .select('address_number as number')
        .execute();
      const byAddress = rows.flatMap(({ number }) => (number === null ? [] : { number, ...always }));
      return merged([...(await byId(name)), ...byAddress]);
    },

    /** Deletes at most `limit` numbers of people whose rows were all sent before a time. Returns how many. */
    deleteBefore: (time: number, limit: number) =>
      deleteByAge(db, 'person_numbers', time - refreshMs - day, limit),

    /** The same for accounts that were last seen before a time. */
    deleteAccountsBefore: (time: number, limit: number) =>
      deleteByAge(db, 'account_addresses', time - refreshMs, limit),
  };

  async function byId(name: string): Promise<Wanted[]> {
    const rows = await rowsOf(db, 'person_numbers', { person_id: hashes.of(name.trim()) })
      .select('id_number as number')
      .execute();
    return rows.flatMap(({ number }) => (number === null ? [] : { number, ...always }));
  }

  async function noteSome(accounts: ReadonlyMap<string, string>): Promise<void> {
    const at = now();
    const rows = await rowsOf(db, 'account_addresses', { account: [...accounts.keys()] })
      .selectAll()
      .orderBy('since')
      .execute();
    const newest = new Map(rows.map((row) => [row.account, row]));
    const added = [...accounts].filter(([account, address]) => newest.get(account)?.address !== address);
    const stale = [...newest.values()].filter(
      ({ account, address, seen_at }) => accounts.get(account) === address && seen_at < at - day,
    );
    if (added.length === 0 && stale.length === 0) return;
    await inTransaction(db, async (trx) => {
      for (const [account, address] of added)
        await putRow(trx, 'account_addresses', { account, since: at, address, seen_at: at });
      for (const { account, since } of stale)
        await putRow(trx, 'account_addresses', {
          account,
          since,
          address: accounts.get(account) ?? '',
          seen_at: at,
        });
    });
  }

  /** An address ends with the next one of the account, and with the next account that has it. */
  async function periodsOf(account: string): Promise<readonly AccountAddress[]> {
    const own = await rowsOf(db, 'account_addresses', { account: hashes.of(account) })
      .selectAll()
      .orderBy('since')
      .execute();
    const periods: AccountAddress[] = [];
    for (const [index, { address, since }] of own.entries()) {
      const later = rowsOf(db, 'account_addresses', { address, since: is('>', since) });
      const taken = await later
        .select('since')
        .where('account', '!=', hashes.of(account))
        .orderBy('since')
        .limit(1)
        .execute();
      const until = Math.min(own[index + 1]?.since ?? always.until, taken[0]?.since ?? always.until);
      periods.push({ address, from: since, until });
    }
    return periods;
  }
}

export type PersonNumbers = ReturnType<typeof personNumbersIn>;

/** Each number once for each time, however many pairs it is in. */
function merged(wanted: readonly Wanted[]): readonly Wanted[] {
  const all = new Map(wanted.map((one) => [`${one.number} ${one.from} ${one.until}`, one]));
  return [...all.values()];
}

/** The hashes of user IDs and addresses, with which nobody can find a person without the key. */
function personHashes(key: RecordKey) {
  const secret = hashKeyOf(key.hash('person', 'numbers'));
  const bytes = Buffer.alloc(8);
  const keyed = (high: number, low: number) => {
    if ((high | low) === 0) return '';
    lastHash.high = high;
    lastHash.low = low;
    rehashWith(secret);
    bytes.writeInt32BE(lastHash.high, 0);
    bytes.writeInt32BE(lastHash.low, 4);
    return bytes.toString('base64url');
  };
  const at = (names: Int32Array, index: number) => keyed(names[index] ?? 0, names[index + 1] ?? 0);
  return {
    of(text: string): string {
      hashText(text);
      return keyed(lastHash.high, lastHash.low);
    },
    pairAt: (names: Int32Array, person: number): Pair => ({
      person_id: at(names, perPerson * person),
      address: at(names, perPerson * person + 2),
    }),
  };
}

/** The names of people as `numbersOf` takes them. */
export function namesOf(people: readonly RowNames[]): Int32Array {
  const names = new Int32Array(perPerson * people.length);
  people.forEach(({ userid, email }, person) => {
    for (const [index, text] of [userid?.trim(), email?.trim().toLowerCase()].entries()) {
      if (!text) continue;
      hashText(text);
      names[perPerson * person + 2 * index] = lastHash.high;
      names[perPerson * person + 2 * index + 1] = lastHash.low;
    }
  });
  return names;
}

/**
 * Takes people out: nobody finds them in what was sent, whatever is known of them. User IDs go with the address that rows
 * had beside them.
 *
 * @param people Slack user IDs, e-mail addresses, and learner IDs
 * @returns how many rows named them
 */
export async function eraseNumbers(trx: Trx, key: RecordKey, people: readonly string[]): Promise<number> {
  const hashes = personHashes(key);
  let count = 0;
  for (const person of people) {
    const names = [hashes.of(person.trim()), hashes.of(person.trim().toLowerCase())];
    const beside = await rowsOf(trx, 'person_numbers', { address: names })
      .select('person_id')
      .where('person_id', '!=', '')
      .execute();
    const ids = [...names, ...beside.map(({ person_id }) => person_id)];
    count += await deleteRows(trx, 'person_numbers', { person_id: ids });
    count += await deleteRows(trx, 'person_numbers', { address: names });
    count += await deleteRows(trx, 'account_addresses', { account: names });
    count += await deleteRows(trx, 'account_addresses', { address: names });
  }
  return count;
}

/** What was sent with rows of a person. */
export interface SentRows extends Omit<NewSentRows, 'people'> {
  readonly post: string;
  /** False where there were too many people to tell who they were. */
  readonly isCertain: boolean;
}

/** Slack did not take the post, or has it not yet. */
const unsent: readonly PostState[] = ['queued', 'running', 'failed', 'skipped', 'cancelled'];

/** So many are looked through at once: a bitmap of a million people can take 125 KB. */
const pageSize = 40;

/** Files and rows that were sent. They are not in the chain of events, so that people can be taken out of them. */
export function sentRowsIn(db: Db, numbers: PersonNumbers) {
  const save = (rows: NewSentRows) => saveSentRows(db, rows);

  return {
    save,

    /** Says that rows of these people are being sent. Call it before they are. */
    async saveOf(sent: Omit<NewSentRows, 'people'>, people: readonly RowNames[]): Promise<void> {
      await save({ ...sent, people: peopleSetOf(await numbers.numbersOf(namesOf(people))) });
    },

    /**
     * What was sent with rows of a person, newest first: at most `limit`, without what they got themselves.
     *
     * @param before the last one that was read
     */
    async findOf(
      wanted: readonly Wanted[],
      reader: string | undefined,
      limit: number,
      before?: Pick<SentRows, 'at' | 'post'>,
    ): Promise<readonly SentRows[]> {
      const found: SentRows[] = [];
      if (wanted.length === 0) return found;
      for (let edge = before; ; ) {
        const page = await pageOf(wanted, edge);
        for (const row of page) {
          edge = row;
          const { people, first_number: first, last_number: last, recipient, ...sent } = row;
          if (reader !== undefined && recipient === reader) continue;
          const bits = people === null ? undefined : Buffer.from(people, 'base64');
          const has = membersOf({ first, last, bits });
          if (!wanted.some(({ number, from, until }) => sent.at >= from && sent.at < until && has(number)))
            continue;
          found.push({ ...sent, recipient: recipient ?? undefined, isCertain: bits !== undefined });
          if (found.length === limit) return found;
        }
        if (page.length < pageSize) return found;
        await nextTurn();
      }
    },
  };

  /** The next ones that may hold one of these numbers. */
  function pageOf(wanted: readonly Wanted[], before: Pick<SentRows, 'at' | 'post'> | undefined) {
    const numbers = wanted.map(({ number }) => number);
    const page = db
      .selectFrom('sent_rows')
      .leftJoin('posts', 'posts.id', 'sent_rows.post')
      .select(['sent_rows.post', 'at', 'recipient', 'report', 'what', 'place'])
      .select(['first_number', 'last_number', 'people'])
      .where('at', '>=', Math.min(...wanted.map(({ from }) => from)))
      .where('first_number', '<=', Math.max(...numbers))
      .where('last_number', '>=', Math.min(...numbers))
      .where(({ eb, or }) => or([eb('posts.state', 'is', null), eb('posts.state', 'not in', unsent)]))
      .$if(before !== undefined, (query) =>
        query.where(({ eb, or, and }) =>
          or([
            eb('at', '<', before?.at ?? 0),
            and([eb('at', '=', before?.at ?? 0), eb('sent_rows.post', '<', before?.post ?? '')]),
          ]),
        ),
      );
    return page.orderBy('at', 'desc').orderBy('sent_rows.post', 'desc').limit(pageSize).execute();
  }
}

/** The same post sends them once: what an earlier try was about to send is replaced. */
export async function saveSentRows(
  db: Db,
  { post = randomId(), at, recipient, report, what, place, people }: NewSentRows,
): Promise<void> {
  const { first, last, bits } = people;
  if (last < first) return;
  await putRow(db, 'sent_rows', {
    post,
    at,
    recipient: recipient ?? null,
    report,
    what,
    place,
    first_number: first,
    last_number: last,
    people: bits ? Buffer.from(bits).toString('base64') : null,
  });
}

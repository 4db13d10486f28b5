import { setImmediate as nextTurn } from 'node:timers/promises';
import { inTransaction, putRow, rowsOf } from '../database/rows.js';
import type { Db, Tables, Trx } from '../database/schema.js';
import { preparedQuery } from '../database/workspace.js';

/** The numbers in `namesOf` of one person: the two halves of the hash of the user ID, and of the address; 0: none. */
export const perPerson = 4;

type NumberRow = Tables['person_numbers'];

/** The keyed hashes of a user ID and an address; empty: none. */
export type Pair = Pick<NumberRow, 'person_id' | 'address'>;

/** So many people are looked up at once. More would hold other work up. */
const batchSize = 25;

/** Batches that wait together for the disk or the network. */
const parallelBatches = 2;

/** More rows have an ID or an address that many people share. They would hold other work up too. */
const maxRows = 4 * batchSize;

/** A number that is in use says so again after this time. */
export const refreshMs = 7 * 24 * 3_600_000;

/**
 * Gives people numbers, which is much work for a large answer: its queries are prepared, and it takes many turns.
 *
 * @param pairAt the keyed hashes of a person among those that `numbersOf` gets
 */
export function numberingIn(db: Db, now: () => number, pairAt: (names: Int32Array, person: number) => Pair) {
  /** The pairs of an ID and an address that the database knows, among those of some people. */
  async function known(of: Db, pairs: readonly Pair[]): Promise<Map<string, NumberRow>> {
    const ids = new Set(pairs.map(({ person_id }) => person_id).filter(Boolean));
    const alone = pairs.flatMap(({ person_id, address }) => (person_id === '' ? address : []));
    const ofIds = ids.size > 0 ? (await rowsOfIds(of, batchOf([...ids]))).rows : [];
    const withoutId = alone.length > 0 ? (await rowsWithoutId(of, batchOf(alone))).rows : [];
    const found = new Map([...ofIds, ...withoutId].map((row) => [keyOfPair(row), row]));
    if (ofIds.length < maxRows) return found;
    for (const { person_id, address } of pairs) {
      for (const row of (await rowOfPair(of, { person_id, address })).rows) found.set(keyOfPair(row), row);
    }
    return found;
  }

  /** Adds pairs unless they are there. Returns all of them. */
  async function addNew(trx: Trx, pairs: readonly Pair[]): Promise<ReadonlyMap<string, NumberRow>> {
    const all = await known(trx, pairs);
    const ids = await numbersIn(trx, 'person_id', pairs);
    const addresses = await numbersIn(trx, 'address', pairs);
    const at = now();
    const counter = rowsOf(trx, 'record_settings', { name: 'next-person' }).select('setting');
    const first = (await counter.executeTakeFirst())?.setting ?? 0;
    let next = first;
    const numberOf = (numbers: Map<string, number>, name: string) => {
      if (name === '') return null;
      const found = numbers.get(name) ?? next++;
      numbers.set(name, found);
      return found;
    };
    const added: NumberRow[] = [];
    for (const { person_id, address } of pairs) {
      const key = keyOfPair({ person_id, address });
      if (all.has(key)) continue;
      const [id_number, address_number] = [numberOf(ids, person_id), numberOf(addresses, address)];
      const row = { person_id, address, id_number, address_number, since: at, seen_at: at };
      added.push(row);
      all.set(key, row);
    }
    if (added.length === batchSize) await insertBatch(trx, { at, ...valuesOfRows(added) });
    else if (added.length > 0) await trx.insertInto('person_numbers').values(added).execute();
    // Erased numbers are never given again.
    if (next > first)
      await putRow(trx, 'record_settings', { name: 'next-person', setting: next, set_by: null, set_at: at });
    return all;
  }

  /** The numbers that some IDs or addresses have already, in any pair. */
  async function numbersIn(
    trx: Trx,
    column: keyof Pair,
    pairs: readonly Pair[],
  ): Promise<Map<string, number>> {
    const names = new Set(pairs.map((pair) => pair[column]).filter(Boolean));
    const numbers = new Map<string, number>();
    if (names.size === 0) return numbers;
    const { ofBatch, ofOne } = numberQueries[column];
    const { rows } = await ofBatch(trx, batchOf([...names]));
    for (const { name, number } of rows) if (number !== null) numbers.set(name, number);
    if (rows.length < maxRows) return numbers;
    for (const name of names) {
      if (numbers.has(name)) continue;
      const [row] = (await ofOne(trx, { name })).rows;
      if (row && row.number !== null) numbers.set(name, row.number);
    }
    return numbers;
  }

  async function numberSome(pairs: readonly Pair[]): Promise<ReadonlyMap<string, NumberRow>> {
    const there = await known(db, pairs);
    const added = new Map(
      pairs.flatMap((pair) => (there.has(keyOfPair(pair)) ? [] : [[keyOfPair(pair), pair]])),
    );
    const rows =
      added.size > 0
        ? new Map([...there, ...(await inTransaction(db, (trx) => addNew(trx, [...added.values()])))])
        : there;
    const stale = [...there.values()].filter(({ seen_at }) => seen_at < now() - refreshMs);
    if (stale.length > 0) {
      const ids = [...new Set(stale.map(({ person_id }) => person_id))];
      await db
        .updateTable('person_numbers')
        .set({ seen_at: now() })
        .where('person_id', 'in', ids)
        .where('address', 'in', [...new Set(stale.map(({ address }) => address))])
        .execute();
    }
    return rows;
  }

  return {
    /**
     * The numbers of people, two for each: of the user ID and of the address; -1: none. New ones are added.
     *
     * @param names `perPerson` numbers for each person, as hashed without the key
     */
    async numbersOf(names: Int32Array): Promise<Int32Array> {
      const people = names.length / perPerson;
      const numbers = new Int32Array(2 * people).fill(-1);

      async function numberBatch(from: number): Promise<void> {
        const until = Math.min(people, from + batchSize);
        const pairs: Pair[] = [];
        for (let person = from; person < until; person++) pairs.push(pairAt(names, person));
        const named = pairs.filter(({ person_id, address }) => person_id !== '' || address !== '');
        if (named.length === 0) return;
        const rows = await numberSome(named);
        pairs.forEach((pair, index) => {
          const row = rows.get(keyOfPair(pair));
          numbers[2 * (from + index)] = row?.id_number ?? -1;
          numbers[2 * (from + index) + 1] = row?.address_number ?? -1;
        });
      }

      const batches = Math.ceil(people / batchSize);
      for (let first = 0; first < batches; first += parallelBatches) {
        if (first > 0) await nextTurn();
        const count = Math.min(parallelBatches, batches - first);
        await Promise.all(
          Array.from({ length: count }, (_, batch) => numberBatch((first + batch) * batchSize)),
        );
      }
      return numbers;
    },
  };
}

function keyOfPair({ person_id, address }: Pair): string {
  return `${person_id} ${address}`;
}

/** Names of the values of a query, and the values. */
type BatchValues = Readonly<Record<string, string | number | null>>;

/** What is repeated for each of a batch. */
function forBatch<Made>(make: (index: number) => Made): Made[] {
  return Array.from({ length: batchSize }, (_, index) => make(index));
}

/** The values of a batch, which the last one fills up. */
function batchOf(values: readonly string[]): BatchValues {
  const last = values.at(-1) ?? '';
  return Object.fromEntries(forBatch((index) => [`value${index}`, values[index] ?? last]));
}

function valuesOfRows(rows: readonly NumberRow[]): BatchValues {
  return Object.fromEntries(
    rows.flatMap(({ person_id, address, id_number, address_number }, index) => [
      [`id${index}`, person_id],
      [`address${index}`, address],
      [`idNumber${index}`, id_number],
      [`addressNumber${index}`, address_number],
    ]),
  );
}

const rowsOfIds = preparedQuery((db, values: BatchValues) =>
  db
    .selectFrom('person_numbers')
    .selectAll()
    .where('person_id', 'in', Object.values(values) as string[])
    .limit(maxRows),
);

const rowsWithoutId = preparedQuery((db, values: BatchValues) =>
  db
    .selectFrom('person_numbers')
    .selectAll()
    .where('person_id', '=', '')
    .where('address', 'in', Object.values(values) as string[]),
);

const rowOfPair = preparedQuery((db, { person_id, address }: Pair) =>
  db
    .selectFrom('person_numbers')
    .selectAll()
    .where('person_id', '=', person_id)
    .where('address', '=', address),
);

const insertBatch = preparedQuery((db, values: BatchValues) =>
  db.insertInto('person_numbers').values(
    forBatch((index) => ({
      person_id: values[`id${index}`] as string,
      address: values[`address${index}`] as string,
      id_number: values[`idNumber${index}`] as number,
      address_number: values[`addressNumber${index}`] as number,
      since: values.at as number,
      seen_at: values.at as number,
    })),
  ),
);

/** The numbers of a batch of IDs or addresses, of which each may be in several rows, and that of one. */
function numberQueriesOf(column: keyof Pair, number: 'id_number' | 'address_number') {
  const numbers = (db: Db) =>
    db.selectFrom('person_numbers').select([`${column} as name`, `${number} as number`]);
  return {
    ofBatch: preparedQuery((db, values: BatchValues) =>
      numbers(db)
        .where(column, 'in', Object.values(values) as string[])
        .limit(maxRows),
    ),
    ofOne: preparedQuery((db, { name }: { readonly name: string }) =>
      numbers(db).where(column, '=', name).limit(1),
    ),
  };
}

const numberQueries = {
  person_id: numberQueriesOf('person_id', 'id_number'),
  address: numberQueriesOf('address', 'address_number'),
};

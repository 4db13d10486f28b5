import type { ManagersRunEnd } from '../../digests/managers-plan.js';
import { type HashKey, hashKeyOf } from '../../figures/keyed-hash.js';
import { noKnownRows, withoutPeople } from '../../figures/known-rows.js';
import type { RecordKey } from '../access/event-chain.js';
import { changeRows, countRows, deleteRows, is, isSet, putRow, rowsOf } from '../database/rows.js';
import type { Db, Trx } from '../database/schema.js';
import { hashOfPerson } from '../requests/stored-figures.js';

/* What digests for managers know of their readers, by keyed hashes, and how their runs ended. */

export interface StoredReader {
  readonly hasDeclined: boolean;
  /** True where rows of the last run are known, and there were any. */
  readonly knowsRows: boolean;
  readonly lastRows: number | undefined;
  /** When the run of these rows was due. */
  readonly takenAt: number | undefined;
}

/** What one run found for a reader. */
export interface NewReaderRows {
  readonly rows: number;
  readonly takenAt: number;
  /** For an alert on new rows, in base64. */
  readonly knownRows?: string | undefined;
}

export function managerReadersIn(db: Db, key: RecordKey) {
  const reader = (user: string) => hashOfPerson(key, user);
  return {
    /** The key of the hashes of known rows. */
    keyOfKnownRows: () => keyOfRows(key),

    /** The reader that a Slack user ID is stored as. */
    hashOf: reader,

    /** What a digest knows of its readers, by their hashes. */
    async findAll(digest: string): Promise<ReadonlyMap<string, StoredReader>> {
      const rows = await rowsOf(db, 'manager_readers', { digest })
        .select(['reader', 'last_rows', 'taken_at', 'declined'])
        .select(({ eb }) => eb('known_rows', '!=', noKnownRows).as('knows_rows'))
        .execute();
      return new Map(
        rows.map(({ reader: hash, last_rows, taken_at, declined, knows_rows }) => [
          hash,
          {
            hasDeclined: declined === 1,
            knowsRows: Boolean(knows_rows),
            lastRows: last_rows ?? undefined,
            takenAt: taken_at ?? undefined,
          },
        ]),
      );
    },

    /** The rows that the last run of each of these people had, by Slack user ID. */
    async findKnownRows(digest: string, users: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
      const rows = await rowsOf(db, 'manager_readers', { digest, known_rows: isSet })
        .select(['reader', 'known_rows'])
        .execute();
      const byReader = new Map(rows.map(({ reader: hash, known_rows }) => [hash, known_rows ?? '']));
      return new Map(
        users.flatMap((user): [string, Uint8Array][] => {
          const text = byReader.get(reader(user));
          return text === undefined ? [] : [[user, new Uint8Array(Buffer.from(text, 'base64'))]];
        }),
      );
    },

    /** What the next run of a reader is compared with. */
    keep: (digest: string, user: string, { rows, takenAt, knownRows }: NewReaderRows) =>
      putRow(db, 'manager_readers', {
        digest,
        reader: reader(user),
        last_rows: rows,
        taken_at: takenAt,
        known_rows: knownRows ?? null,
      }),

    /** *Not for me*, or that it is taken back. */
    decline: (digest: string, user: string, hasDeclined: boolean) =>
      putRow(db, 'manager_readers', { digest, reader: reader(user), declined: hasDeclined ? 1 : 0 }),

    countDeclined: (digest: string) => countRows(db, 'manager_readers', { digest, declined: 1 }),

    /** The digests that a person does not want. */
    async findDeclined(user: string): Promise<readonly string[]> {
      const rows = rowsOf(db, 'manager_readers', { reader: reader(user), declined: 1 }).select('digest');
      return (await rows.execute()).map(({ digest }) => digest);
    },

    /** How runs ended, by the ID of the run. */
    async findEnds(runs: readonly string[]): Promise<ReadonlyMap<string, ManagersRunEnd>> {
      if (runs.length === 0) return new Map();
      const rows = await rowsOf(db, 'manager_runs', { run: runs }).selectAll().execute();
      return new Map(
        rows.map(({ run, counts, not_reached }) => [
          run,
          { ...JSON.parse(counts), notReached: readNotReached(not_reached) },
        ]),
      );
    },
  };
}

/** An erasure may have taken people out. */
function readNotReached(text: string): ManagersRunEnd['notReached'] {
  try {
    return JSON.parse(text);
  } catch {
    return [];
  }
}

function keyOfRows(key: RecordKey): HashKey {
  return hashKeyOf(key.hash('alert', 'rows of managers'));
}

/** Takes erased people out of the rows that readers know. Returns for how many readers. */
export async function eraseFromKnownRows(
  trx: Trx,
  key: RecordKey,
  people: readonly string[],
): Promise<number> {
  let count = 0;
  const rows = rowsOf(trx, 'manager_readers', { known_rows: isSet }).select([
    'digest',
    'reader',
    'known_rows',
  ]);
  for (const { digest, reader, known_rows } of await rows.execute()) {
    const without = withoutPeople(Buffer.from(known_rows ?? '', 'base64'), people, keyOfRows(key));
    if (!without) continue;
    count += 1;
    const text = Buffer.from(without).toString('base64');
    await changeRows(trx, 'manager_readers', { digest, reader }, { known_rows: text });
  }
  return count;
}

/** A digest that asks for something else compares with nothing. Who does not want it still does not. */
export async function forgetLastRows(trx: Db, digest: string): Promise<void> {
  await changeRows(trx, 'manager_readers', { digest }, { last_rows: null, taken_at: null, known_rows: null });
}

export async function deleteReadersWithoutDigest(db: Db): Promise<void> {
  const digests = db.selectFrom('digests').select('id');
  await deleteRows(db, 'manager_readers', { digest: is('not in', digests) });
}

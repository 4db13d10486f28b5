import type { Kysely } from 'kysely';
import { Failure } from '../../errors/failure.js';
import type { RecordKey } from '../record-key.js';
import type { Tables } from '../schema.js';
import { goOnWith } from './append-event.js';
import type { EventHead } from './event-chain.js';
import { headOf } from './event-rows.js';

/**
 * Makes the key of this process that of the record. A chain that has another key, or none, goes on from a checkpoint.
 * What was hashed with the other key is deleted, because it names nobody any more.
 *
 * @param hasEnded true for a process that writes nothing any more
 * @returns the last event with the other key; undefined if there is none
 * @throws `record-key-differs` if a process that runs has another key
 */
export async function useRecordKey(
  db: Kysely<Tables>,
  key: RecordKey,
  { process, hasEnded }: { readonly process: string; hasEnded(process: string): Promise<boolean> },
  now: number,
): Promise<EventHead | undefined> {
  const ended: string[] = [];
  const entered = db.selectFrom('record_keys').select('process').where('process', '!=', process);
  for (const other of await entered.execute()) {
    if (await hasEnded(other.process)) ended.push(other.process);
  }
  return db.transaction().execute(async (trx) => {
    if (ended.length > 0) await trx.deleteFrom('record_keys').where('process', 'in', ended).execute();
    // Also one that was entered meanwhile.
    const different = trx.selectFrom('record_keys').select('process').where('key_id', '!=', key.id);
    if (await different.where('process', '!=', process).executeTakeFirst())
      throw new Failure('record-key-differs', { isInUse: true });
    const own = { key_id: key.id, used_at: now };
    await trx
      .insertInto('record_keys')
      .values({ process, ...own })
      .onConflict((conflict) => conflict.column('process').doUpdateSet(own))
      .execute();
    const { keyId, ...through } = await headOf(trx);
    if (through.seq === 0 || keyId === key.id) return undefined;
    await goOnWith(trx, key, { through, earlierKey: keyId }, now);
    for (const table of ['last_figures', 'answer_totals'] as const) await trx.deleteFrom(table).execute();
    return through;
  });
}

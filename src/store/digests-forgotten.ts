import type { Kysely } from 'kysely';
import { endWaiting } from './ledger/ledger-unwanted.js';
import { moving } from './ledger/posts.js';
import type { Tables } from './tables.js';

/**
 * Takes a person out of digests. Those that went to their direct messages are gone with their runs; the others are
 * paused and their waiting runs end, since they ran with rights that nobody has any more, until an admin hands them over.
 *
 * @param nobody takes the place of their ID
 * @param at milliseconds since the epoch
 * @returns how many digests were theirs, or made by them
 */
export async function forgetInDigests(
  trx: Kysely<Tables>,
  user: string,
  nobody: string,
  at: number,
): Promise<number> {
  const theirs = await trx
    .selectFrom('digests')
    .select(['id', 'channel', 'owner'])
    .where(({ eb, or }) => or([eb('owner', '=', user), eb('made_by', '=', user)]))
    .execute();
  for (const { id, channel, owner } of theirs) {
    if (owner === user && channel.startsWith('D')) {
      const runs = trx.selectFrom('posts').select('id').where('digest', '=', id);
      await trx.deleteFrom('posts').where('parent', 'in', runs).execute();
      await trx.deleteFrom('posts').where('digest', '=', id).execute();
      await trx.deleteFrom('digests').where('id', '=', id).execute();
    } else if (owner === user) {
      await trx
        .updateTable('digests')
        .set((eb) => ({
          owner: nobody,
          state: 'paused',
          paused_why: 'owner-erased',
          next_due: null,
          // Whoever works on it, or changes it in an open form, finds that it is not what it was.
          revision: eb('revision', '+', 1),
        }))
        .where('id', '=', id)
        .execute();
      await endWaiting(trx, id, 'owner-erased', at);
      await endWaitingFiles(trx, id);
    }
  }
  await trx.updateTable('digests').set({ made_by: nobody }).where('made_by', '=', user).execute();
  await trx.deleteFrom('digest_notices').where('recipient', '=', user).execute();
  await trx.deleteFrom('digest_drafts').where('owner', '=', user).execute();
  return theirs.length;
}

/** A file that has not begun to be shown would be sent with the rights of somebody who is not known any more. */
async function endWaitingFiles(trx: Kysely<Tables>, digest: string): Promise<void> {
  const runs = trx.selectFrom('posts').select('id').where('digest', '=', digest);
  await moving(trx, ['queued', 'running'], 'skipped')
    .set({ error_code: 'owner-erased', reason: null, ready_at: null, lease_until: null })
    .where('parent', 'in', runs)
    .execute();
}

import type { Kysely } from 'kysely';
import type { Tables } from './tables.js';

/**
 * Takes a person out of digests. Those that went to their direct messages are gone with their runs; the others are
 * paused, since they ran with rights that nobody has any more, until an admin hands them over.
 *
 * @param nobody takes the place of their ID
 * @returns how many digests were theirs, or made by them
 */
export async function forgetInDigests(trx: Kysely<Tables>, user: string, nobody: string): Promise<number> {
  const theirs = await trx
    .selectFrom('digests')
    .select(['id', 'channel', 'owner'])
    .where(({ eb, or }) => or([eb('owner', '=', user), eb('made_by', '=', user)]))
    .execute();
  for (const { id, channel, owner } of theirs) {
    if (owner === user && channel.startsWith('D')) {
      await trx.deleteFrom('digest_runs').where('digest', '=', id).execute();
      await trx.deleteFrom('digests').where('id', '=', id).execute();
    } else if (owner === user) {
      await trx
        .updateTable('digests')
        .set({ owner: nobody, state: 'paused', paused_why: 'owner-left', next_due: null })
        .where('id', '=', id)
        .execute();
    }
  }
  await trx.updateTable('digests').set({ made_by: nobody }).where('made_by', '=', user).execute();
  await trx.deleteFrom('digest_notices').where('recipient', '=', user).execute();
  await trx.deleteFrom('digest_drafts').where('owner', '=', user).execute();
  return theirs.length;
}

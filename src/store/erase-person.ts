import type { Kysely } from 'kysely';
import { memberOf, reportNamed } from '../catalogue/index.js';
import type { ReportRequest } from '../requests/request.js';
import type { Tables } from './database.js';
import { transition } from './ledger/posts.js';
import { skipAll } from './ledger/waiting.js';

/** Takes the place of a person's ID. */
const erasedUser = 'forgotten';

/** How much named a person and does not any more. */
export interface ErasedData {
  readonly requests: number;
  readonly approvals: number;
  /** Saved reports that were theirs, made by them or last run by them. */
  readonly savedReports: number;
  /** Digests that were theirs, or made by them. */
  readonly digests: number;
}

/**
 * Takes a Slack user out of everything that is kept. Their questions stay, as nobody's, without the entries that speak
 * of persons and without their direct messages; what they approved stays approved; the forms they have open are gone.
 * Reports that they saved for a channel stay the channel's; those in their direct messages are gone.
 * Digests of theirs wait for another owner.
 *
 * @param at milliseconds since the epoch
 */
export async function erasePerson(db: Kysely<Tables>, user: string, at: number): Promise<ErasedData> {
  return db.transaction().execute(async (trx) => {
    const asks = await trx
      .selectFrom('asks')
      .select(['id', 'post', 'channel', 'request'])
      .where('asker', '=', user)
      .execute();
    for (const { id, post, channel, request } of asks) {
      await trx
        .updateTable('asks')
        .set({
          asker: erasedUser,
          request: JSON.stringify(withoutPersonFilters(JSON.parse(request))),
          ...(channel.startsWith('D') ? { channel: erasedUser } : {}),
        })
        .where('id', '=', id)
        .execute();
      await eraseMessageLocation(trx, post, post === id);
    }
    await trx.deleteFrom('builder_drafts').where('owner', '=', user).execute();
    const savedReports = await eraseFromSavedReports(trx, user);
    const digests = await eraseFromDigests(trx, user, erasedUser, at);
    const channels = await trx
      .updateTable('approved_channels')
      .set({ approved_by: erasedUser })
      .where('approved_by', '=', user)
      .executeTakeFirst();
    const keys = await trx
      .updateTable('released_keys')
      .set({ released_by: erasedUser })
      .where('released_by', '=', user)
      .executeTakeFirst();
    return {
      requests: asks.length,
      approvals: Number(channels.numUpdatedRows + keys.numUpdatedRows),
      savedReports,
      digests,
    };
  });
}

/** Where an answer stands is known no more; where an occurrence of a digest does, only if that is with the person. */
async function eraseMessageLocation(trx: Kysely<Tables>, post: string, isByHand: boolean): Promise<void> {
  await trx
    .updateTable('posts')
    .set({ message_channel: null, message_ts: null, message_link: null })
    .where('id', '=', post)
    .$if(!isByHand, (posts) => posts.where('message_channel', 'like', 'D%'))
    .execute();
  await trx
    .updateTable('posts')
    .set({ channel: erasedUser })
    .where(({ eb, or }) => or([eb('id', '=', post), eb('parent', '=', post)]))
    .where('channel', 'like', 'D%')
    .execute();
}

async function eraseFromSavedReports(trx: Kysely<Tables>, user: string): Promise<number> {
  const columns = ['owner', 'made_by', 'last_run_by'] as const;
  const theirs = await trx
    .selectFrom('saved_reports')
    .select('id')
    .where(({ eb, or }) => or(columns.map((column) => eb(column, '=', user))))
    .execute();
  await trx.deleteFrom('saved_reports').where('owner', '=', user).where('channel', 'like', 'D%').execute();
  for (const column of columns) {
    const named = trx.updateTable('saved_reports').where(column, '=', user);
    await named.set({ [column]: erasedUser }).execute();
  }
  return theirs.length;
}

function withoutPersonFilters(request: ReportRequest): ReportRequest {
  const report = reportNamed(request.report);
  const filters = request.filters.filter(
    ({ object, member }) => memberOf(report, object, member)?.member.personLevel === false,
  );
  return { ...request, filters };
}

/**
 * Takes a person out of digests. Those that went to their direct messages are gone with their runs; the others are
 * paused and their waiting runs end, since they ran with rights that nobody has any more, until an admin hands them over.
 *
 * @param nobody takes the place of their ID
 * @param at milliseconds since the epoch
 * @returns how many digests were theirs, or made by them
 */
async function eraseFromDigests(
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
      await skipAll(trx, id, 'owner-erased', at);
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
  await transition(trx, ['queued', 'running'], 'skipped')
    .set({ error_code: 'owner-erased', reason: null, ready_at: null, lease_until: null })
    .where('parent', 'in', runs)
    .execute();
}

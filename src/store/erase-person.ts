import type { Kysely } from 'kysely';
import { memberOf, reportNamed } from '../catalogue/index.js';
import type { ReportRequest } from '../requests/request.js';
import { forgetInDigests } from './digests-forgotten.js';
import type { Tables } from './tables.js';

/** Takes the place of a person's ID. */
export const somebodyForgotten = 'forgotten';

/** How much named a person and does not any more. */
export interface Forgotten {
  readonly asks: number;
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
export async function forgetPerson(db: Kysely<Tables>, user: string, at: number): Promise<Forgotten> {
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
          asker: somebodyForgotten,
          request: JSON.stringify(withoutPersons(JSON.parse(request))),
          ...(channel.startsWith('D') ? { channel: somebodyForgotten } : {}),
        })
        .where('id', '=', id)
        .execute();
      await forgetPlace(trx, post, post === id);
    }
    await trx.deleteFrom('builder_drafts').where('owner', '=', user).execute();
    const savedReports = await forgetSavedReports(trx, user);
    const digests = await forgetInDigests(trx, user, somebodyForgotten, at);
    const channels = await trx
      .updateTable('approved_channels')
      .set({ approved_by: somebodyForgotten })
      .where('approved_by', '=', user)
      .executeTakeFirst();
    const keys = await trx
      .updateTable('released_keys')
      .set({ released_by: somebodyForgotten })
      .where('released_by', '=', user)
      .executeTakeFirst();
    return {
      asks: asks.length,
      approvals: Number(channels.numUpdatedRows + keys.numUpdatedRows),
      savedReports,
      digests,
    };
  });
}

/** Where an answer stands is known no more; where an occurrence of a digest does, only if that is with the person. */
async function forgetPlace(trx: Kysely<Tables>, post: string, isByHand: boolean): Promise<void> {
  await trx
    .updateTable('posts')
    .set({ message_channel: null, message_ts: null, message_link: null })
    .where('id', '=', post)
    .$if(!isByHand, (posts) => posts.where('message_channel', 'like', 'D%'))
    .execute();
  await trx
    .updateTable('posts')
    .set({ channel: somebodyForgotten })
    .where(({ eb, or }) => or([eb('id', '=', post), eb('parent', '=', post)]))
    .where('channel', 'like', 'D%')
    .execute();
}

async function forgetSavedReports(trx: Kysely<Tables>, user: string): Promise<number> {
  const columns = ['owner', 'made_by', 'last_run_by'] as const;
  const theirs = await trx
    .selectFrom('saved_reports')
    .select('id')
    .where(({ eb, or }) => or(columns.map((column) => eb(column, '=', user))))
    .execute();
  await trx.deleteFrom('saved_reports').where('owner', '=', user).where('channel', 'like', 'D%').execute();
  for (const column of columns) {
    const named = trx.updateTable('saved_reports').where(column, '=', user);
    await named.set({ [column]: somebodyForgotten }).execute();
  }
  return theirs.length;
}

function withoutPersons(request: ReportRequest): ReportRequest {
  const report = reportNamed(request.report);
  const filters = request.filters.filter(
    ({ object, member }) => memberOf(report, object, member)?.member.personLevel === false,
  );
  return { ...request, filters };
}

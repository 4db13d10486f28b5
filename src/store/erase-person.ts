import { type Kysely, sql, type Transaction } from 'kysely';
import { memberOf, reportNamed } from '../catalogue/index.js';
import type { ReportRequest } from '../requests/request.js';
import { eraseFromEvents } from './access/events.js';
import type { Tables } from './database.js';
import { noOffer } from './digests/digests.js';
import { transition } from './ledger/posts.js';
import { skipAll } from './ledger/waiting.js';

/** Replaces the person's ID. */
const erasedUser = 'forgotten';

/** How many entries named the person. */
export interface ErasedData {
  readonly requests: number;
  readonly approvals: number;
  /** Reports that they owned, created or last ran. */
  readonly savedReports: number;
  /** Digests that they owned or created. */
  readonly digests: number;
  /** Rules of access for them, and them as an added admin. */
  readonly rules: number;
  /** Events of the record of access. */
  readonly events: number;
}

/**
 * Removes a Slack user from all stored data.
 * Their requests stay without a name, without filters on people and without the ID of their direct messages. Their
 * approvals stay. Their drafts are deleted. Saved reports and digests in their direct messages are deleted; those in
 * channels stay. Their digests pause until an admin names another owner. Hand-overs to them end, and so do rules of
 * access for them. The record of access keeps its events, without the person and without details.
 *
 * An e-mail address is removed from requests and from the record of access. Saved reports and digests keep the addresses
 * that people filter by.
 *
 * @param person a Slack user ID or an e-mail address
 * @param at milliseconds since the epoch
 */
export async function erasePerson(db: Kysely<Tables>, person: string, at: number): Promise<ErasedData> {
  return db
    .transaction()
    .execute((trx) => (person.includes('@') ? eraseAddress(trx, person, at) : eraseUser(trx, person, at)));
}

async function eraseAddress(trx: Transaction<Tables>, address: string, at: number): Promise<ErasedData> {
  const pattern = `%${address.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  const requests = await trx
    .selectFrom('asks')
    .select(['id', 'request'])
    .where(sql<boolean>`lower(request) LIKE ${pattern} ESCAPE '\\'`)
    .execute();
  let found = 0;
  for (const { id, request } of requests) {
    const parsed: ReportRequest = JSON.parse(request);
    const named = parsed.filters.flatMap(({ entries }) => entries.map((entry) => entry.toLowerCase()));
    if (!named.includes(address.toLowerCase())) continue;
    found += 1;
    const erased = JSON.stringify(withoutPersonFilters(parsed));
    await trx.updateTable('asks').set({ request: erased }).where('id', '=', id).execute();
  }
  const events = await eraseFromEvents(trx, [address], at);
  return { requests: found, approvals: 0, savedReports: 0, digests: 0, rules: 0, events };
}

async function eraseUser(trx: Transaction<Tables>, user: string, at: number): Promise<ErasedData> {
  const requests = await trx
    .selectFrom('asks')
    .select(['id', 'post', 'channel', 'request'])
    .where('asker', '=', user)
    .execute();
  for (const { id, post, channel, request } of requests) {
    await trx
      .updateTable('asks')
      .set({
        asker: erasedUser,
        request: JSON.stringify(withoutPersonFilters(JSON.parse(request))),
        channel: channel.startsWith('D') ? erasedUser : undefined,
      })
      .where('id', '=', id)
      .execute();
    await eraseMessageLocation(trx, post, post === id);
  }
  await trx.deleteFrom('builder_drafts').where('owner', '=', user).execute();
  const savedReports = await eraseFromSavedReports(trx, user);
  const digests = await eraseFromDigests(trx, user, at);
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
  await trx
    .updateTable('approval_requests')
    .set({ requested_by: erasedUser })
    .where('requested_by', '=', user)
    .execute();
  return {
    requests: requests.length,
    approvals: Number(channels.numUpdatedRows + keys.numUpdatedRows),
    savedReports,
    digests,
    rules: await eraseFromRules(trx, user),
    events: await eraseFromEvents(trx, [user], at),
  };
}

/** Removes the rules for a person, and them as an admin. Rules that they set stay. */
async function eraseFromRules(trx: Transaction<Tables>, user: string): Promise<number> {
  const rules = await trx
    .deleteFrom('access_rules')
    .where('subject_kind', '=', 'person')
    .where('subject', '=', user)
    .executeTakeFirst();
  const admins = await trx.deleteFrom('access_admins').where('person', '=', user).executeTakeFirst();
  await trx.updateTable('access_rules').set({ set_by: erasedUser }).where('set_by', '=', user).execute();
  await trx.updateTable('access_admins').set({ added_by: erasedUser }).where('added_by', '=', user).execute();
  return Number(rules.numDeletedRows + admins.numDeletedRows);
}

/** Removes where an answer was posted. For a digest's run, only if it was in direct messages. */
async function eraseMessageLocation(trx: Kysely<Tables>, post: string, isAnswer: boolean): Promise<void> {
  await trx
    .updateTable('posts')
    .set({ message_channel: null, message_ts: null, message_link: null })
    .where('id', '=', post)
    .$if(!isAnswer, (posts) => posts.where('message_channel', 'like', 'D%'))
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
  const affected = await trx
    .selectFrom('saved_reports')
    .select('id')
    .where(({ eb, or }) => or(columns.map((column) => eb(column, '=', user))))
    .execute();
  await trx.deleteFrom('saved_reports').where('owner', '=', user).where('channel', 'like', 'D%').execute();
  for (const column of columns) {
    const named = trx.updateTable('saved_reports').where(column, '=', user);
    await named.set({ [column]: erasedUser }).execute();
  }
  return affected.length;
}

function withoutPersonFilters(request: ReportRequest): ReportRequest {
  const report = reportNamed(request.report);
  const filters = request.filters.filter(
    ({ object, member }) => memberOf(report, object, member)?.member.personLevel === false,
  );
  return { ...request, filters };
}

/**
 * Deletes digests in the person's direct messages, with their runs. Pauses their other digests and skips waiting runs,
 * because those ran with the person's rights. An admin can name another owner.
 *
 * @param at milliseconds since the epoch
 * @returns how many digests they owned or created
 */
async function eraseFromDigests(trx: Kysely<Tables>, user: string, at: number): Promise<number> {
  const affected = await trx
    .selectFrom('digests')
    .select(['id', 'channel', 'owner'])
    .where(({ eb, or }) => or([eb('owner', '=', user), eb('made_by', '=', user)]))
    .execute();
  for (const { id, channel, owner } of affected) {
    if (owner === user && channel.startsWith('D')) {
      const runs = trx.selectFrom('posts').select('id').where('digest', '=', id);
      await trx.deleteFrom('posts').where('parent', 'in', runs).execute();
      await trx.deleteFrom('posts').where('digest', '=', id).execute();
      await trx.deleteFrom('digests').where('id', '=', id).execute();
    } else if (owner === user) {
      await trx
        .updateTable('digests')
        .set((eb) => ({
          owner: erasedUser,
          state: 'paused',
          paused_why: 'owner-erased',
          next_due: null,
          // Makes workers and open forms notice the change.
          revision: eb('revision', '+', 1),
        }))
        .where('id', '=', id)
        .execute();
      await skipAll(trx, id, 'owner-erased', at);
      await endWaitingFiles(trx, id);
    }
  }
  await trx.updateTable('digests').set({ made_by: erasedUser }).where('made_by', '=', user).execute();
  await trx.updateTable('digests').set(noOffer).where('pending_owner', '=', user).execute();
  await trx.deleteFrom('digest_notices').where('recipient', '=', user).execute();
  await trx.deleteFrom('digest_drafts').where('owner', '=', user).execute();
  return affected.length;
}

/** Skips files that are not being shared yet: they would be sent with the erased person's rights. */
async function endWaitingFiles(trx: Kysely<Tables>, digest: string): Promise<void> {
  const runs = trx.selectFrom('posts').select('id').where('digest', '=', digest);
  await transition(trx, ['queued', 'running'], 'skipped')
    .set({ error_code: 'owner-erased', reason: null, ready_at: null, lease_until: null })
    .where('parent', 'in', runs)
    .execute();
}

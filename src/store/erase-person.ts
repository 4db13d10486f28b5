import { type Kysely, sql, type Transaction } from 'kysely';
import { detailsPostId } from '../posts/states.js';
import { removeAllPeople, withoutPerson } from '../requests/erased-people.js';
import { eraseFromEvents } from './access/people-in-events.js';
import type { Tables } from './database.js';
import { keyColumnsOf, textColumnsOf } from './dialect.js';
import { deleteRareNames, endRequests, eraseMentions, mayMention } from './erase-mentions.js';
import { endDigestRuns } from './ledger/waiting.js';
import { noOffer } from './offers.js';
import type { RecordKey } from './record-key.js';
import { eraseFromTotals } from './requests/answer-totals.js';
import { eraseFromFigures } from './requests/last-figures.js';
import { endedDelivery } from './slack/inbox.js';
import { workspaceTables } from './workspace.js';

/** Replaces the person's ID. */
export const erasedUser = 'forgotten';

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
  /** Drafts, suggestions, figures and texts. */
  readonly other: number;
  /** What people see of it and what changes: names of saved reports, filters, suggestions. */
  readonly list: readonly string[];
}

/**
 * Removes a person from all stored data: as the one who did something, and as the one whom filters and texts name.
 * Their own requests stay without a name, without filters on people and without the ID of their direct messages. Their
 * approvals stay. Their drafts are deleted. Saved reports and digests in their direct messages are deleted; those in
 * channels stay. Their digests pause until an admin names another owner. Hand-overs to them end, and so do rules of
 * access for them. The record of access keeps its events, without the person and without details.
 *
 * A filter that named nobody else gets an entry that no run accepts. Requests of theirs, or about them, that are running
 * end.
 *
 * @param people their Slack user IDs and e-mail addresses, and what else names them: names and learner IDs
 * @param at milliseconds since the epoch
 * @param isRehearsal true: only tells what would be erased
 */
export async function erasePerson(
  db: Kysely<Tables>,
  key: RecordKey,
  { people, isRehearsal = false }: { readonly people: readonly string[]; readonly isRehearsal?: boolean },
  at: number,
): Promise<ErasedData> {
  let erased: ErasedData | undefined;
  try {
    await db.transaction().execute(async (trx) => {
      erased = await eraseAllOf(trx, key, people, at);
      if (isRehearsal) throw new Rehearsed();
    });
  } catch (error) {
    if (!(error instanceof Rehearsed)) throw error;
  }
  if (!erased) throw new Error('The erasure has no result');
  return erased;
}

/** Undoes a rehearsal. */
class Rehearsed extends Error {}

async function eraseAllOf(
  trx: Transaction<Tables>,
  key: RecordKey,
  people: readonly string[],
  at: number,
): Promise<ErasedData> {
  const list: string[] = [];
  const total = { ...noData };
  const add = (found: Partial<OwnData>) => {
    for (const name of Object.keys(noData) as (keyof OwnData)[]) total[name] += found[name] ?? 0;
  };
  for (const person of people) {
    // First, because the rows of the person tell which figures are about them.
    add({ other: (await eraseFromFigures(trx, key, person)) + (await eraseFromTotals(trx, key, person)) });
    if (isSlackId(person)) add(await eraseUser(trx, person, at));
    add(await eraseMentions(trx, person, at, (line) => list.push(line)));
  }
  await deleteRareNames(trx);
  const events = await eraseFromEvents(trx, key, people, at);
  // Last, for what nothing above knows.
  for (const person of people) add({ other: await eraseElsewhere(trx, person) });
  return { ...total, events, list: [...new Set(list)] };
}

function isSlackId(person: string): boolean {
  return /^[UW][A-Z0-9]+$/.test(person);
}

/** The chain never changes. Its details are erased as a whole, and it names people by tokens. */
const untouched: ReadonlySet<string> = new Set(['event_chain', 'event_details', 'event_subjects']);

/** Looks at every text of every table, so that none is forgotten that a later version adds. */
async function eraseElsewhere(trx: Transaction<Tables>, person: string): Promise<number> {
  let count = 0;
  const plain = trx.withoutPlugins();
  for (const table of workspaceTables) {
    if (untouched.has(table)) continue;
    const key = await keyColumnsOf(plain, table);
    for (const column of await textColumnsOf(plain, table)) {
      if (column === 'workspace') continue;
      const rows = await trx
        .selectFrom(table)
        .select(sql.ref<string>(column).as('text'))
        .where(mayMention(trx, column, person))
        .execute();
      for (const text of new Set(rows.map((row) => row.text))) {
        const erased = withoutPerson(text, person);
        if (erased === text) continue;
        count += 1;
        // Two erased people may not get the same key.
        if (key.includes(column)) await trx.deleteFrom(table).where(sql.ref(column), '=', text).execute();
        else await changeText(trx, table, column, text, erased);
      }
    }
  }
  return count;
}

async function changeText(
  trx: Transaction<Tables>,
  table: (typeof workspaceTables)[number],
  column: string,
  from: string,
  to: string,
): Promise<void> {
  // The name of the column is not known when this is compiled.
  const set = { [column]: to } as never;
  await trx.updateTable(table).set(set).where(sql.ref(column), '=', from).execute();
}

/** Removes all data of the workspace. The database stays that of the workspace. */
export async function eraseAll(db: Kysely<Tables>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const table of workspaceTables) await trx.deleteFrom(table).execute();
  });
}

type OwnData = Omit<ErasedData, 'events' | 'list'>;

const noData: OwnData = { requests: 0, approvals: 0, savedReports: 0, digests: 0, rules: 0, other: 0 };

async function eraseUser(trx: Transaction<Tables>, user: string, at: number): Promise<OwnData> {
  await erasePostedItems(trx, user);
  const requests = await trx
    .selectFrom('asks')
    .select(['id', 'post', 'channel', 'request'])
    .where('asker', '=', user)
    .execute();
  await endRequests(
    trx,
    requests.map(({ id }) => id),
    at,
  );
  for (const { id, post, channel, request } of requests) {
    await trx
      .updateTable('asks')
      .set({
        asker: erasedUser,
        request: JSON.stringify(removeAllPeople(JSON.parse(request))),
        channel: channel.startsWith('D') ? erasedUser : undefined,
      })
      .where('id', '=', id)
      .execute();
    await eraseMessageLocation(trx, post, post === id);
    await eraseMessageLocation(trx, detailsPostId(id), true);
  }
  const deliveries = await trx
    .updateTable('inbox')
    .set(endedDelivery)
    .where('person', '=', user)
    .executeTakeFirst();
  const drafts = await trx.deleteFrom('builder_drafts').where('owner', '=', user).executeTakeFirst();
  await trx.deleteFrom('form_searches').where('person', '=', user).execute();
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
    other: Number(drafts.numDeletedRows + deliveries.numUpdatedRows),
  };
}

/** Removes what was posted to the person's direct messages, and their name as the admin who set an age. */
async function erasePostedItems(trx: Transaction<Tables>, user: string): Promise<void> {
  const own = trx.selectFrom('digests').select('channel').where('owner', '=', user);
  const asked = trx.selectFrom('asks').select('channel').where('asker', '=', user);
  const posted = trx
    .selectFrom('posts')
    .innerJoin('asks', 'asks.post', 'posts.id')
    .select('posts.message_channel')
    .$narrowType<{ message_channel: string }>()
    .where('asks.asker', '=', user)
    .where('posts.message_channel', 'is not', null);
  await trx
    .deleteFrom('posted_items')
    .where('channel', 'like', 'D%')
    .where(({ eb, or }) =>
      or([eb('channel', 'in', own), eb('channel', 'in', asked), eb('channel', 'in', posted)]),
    )
    .execute();
  await trx.updateTable('channel_ages').set({ set_by: erasedUser }).where('set_by', '=', user).execute();
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
  await trx.updateTable('saved_reports').set(noOffer).where('pending_owner', '=', user).execute();
  return affected.length;
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
      await endDigestRuns(trx, id, 'owner-erased', at);
    }
  }
  await trx.updateTable('digests').set({ made_by: erasedUser }).where('made_by', '=', user).execute();
  await trx.updateTable('digests').set(noOffer).where('pending_owner', '=', user).execute();
  await trx.deleteFrom('digest_notices').where('recipient', '=', user).execute();
  await trx.deleteFrom('digest_drafts').where('owner', '=', user).execute();
  return affected.length;
}

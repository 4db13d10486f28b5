import { sql, type Transaction } from 'kysely';
import { detailsPostId } from '../posts/states.js';
import { removeAllPeople } from '../requests/erased-people.js';
import { eraseFromEvents } from './access/people-in-events.js';
import { pausedFor } from './digests/digests.js';
import {
  changeText,
  deleteRareNames,
  deleteText,
  endRequests,
  eraseFromColumn,
  eraseMentions,
} from './erase-mentions.js';
import { endDigestRuns } from './ledger/waiting.js';
import type { RecordKey } from './record-key.js';
import { hashOfPerson } from './requests/people-in-requests.js';
import { changeRows, deleteRows, rowsOf } from './rows.js';
import { type Db, type Tables, tableNames, textColumns } from './schema.js';
import { endedDelivery } from './slack/inbox.js';

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
  db: Db,
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
    add({ other: await deleteHashed(trx, hashOfPerson(key, person)) });
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

/** Looks at every text of every table, because an operator may have put a person where no person belongs. */
async function eraseElsewhere(trx: Transaction<Tables>, person: string): Promise<number> {
  let count = 0;
  for (const { table, column } of textColumns()) {
    if (!untouched.has(table)) count += await eraseFromColumn(trx, person, table, column);
  }
  return count;
}

/** Removes all data of the workspace. The database stays that of the workspace. */
export async function eraseAll(db: Db): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const table of tableNames) await trx.deleteFrom(table).execute();
  });
}

type OwnData = Omit<ErasedData, 'events' | 'list'>;

const noData: OwnData = { requests: 0, approvals: 0, savedReports: 0, digests: 0, rules: 0, other: 0 };

async function eraseUser(trx: Transaction<Tables>, user: string, at: number): Promise<OwnData> {
  await erasePostedItems(trx, user);
  const requests = await rowsOf(trx, 'requests', { asker: user }).selectAll().execute();
  await endRequests(
    trx,
    requests.map(({ id }) => id),
    at,
  );
  for (const { id, post, channel, request } of requests) {
    const set = {
      asker: erasedUser,
      request: JSON.stringify(removeAllPeople(JSON.parse(request))),
      channel: channel.startsWith('D') ? erasedUser : undefined,
    };
    await changeRows(trx, 'requests', { id }, set);
    await eraseMessageLocation(trx, post, post === id);
    await eraseMessageLocation(trx, detailsPostId(id), true);
  }
  const total = {
    ...noData,
    requests: requests.length,
    savedReports: await eraseFromSavedReports(trx, user),
    digests: await eraseFromDigests(trx, user, at),
    other: await changeRows(trx, 'inbox', { person: user }, endedDelivery),
  };
  for (const { table, column, erasure } of textColumns()) {
    if (typeof erasure === 'string' || erasure.holds !== 'user') continue;
    const { erase, counts } = erasure;
    const erased =
      erase === 'delete'
        ? await deleteText(trx, table, column, user)
        : await changeText(trx, table, column, user, erase === 'clear' ? null : erasedUser);
    if (counts) total[counts] += erased;
  }
  return total;
}

/** Deletes the rows with the hash of a person. Returns how many. */
async function deleteHashed(trx: Transaction<Tables>, hash: string): Promise<number> {
  let count = 0;
  for (const { table, column, erasure } of textColumns()) {
    if (typeof erasure === 'string' || erasure.holds !== 'hashes') continue;
    const hashed = trx.deleteFrom(table).where(sql.ref(column), 'like', `%${hash}%`);
    count += Number((await hashed.executeTakeFirst()).numDeletedRows);
  }
  return count;
}

/** Removes what was posted to the person's direct messages. */
async function erasePostedItems(trx: Transaction<Tables>, user: string): Promise<void> {
  const own = rowsOf(trx, 'digests', { owner: user }).select('channel');
  const asked = rowsOf(trx, 'requests', { asker: user }).select('channel');
  const posted = trx
    .selectFrom('posts')
    .innerJoin('requests', 'requests.post', 'posts.id')
    .select('posts.message_channel')
    .$narrowType<{ message_channel: string }>()
    .where('requests.asker', '=', user)
    .where('posts.message_channel', 'is not', null);
  await trx
    .deleteFrom('posted_items')
    .where('channel', 'like', 'D%')
    .where(({ eb, or }) =>
      or([eb('channel', 'in', own), eb('channel', 'in', asked), eb('channel', 'in', posted)]),
    )
    .execute();
}

/** Removes where an answer was posted. For a digest's run, only if it was in direct messages. */
async function eraseMessageLocation(trx: Db, post: string, isAnswer: boolean): Promise<void> {
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

async function eraseFromSavedReports(trx: Db, user: string): Promise<number> {
  const columns = ['owner', 'created_by', 'last_run_by'] as const;
  const affected = await trx
    .selectFrom('saved_reports')
    .select('id')
    .where(({ eb, or }) => or(columns.map((column) => eb(column, '=', user))))
    .execute();
  await trx.deleteFrom('saved_reports').where('owner', '=', user).where('channel', 'like', 'D%').execute();
  await changeRows(trx, 'saved_reports', { owner: user }, { owner: erasedUser });
  return affected.length;
}

/**
 * Deletes digests in the person's direct messages, with their runs. Pauses their other digests and skips waiting runs,
 * because those ran with the person's rights. An admin can name another owner.
 *
 * @param at milliseconds since the epoch
 * @returns how many digests they owned or created
 */
async function eraseFromDigests(trx: Db, user: string, at: number): Promise<number> {
  const affected = await trx
    .selectFrom('digests')
    .select(['id', 'channel', 'owner'])
    .where(({ eb, or }) => or([eb('owner', '=', user), eb('created_by', '=', user)]))
    .execute();
  for (const { id, channel, owner } of affected) {
    if (owner === user && channel.startsWith('D')) {
      await deleteRows(trx, 'posts', { parent: rowsOf(trx, 'posts', { digest: id }).select('id') });
      await deleteRows(trx, 'posts', { digest: id });
      await deleteRows(trx, 'digests', { id });
    } else if (owner === user) {
      await changeRows(trx, 'digests', { id }, { owner: erasedUser, ...pausedFor('owner-erased') });
      await endDigestRuns(trx, id, 'owner-erased', at);
    }
  }
  return affected.length;
}

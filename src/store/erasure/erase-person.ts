import { detailsPostId } from '../../posts/states.js';
import { removeAllPeople } from '../../requests/erased-people.js';
import type { RecordKey } from '../access/event-chain.js';
import { eraseNumbers } from '../access/person-numbers.js';
import { changeRows, deleteRows, inTransaction, is, rowsOf } from '../database/rows.js';
import { type Db, type Trx, tableNames, textColumns } from '../database/schema.js';
import { deleteAlertsWithoutDigest, eraseFromAlerts, forgetAlert } from '../digests/alert-states.js';
import { pausedFor } from '../digests/digests.js';
import { deleteReadersWithoutDigest, eraseFromKnownRows } from '../digests/manager-readers.js';
import { endDigestRuns } from '../posts/waiting.js';
import { endedDelivery } from '../requests/inbox.js';
import { hashOfPerson } from '../requests/stored-figures.js';
import { deleteRareNames, endRequest, eraseFromColumn, eraseMentions } from './erase-mentions.js';
import { eraseFromEvents } from './people-in-events.js';

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
 * A filter that named no one else gets an entry that no run accepts. Requests of theirs, or about them, that are running
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
    await inTransaction(db, async (trx) => {
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
  trx: Trx,
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
    if (isSlackId(person)) add(await eraseUser(trx, key, person, at));
    add(await eraseMentions(trx, person, at, (line) => list.push(line)));
  }
  await deleteRareNames(trx);
  // They are of everybody whom a query found.
  await deleteRows(trx, 'unit_totals', {});
  await deleteAlertsWithoutDigest(trx);
  await deleteReadersWithoutDigest(trx);
  add({ other: await eraseFromAlerts(trx, key, people) });
  add({ other: await eraseNumbers(trx, key, people) });
  add({ other: await eraseFromKnownRows(trx, key, people) });
  const events = await eraseFromEvents(trx, key, people, at);
  // Last, for what nothing above knows.
  for (const person of people) add({ other: await eraseElsewhere(trx, person) });
  return { ...total, events, list: [...new Set(list)] };
}

export function isSlackId(person: string): boolean {
  return /^[UW][A-Z0-9]+$/.test(person);
}

/**
 * The chain never changes. Its details are erased as a whole, and it names people by tokens. What digests remember has
 * figures and keyed hashes, and what was sent has numbers.
 */
const untouched: ReadonlySet<string> = new Set([
  'event_chain',
  'event_details',
  'event_subjects',
  'alert_states',
  'person_numbers',
  'account_addresses',
  'manager_readers',
]);

/** Looks at every text of every table, because an operator may have put a person where no person belongs. */
async function eraseElsewhere(trx: Trx, person: string): Promise<number> {
  let count = 0;
  for (const { table, column } of textColumns()) {
    if (!untouched.has(table)) count += await eraseFromColumn(trx, person, table, column);
  }
  return count;
}

/** Removes all data of the workspace. The database stays that of the workspace. */
export async function eraseAll(db: Db): Promise<void> {
  await inTransaction(db, async (trx) => {
    for (const table of tableNames) await trx.deleteFrom(table).execute();
  });
}

type OwnData = Omit<ErasedData, 'events' | 'list'>;

const noData: OwnData = { requests: 0, approvals: 0, savedReports: 0, digests: 0, rules: 0, other: 0 };

async function eraseUser(trx: Trx, key: RecordKey, user: string, at: number): Promise<OwnData> {
  // Messages to managers are in their direct messages, and their posts have hashes of the readers.
  const asManager = { kind: 'manager', channel: hashOfPerson(key, user) } as const;
  const conversations = await directMessagesOf(trx, user, asManager);
  await deleteRows(trx, 'posts', asManager);
  const requests = await rowsOf(trx, 'requests', { asker: user }).selectAll().execute();
  for (const { id, post, request } of requests) {
    await endRequest(trx, id, at);
    const erased = JSON.stringify(removeAllPeople(JSON.parse(request)));
    await changeRows(trx, 'requests', { id }, { asker: erasedUser, request: erased });
    // For a digest's run, only if it was in direct messages.
    const posts = post === id ? [id, detailsPostId(id)] : [detailsPostId(id)];
    await changeRows(trx, 'posts', { id: posts }, noMessage);
  }
  await changeRows(trx, 'posts', { message_channel: conversations }, noMessage);
  const total = {
    ...noData,
    requests: requests.length,
    savedReports: await eraseFromSavedReports(trx, user),
    digests: await eraseFromDigests(trx, user, at),
    other: await changeRows(trx, 'inbox', { person: user }, endedDelivery),
  };
  for (const { table, column, erasure } of textColumns()) {
    if (typeof erasure === 'string' || (erasure.holds !== 'user' && erasure.holds !== 'conversation'))
      continue;
    const which = { [column]: erasure.holds === 'user' ? user : conversations };
    const text = erasure.erase === 'clear' ? null : erasedUser;
    const erased =
      erasure.erase === 'delete'
        ? await deleteRows(trx, table, which)
        : await changeRows(trx, table, which, { [column]: text });
    if (erasure.holds === 'user' && erasure.counts) total[erasure.counts] += erased;
  }
  return total;
}

const noMessage = { message_channel: null, message_ts: null, message_link: null } as const;

/** The IDs of a person's direct messages with Rollcall, as far as something of theirs is there. */
async function directMessagesOf(
  trx: Trx,
  user: string,
  asManager: { readonly kind: 'manager'; readonly channel: string },
): Promise<readonly string[]> {
  const found = await rowsOf(trx, 'requests', { asker: user })
    .select('channel')
    .union(rowsOf(trx, 'digests', { owner: user }).select('channel'))
    .union(rowsOf(trx, 'saved_reports', { owner: user }).select('channel'))
    .union(
      trx
        .selectFrom('posts')
        .innerJoin('requests', 'requests.post', 'posts.id')
        .select(({ fn, ref, val }) => fn.coalesce(ref('posts.message_channel'), val('')).as('channel'))
        .where('requests.asker', '=', user),
    )
    .union(
      rowsOf(trx, 'posts', asManager).select(({ fn, ref, val }) =>
        fn.coalesce(ref('message_channel'), val('')).as('channel'),
      ),
    )
    .execute();
  return found.map(({ channel }) => channel).filter((channel) => channel.startsWith('D'));
}

async function deleteHashed(trx: Trx, hash: string): Promise<number> {
  let count = 0;
  for (const { table, column, erasure } of textColumns()) {
    if (typeof erasure === 'string' || erasure.holds !== 'hashes') continue;
    count += await deleteRows(trx, table, { [column]: is('like', `%${hash}%`) });
  }
  return count;
}

async function eraseFromSavedReports(trx: Db, user: string): Promise<number> {
  const columns = ['owner', 'created_by', 'last_run_by'] as const;
  const affected = await trx
    .selectFrom('saved_reports')
    .select('id')
    .where(({ eb, or }) => or(columns.map((column) => eb(column, '=', user))))
    .execute();
  await changeRows(trx, 'saved_reports', { owner: user }, { owner: erasedUser });
  return affected.length;
}

/**
 * Deletes digests in the person's direct messages, with their runs. Pauses their other digests and skips waiting runs,
 * because those ran with the person's rights. An admin can name another owner. Returns how many they owned or created.
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
    } else if (owner === user) {
      await changeRows(trx, 'digests', { id }, { owner: erasedUser, ...pausedFor('owner-erased') });
      // Its figures may be about them alone, as with `email:me`.
      await forgetAlert(trx, id);
      await endDigestRuns(trx, id, 'owner-erased', at);
    }
  }
  return affected.length;
}

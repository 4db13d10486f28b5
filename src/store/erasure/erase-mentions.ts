import { sql } from 'kysely';
import { randomId } from '../../logging/logger.js';
import { detailsPostId } from '../../posts/states.js';
import { isMentionedIn, removePerson, withoutPerson } from '../../requests/erased-people.js';
import { erasedEntry } from '../../requests/request.js';
import { savedNameKey } from '../../requests/saved-names.js';
import { fewPeople } from '../../runner/daily-look.js';
import { holdsInAnyCase } from '../database/dialect.js';
import { changeRows, deleteRows, is, plusOne } from '../database/rows.js';
import { type Db, keyOf, type TableName, type Trx, textColumns } from '../database/schema.js';
import { forgetAlert } from '../digests/alert-states.js';
import { pausedFor } from '../digests/digests.js';
import { transition } from '../posts/posts.js';
import { endDigestRuns } from '../posts/waiting.js';

/**
 * Takes a person out of what others asked, saved and scheduled, and out of every text. Digests and saved reports whose
 * filter named no one else do not run until a person changes them, and their owners are told.
 *
 * @param person a Slack user ID, an e-mail address, a name or a learner ID
 * @param list called with a line for each thing that people see and that changes
 * @returns how many entries of others named the person. `other`: drafts, suggestions, figures and texts
 */
export async function eraseMentions(trx: Trx, person: string, at: number, list: (line: string) => void) {
  const mention: Mention = { person, at, list };
  const requests = await eraseFromRequests(trx, mention);
  const savedReports = await eraseFromSaved(trx, mention);
  const digests = await eraseFromDigestFilters(trx, mention);
  let other = 0;
  for (const { table, column, erasure } of textColumns()) {
    // From other texts, the person is taken out at the end of an erasure.
    if (typeof erasure === 'string' || erasure.holds !== 'words' || erasure.erase !== 'delete') continue;
    other += await deleteMentioning(trx, mention, table, column);
  }
  return { requests, savedReports, digests, other };
}

/**
 * Ends a request by hand that is running, with its file and its details. The bot notices within a second. An answer that
 * is posted is not edited any more.
 */
export async function endRequest(trx: Db, id: string, at: number): Promise<void> {
  const details = detailsPostId(id);
  const set = { error_code: 'erased', reason: null, finished_at: at };
  const ended = await transition(trx, ['running', 'posting'], 'cancelled', { lease_owner: null }, set)
    .where(({ eb, or }) => or([eb('id', 'in', [id, details]), eb('parent', '=', id)]))
    .returning('id')
    .execute();
  const unwanted = ended.length === 0 ? [id] : [id, details];
  await changeRows(trx, 'posts', { id: unwanted }, { unwanted: 'person-erased' });
}

interface Mention {
  readonly person: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly list: (line: string) => void;
}

/** Finds rows that may mention a person, for a closer look: case is known for ASCII only, and JSON escapes some text. */
export function mayMention(db: Db, column: string, person: string) {
  const pattern = person
    .normalize('NFD')
    .replace(/[%_]/g, '\\$&')
    // An accent may be a part of its letter.
    .replace(/[a-z]?\p{M}+|[^\x20-\x7e]|["\\](?![%_])|\s+/giu, '%');
  return holdsInAnyCase(db, column, `%${pattern}%`);
}

/** @returns undefined if the request does not name the person */
function erasedRequest(text: string, person: string) {
  const erased = removePerson(JSON.parse(text), person);
  const before = erased ? JSON.stringify(erased.request) : text;
  // Only filters name people. Anything else that does comes from an edit of the database.
  const request = withoutPerson(before, person);
  return request === text ? undefined : { request, isBlocked: erased?.isBlocked ?? false };
}

async function eraseFromRequests(trx: Db, { person, at }: Mention): Promise<number> {
  const rows = trx
    .selectFrom('requests')
    .selectAll()
    .where(mayMention(trx, 'request', person));
  let count = 0;
  for (const { id, request: text } of await rows.execute()) {
    const erased = erasedRequest(text, person);
    if (!erased) continue;
    count += 1;
    await changeRows(trx, 'requests', { id }, { request: erased.request });
    await endRequest(trx, id, at);
  }
  return count;
}

async function eraseFromSaved(trx: Db, { person, at, list }: Mention): Promise<number> {
  const rows = await trx
    .selectFrom('saved_reports')
    .selectAll()
    .where(({ or }) => or([mayMention(trx, 'request', person), mayMention(trx, 'name', person)]))
    .execute();
  let count = 0;
  for (const { id, channel, owner, name, request: text } of rows) {
    const erased = erasedRequest(text, person);
    const isNamed = isMentionedIn(name, person);
    if (!erased && !isNamed) continue;
    count += 1;
    const parts = [isNamed ? 'the name' : '', erased ? 'a filter' : ''].filter((part) => part !== '');
    list(`${parts.join(' and ')} of the saved report “${name}” in ${channel}`);
    // With the ID, because names are unique in a channel.
    const newName = isNamed ? `${erasedEntry} ${id}` : name;
    const named = { name: newName, name_key: savedNameKey(newName), revision: plusOne('revision') };
    await changeRows(trx, 'saved_reports', { id }, { ...named, request: erased?.request });
    if (erased?.isBlocked) await notifyOwner(trx, owner, 'saved-person-erased', id, at);
  }
  return count;
}

async function eraseFromDigestFilters(trx: Trx, { person, at, list }: Mention): Promise<number> {
  const rows = trx
    .selectFrom('digests')
    .selectAll()
    .where(mayMention(trx, 'request', person));
  let count = 0;
  for (const { id, channel, owner, request: text, state } of await rows.execute()) {
    const erased = erasedRequest(text, person);
    if (!erased) continue;
    count += 1;
    list(`a filter of the digest ${id} in ${channel}`);
    const isPaused = erased.isBlocked && state === 'active';
    const changed = isPaused ? pausedFor('person-erased') : { revision: plusOne('revision') };
    await changeRows(trx, 'digests', { id }, { request: erased.request, ...changed });
    // Its figures were about the person.
    await forgetAlert(trx, id);
    // Workers have the old request in memory. The next run of the digest follows its new one.
    await endDigestRuns(trx, id, 'person-erased', at);
    if (erased.isBlocked) await notifyOwner(trx, owner, 'person-erased', id, at);
  }
  return count;
}

/** Also after an earlier one about the same report or digest. */
async function notifyOwner(
  trx: Db,
  recipient: string,
  kind: 'person-erased' | 'saved-person-erased',
  subject: string,
  at: number,
): Promise<void> {
  if (recipient === erasedEntry) return;
  const notice = { recipient, kind, subject, created_at: at, ready_at: at };
  await trx
    .insertInto('notifications')
    .values({ id: randomId(), ...notice })
    .onConflict((conflict) =>
      conflict.columns(['recipient', 'kind', 'subject']).doUpdateSet({ created_at: at, ready_at: at }),
    )
    .execute();
}

async function deleteMentioning(
  trx: Db,
  { person, list }: Mention,
  table: TableName,
  column: string,
): Promise<number> {
  let count = 0;
  for (const text of await textsThatMayMention(trx, person, table, column)) {
    if (!isMentionedIn(text, person)) continue;
    count += await deleteRows(trx, table, { [column]: text });
    if (table === 'suggestions') list(`the suggestion “${text}”`);
  }
  return count;
}

/** Takes a person out of the texts of a column. */
export async function eraseFromColumn(
  trx: Db,
  person: string,
  table: TableName,
  column: string,
): Promise<number> {
  let count = 0;
  for (const text of await textsThatMayMention(trx, person, table, column)) {
    const erased = withoutPerson(text, person);
    if (erased === text) continue;
    count += 1;
    // Two erased people may not get the same key.
    const which = { [column]: text };
    if (keyOf(table).includes(column)) await deleteRows(trx, table, which);
    else await changeRows(trx, table, which, { [column]: erased });
  }
  return count;
}

async function textsThatMayMention(
  trx: Db,
  person: string,
  table: TableName,
  column: string,
): Promise<ReadonlySet<string>> {
  const rows = await trx
    .selectFrom(table)
    .select(sql.ref<string>(column).as('text'))
    .where(mayMention(trx, column, person))
    .execute();
  return new Set(rows.map((row) => row.text));
}

/**
 * Deletes the names and titles that few people have: they may be about one of them, in words that no one can compare
 * with the person. The next look learns them again, unless the person alone had them.
 */
export async function deleteRareNames(trx: Db): Promise<void> {
  await deleteRows(trx, 'suggestions', { people: is('<', fewPeople) });
}

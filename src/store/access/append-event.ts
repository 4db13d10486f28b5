import { randomBytes } from 'node:crypto';
import type { AccessEvent } from '../../access/record.js';
import { Failure } from '../../errors/failure.js';
import { randomId } from '../database.js';
import { preparedQuery } from '../prepared-query.js';
import type { RecordKey } from '../record-key.js';
import { deleteRows, inTransaction, putRow } from '../rows.js';
import type { Db, Tables, Trx } from '../schema.js';
import type { EventKind, EventRow } from './access-tables.js';
import { type EventHead, emptyChain, hashOfDetails, hashOfEvent } from './event-chain.js';

export interface NewEvent extends Omit<AccessEvent, 'kind'> {
  readonly kind: Exclude<EventKind, 'erased' | 'checkpoint'>;
}

const insertEvent = preparedQuery((db, row: EventRow) => db.insertInto('event_chain').values(row));

const insertDetails = preparedQuery((db, row: Tables['event_details']) =>
  db.insertInto('event_details').values(row),
);

const newestEvent = preparedQuery((db) =>
  db.selectFrom('event_chain').select(['seq', 'hash', 'key_id as keyId']).orderBy('seq', 'desc').limit(1),
);

/** The newest event, with its key. */
export async function headOf(db: Db): Promise<EventHead & { readonly keyId: EventRow['key_id'] }> {
  const [newest] = (await newestEvent(db, {})).rows;
  return newest ?? { ...emptyChain, keyId: null };
}

/** The details of `checkpoint`. */
export interface CheckpointDetails {
  /** The last event that was deleted because of its age, or that has another key. */
  readonly through: EventHead;
  /** The key of the events before, where it was another one. */
  readonly earlierKey?: string | null;
}

/** The last event before a change of the key is in the checkpoint, and so in the chain with the new key. */
async function goOnWith(
  trx: Trx,
  key: RecordKey,
  details: CheckpointDetails,
  at: number,
): Promise<EventHead> {
  return appendLink(trx, key, { kind: 'checkpoint', at, details }, details.through);
}

/**
 * Appends an event in the transaction that makes the change. Returns the new head of the chain.
 *
 * @throws `record-key-differs`
 */
export async function appendEvent(
  trx: Trx,
  key: RecordKey,
  event: Omit<NewEvent, 'kind'> & { readonly kind: EventKind },
): Promise<EventHead> {
  const { keyId, ...head } = await headOf(trx);
  if (head.seq === 0 || keyId === key.id) return appendLink(trx, key, event, head);
  if (keyId !== null) throw new Failure('record-key-differs');
  // Events of earlier versions have no key.
  const checkpoint = await goOnWith(trx, key, { through: head, earlierKey: keyId }, event.at);
  return appendLink(trx, key, event, checkpoint);
}

async function appendLink(
  trx: Trx,
  key: RecordKey,
  event: Omit<NewEvent, 'kind'> & { readonly kind: EventKind },
  previous: EventHead,
): Promise<EventHead> {
  const { kind, at, place, report, details = {} } = event;
  const subjects: string[] = [];
  const people: Record<string, string> = {};
  const tokenFor = async (text: string) => {
    const person = normalized(text);
    const token = await tokenOf(trx, person);
    people[token] = person;
    return token;
  };
  const person = event.person === undefined ? null : await tokenFor(event.person);
  for (const subject of new Set(event.subjects?.map(normalized))) subjects.push(await tokenFor(subject));
  subjects.sort();

  const seq = previous.seq + 1;
  const erasable = { salt: randomBytes(16).toString('base64url'), details: JSON.stringify(details) };
  const link = {
    seq,
    at,
    kind,
    person,
    place: place?.startsWith('D') ? 'direct' : (place ?? null),
    report: report ?? null,
    details_hash: hashOfDetails({ ...erasable, people }),
    previous_hash: previous.hash,
    key_id: key.id,
  };
  const hash = hashOfEvent({ ...link, subjects }, key);
  await insertEvent(trx, { ...link, hash });
  await insertDetails(trx, { seq, ...erasable });
  if (subjects.length > 0) {
    const rows = subjects.map((token) => ({ seq, token }));
    await trx.insertInto('event_subjects').values(rows).execute();
  }
  return { seq, hash };
}

const tokenOfPerson = preparedQuery((db, { person }: { readonly person: string }) =>
  db.selectFrom('person_tokens').select('token').where('person', '=', person),
);

async function tokenOf(trx: Trx, person: string): Promise<string> {
  const [known] = (await tokenOfPerson(trx, { person })).rows;
  if (known) return known.token;
  const token = randomId();
  await trx.insertInto('person_tokens').values({ token, person }).execute();
  return token;
}

/** Addresses have no case. */
export function normalized(person: string): string {
  return person.includes('@') ? person.trim().toLowerCase() : person;
}

/**
 * Makes the key of this process that of the record. A chain that has another key, or none, continues from a checkpoint.
 * What was hashed with the other key is deleted, because it names no one any more.
 *
 * @param hasEnded true for a process that writes nothing any more
 * @returns the last event with the other key; undefined if there is none
 * @throws `record-key-differs` if a process that runs has another key
 */
export async function useRecordKey(
  db: Db,
  key: RecordKey,
  { process, hasEnded }: { readonly process: string; hasEnded(process: string): Promise<boolean> },
  now: number,
): Promise<EventHead | undefined> {
  const ended: string[] = [];
  const entered = db.selectFrom('record_keys').select('process').where('process', '!=', process);
  for (const other of await entered.execute()) {
    if (await hasEnded(other.process)) ended.push(other.process);
  }
  return inTransaction(db, async (trx) => {
    await deleteRows(trx, 'record_keys', { process: ended });
    // Also one that was entered meanwhile.
    const different = trx.selectFrom('record_keys').select('process').where('key_id', '!=', key.id);
    if (await different.where('process', '!=', process).executeTakeFirst())
      throw new Failure('record-key-differs', { isInUse: true });
    await putRow(trx, 'record_keys', { process, key_id: key.id, used_at: now });
    const { keyId, ...through } = await headOf(trx);
    if (through.seq === 0 || keyId === key.id) return undefined;
    await goOnWith(trx, key, { through, earlierKey: keyId }, now);
    for (const table of ['last_figures', 'answer_totals'] as const) await trx.deleteFrom(table).execute();
    return through;
  });
}

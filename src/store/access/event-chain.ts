import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { AccessEvent } from '../../access/record.js';
import { Failure } from '../../errors/failure.js';
import { randomId } from '../../logging/logger.js';
import type { EventKind, EventRow } from '../database/access-tables.js';
import { deleteRows, inTransaction, putRow, rowsOf } from '../database/rows.js';
import type { Db, Tables, Trx } from '../database/schema.js';
import { preparedQuery } from '../database/workspace.js';
import { digestOfKept } from './kept-evidence.js';

/** The key of the record of access and of the stored hashes of people. It is in no database and in no backup. */
export interface RecordKey {
  /** Says which key it is, and nothing about it. */
  readonly id: string;
  /**
   * A hash that no one can make or try out without the key.
   *
   * @param what the purpose: equal texts have another hash for another one
   * @returns hexadecimal HMAC-SHA256
   */
  hash(what: 'event' | 'person' | 'figures' | 'alert' | 'unit' | 'question', text: string): string;
}

/** @param text in `recordKeyFormat` */
export function recordKeyOf(text: string): RecordKey {
  const key = Buffer.from(text, 'hex');
  const hash = (what: string, content: string) =>
    createHmac('sha256', key).update(`${what}\n${content}`).digest('hex');
  return { id: hash('id', '').slice(0, 16), hash };
}

/** A position in the chain with its hash. Together they vouch for every event up to it. */
export interface EventHead {
  /** From 1 on, without gaps; 0 for an empty chain. */
  readonly seq: number;
  /** Hexadecimal, made with the key of the record; empty for an empty chain. */
  readonly hash: string;
}

export const emptyChain: EventHead = { seq: 0, hash: '' };

/** One link of the chain, with whom it is about, sorted. People are tokens. */
export type ChainedEvent = Readonly<EventRow> & { readonly subjects: readonly string[] };

/** The part of an event that can be erased. The chain holds only its hash. */
export interface EventDetails {
  /** Random, so that no one can guess erased details by hashing candidates. */
  readonly salt: string;
  /** JSON. */
  readonly details: string;
  /** The person behind each token of the event. */
  readonly people: Readonly<Record<string, string>>;
}

interface AnyEvent extends Omit<AccessEvent, 'kind'> {
  readonly kind: EventKind;
}

export interface NewEvent extends AnyEvent {
  readonly kind: Exclude<EventKind, 'erased' | 'checkpoint'>;
}

/** The details of `checkpoint`. */
export interface CheckpointDetails {
  /** The last event that was deleted because of its age, or that has another key. */
  readonly through: EventHead;
  /** The key of the events before, where it was another one. */
  readonly earlierKey?: string;
  /** What vouches for the kept hashes of evidence; absent: there are none. */
  readonly evidence?: string | undefined;
}

const insertEvent = preparedQuery((db, row: EventRow) => db.insertInto('event_chain').values(row));

const insertDetails = preparedQuery((db, row: Tables['event_details']) =>
  db.insertInto('event_details').values(row),
);

const newestEvent = preparedQuery((db) =>
  db.selectFrom('event_chain').select(['seq', 'hash', 'key_id as keyId']).orderBy('seq', 'desc').limit(1),
);

const tokenOfPerson = preparedQuery((db, { person }: { readonly person: string }) =>
  db.selectFrom('person_tokens').select('token').where('person', '=', person),
);

/** The newest event, with its key. */
export async function headOf(db: Db): Promise<EventHead & { readonly keyId?: string }> {
  const [newest] = (await newestEvent(db, {})).rows;
  return newest ?? emptyChain;
}

/**
 * Appends an event in the transaction that makes the change. Returns the new head of the chain.
 *
 * @throws `record-key-differs`
 */
export async function appendEvent(trx: Trx, key: RecordKey, event: AnyEvent): Promise<EventHead> {
  const { keyId = key.id, ...head } = await headOf(trx);
  if (keyId !== key.id) throw new Failure('record-key-differs');
  return appendLink(trx, key, event, head);
}

async function appendLink(
  trx: Trx,
  key: RecordKey,
  event: AnyEvent,
  previous: EventHead,
): Promise<EventHead> {
  const { kind, at, place, report, details = {} } = event;
  const people: Record<string, string> = {};
  const subjects: string[] = [];
  const person = event.person === undefined ? null : await tokenFor(trx, normalized(event.person), people);
  for (const subject of new Set(event.subjects?.map(normalized)))
    subjects.push(await tokenFor(trx, subject, people));
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

/** The token that stands for a person. Adds both to `people`. */
async function tokenFor(trx: Trx, person: string, people: Record<string, string>): Promise<string> {
  const [known] = (await tokenOfPerson(trx, { person })).rows;
  const token = known?.token ?? randomId();
  if (!known) await trx.insertInto('person_tokens').values({ token, person }).execute();
  people[token] = person;
  return token;
}

/** Addresses have no case. */
export function normalized(person: string): string {
  return person.includes('@') ? person.trim().toLowerCase() : person;
}

export function hashOfDetails({ salt, details, people }: EventDetails): string {
  const named = Object.entries(people).sort(([a], [b]) => (a < b ? -1 : 1));
  // The salt protects it. The hash of the event, which has the key, vouches for it.
  return createHash('sha256')
    .update(JSON.stringify([salt, details, named]))
    .digest('hex');
}

/** No one without the key can change an event and make a hash that fits. */
export function hashOfEvent(event: Omit<ChainedEvent, 'hash'>, key: RecordKey): string {
  const { seq, at, kind, person, place, report, subjects } = event;
  const { details_hash, previous_hash, key_id } = event;
  return key.hash(
    'event',
    JSON.stringify([seq, at, kind, person, place, report, subjects, details_hash, previous_hash, key_id]),
  );
}

/** An event with what the chain has of it elsewhere. */
export interface WholeEvent {
  readonly event: ChainedEvent;
  /** By token. Erased people are left out. */
  readonly people: Readonly<Record<string, string>>;
  /** Undefined if there are none. */
  readonly details: EventDetails | 'erased' | undefined;
}

/** Joins events with their details, subjects and people, in the order of `rows`. */
export async function withDetails(db: Db, rows: readonly EventRow[]): Promise<readonly WholeEvent[]> {
  if (rows.length === 0) return [];
  const seqs = rows.map(({ seq }) => seq);
  const details = await rowsOf(db, 'event_details', { seq: seqs }).selectAll().execute();
  const subjects = await db
    .selectFrom('event_subjects')
    .leftJoin('person_tokens', 'person_tokens.token', 'event_subjects.token')
    .select(['event_subjects.seq', 'event_subjects.token', 'person_tokens.person'])
    .where('event_subjects.seq', 'in', seqs)
    .orderBy('event_subjects.token')
    .execute();
  const actors = rowsOf(db, 'person_tokens', { token: rows.flatMap(({ person }) => person ?? []) });
  const named = [...subjects, ...(await actors.selectAll().execute())];
  const people = new Map(named.map(({ token, person }) => [token, person]));
  const detailsBySeq = new Map(details.map((row) => [row.seq, row]));
  const subjectsBySeq = new Map<number, string[]>(seqs.map((seq) => [seq, []]));
  for (const { seq, token } of subjects) subjectsBySeq.get(seq)?.push(token);
  return rows.map((row) => {
    const tokens = subjectsBySeq.get(row.seq) ?? [];
    const ofEvent: Record<string, string> = {};
    for (const token of [row.person ?? '', ...tokens]) {
      const person = people.get(token);
      if (person) ofEvent[token] = person;
    }
    const event = { ...row, subjects: tokens };
    return { event, people: ofEvent, details: detailsOf(detailsBySeq.get(row.seq), ofEvent) };
  });
}

function detailsOf(row: Tables['event_details'] | undefined, people: WholeEvent['people']) {
  if (!row) return undefined;
  if (row.salt === null && row.details === null) return 'erased';
  return { salt: row.salt ?? '', details: row.details ?? '', people };
}

/**
 * Makes the key of this process that of the record. A chain that has another key continues from a checkpoint.
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
    const { keyId: earlierKey = key.id, ...through } = await headOf(trx);
    if (earlierKey === key.id) return undefined;
    // So the last event before is in the chain with the new key.
    const details: CheckpointDetails = { through, earlierKey, evidence: await digestOfKept(trx) };
    await appendLink(trx, key, { kind: 'checkpoint', at: now, details }, through);
    const keyed = [
      'last_figures',
      'answer_totals',
      'unit_totals',
      'person_numbers',
      'account_addresses',
    ] as const;
    for (const table of keyed) await trx.deleteFrom(table).execute();
    return through;
  });
}

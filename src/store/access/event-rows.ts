import type { Kysely } from 'kysely';
import { preparedQuery } from '../prepared-query.js';
import type { Tables } from '../schema.js';
import {
  type ChainedEvent,
  type Checkpoint,
  type EventDetails,
  type EventHead,
  emptyChain,
  type SeqRanges,
} from './event-chain.js';

/** Rows that one statement reads. */
export const pageSize = 500;

const newestEvent = preparedQuery((db) =>
  db.selectFrom('event_chain').select(['seq', 'hash', 'key_id as keyId']).orderBy('seq', 'desc').limit(1),
);

/** The newest event, with its key. */
export async function headOf(db: Kysely<Tables>): Promise<EventHead & Pick<ChainedEvent, 'keyId'>> {
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

/** What all checkpoints say together. Each is verified itself, because it comes after the events that it stands for. */
export async function checkpointOf(db: Kysely<Tables>): Promise<Checkpoint> {
  let start = emptyChain;
  let deletedThrough = 0;
  for (const { seq, details } of await detailsOfKind(db, 'checkpoint').execute()) {
    const { through, earlierKey } = jsonIn<Partial<CheckpointDetails>>(details) ?? {};
    if (!through || through.seq >= seq) continue;
    if (through.seq > start.seq) start = through;
    if (earlierKey === undefined) deletedThrough = Math.max(deletedThrough, through.seq);
  }
  return { start, deletedThrough };
}

/** @param after the last event that is not verified */
export async function erasedRangesOf(db: Kysely<Tables>, after: number): Promise<SeqRanges> {
  const all = await detailsOfKind(db, 'erased').where('event_chain.seq', '>', after).execute();
  return all.flatMap(({ details }) => jsonIn<{ events?: SeqRanges }>(details)?.events ?? []);
}

/** How many events there are up to a position. */
export async function countThrough(db: Kysely<Tables>, seq: number): Promise<number> {
  const counted = db.selectFrom('event_chain').select(({ fn }) => fn.countAll<number>().as('count'));
  return Number((await counted.where('seq', '<=', seq).executeTakeFirst())?.count ?? 0);
}

/** Text that somebody changed may be no JSON. Its hash tells. */
export function jsonIn<Value>(text: string | null | undefined): Value | undefined {
  try {
    return text ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

function detailsOfKind(db: Kysely<Tables>, kind: 'erased' | 'checkpoint') {
  return db
    .selectFrom('event_chain')
    .innerJoin('event_details', 'event_details.seq', 'event_chain.seq')
    .select(['event_chain.seq', 'event_details.details'])
    .where('kind', '=', kind);
}

export async function lastDetailsOf(db: Kysely<Tables>): Promise<number> {
  const newest = db.selectFrom('event_details').select('seq').orderBy('seq', 'desc').limit(1);
  return (await newest.executeTakeFirst())?.seq ?? 0;
}

type EventRow = Tables['event_chain'];

export function chainAfter(db: Kysely<Tables>, after: number): Promise<EventRow[]> {
  const rows = db.selectFrom('event_chain').selectAll().where('seq', '>', after);
  return rows.orderBy('seq').limit(pageSize).execute();
}

export interface WholeEvent {
  readonly event: ChainedEvent;
  /** By token. Erased people are left out. */
  readonly people: Readonly<Record<string, string>>;
  readonly details: EventDetails | 'erased' | undefined;
}

/** Joins events with their details, subjects and people, in the order of `rows`. */
export async function withDetails(
  db: Kysely<Tables>,
  rows: readonly EventRow[],
): Promise<readonly WholeEvent[]> {
  if (rows.length === 0) return [];
  const seqs = rows.map(({ seq }) => seq);
  const details = await db.selectFrom('event_details').selectAll().where('seq', 'in', seqs).execute();
  const subjects = await db
    .selectFrom('event_subjects')
    .select(['seq', 'token'])
    .where('seq', 'in', seqs)
    .execute();
  const people = new Map([
    ...(await peopleOf(db, [...new Set(subjects.map(({ token }) => token))])),
    ...(await peopleOf(db, [...new Set(rows.flatMap(({ person }) => person ?? []))])),
  ]);
  const detailsBySeq = new Map(details.map((row) => [row.seq, row]));
  const subjectsBySeq = new Map<number, string[]>();
  for (const { seq, token } of subjects) {
    subjectsBySeq.set(seq, [...(subjectsBySeq.get(seq) ?? []), token]);
  }
  return rows.map((row) => {
    const { details_hash: detailsHash, previous_hash: previousHash, key_id: keyId, ...columns } = row;
    const event = {
      ...columns,
      subjects: subjectsBySeq.get(row.seq)?.sort() ?? [],
      detailsHash,
      previousHash,
      keyId,
    };
    const named: Record<string, string> = {};
    for (const token of [...(row.person === null ? [] : [row.person]), ...event.subjects]) {
      const person = people.get(token);
      if (person !== undefined) named[token] = person;
    }
    return { event, people: named, details: detailsOf(detailsBySeq.get(row.seq), named) };
  });
}

function detailsOf(row: Tables['event_details'] | undefined, people: WholeEvent['people']) {
  if (!row) return undefined;
  if (row.salt === null && row.details === null) return 'erased';
  return { salt: row.salt ?? '', details: row.details ?? '', people };
}

/** The people behind tokens, in batches, because SQL statements take only so many values. */
async function peopleOf(
  db: Kysely<Tables>,
  tokens: readonly string[],
): Promise<readonly (readonly [token: string, person: string])[]> {
  const all: (readonly [string, string])[] = [];
  for (let from = 0; from < tokens.length; from += pageSize) {
    const named = db
      .selectFrom('person_tokens')
      .select(['token', 'person'])
      .where('token', 'in', tokens.slice(from, from + pageSize));
    for (const { token, person } of await named.execute()) all.push([token, person]);
  }
  return all;
}

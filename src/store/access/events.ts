import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReportName } from '../../catalogue/index.js';
import { Failure } from '../../errors/failure.js';
import { wasErased } from '../ledger/posts.js';
import type { RecordKey } from '../record-key.js';
import { inTransaction, rowsOf } from '../rows.js';
import type { Db, Tables } from '../schema.js';
import type { EventKind, EventRow } from './access-tables.js';
import { appendEvent, type CheckpointDetails, headOf, type NewEvent } from './append-event.js';
import {
  ChainCheck,
  type ChainedEvent,
  type Checkpoint,
  type EventDetails,
  type EventHead,
  emptyChain,
  type SeqRanges,
  type Verification,
} from './event-chain.js';
import { deleteUnusedTokens, eventsNaming, tokensOf } from './people-in-events.js';

/** An event as people read it. */
export type RecordedEvent = Readonly<ReturnType<typeof recordedEventOf>>;

/** Limits events to those that fit all of it. */
export interface EventQuery {
  /** The IDs and addresses of one person: who did it, or whom it is about. */
  readonly people?: readonly string[] | undefined;
  /** Only what the person did, or only what others did that is about the person. Absent: both. */
  readonly relation?: 'did' | 'named' | undefined;
  readonly kinds?: readonly EventKind[] | undefined;
  /** A channel ID, or `direct`. */
  readonly place?: string | undefined;
  readonly report?: ReportName | undefined;
  readonly from?: number | undefined;
  /** Exclusive. */
  readonly until?: number | undefined;
  /** The position of the last event. */
  readonly through?: number | undefined;
}

const erasedPerson = 'forgotten';

/** The record of access: who did what, when and where. Events never change. `now`: epoch milliseconds. */
export function eventsIn(db: Db, now: () => number, key: RecordKey) {
  async function page(
    query: EventQuery,
    limit: number,
    order: 'asc' | 'desc',
    edge: number | undefined,
  ): Promise<readonly RecordedEvent[]> {
    const tokens = query.people && (await tokensOf(db, query.people));
    if (tokens?.length === 0) return [];
    const { relation, kinds, place, report, from, until, through } = query;
    let events = db.selectFrom('event_chain').selectAll().where('kind', '!=', 'checkpoint');
    if (tokens && relation === undefined) events = events.where('seq', 'in', eventsNaming(db, tokens));
    if (tokens && relation === 'did') events = events.where('person', 'in', tokens);
    if (tokens && relation === 'named') {
      const about = rowsOf(db, 'event_subjects', { token: tokens }).select('seq');
      events = events
        .where('seq', 'in', about)
        // The person is null for the command line.
        .where(({ eb, or }) => or([eb('person', 'is', null), eb('person', 'not in', tokens)]));
    }
    if (kinds) events = events.where('kind', 'in', kinds);
    if (place !== undefined) events = events.where('place', '=', place);
    if (report !== undefined) events = events.where('report', '=', report);
    if (from !== undefined) events = events.where('at', '>=', from);
    if (until !== undefined) events = events.where('at', '<', until);
    if (through !== undefined) events = events.where('seq', '<=', through);
    if (edge !== undefined) events = events.where('seq', order === 'asc' ? '>' : '<', edge);
    const rows = await events.orderBy('seq', order).limit(limit).execute();
    const whole = await withDetails(db, rows);
    return whole.map(recordedEventOf);
  }

  return {
    /**
     * Returns the new head of the chain.
     *
     * @throws `post-erased` if an erasure ended the post of the event
     * @throws `record-key-differs`
     */
    append: (event: NewEvent) =>
      inTransaction(db, async (trx) => {
        if (event.post !== undefined && (await wasErased(trx, event.post))) throw new Failure('post-erased');
        return appendEvent(trx, key, event);
      }),
    /** The newest event; position 0 if there is none. */
    async head() {
      const { seq, hash } = await headOf(db);
      return { seq, hash };
    },
    /** Newest first. `before` is the position of the last event of the previous page. */
    newest: (query: EventQuery, limit: number, before?: number) => page(query, limit, 'desc', before),
    /** Oldest first. `after` is the position of the last event of the previous page. */
    oldest: (query: EventQuery, limit: number, after?: number) => page(query, limit, 'asc', after),

    /**
     * @param head an earlier head, without which a cut-off chain may look whole
     * @throws `record-key-differs` if the newest event has another key
     */
    async verify(head?: EventHead): Promise<Verification> {
      let found: { readonly check: ChainCheck; readonly checkpoint: Checkpoint } | undefined;
      let after = 0;
      for (;;) {
        // Together, because a cleanup may run at the same time.
        const page = await inTransaction(db, async (trx) => {
          if (!found) {
            const { seq, keyId } = await headOf(trx);
            if (seq > 0 && keyId !== key.id) throw new Failure('record-key-differs');
            const checkpoint = await checkpointOf(trx);
            found = { checkpoint, check: new ChainCheck(key, checkpoint, head) };
            after = checkpoint.start.seq;
          }
          return { ...found, events: await withDetails(trx, await chainAfter(trx, after)) };
        });
        const { check, events, checkpoint } = page;
        for (const { event, details } of events) check.add(event, details);
        after = events.at(-1)?.event.seq ?? after;
        if (events.length === pageSize) {
          await nextTurn();
          continue;
        }
        const { start, deletedThrough } = checkpoint;
        const deleted = await countThrough(db, deletedThrough);
        const ofEarlierKeys = (await countThrough(db, start.seq)) - deleted;
        return check.finish(await erasedRangesOf(db, start.seq), await lastDetailsOf(db), {
          deleted,
          ofEarlierKeys,
        });
      }
    },

    /** Deletes at most `limit` events from before `time` and leaves a checkpoint. Returns how many. */
    deleteBefore: (time: number, limit: number) =>
      inTransaction(db, async (trx) => {
        const young = trx
          .selectFrom('event_chain')
          .select(({ fn }) => fn.min('seq').as('seq'))
          .where('at', '>=', time);
        const firstYoung = (await young.executeTakeFirst())?.seq ?? undefined;
        const old = await trx
          .selectFrom('event_chain')
          .select(['seq', 'hash'])
          .$if(firstYoung !== undefined, (events) => events.where('seq', '<', firstYoung ?? 0))
          .orderBy('seq')
          .limit(limit)
          .execute();
        const last = old.at(-1);
        if (!last) return 0;
        // First, because the newest event must always stay.
        const details: CheckpointDetails = { through: last };
        await appendEvent(trx, key, { kind: 'checkpoint', at: now(), details });
        for (const table of ['event_chain', 'event_details', 'event_subjects'] as const) {
          await trx.deleteFrom(table).where('seq', '<=', last.seq).execute();
        }
        await deleteUnusedTokens(trx);
        return old.length;
      }),
  };
}

export type Events = ReturnType<typeof eventsIn>;

function recordedEventOf({ event, people, details }: WholeEvent) {
  const nameOf = (token: string) => people[token] ?? erasedPerson;
  return {
    /** From 1 on, without gaps. */
    seq: event.seq,
    at: event.at,
    kind: event.kind,
    /** A Slack user ID, `forgotten` for an erased person; absent for the command line. */
    person: event.person === null ? undefined : nameOf(event.person),
    /** A channel ID, or `direct`. */
    place: event.place ?? undefined,
    report: event.report ?? undefined,
    /** Slack user IDs and e-mail addresses in lower case, `forgotten` for each erased person. */
    subjects: event.subjects.map(nameOf),
    /** Absent once a person of the event was erased. */
    details: typeof details === 'object' ? jsonIn<unknown>(details.details) : undefined,
  };
}

const pageSize = 500;

/** What all checkpoints say together. Each is verified itself, because it comes after the events that it stands for. */
async function checkpointOf(db: Db): Promise<Checkpoint> {
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
async function erasedRangesOf(db: Db, after: number): Promise<SeqRanges> {
  const all = await detailsOfKind(db, 'erased').where('event_chain.seq', '>', after).execute();
  return all.flatMap(({ details }) => jsonIn<{ events?: SeqRanges }>(details)?.events ?? []);
}

async function countThrough(db: Db, seq: number): Promise<number> {
  const counted = db.selectFrom('event_chain').select(({ fn }) => fn.countAll<number>().as('count'));
  return Number((await counted.where('seq', '<=', seq).executeTakeFirst())?.count ?? 0);
}

/** Text that was changed by hand may be no JSON. Its hash tells. */
function jsonIn<Value>(text: string | null | undefined): Value | undefined {
  try {
    return text ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

function detailsOfKind(db: Db, kind: 'erased' | 'checkpoint') {
  return db
    .selectFrom('event_chain')
    .innerJoin('event_details', 'event_details.seq', 'event_chain.seq')
    .select(['event_chain.seq', 'event_details.details'])
    .where('kind', '=', kind);
}

async function lastDetailsOf(db: Db): Promise<number> {
  const newest = db.selectFrom('event_details').select('seq').orderBy('seq', 'desc').limit(1);
  return (await newest.executeTakeFirst())?.seq ?? 0;
}

function chainAfter(db: Db, after: number): Promise<EventRow[]> {
  const rows = db.selectFrom('event_chain').selectAll().where('seq', '>', after);
  return rows.orderBy('seq').limit(pageSize).execute();
}

interface WholeEvent {
  readonly event: ChainedEvent;
  /** By token. Erased people are left out. */
  readonly people: Readonly<Record<string, string>>;
  readonly details: EventDetails | 'erased' | undefined;
}

/** Joins events with their details, subjects and people, in the order of `rows`. */
async function withDetails(db: Db, rows: readonly EventRow[]): Promise<readonly WholeEvent[]> {
  if (rows.length === 0) return [];
  const seqs = rows.map(({ seq }) => seq);
  const details = await rowsOf(db, 'event_details', { seq: seqs }).selectAll().execute();
  const subjects = await db
    .selectFrom('event_subjects')
    .leftJoin('person_tokens', 'person_tokens.token', 'event_subjects.token')
    .select(['event_subjects.seq', 'event_subjects.token', 'person_tokens.person'])
    .where('event_subjects.seq', 'in', seqs)
    .execute();
  const actors = rowsOf(db, 'person_tokens', { token: rows.flatMap(({ person }) => person ?? []) });
  const named = [...subjects, ...(await actors.selectAll().execute())];
  const people = new Map(named.map(({ token, person }) => [token, person]));
  const detailsBySeq = new Map(details.map((row) => [row.seq, row]));
  const subjectsBySeq = new Map<number, string[]>();
  for (const { seq, token } of subjects) {
    subjectsBySeq.set(seq, [...(subjectsBySeq.get(seq) ?? []), token]);
  }
  return rows.map((row) => {
    const event = { ...row, subjects: subjectsBySeq.get(row.seq)?.sort() ?? [] };
    const ofEvent: Record<string, string> = {};
    for (const token of [...(row.person === null ? [] : [row.person]), ...event.subjects]) {
      const person = people.get(token);
      if (person) ofEvent[token] = person;
    }
    return { event, people: ofEvent, details: detailsOf(detailsBySeq.get(row.seq), ofEvent) };
  });
}

function detailsOf(row: Tables['event_details'] | undefined, people: WholeEvent['people']) {
  if (!row) return undefined;
  if (row.salt === null && row.details === null) return 'erased';
  return { salt: row.salt ?? '', details: row.details ?? '', people };
}

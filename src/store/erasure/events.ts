import { sql } from 'kysely';
import type { ReportName } from '../../catalogue/index.js';
import { Failure } from '../../errors/failure.js';
import {
  appendEvent,
  type CheckpointDetails,
  type EventHead,
  headOf,
  type NewEvent,
  type RecordKey,
  type WholeEvent,
  withDetails,
} from '../access/event-chain.js';
import { keepEvidence } from '../access/kept-evidence.js';
import { verifyEvents } from '../access/verify-events.js';
import type { EventKind } from '../database/access-tables.js';
import { inTransaction, jsonIn, rowsOf } from '../database/rows.js';
import type { Db } from '../database/schema.js';
import { preparedQuery } from '../database/workspace.js';
import { wasErased } from '../posts/posts.js';
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

// Not by the column of time itself: SQLite would then go through all events since.
const erasures = preparedQuery((db, { since }: { readonly since: number }) =>
  db
    .selectFrom('event_chain')
    .select('seq')
    .where('kind', '=', 'erased')
    .where(sql<number>`+at`, '>=', since)
    .limit(1),
);

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
    const limits = [
      ['kind', 'in', kinds],
      ['place', '=', place],
      ['report', '=', report],
      ['at', '>=', from],
      ['at', '<', until],
      ['seq', '<=', through],
      ['seq', order === 'asc' ? '>' : '<', edge],
    ] as const;
    for (const [column, operator, value] of limits) {
      if (value !== undefined) events = events.where(column, operator, value);
    }
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

    /** True if a person was erased at that time or later. */
    wasAnybodyErased: async (since: number) => (await erasures(db, { since })).rows.length > 0,

    verify: (head?: EventHead) => verifyEvents(db, key, head),

    /** Deletes at most `limit` events from before `time` and leaves a checkpoint. Returns how many. */
    deleteBefore: (time: number, limit: number) =>
      inTransaction(db, async (trx) => {
        const young = trx.selectFrom('event_chain').select('seq').where('at', '>=', time).orderBy('seq');
        const { seq: firstYoung = Number.MAX_SAFE_INTEGER } = (await young.limit(1).executeTakeFirst()) ?? {};
        const old = await trx
          .selectFrom('event_chain')
          .select(['seq', 'hash'])
          .where('seq', '<', firstYoung)
          .orderBy('seq')
          .limit(limit)
          .execute();
        const last = old.at(-1);
        if (!last) return 0;
        // First, because the newest event must always stay.
        const evidence = await keepEvidence(trx, last.seq, now());
        const details: CheckpointDetails = { through: last, evidence };
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

import { randomBytes } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { ReportName } from '../../catalogue/index.js';
import { mentionsOf } from '../../requests/erased-people.js';
import { randomId, type Tables } from '../database.js';
import { mayMention } from '../erase-mentions.js';
import { PostErased } from '../errors.js';
import { wasErased } from '../ledger/posts.js';
import { preparedQuery } from '../prepared-query.js';
import {
  ChainCheck,
  type EventDetails,
  type EventHead,
  type EventKind,
  emptyChain,
  hashOfDetails,
  hashOfEvent,
  rangesOf,
  type Verification,
} from './event-chain.js';
import {
  chainAfter,
  checkpointOf,
  erasedRangesOf,
  headOf,
  jsonIn,
  lastDetailsOf,
  pageSize,
  type WholeEvent,
  withDetails,
} from './event-rows.js';

export interface NewEvent {
  readonly kind: Exclude<EventKind, 'erased' | 'checkpoint'>;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The Slack user ID of who did it; absent for the command line. */
  readonly person?: string | undefined;
  /** A conversation's ID. Direct messages are recorded without theirs, which tells whose they are. */
  readonly place?: string | undefined;
  readonly report?: ReportName | undefined;
  /** The people whom it is about: Slack user IDs and e-mail addresses. */
  readonly subjects?: readonly string[] | undefined;
  /** Plain data that survives JSON. It is erased with any person of the event. */
  readonly details?: object | undefined;
  /** The post that it belongs to. */
  readonly post?: string | undefined;
}

/** An event as people read it. */
export interface RecordedEvent {
  /** From 1 on, without gaps. */
  readonly seq: number;
  readonly at: number;
  readonly kind: EventKind;
  /** A Slack user ID, `forgotten` for an erased person; absent for the command line. */
  readonly person?: string | undefined;
  /** A channel ID, or `direct`. */
  readonly place?: string | undefined;
  readonly report?: ReportName | undefined;
  /** Slack user IDs and e-mail addresses in lower case, `forgotten` for each erased person. */
  readonly subjects: readonly string[];
  /** Absent once a person of the event was erased. */
  readonly details?: unknown;
}

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
}

/** The record of access: who did what, when and where. Events never change. */
export interface Events {
  /**
   * Returns the new head of the chain.
   *
   * @throws PostErased if an erasure ended the post of the event
   */
  append(event: NewEvent): Promise<EventHead>;
  /** The newest event; position 0 if there is none. */
  head(): Promise<EventHead>;
  /** Newest first. `before` is the position of the last event of the previous page. */
  newest(query: EventQuery, limit: number, before?: number): Promise<readonly RecordedEvent[]>;
  /** Oldest first. `after` is the position of the last event of the previous page. */
  oldest(query: EventQuery, limit: number, after?: number): Promise<readonly RecordedEvent[]>;
  /** @param head an earlier head, without which a cut-off chain may look whole */
  verify(head?: EventHead): Promise<Verification>;
  /** Deletes at most `limit` events from before `time` and leaves a checkpoint. Returns how many. */
  deleteBefore(time: number, limit: number): Promise<number>;
}

/** Stands for a person who was erased. */
const erasedPerson = 'forgotten';

/** @param now milliseconds since the epoch */
export function eventsIn(db: Kysely<Tables>, now: () => number): Events {
  async function page(
    query: EventQuery,
    limit: number,
    order: 'asc' | 'desc',
    edge: number | undefined,
  ): Promise<readonly RecordedEvent[]> {
    const tokens = query.people && (await tokensOf(db, query.people)).map(({ token }) => token);
    if (tokens?.length === 0) return [];
    const { relation, kinds, place, report, from, until } = query;
    let events = db.selectFrom('event_chain').selectAll().where('kind', '!=', 'checkpoint');
    if (tokens && relation === undefined) events = events.where('seq', 'in', eventsNaming(db, tokens));
    if (tokens && relation === 'did') events = events.where('person', 'in', tokens);
    if (tokens && relation === 'named') {
      const about = db.selectFrom('event_subjects').select('seq').where('token', 'in', tokens);
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
    if (edge !== undefined) events = events.where('seq', order === 'asc' ? '>' : '<', edge);
    const rows = await events.orderBy('seq', order).limit(limit).execute();
    const whole = await withDetails(db, rows);
    return whole.map(recordedEventOf);
  }

  return {
    append: (event) =>
      db.transaction().execute(async (trx) => {
        if (event.post !== undefined && (await wasErased(trx, event.post))) throw new PostErased();
        return appendEvent(trx, event);
      }),
    head: () => headOf(db),
    newest: (query, limit, before) => page(query, limit, 'desc', before),
    oldest: (query, limit, after) => page(query, limit, 'asc', after),

    async verify(head) {
      let check: ChainCheck | undefined;
      let after = 0;
      for (;;) {
        // Together, because a cleanup may run at the same time.
        const { start, events } = await db.transaction().execute(async (trx) => ({
          start: check ? emptyChain : await checkpointOf(trx),
          events: await withDetails(trx, await chainAfter(trx, after)),
        }));
        check ??= new ChainCheck(start, head);
        for (const { event, details } of events) check.add(event, details);
        after = events.at(-1)?.event.seq ?? after;
        if (events.length < pageSize) break;
        await new Promise((resolve) => setImmediate(resolve));
      }
      return check.finish(await erasedRangesOf(db), await lastDetailsOf(db));
    },

    deleteBefore: (time, limit) =>
      db.transaction().execute(async (trx) => {
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
        await appendEvent(trx, { kind: 'checkpoint', at: now(), details: { through: last } });
        for (const table of ['event_chain', 'event_details', 'event_subjects'] as const) {
          await trx.deleteFrom(table).where('seq', '<=', last.seq).execute();
        }
        await deleteUnusedTokens(trx);
        return old.length;
      }),
  };
}

const insertEvent = preparedQuery((db, row: Tables['event_chain']) =>
  db.insertInto('event_chain').values(row),
);

const insertDetails = preparedQuery((db, row: Tables['event_details']) =>
  db.insertInto('event_details').values(row),
);

/** Appends an event in the transaction that makes the change. Returns the new head of the chain. */
export async function appendEvent(
  trx: Transaction<Tables>,
  event: Omit<NewEvent, 'kind'> & { readonly kind: EventKind },
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

  const previous = await headOf(trx);
  const kept: EventDetails = {
    salt: randomBytes(16).toString('base64url'),
    details: JSON.stringify(details),
    people,
  };
  const link = {
    seq: previous.seq + 1,
    at,
    kind,
    person,
    place: place?.startsWith('D') ? 'direct' : (place ?? null),
    report: report ?? null,
    subjects,
    detailsHash: hashOfDetails(kept),
    previousHash: previous.hash,
  };
  const head = { seq: link.seq, hash: hashOfEvent(link) };
  await insertEvent(trx, {
    seq: link.seq,
    at,
    kind,
    person,
    place: link.place,
    report: link.report,
    details_hash: link.detailsHash,
    previous_hash: link.previousHash,
    hash: head.hash,
  });
  await insertDetails(trx, { seq: link.seq, salt: kept.salt, details: kept.details });
  if (subjects.length > 0) {
    await trx
      .insertInto('event_subjects')
      .values(subjects.map((token) => ({ seq: link.seq, token })))
      .execute();
  }
  return head;
}

/**
 * Erases people from the record: their tokens lose their meaning, and the details of their events are deleted. The
 * chain stays, and says which details were erased.
 *
 * @param people Slack user IDs and e-mail addresses
 * @returns how many events named them, or quoted them in their details
 */
export async function eraseFromEvents(
  trx: Transaction<Tables>,
  people: readonly string[],
  at: number,
): Promise<number> {
  const tokens = (await tokensOf(trx, people)).map(({ token }) => token);
  const named = tokens.length === 0 ? [] : await eventsNaming(trx, tokens).execute();
  const found = [...named, ...(await eventsQuoting(trx, people))];
  if (found.length === 0) return 0;
  const seqs = [...new Set(found.map(({ seq }) => seq))].sort((a, b) => a - b);
  for (const [from, to] of rangesOf(seqs)) {
    await trx
      .updateTable('event_details')
      .set({ salt: null, details: null })
      .where('seq', '>=', from)
      .where('seq', '<=', to)
      .execute();
  }
  if (tokens.length > 0) await trx.deleteFrom('person_tokens').where('token', 'in', tokens).execute();
  await appendEvent(trx, { kind: 'erased', at, details: { events: rangesOf(seqs) } });
  return seqs.length;
}

/** The positions of the events that people did or that are about them. Some come twice: UNION would scan all events. */
function eventsNaming(db: Kysely<Tables>, tokens: readonly string[]) {
  const about = db.selectFrom('event_subjects').select('seq').where('token', 'in', tokens);
  return db.selectFrom('event_chain').select('seq').where('person', 'in', tokens).unionAll(about);
}

/** The positions of the events whose details quote people. */
async function eventsQuoting(db: Kysely<Tables>, people: readonly string[]) {
  const quoting: { readonly seq: number }[] = [];
  for (const person of people) {
    const rows = await db
      .selectFrom('event_details')
      .select(['seq', 'details'])
      .where(mayMention(db, 'details', person))
      .execute();
    quoting.push(...rows.filter(({ details }) => details?.search(mentionsOf(person)) !== -1));
  }
  return quoting;
}

/** Addresses have no case. */
function normalized(person: string): string {
  return person.includes('@') ? person.trim().toLowerCase() : person;
}

async function tokensOf(db: Kysely<Tables>, people: readonly string[]) {
  if (people.length === 0) return [];
  const known = db.selectFrom('person_tokens').select(['token', 'person']);
  return known.where('person', 'in', people.map(normalized)).execute();
}

const tokenOfPerson = preparedQuery((db, { person }: { readonly person: string }) =>
  db.selectFrom('person_tokens').select('token').where('person', '=', person),
);

async function tokenOf(trx: Transaction<Tables>, person: string): Promise<string> {
  const [known] = (await tokenOfPerson(trx, { person })).rows;
  if (known) return known.token;
  const token = randomId();
  await trx.insertInto('person_tokens').values({ token, person }).execute();
  return token;
}

/** Nobody needs the token of a person whom no event names any more. */
async function deleteUnusedTokens(trx: Transaction<Tables>): Promise<void> {
  await trx
    .deleteFrom('person_tokens')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('event_chain').select('seq').whereRef('event_chain.person', '=', 'person_tokens.token'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('event_subjects')
            .select('seq')
            .whereRef('event_subjects.token', '=', 'person_tokens.token'),
        ),
      ),
    )
    .execute();
}

function recordedEventOf({ event, people, details }: WholeEvent): RecordedEvent {
  const nameOf = (token: string) => people[token] ?? erasedPerson;
  return {
    seq: event.seq,
    at: event.at,
    kind: event.kind,
    person: event.person === null ? undefined : nameOf(event.person),
    place: event.place ?? undefined,
    report: event.report ?? undefined,
    subjects: event.subjects.map(nameOf),
    details: typeof details === 'object' ? jsonIn(details.details) : undefined,
  };
}

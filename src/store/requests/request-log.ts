import { type Insertable, sql } from 'kysely';
import { randomId } from '../../logging/logger.js';
import type { Claim, PostedMessage } from '../../posts/post.js';
import { openStates, type PostState, requestOfDetails } from '../../posts/states.js';
import type { ReportRequest, ResolvedRange } from '../../requests/request.js';
import { appendEvent, type NewEvent, type RecordKey } from '../access/event-chain.js';
import {
  changeRows,
  countRows,
  deleteRows,
  inCertainTransaction,
  inTransaction,
  rowsOf,
} from '../database/rows.js';
import type { Db, Tables } from '../database/schema.js';
import { preparedQuery } from '../database/workspace.js';
import { erasureReasons, messageOf, transition, wasErased } from '../posts/posts.js';

export interface NewLogEntry {
  readonly channel: string;
  /** A Slack user ID. */
  readonly asker: string;
  readonly request: ReportRequest;
  readonly range?: ResolvedRange;
  readonly requestedAt: number;
  /** False if another person chose the filters, such as the owner of the saved report. Default: true. */
  readonly choseFilters?: boolean;
}

/** A logged request with the state of its answer. */
export interface RequestLogEntry extends NewLogEntry {
  readonly id: string;
  /** The post of its answer, or of the digest's run that it belongs to. */
  readonly post: string;
  readonly state: PostState;
  readonly finishedAt?: number;
  readonly rows?: number;
  readonly message?: PostedMessage;
  readonly errorCode?: string;
}

/** An answer, its file or its details, unfinished. */
export interface Interrupted {
  readonly entry: RequestLogEntry;
  readonly claim: Claim;
  readonly what: 'answer' | 'file' | 'details' | 'figures';
  readonly state: PostState;
}

/** Another process works on the request, or has ended it. */
export class RecordedElsewhere extends Error {}

/** The latest replies that a look at a thread covers. */
const maxReplies = 50;

/** Changes nothing if the post is there. */
const insertPost = preparedQuery((db, row: Insertable<Tables['posts']>) =>
  db
    .insertInto('posts')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing()),
);

const insertRequest = preparedQuery((db, row: ReturnType<typeof rowOf>) =>
  db.insertInto('requests').values(row),
);

/** Requests with the posts of their answers. */
function entriesIn(db: Db) {
  return db
    .selectFrom('requests')
    .leftJoin('posts', 'posts.id', 'requests.post')
    .selectAll('requests')
    .select([
      'posts.state',
      'posts.finished_at',
      'posts.row_count',
      'posts.message_channel',
      'posts.message_ts',
      'posts.message_link',
      'posts.error_code',
    ]);
}

/** All requests. The ledger has the state of their answers. `process`: the one that works on them. */
export function requestLogIn(db: Db, process: string, key: RecordKey) {
  const entries = () => entriesIn(db);

  return {
    /**
     * Adds a request, and its answer as a running post. Returns the ID of both.
     *
     * @param id absent: a new one
     * @param more `event`: for the record of access, in the same transaction. `isTakenOver`: another process may have
     *   recorded it before; from now on this one works on it
     * @throws RecordedElsewhere
     */
    record: (
      entry: NewLogEntry,
      what: 'answer' | 'file' | 'figures' = 'answer',
      id: string = randomId(),
      {
        event,
        isTakenOver = false,
      }: { readonly event?: NewEvent | undefined; readonly isTakenOver?: boolean } = {},
    ) =>
      inCertainTransaction(db, async (trx, isRepeat) => {
        const { channel, requestedAt } = entry;
        const { numAffectedRows: added } = await insertPost(trx, {
          id,
          kind: what,
          channel,
          due_at: requestedAt,
          state: 'running',
          created_at: requestedAt,
          attempts: 1,
          process,
        });
        if (added === 0n) {
          const running = { id, state: 'running', ...(!isTakenOver && { process }) } as const;
          const isOurs = isTakenOver || isRepeat;
          if (!isOurs || (await changeRows(trx, 'posts', running, { process })) === 0)
            throw new RecordedElsewhere();
          return id;
        }
        await insertRequest(trx, rowOf(id, id, entry));
        if (event) await appendEvent(trx, key, event);
        return id;
      }),

    /** True while this process works on the answer of a request, or was the last one to do so. */
    async isOfThisProcess(id: string) {
      return (await countRows(db, 'posts', { id, process })) > 0;
    },

    /** Adds the request of a post, for its buttons, unless an erasure ended the post. Returns the request's ID. */
    recordForPost: (post: string, entry: NewLogEntry) =>
      inTransaction(db, async (trx) => {
        const id = randomId();
        // The worker finds out when it posts. Until then, nothing about an erased owner may be stored.
        if (await wasErased(trx, post)) return id;
        await insertRequest(trx, rowOf(id, post, entry));
        return id;
      }),

    /** The ID of the latest request of a post. */
    async ofPost(post: string) {
      const latest = rowsOf(db, 'requests', { post }).select('id').orderBy('requested_at', 'desc');
      return (await latest.limit(1).executeTakeFirst())?.id;
    },

    /** Removes the request of a post that was not sent. */
    async withdraw(id: string) {
      await db.deleteFrom('requests').where('id', '=', id).whereRef('post', '!=', 'id').execute();
    },

    async find(id: string) {
      const row = await entries().where('requests.id', '=', id).executeTakeFirst();
      return row && entryOf(row);
    },

    /** Returns the requests that no erasure ended. */
    async stillWanted(ids: readonly string[]): Promise<readonly string[]> {
      const posts = await rowsOf(db, 'posts', { id: ids }).select(['id', 'unwanted']).execute();
      return posts.flatMap(({ id, unwanted }) => (erasureReasons.has(unwanted ?? '') ? [] : id));
    },

    async cancelled(ids: readonly string[]): Promise<readonly string[]> {
      const found = rowsOf(db, 'posts', { id: ids, state: 'cancelled' }).select('id');
      return (await found.execute()).map(({ id }) => id);
    },

    /** Cancels a request that another process may be running. It is too late once its answer is being sent. */
    cancel: (id: string, by: string, at: number) =>
      inTransaction(db, async (trx) => {
        const row = await rowsOf(trx, 'requests', { id }).select('asker').executeTakeFirst();
        if (!row) return 'not-running';
        if (row.asker !== by) return 'not-theirs';
        const byHand = { id, lease_owner: null };
        const ended = await transition(trx, ['running'], 'cancelled', byHand, {
          finished_at: at,
        }).executeTakeFirst();
        return ended.numUpdatedRows === 0n ? 'not-running' : 'cancelled';
      }),

    /** Oldest first, also those in progress. Without those that run and are in the inbox: they are taken from there. */
    async interrupted() {
      // SQLite uses the partial index only for the literal condition, not for bound values.
      const left = await db
        .selectFrom('posts')
        .select(['id', 'parent', 'kind', 'state', 'process'])
        .where('lease_owner', 'is', null)
        .where(sql<boolean>`state IN ('running', 'posting')`)
        .where(({ eb, or, not, exists, selectFrom }) => {
          const stored = selectFrom('inbox')
            .select('inbox.delivery')
            .whereRef('inbox.request', '=', 'posts.id')
            .where('inbox.payload', 'is not', null);
          return or([eb('state', '!=', 'running'), not(exists(stored))]);
        })
        .execute();
      const all: Interrupted[] = [];
      for (const { id, parent, kind, state, process: holder } of left) {
        const row = await entries()
          .where('requests.id', '=', parent ?? requestOfDetails(id) ?? id)
          .executeTakeFirst();
        if (!row || kind === 'manager') continue;
        const what = kind === 'digest' ? 'answer' : kind;
        all.push({ entry: entryOf(row), claim: { id, worker: null, process: holder }, what, state });
      }
      // Sorted here: for an order by time, SQLite would take an index that has all posts.
      return all.sort((a, b) => a.entry.requestedAt - b.entry.requestedAt);
    },

    /** The request of the latest answer or digest in a thread, first message included, whose `ts` is `thread`. */
    async latestInThread(channel: string, thread: string) {
      const inThread = { root_channel: channel, root_ts: thread, kind: 'message', channel } as const;
      const replies = await rowsOf(db, 'posted_items', inThread)
        .select('item')
        .orderBy('posted_at', 'desc')
        .limit(maxReplies)
        .execute();
      const post = await rowsOf(db, 'posts', {
        message_channel: channel,
        message_ts: [thread, ...replies.map(({ item }) => item)],
        kind: ['answer', 'digest'],
        state: 'posted',
      })
        .select('id')
        .orderBy('message_ts', 'desc')
        .limit(1)
        .executeTakeFirst();
      if (!post) return undefined;
      const row = await entries()
        .where('requests.post', '=', post.id)
        .orderBy('requests.requested_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row && entryOf(row);
    },

    /** A person's requests, newest first. */
    async recentOf(asker: string, limit: number) {
      const theirs = entries().where('requests.asker', '=', asker).orderBy('requests.requested_at', 'desc');
      return (await theirs.limit(limit).execute()).map(entryOf);
    },

    /** All requests from a time on, newest first. */
    async recent(from: number, limit: number) {
      const recent = entries()
        .where('requests.requested_at', '>=', from)
        .orderBy('requests.requested_at', 'desc');
      return (await recent.limit(limit).execute()).map(entryOf);
    },

    /** Deletes at most `limit` ended requests made before `time`. Returns how many. */
    deleteBefore(time: number, limit: number) {
      const old = db
        .selectFrom('requests')
        .leftJoin('posts', (join) =>
          join.onRef('posts.id', '=', 'requests.post').on('posts.state', 'in', openStates),
        )
        .select('requests.id')
        .where('requests.requested_at', '<', time)
        .where('posts.id', 'is', null)
        .limit(limit);
      return deleteRows(db, 'requests', { id: old });
    },
  };
}

export type RequestLog = ReturnType<typeof requestLogIn>;

function rowOf(id: string, post: string, entry: NewLogEntry): Insertable<Tables['requests']> {
  return {
    id,
    post,
    channel: entry.channel,
    asker: entry.asker,
    request: JSON.stringify(entry.request),
    range: entry.range ? JSON.stringify(entry.range) : null,
    requested_at: entry.requestedAt,
    chose_filters: entry.choseFilters === false ? 0 : 1,
  };
}

type EntryRow = Awaited<ReturnType<ReturnType<typeof entriesIn>['executeTakeFirstOrThrow']>>;

function entryOf(row: EntryRow): RequestLogEntry {
  return {
    id: row.id,
    post: row.post,
    channel: row.channel,
    asker: row.asker,
    request: JSON.parse(row.request),
    range: row.range === null ? undefined : JSON.parse(row.range),
    requestedAt: row.requested_at,
    ...(row.chose_filters === 0 ? { choseFilters: false } : {}),
    // A digest's run may be deleted before its request, but never before it is posted.
    state: row.state ?? 'posted',
    finishedAt: row.finished_at ?? undefined,
    rows: row.row_count ?? undefined,
    message: messageOf(row),
    errorCode: row.error_code ?? undefined,
  };
}

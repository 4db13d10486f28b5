import { type Kysely, type Selectable, sql } from 'kysely';
import type { Claim, PostedMessage } from '../../posts/post.js';
import { openStates, type PostState } from '../../posts/states.js';
import type { ReportRequest, ResolvedRange } from '../../requests/request.js';
import { type RequestRow, randomId, type Tables } from '../database.js';
import { newPost, type PostTable } from '../ledger/posts.js';

/** A question on its way. */
export interface NewRequestEntry {
  readonly team: string;
  readonly channel: string;
  /** A Slack user ID. */
  readonly asker: string;
  readonly request: ReportRequest;
  readonly range?: ResolvedRange;
  readonly askedAt: number;
}

/** A question as it is remembered, with what the ledger says of its answer. */
export interface RequestEntry extends NewRequestEntry {
  readonly id: string;
  readonly state: PostState;
  readonly finishedAt?: number;
  readonly rows?: number;
  readonly message?: PostedMessage;
  readonly errorCode?: string;
}

/** What a process had not ended when it ended itself. */
export interface Interrupted {
  readonly entry: RequestEntry;
  readonly claim: Claim;
  readonly what: 'answer' | 'file';
  readonly state: PostState;
}

/** Every question that was asked. What becomes of each is in the ledger. */
export interface RequestLog {
  /** Remembers a question, and enters its answer as running: both by the short text that is given back. */
  record(ask: NewRequestEntry, what?: 'answer' | 'file'): Promise<string>;
  /** Remembers a question that a post answers which is in the ledger, so that the buttons under it find it. */
  recordForPost(post: string, ask: NewRequestEntry): Promise<string>;
  /** Forgets one of these: its post did not go out after all. */
  withdraw(id: string): Promise<void>;
  /** Keeps the dates that were asked for in the end. */
  saveRange(id: string, range: ResolvedRange): Promise<void>;
  find(id: string): Promise<RequestEntry | undefined>;
  /** What a process left running or on its way when it ended, the oldest first. */
  interrupted(): Promise<readonly Interrupted[]>;
  /** A person's questions, newest first. */
  recentOf(asker: string, limit: number): Promise<readonly RequestEntry[]>;
  /** Everybody's questions from a time on, newest first. */
  recent(from: number, limit: number): Promise<readonly RequestEntry[]>;
  /** Questions from a time on, oldest first, a page at a time: what follows `after`, or the first ones. */
  since(
    from: number,
    limit: number,
    after?: Pick<RequestEntry, 'id' | 'askedAt'>,
  ): Promise<readonly RequestEntry[]>;
  /** Deletes at most `limit` questions from before a time that are over. Returns how many. */
  deleteBefore(time: number, limit: number): Promise<number>;
}

export function requestLogIn(db: Kysely<Tables>, newId: () => string = randomId): RequestLog {
  const asks = () =>
    db
      .selectFrom('asks')
      .leftJoin('posts', 'posts.id', 'asks.post')
      .selectAll('asks')
      .select([
        'posts.state',
        'posts.finished_at',
        'posts.row_count',
        'posts.message_channel',
        'posts.message_ts',
        'posts.message_link',
        'posts.error_code',
      ]);

  return {
    record: (ask, what = 'answer') =>
      db.transaction().execute(async (trx) => {
        const id = newId();
        const { channel, askedAt } = ask;
        const post = {
          id,
          kind: what,
          channel,
          due_at: askedAt,
          state: 'running',
          made_at: askedAt,
        } as const;
        await trx
          .insertInto('posts')
          .values({ ...newPost(post), attempts: 1 })
          .execute();
        await trx
          .insertInto('asks')
          .values(rowOf(id, id, ask))
          .execute();
        return id;
      }),

    async recordForPost(post, ask) {
      const id = newId();
      await db
        .insertInto('asks')
        .values(rowOf(id, post, ask))
        .execute();
      return id;
    },

    async withdraw(id) {
      await db.deleteFrom('asks').where('id', '=', id).whereRef('post', '!=', 'id').execute();
    },

    async saveRange(id, range) {
      await db
        .updateTable('asks')
        .set({ range: JSON.stringify(range) })
        .where('id', '=', id)
        .execute();
    },

    async find(id) {
      const row = await asks().where('asks.id', '=', id).executeTakeFirst();
      return row && entryOf(row);
    },

    async interrupted() {
      // As written in the index, which a value that is bound would not be known to be in.
      const left = await db
        .selectFrom('posts')
        .select(['id', 'parent', 'kind', 'state'])
        .where('lease_owner', 'is', null)
        .where(sql<boolean>`state IN ('running', 'posting')`)
        .orderBy('made_at')
        .execute();
      const all: Interrupted[] = [];
      for (const { id, parent, kind, state } of left) {
        const row = await asks()
          .where('asks.id', '=', parent ?? id)
          .executeTakeFirst();
        if (!row) continue;
        const what = kind === 'file' ? 'file' : 'answer';
        all.push({ entry: entryOf(row), claim: { id, worker: null }, what, state });
      }
      return all;
    },

    async recentOf(asker, limit) {
      const theirs = asks().where('asks.asker', '=', asker).orderBy('asks.asked_at', 'desc');
      return (await theirs.limit(limit).execute()).map(entryOf);
    },

    async recent(from, limit) {
      const recent = asks().where('asks.asked_at', '>=', from).orderBy('asks.asked_at', 'desc');
      return (await recent.limit(limit).execute()).map(entryOf);
    },

    async since(from, limit, after) {
      let page = asks().where('asks.asked_at', '>=', from);
      if (after) {
        page = page.where(({ eb, or, and }) =>
          or([
            eb('asks.asked_at', '>', after.askedAt),
            and([eb('asks.asked_at', '=', after.askedAt), eb('asks.id', '>', after.id)]),
          ]),
        );
      }
      return (await page.orderBy('asks.asked_at').orderBy('asks.id').limit(limit).execute()).map(entryOf);
    },

    async deleteBefore(time, limit) {
      const old = db
        .selectFrom('asks')
        .leftJoin('posts', (join) =>
          join.onRef('posts.id', '=', 'asks.post').on('posts.state', 'in', openStates),
        )
        .select('asks.id')
        .where('asks.asked_at', '<', time)
        .where('posts.id', 'is', null)
        .limit(limit);
      const { numDeletedRows } = await db.deleteFrom('asks').where('id', 'in', old).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

function rowOf(id: string, post: string, ask: NewRequestEntry): RequestRow {
  return {
    id,
    post,
    team: ask.team,
    channel: ask.channel,
    asker: ask.asker,
    request: JSON.stringify(ask.request),
    range: ask.range ? JSON.stringify(ask.range) : null,
    asked_at: ask.askedAt,
  };
}

type PostColumns = Pick<
  Selectable<PostTable>,
  'state' | 'finished_at' | 'row_count' | 'message_channel' | 'message_ts' | 'message_link' | 'error_code'
>;

function entryOf(
  row: RequestRow & { readonly [Column in keyof PostColumns]: PostColumns[Column] | null },
): RequestEntry {
  const { message_channel: channel, message_ts: ts, message_link: link } = row;
  return {
    id: row.id,
    team: row.team,
    channel: row.channel,
    asker: row.asker,
    request: JSON.parse(row.request),
    ...(row.range === null ? {} : { range: JSON.parse(row.range) }),
    askedAt: row.asked_at,
    // The occurrence of a digest may be deleted before the question that stands under it, but never before it is posted.
    state: row.state ?? 'posted',
    ...(row.finished_at === null ? {} : { finishedAt: row.finished_at }),
    ...(row.row_count === null ? {} : { rows: row.row_count }),
    ...(channel !== null && ts !== null
      ? { message: { channel, ts, ...(link === null ? {} : { link }) } }
      : {}),
    ...(row.error_code === null ? {} : { errorCode: row.error_code }),
  };
}

import type { Kysely } from 'kysely';
import type { ReportRequest, ResolvedRange } from '../reports/request.js';
import { randomId } from './random-id.js';
import type { AskRow, Tables } from './tables.js';

/** A question on its way. */
export interface NewAsk {
  readonly team: string;
  readonly channel: string;
  /** A Slack user ID. */
  readonly asker: string;
  readonly request: ReportRequest;
  readonly range?: ResolvedRange;
  readonly askedAt: number;
}

/** Where an answer stands. */
export interface MessagePlace {
  readonly channel: string;
  readonly ts: string;
  readonly link?: string;
}

/** How a question ended. */
export type Outcome =
  | {
      readonly state: 'answered';
      readonly rows: number;
      readonly range?: ResolvedRange;
      /** Absent where Slack gave no way to name the message, as with an answer through a `response_url`. */
      readonly message?: MessagePlace;
    }
  | { readonly state: 'failed'; readonly errorCode: string }
  | { readonly state: 'cancelled' };

/** A question as it is remembered. */
export interface Ask extends NewAsk {
  readonly id: string;
  readonly state: AskRow['state'];
  readonly finishedAt?: number;
  readonly rows?: number;
  readonly message?: MessagePlace;
  readonly errorCode?: string;
}

/** Every question that was asked, and what became of it. */
export interface Asks {
  /** Remembers a question as running, and gives the short text by which it is found. */
  record(ask: NewAsk): Promise<string>;
  /** Remembers a question that is answered already, so that the buttons under its answer find it. */
  recordAnswered(ask: NewAsk, rows: number): Promise<string>;
  /** Forgets one that was remembered as answered: its answer was not posted after all. */
  takeBack(id: string): Promise<void>;
  /** Says where the answer stands of one that was remembered as answered. */
  stands(id: string, message: MessagePlace): Promise<void>;
  find(id: string): Promise<Ask | undefined>;
  /** Says how a question ended. False where it has ended before: the first end counts. */
  finish(id: string, outcome: Outcome, finishedAt: number): Promise<boolean>;
  /** Those that a process left running when it ended, oldest first. */
  leftRunning(): Promise<readonly Ask[]>;
  /** A person's questions, newest first. */
  recentOf(asker: string, limit: number): Promise<readonly Ask[]>;
  /** Everybody's questions from a time on, newest first. */
  recent(from: number, limit: number): Promise<readonly Ask[]>;
  /** Questions from a time on, oldest first, a page at a time: what follows `after`, or the first ones. */
  since(from: number, limit: number, after?: Pick<Ask, 'id' | 'askedAt'>): Promise<readonly Ask[]>;
  /** Deletes at most `limit` questions from before a time that are not running. Returns how many. */
  forgetBefore(time: number, limit: number): Promise<number>;
}

export function asksIn(db: Kysely<Tables>, newId: () => string = randomId): Asks {
  return {
    async record(ask) {
      const id = newId();
      await db.insertInto('asks').values(rowOf(id, ask)).execute();
      return id;
    },

    async recordAnswered(ask, rows) {
      const id = newId();
      const answered = { state: 'answered', row_count: rows, finished_at: ask.askedAt } as const;
      await db
        .insertInto('asks')
        .values({ ...rowOf(id, ask), ...answered })
        .execute();
      return id;
    },

    async takeBack(id) {
      await db.deleteFrom('asks').where('id', '=', id).where('message_ts', 'is', null).execute();
    },

    async stands(id, message) {
      await db.updateTable('asks').set(columnsOfPlace(message)).where('id', '=', id).execute();
    },

    async find(id) {
      const row = await db.selectFrom('asks').selectAll().where('id', '=', id).executeTakeFirst();
      return row && askOf(row);
    },

    async finish(id, outcome, finishedAt) {
      const { numUpdatedRows } = await db
        .updateTable('asks')
        .set({ ...changesFor(outcome), state: outcome.state, finished_at: finishedAt })
        .where('id', '=', id)
        .where('state', '=', 'running')
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async leftRunning() {
      const running = db.selectFrom('asks').selectAll().where('state', '=', 'running');
      return (await running.orderBy('asked_at').execute()).map(askOf);
    },

    async recentOf(asker, limit) {
      const theirs = db.selectFrom('asks').selectAll().where('asker', '=', asker);
      return (await theirs.orderBy('asked_at', 'desc').limit(limit).execute()).map(askOf);
    },

    async recent(from, limit) {
      const recent = db.selectFrom('asks').selectAll().where('asked_at', '>=', from);
      return (await recent.orderBy('asked_at', 'desc').limit(limit).execute()).map(askOf);
    },

    async since(from, limit, after) {
      let page = db.selectFrom('asks').selectAll().where('asked_at', '>=', from);
      if (after) {
        page = page.where(({ eb, or, and }) =>
          or([
            eb('asked_at', '>', after.askedAt),
            and([eb('asked_at', '=', after.askedAt), eb('id', '>', after.id)]),
          ]),
        );
      }
      return (await page.orderBy('asked_at').orderBy('id').limit(limit).execute()).map(askOf);
    },

    async forgetBefore(time, limit) {
      const old = db
        .selectFrom('asks')
        .select('id')
        .where('asked_at', '<', time)
        .where('state', '!=', 'running')
        .limit(limit);
      const { numDeletedRows } = await db.deleteFrom('asks').where('id', 'in', old).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

function rowOf(id: string, ask: NewAsk): AskRow {
  return {
    id,
    team: ask.team,
    channel: ask.channel,
    asker: ask.asker,
    request: JSON.stringify(ask.request),
    range: ask.range ? JSON.stringify(ask.range) : null,
    asked_at: ask.askedAt,
    state: 'running',
    finished_at: null,
    row_count: null,
    message_channel: null,
    message_ts: null,
    message_link: null,
    error_code: null,
  };
}

function changesFor(outcome: Outcome): Partial<AskRow> {
  if (outcome.state === 'failed') return { error_code: outcome.errorCode };
  if (outcome.state === 'cancelled') return {};
  const { rows, range, message } = outcome;
  return {
    row_count: rows,
    ...(range ? { range: JSON.stringify(range) } : {}),
    ...(message ? columnsOfPlace(message) : {}),
  };
}

function columnsOfPlace({ channel, ts, link }: MessagePlace) {
  return { message_channel: channel, message_ts: ts, message_link: link ?? null };
}

function askOf(row: AskRow): Ask {
  const { message_channel: channel, message_ts: ts, message_link: link } = row;
  return {
    id: row.id,
    team: row.team,
    channel: row.channel,
    asker: row.asker,
    request: JSON.parse(row.request),
    ...(row.range === null ? {} : { range: JSON.parse(row.range) }),
    askedAt: row.asked_at,
    state: row.state,
    ...(row.finished_at === null ? {} : { finishedAt: row.finished_at }),
    ...(row.row_count === null ? {} : { rows: row.row_count }),
    ...(channel !== null && ts !== null
      ? { message: { channel, ts, ...(link === null ? {} : { link }) } }
      : {}),
    ...(row.error_code === null ? {} : { errorCode: row.error_code }),
  };
}

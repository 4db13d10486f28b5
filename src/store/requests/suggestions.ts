import { type Kysely, sql } from 'kysely';
import type { Audience } from '../../access/levels.js';
import type { Suggestion } from '../../runner/suggestions.js';
import type { Tables } from '../database.js';

/** Filter values from recent answers, by list. */
export interface SuggestionStore {
  /** Adds values in batches, which keep write locks short. */
  add(values: readonly Suggestion[], at: number, audience: Audience): Promise<void>;
  /** Values whose entry or title contains `text`, ignoring case. Those that start with it come first, then by name. */
  find(
    lists: readonly string[],
    text: string,
    limit: number,
    reader: Audience,
  ): Promise<readonly Suggestion[]>;
  /** All values of these lists, last seen first. */
  all(lists: readonly string[], reader: Audience): Promise<readonly Suggestion[]>;
  /** Titles by entry. */
  titlesOf(
    lists: readonly string[],
    entries: readonly string[],
    reader: Audience,
  ): Promise<ReadonlyMap<string, string>>;
  /** Deletes at most `limit` values last seen before `time`. Returns how many. */
  deleteBefore(time: number, limit: number): Promise<number>;
}

/** Each list keeps the values seen last. */
export const maxPerList = 2_000;

const batchSize = 100;

/** A value seen this recently is not written again. */
const rewriteAfterMs = 6 * 3_600_000;

function searched(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

export function suggestionsIn(db: Kysely<Tables>): SuggestionStore {
  async function deleteBeyondMax(list: string, audience: Audience): Promise<void> {
    const beyond = db
      .selectFrom('known_values')
      .select('entry')
      .where('list_name', '=', list)
      .where('audience', '=', audience)
      .orderBy('seen_at', 'desc')
      .orderBy('entry')
      .limit(batchSize * 5)
      .offset(maxPerList);
    await db
      .deleteFrom('known_values')
      .where('list_name', '=', list)
      .where('audience', '=', audience)
      .where('entry', 'in', beyond)
      .execute();
  }

  return {
    async add(values, at, audience) {
      let saved = 0n;
      for (let from = 0; from < values.length; from += batchSize) {
        if (from > 0) await new Promise((resolve) => setImmediate(resolve));
        const rows = values.slice(from, from + batchSize).map(({ list, entry, title }) => ({
          list_name: list,
          entry,
          audience,
          title: title ?? null,
          searched: searched(title === undefined ? entry : `${title} ${entry}`),
          seen_at: at,
        }));
        const { numInsertedOrUpdatedRows = 0n } = await db
          .insertInto('known_values')
          .values(rows)
          .onConflict((conflict) =>
            conflict
              .columns(['list_name', 'entry', 'audience'])
              .doUpdateSet(({ ref }) => ({
                seen_at: ref('excluded.seen_at'),
                title: ref('excluded.title'),
                searched: ref('excluded.searched'),
              }))
              .where('known_values.seen_at', '<', at - rewriteAfterMs),
          )
          .executeTakeFirstOrThrow();
        saved += numInsertedOrUpdatedRows;
      }
      // Usually the values were seen before.
      if (saved === 0n) return;
      for (const list of new Set(values.map((value) => value.list))) {
        await deleteBeyondMax(list, audience);
      }
    },

    async find(lists, text, limit, reader) {
      if (lists.length === 0) return [];
      const wanted = searched(text).replace(/[\\%_]/g, '\\$&');
      const holds = (pattern: string) => sql<boolean>`searched LIKE ${pattern} ESCAPE '\\'`;
      const rows = await db
        .selectFrom('known_values')
        .select(['list_name', 'entry', 'title'])
        .where('list_name', 'in', lists)
        .where('audience', 'in', audiencesOf(reader))
        .where(holds(`%${wanted}%`))
        .orderBy(sql`CASE WHEN ${holds(`${wanted}%`)} THEN 0 ELSE 1 END`)
        .orderBy('searched')
        .orderBy('entry')
        // A value is there once for each audience.
        .limit(2 * limit)
        .execute();
      // Lists can overlap: assignments and completions both name content.
      return [...new Map(rows.map((row) => [row.entry, suggestionOf(row)])).values()].slice(0, limit);
    },

    async all(lists, reader) {
      if (lists.length === 0) return [];
      const rows = await db
        .selectFrom('known_values')
        .select(['list_name', 'entry', 'title'])
        .where('list_name', 'in', lists)
        .where('audience', 'in', audiencesOf(reader))
        // Not by the column itself: SQLite would then go through the values of all lists, in the order of their times.
        .orderBy(sql`+seen_at`, 'desc')
        .orderBy('entry')
        .execute();
      return rows.map(suggestionOf);
    },

    async titlesOf(lists, entries, reader) {
      if (lists.length === 0 || entries.length === 0) return new Map();
      const rows = await db
        .selectFrom('known_values')
        .select(['entry', 'title'])
        .where('list_name', 'in', lists)
        .where('entry', 'in', entries)
        .where('audience', 'in', audiencesOf(reader))
        .where('title', 'is not', null)
        .orderBy('seen_at')
        .execute();
      return new Map(rows.map(({ entry, title }) => [entry, title ?? entry]));
    },

    async deleteBefore(time, limit) {
      const old = db
        .selectFrom('known_values')
        .select(['list_name', 'entry', 'audience'])
        .where('seen_at', '<', time)
        .limit(limit);
      const { numDeletedRows } = await db
        .deleteFrom('known_values')
        .where(({ eb, refTuple }) =>
          eb(
            refTuple('list_name', 'entry', 'audience'),
            'in',
            old.$asTuple('list_name', 'entry', 'audience'),
          ),
        )
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

function audiencesOf(reader: Audience): readonly Audience[] {
  return reader === 'everything' ? ['everything', 'everyone'] : ['everyone'];
}

function suggestionOf({
  list_name,
  entry,
  title,
}: {
  list_name: string;
  entry: string;
  title: string | null;
}) {
  return { list: list_name, entry, title: title ?? undefined };
}

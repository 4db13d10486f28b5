import { type Kysely, sql } from 'kysely';
import type { Suggestion } from '../../runner/suggestions.js';
import type { Tables } from '../database.js';

/** Values that recent answers held, by list: what filters can be set to. */
export interface SuggestionStore {
  /** Remembers values as seen at a time, in portions, so that nobody else waits for long. */
  remember(values: readonly Suggestion[], at: number): Promise<void>;
  /** Those of some lists whose entry or title holds a text in any case, by name; those that begin with it first. */
  find(lists: readonly string[], text: string, limit: number): Promise<readonly Suggestion[]>;
  /** What people call some entries of some lists. */
  titlesOf(lists: readonly string[], entries: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Deletes at most `limit` of those last seen before a time. Returns how many. */
  deleteBefore(time: number, limit: number): Promise<number>;
}

/** So many are kept of a list, those seen last. */
export const maxPerList = 2_000;

/** Few enough for a statement to hold nobody up. */
const batchSize = 100;

/** What was seen a little while ago need not be written again. */
const rewriteAfterMs = 6 * 3_600_000;

/** Words as they are searched for. */
function searched(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

export function suggestionsIn(db: Kysely<Tables>): SuggestionStore {
  async function deleteBeyondMax(list: string): Promise<void> {
    const beyond = db
      .selectFrom('known_values')
      .select('entry')
      .where('list_name', '=', list)
      .orderBy('seen_at', 'desc')
      .orderBy('entry')
      .limit(batchSize * 5)
      .offset(maxPerList);
    await db.deleteFrom('known_values').where('list_name', '=', list).where('entry', 'in', beyond).execute();
  }

  return {
    async remember(values, at) {
      for (let from = 0; from < values.length; from += batchSize) {
        const rows = values.slice(from, from + batchSize).map(({ list, entry, title }) => ({
          list_name: list,
          entry,
          title: title ?? null,
          searched: searched(title === undefined ? entry : `${title} ${entry}`),
          seen_at: at,
        }));
        await db
          .insertInto('known_values')
          .values(rows)
          .onConflict((conflict) =>
            conflict
              .columns(['list_name', 'entry'])
              .doUpdateSet(({ ref }) => ({
                seen_at: ref('excluded.seen_at'),
                title: ref('excluded.title'),
                searched: ref('excluded.searched'),
              }))
              .where('known_values.seen_at', '<', at - rewriteAfterMs),
          )
          .execute();
        await new Promise((resolve) => setImmediate(resolve));
      }
      for (const list of new Set(values.map((value) => value.list))) await deleteBeyondMax(list);
    },

    async find(lists, text, limit) {
      if (lists.length === 0) return [];
      const wanted = searched(text).replace(/[\\%_]/g, '\\$&');
      const holds = (pattern: string) => sql<boolean>`searched LIKE ${pattern} ESCAPE '\\'`;
      const rows = await db
        .selectFrom('known_values')
        .select(['list_name', 'entry', 'title'])
        .where('list_name', 'in', lists)
        .where(holds(`%${wanted}%`))
        .orderBy(sql`CASE WHEN ${holds(`${wanted}%`)} THEN 0 ELSE 1 END`)
        .orderBy('searched')
        .orderBy('entry')
        .limit(limit)
        .execute();
      // Lists can overlap: a content is known from assignments and from completions.
      return [...new Map(rows.map((row) => [row.entry, suggestionOf(row)])).values()];
    },

    async titlesOf(lists, entries) {
      if (lists.length === 0 || entries.length === 0) return new Map();
      const rows = await db
        .selectFrom('known_values')
        .select(['entry', 'title'])
        .where('list_name', 'in', lists)
        .where('entry', 'in', entries)
        .where('title', 'is not', null)
        .execute();
      return new Map(rows.map(({ entry, title }) => [entry, title ?? entry]));
    },

    async deleteBefore(time, limit) {
      const old = db
        .selectFrom('known_values')
        .select(['list_name', 'entry'])
        .where('seen_at', '<', time)
        .limit(limit);
      const { numDeletedRows } = await db
        .deleteFrom('known_values')
        .where(({ eb, refTuple }) =>
          eb(refTuple('list_name', 'entry'), 'in', old.$asTuple('list_name', 'entry')),
        )
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
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
  return { list: list_name, entry, ...(title === null ? {} : { title }) };
}

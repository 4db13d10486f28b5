import { type Kysely, sql } from 'kysely';
import { foldText } from '../../requests/titles.js';
import type { Suggestion } from '../../runner/suggestions.js';
import type { Tables } from '../schema.js';

/** Each list keeps the names seen last. */
export const maxPerList = 5_000;

const batchSize = 100;

/** A name seen this recently is not written again, unless more people have it. */
const rewriteAfterMs = 6 * 3_600_000;

/** Reports are looked at one after the other, and several have the same names. The largest number of a look counts. */
const oneLookMs = 12 * 3_600_000;

/** Names for filters, by list, from the daily look and from answers. Each with how many people have it, and nobody of them. */
export function suggestionsIn(db: Kysely<Tables>) {
  async function deleteBeyondMax(list: string): Promise<void> {
    for (;;) {
      const beyond = await db
        .selectFrom('suggestions')
        .select('entry')
        .where('list_name', '=', list)
        .orderBy('seen_at', 'desc')
        .orderBy('entry')
        .limit(batchSize)
        .offset(maxPerList)
        .execute();
      if (beyond.length === 0) return;
      await db
        .deleteFrom('suggestions')
        .where('list_name', '=', list)
        .where(
          'entry',
          'in',
          beyond.map(({ entry }) => entry),
        )
        .execute();
    }
  }

  return {
    /**
     * Adds names in batches, which keep write locks short.
     *
     * @param isLook true where the numbers of people take the place of older ones; else they only add to them
     */
    async add(values: readonly Suggestion[], at: number, isLook = false) {
      let saved = 0n;
      const replacedBefore = isLook ? at - oneLookMs : 0;
      for (let from = 0; from < values.length; from += batchSize) {
        if (from > 0) await new Promise((resolve) => setImmediate(resolve));
        const rows = values.slice(from, from + batchSize).map(({ list, entry, title, people }) => ({
          list_name: list,
          entry,
          title: title ?? null,
          searched: foldText(title === undefined ? entry : `${title} ${entry}`),
          people,
          seen_at: at,
        }));
        const { numInsertedOrUpdatedRows = 0n } = await db
          .insertInto('suggestions')
          .values(rows)
          .onConflict((conflict) =>
            conflict
              .columns(['list_name', 'entry'])
              .doUpdateSet(({ ref }) => ({
                seen_at: ref('excluded.seen_at'),
                title: sql<string | null>`COALESCE(excluded.title, suggestions.title)`,
                searched: sql<string>`CASE WHEN excluded.title IS NULL THEN suggestions.searched ELSE excluded.searched END`,
                people: sql<number>`CASE
                  WHEN suggestions.seen_at < ${replacedBefore} OR suggestions.people < excluded.people
                  THEN excluded.people ELSE suggestions.people END`,
              }))
              .where(({ eb, or, ref }) =>
                or([
                  eb('suggestions.seen_at', '<', at - rewriteAfterMs),
                  eb('suggestions.people', '<', ref('excluded.people')),
                ]),
              ),
          )
          .executeTakeFirstOrThrow();
        saved += numInsertedOrUpdatedRows;
      }
      // Usually the names were seen before.
      if (saved === 0n) return;
      for (const list of new Set(values.map((value) => value.list))) await deleteBeyondMax(list);
    },

    async find(lists: readonly string[], text: string, limit: number, minPeople: number) {
      if (lists.length === 0) return [];
      const wanted = foldText(text).replace(/[\\%_]/g, '\\$&');
      const holds = (pattern: string) => sql<boolean>`searched LIKE ${pattern} ESCAPE '\\'`;
      const rows = await db
        .selectFrom('suggestions')
        .select(['list_name', 'entry', 'title', 'people'])
        .where('list_name', 'in', lists)
        .where('people', '>=', leastKnown(minPeople))
        .where(holds(`%${wanted}%`))
        .orderBy(sql`CASE WHEN ${holds(`${wanted}%`)} THEN 0 ELSE 1 END`)
        .orderBy('searched')
        .orderBy('entry')
        // Lists can overlap: assignments and completions both name content.
        .limit(2 * limit)
        .execute();
      return [...new Map(rows.map((row) => [row.entry, suggestionOf(row)])).values()].slice(0, limit);
    },

    async all(lists: readonly string[], minPeople: number) {
      if (lists.length === 0) return [];
      const rows = await db
        .selectFrom('suggestions')
        .select(['list_name', 'entry', 'title', 'people'])
        .where('list_name', 'in', lists)
        .where('people', '>=', leastKnown(minPeople))
        // Not by the column itself: SQLite would then go through the values of all lists, in the order of their times.
        .orderBy(sql`+seen_at`, 'desc')
        .orderBy('entry')
        .execute();
      return rows.map(suggestionOf);
    },

    /** Titles by entry. */
    async titlesOf(
      lists: readonly string[],
      entries: readonly string[],
      minPeople: number,
    ): Promise<ReadonlyMap<string, string>> {
      if (lists.length === 0 || entries.length === 0) return new Map();
      const rows = await db
        .selectFrom('suggestions')
        .select(['entry', 'title'])
        .where('list_name', 'in', lists)
        .where('entry', 'in', entries)
        .where('people', '>=', leastKnown(minPeople))
        .where('title', 'is not', null)
        .orderBy('seen_at')
        .execute();
      return new Map(rows.map(({ entry, title }) => [entry, title ?? entry]));
    },
  };
}

/** Nobody has counted the people of some names. They are for whoever may see all. */
function leastKnown(minPeople: number): number {
  return minPeople > 1 ? minPeople : 0;
}

function suggestionOf({
  list_name,
  entry,
  title,
  people,
}: {
  list_name: string;
  entry: string;
  title: string | null;
  people: number;
}): Suggestion {
  return { list: list_name, entry, title: title ?? undefined, people };
}

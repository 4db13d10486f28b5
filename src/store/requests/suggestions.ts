import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { foldText } from '../../requests/text.js';
import type { Suggestion } from '../../runner/suggestions.js';
import { deleteRows, type RowValues, rowsOf, runByShape } from '../database/rows.js';
import type { Db, Tables } from '../database/schema.js';

/** Each list has the names seen last. */
export const maxPerList = 5_000;

const batchSize = 100;

/** A name seen this recently is not written again, unless more people have it. */
const rewriteAfterMs = 6 * 3_600_000;

/** Reports are looked at one after the other, and several have the same names. The largest number of a look counts. */
const oneLookMs = 12 * 3_600_000;

/** Names whose people were not counted are only for readers who may see all. */
function leastOf(minPeople: number): number {
  return minPeople > 1 ? minPeople : 0;
}

function namesOf(
  db: Db,
  [which, { least }]: readonly [RowValues<'suggestions'>, { readonly least: number }],
) {
  return rowsOf(db, 'suggestions', which)
    .select(['list_name', 'entry', 'title', 'people'])
    .where('people', '>=', least);
}

/** Names for filters, by list, from the daily look and from answers. Each with how many people have it, not who. */
export function suggestionsIn(db: Db) {
  async function deleteBeyondMax(list: string): Promise<void> {
    for (;;) {
      const beyond = await rowsOf(db, 'suggestions', { list_name: list })
        .select('entry')
        .orderBy('seen_at', 'desc')
        .orderBy('entry')
        .limit(batchSize)
        .offset(maxPerList)
        .execute();
      if (beyond.length === 0) return;
      await deleteRows(db, 'suggestions', { list_name: list, entry: beyond.map(({ entry }) => entry) });
    }
  }

  const namesIn = (which: RowValues<'suggestions'>, minPeople: number) =>
    namesOf(db, [which, { least: leastOf(minPeople) }]);

  return {
    /**
     * Adds names in batches, which keep write locks short.
     *
     * @param isLook true where the numbers of people take the place of older ones; else they only add to them
     */
    async add(values: readonly Suggestion[], at: number, isLook = false) {
      let saved = 0n;
      const lists = new Set<string>();
      const replacedBefore = isLook ? at - oneLookMs : 0;
      for (let from = 0; from < values.length; from += batchSize) {
        if (from > 0) await nextTurn();
        const rows: Tables['suggestions'][] = [];
        for (const { list, entry, title, people } of values.slice(from, from + batchSize)) {
          lists.add(list);
          const searched = foldText(title === undefined ? entry : `${title} ${entry}`);
          rows.push({ list_name: list, entry, title: title ?? null, searched, people, seen_at: at });
        }
        const { numInsertedOrUpdatedRows = 0n } = await db
          .insertInto('suggestions')
          .values(rows)
          .onConflict((conflict) =>
            conflict
              .columns(['list_name', 'entry'])
              .doUpdateSet({
                seen_at: at,
                title: sql<string | null>`COALESCE(excluded.title, suggestions.title)`,
                searched: sql<string>`CASE WHEN excluded.title IS NULL THEN suggestions.searched ELSE excluded.searched END`,
                people: sql<number>`CASE
                  WHEN suggestions.seen_at < ${replacedBefore} OR suggestions.people < excluded.people
                  THEN excluded.people ELSE suggestions.people END`,
              })
              .where(
                sql<boolean>`suggestions.seen_at < ${at - rewriteAfterMs} OR suggestions.people < excluded.people`,
              ),
          )
          .executeTakeFirstOrThrow();
        saved += numInsertedOrUpdatedRows;
      }
      // Usually the names were seen before.
      if (saved === 0n) return;
      for (const list of lists) await deleteBeyondMax(list);
    },

    async find(lists: readonly string[], text: string, limit: number, minPeople: number) {
      const wanted = foldText(text).replace(/[\\%_]/g, '\\$&');
      const holds = (pattern: string) => sql<boolean>`searched LIKE ${pattern} ESCAPE '\\'`;
      const rows = await namesIn({ list_name: lists }, minPeople)
        .where(holds(`%${wanted}%`))
        .orderBy(sql`CASE WHEN ${holds(`${wanted}%`)} THEN 0 ELSE 1 END`)
        .orderBy('searched')
        .orderBy('entry')
        // Lists can overlap: assignments and completions both name content.
        .limit(2 * limit)
        .execute();
      return [...new Map(rows.map((row) => [row.entry, suggestionOf(row)])).values()].slice(0, limit);
    },

    async ofEntries(lists: readonly string[], entries: readonly string[], minPeople: number) {
      const which = [{ list_name: lists, entry: entries }, { least: leastOf(minPeople) }] as const;
      const { rows } = await runByShape(db, 'names of entries', which, namesOf);
      return rows.map(suggestionOf);
    },

    async all(lists: readonly string[], minPeople: number) {
      const which = [{ list_name: lists }, { least: leastOf(minPeople) }] as const;
      const { rows } = await runByShape(db, 'names', which, (db, which) =>
        namesOf(db, which)
          // Not by the column itself: SQLite would then go through the values of all lists, in the order of their times.
          .orderBy(sql`+seen_at`, 'desc')
          .orderBy('entry'),
      );
      return rows.map(suggestionOf);
    },

    /** Titles by entry. */
    async titlesOf(
      lists: readonly string[],
      entries: readonly string[],
      minPeople: number,
    ): Promise<ReadonlyMap<string, string>> {
      const rows = await namesIn({ list_name: lists, entry: entries }, minPeople)
        .where('title', 'is not', null)
        .orderBy('seen_at')
        .execute();
      return new Map(rows.map(({ entry, title }) => [entry, title ?? entry]));
    },
  };
}

type NameRow = Pick<Tables['suggestions'], 'list_name' | 'entry' | 'title' | 'people'>;

function suggestionOf({ list_name: list, entry, title, people }: NameRow): Suggestion {
  return { list, entry, title: title ?? undefined, people };
}

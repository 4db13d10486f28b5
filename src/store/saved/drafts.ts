import { randomId } from '../../logging/logger.js';
import { changeRows, countRows, deleteRows, having, is, plusOne, rowsOf } from '../database/rows.js';
import type { Db } from '../database/schema.js';

/** The draft was already submitted. */
export type Used = 'used';

const maxAttempts = 50;

/** Open forms, or digests that are being set up. Only the owner can find a draft. `Draft` survives JSON. */
export function draftsIn<Draft>(db: Db, table: 'builder_drafts' | 'digest_drafts') {
  const rowOf = (id: string, owner: string) =>
    rowsOf(db, table, { id, owner }).selectAll().executeTakeFirst();

  return {
    /** Returns the draft's ID. */
    async open(owner: string, draft: Draft, at: number) {
      const id = randomId();
      const content = JSON.stringify(draft);
      await db.insertInto(table).values({ id, owner, content, revision: 1, changed_at: at }).execute();
      return id;
    },

    /** @param by what would use it: a draft that this used is found again */
    async find(id: string, owner: string, by?: string): Promise<Draft | Used | undefined> {
      const row = await rowOf(id, owner);
      if (!row) return undefined;
      const isUsed = row.used_at !== null && (by === undefined || row.used_by !== by);
      return isUsed ? 'used' : JSON.parse(row.content);
    },

    /**
     * Applies `change` to the current draft, and returns the changed one. If another write came first, `change` runs
     * again on its result, so that no change is lost.
     */
    async change(
      id: string,
      owner: string,
      at: number,
      change: (draft: Draft) => Draft,
    ): Promise<Draft | Used | undefined> {
      for (let tries = 0; tries < maxAttempts; tries += 1) {
        const row = await rowOf(id, owner);
        if (!row) return undefined;
        if (row.used_at !== null) return 'used';
        const changed = change(JSON.parse(row.content));
        const current = { id, revision: row.revision, used_at: null };
        const set = { content: JSON.stringify(changed), revision: plusOne('revision'), changed_at: at };
        if ((await changeRows(db, table, current, set)) > 0) return changed;
      }
      throw new Error('A draft was changed by others all the time');
    },

    /** Marks a draft as used. True only for the first caller, and for later ones with the same `by`. */
    async use(id: string, owner: string, at: number, by?: string) {
      const { numUpdatedRows } = await db
        .updateTable(table)
        // Another process may have to continue it.
        .set({ content: by === undefined ? '' : undefined, used_at: at, used_by: by ?? null, changed_at: at })
        .where(having<typeof table>({ id, owner }))
        .where(({ eb, or }) => or([eb('used_at', 'is', null), eb('used_by', '=', by ?? '')]))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** How many unused drafts a person has. Slack does not tell when a form is closed, so that closed ones count too. */
    countOf: (owner: string) => countRows(db, table, { owner, used_at: null }),

    /** Deletes all but a person's newest unused drafts. */
    async keepNewest(owner: string, count: number) {
      const unused = { owner, used_at: null };
      const newest = rowsOf(db, table, unused).select('id').orderBy('changed_at', 'desc');
      const kept = newest.orderBy('id').limit(count);
      await deleteRows<typeof table>(db, table, { ...unused, id: is('not in', kept) });
    },
  };
}

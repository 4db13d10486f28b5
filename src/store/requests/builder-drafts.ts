import type { Kysely } from 'kysely';
import { randomId } from '../database.js';
import type { Tables } from '../schema.js';

/** The draft was already submitted. */
export type Used = 'used';

const maxAttempts = 50;

/**
 * Open builders. Only the owner can find a draft.
 *
 * @typeParam Draft plain data that survives JSON
 */
export function builderDraftsIn<Draft>(db: Kysely<Tables>, newId: () => string = randomId) {
  async function rowOf(id: string, owner: string) {
    const row = db
      .selectFrom('builder_drafts')
      .select(['content', 'revision', 'used_at', 'used_by'])
      .where('id', '=', id)
      .where('owner', '=', owner);
    return row.executeTakeFirst();
  }

  const unusedOf = (owner: string) =>
    db.selectFrom('builder_drafts').where('owner', '=', owner).where('used_at', 'is', null);

  return {
    /** Returns the draft's ID. */
    async open(owner: string, draft: Draft, at: number) {
      const id = newId();
      const content = JSON.stringify(draft);
      await db
        .insertInto('builder_drafts')
        .values({ id, owner, content, revision: 1, changed_at: at, used_at: null, used_by: null })
        .execute();
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
     * Applies `change` to the current draft. If another write came first, `change` runs again on its result, so that no
     * change is lost.
     *
     * @returns the changed draft
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
        const { numUpdatedRows } = await db
          .updateTable('builder_drafts')
          .set({ content: JSON.stringify(changed), revision: row.revision + 1, changed_at: at })
          .where('id', '=', id)
          .where('revision', '=', row.revision)
          .where('used_at', 'is', null)
          .executeTakeFirst();
        if (numUpdatedRows > 0n) return changed;
      }
      throw new Error('A builder was changed by others all the time');
    },

    /**
     * Marks a draft as used. Only the first caller gets true.
     *
     * @param by what uses it, which gets true again
     */
    async use(id: string, owner: string, at: number, by?: string) {
      const { numUpdatedRows } = await db
        .updateTable('builder_drafts')
        // Another process may have to go on with it.
        .set({ content: by === undefined ? '' : undefined, used_at: at, used_by: by ?? null, changed_at: at })
        .where('id', '=', id)
        .where('owner', '=', owner)
        .where(({ eb, or }) => or([eb('used_at', 'is', null), eb('used_by', '=', by ?? '')]))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** How many unused drafts a person has. Slack does not tell when a form is closed, so that closed ones count too. */
    async countOf(owner: string) {
      const { count } = await unusedOf(owner)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    /** Deletes all but a person's newest unused drafts. */
    async keepNewest(owner: string, count: number) {
      const newest = unusedOf(owner).select('id').orderBy('changed_at', 'desc').orderBy('id').limit(count);
      await db
        .deleteFrom('builder_drafts')
        .where('owner', '=', owner)
        .where('used_at', 'is', null)
        .where('id', 'not in', newest)
        .execute();
    },
  };
}

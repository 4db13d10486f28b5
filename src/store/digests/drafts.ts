import type { Kysely } from 'kysely';
import type { DigestDraft } from '../../digests/digest.js';
import { randomId } from '../database.js';
import type { Tables } from '../schema.js';

export function digestDraftsIn(db: Kysely<Tables>, newId: () => string = randomId) {
  return {
    async open(owner: string, draft: DigestDraft, at: number) {
      const id = newId();
      await db
        .insertInto('digest_drafts')
        .values({ id, owner, content: JSON.stringify(draft), changed_at: at, used_at: null })
        .execute();
      return id;
    },

    async find(id: string, owner: string): Promise<DigestDraft | undefined> {
      const row = await db
        .selectFrom('digest_drafts')
        .select('content')
        .where('id', '=', id)
        .where('owner', '=', owner)
        .where('used_at', 'is', null)
        .executeTakeFirst();
      return row && JSON.parse(row.content);
    },

    /** Marks a draft as used. Only the first caller gets true. */
    async use(id: string, owner: string, at: number) {
      const used = await db
        .updateTable('digest_drafts')
        .set({ used_at: at })
        .where('id', '=', id)
        .where('owner', '=', owner)
        .where('used_at', 'is', null)
        .executeTakeFirst();
      return used.numUpdatedRows > 0n;
    },
  };
}

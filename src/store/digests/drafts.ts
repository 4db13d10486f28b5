import type { DigestDraft } from '../../digests/digest.js';
import { randomId } from '../database.js';
import { changeRows, rowsOf } from '../rows.js';
import type { Db } from '../schema.js';

export function digestDraftsIn(db: Db) {
  return {
    async open(owner: string, draft: DigestDraft, at: number) {
      const id = randomId();
      await db
        .insertInto('digest_drafts')
        .values({ id, owner, content: JSON.stringify(draft), changed_at: at })
        .execute();
      return id;
    },

    async find(id: string, owner: string): Promise<DigestDraft | undefined> {
      const unused = rowsOf(db, 'digest_drafts', { id, owner, used_at: null });
      const row = await unused.select('content').executeTakeFirst();
      return row && JSON.parse(row.content);
    },

    /** Marks a draft as used. Only the first caller gets true. */
    use: async (id: string, owner: string, at: number) =>
      (await changeRows(db, 'digest_drafts', { id, owner, used_at: null }, { used_at: at })) > 0,
  };
}

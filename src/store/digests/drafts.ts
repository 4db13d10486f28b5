import type { Kysely } from 'kysely';
import type { DigestDrafts } from '../../digests/store-ports.js';
import { randomId } from '../database.js';
import { expiryOf } from '../expiry.js';
import type { Tables } from '../schema.js';

export function digestDraftsIn(db: Kysely<Tables>, newId: () => string = randomId): DigestDrafts {
  return {
    async open(owner, draft, at) {
      const id = newId();
      await db
        .insertInto('digest_drafts')
        .values({ id, owner, content: JSON.stringify(draft), changed_at: at, used_at: null })
        .execute();
      return id;
    },

    async find(id, owner) {
      const row = await db
        .selectFrom('digest_drafts')
        .select('content')
        .where('id', '=', id)
        .where('owner', '=', owner)
        .where('used_at', 'is', null)
        .executeTakeFirst();
      return row && JSON.parse(row.content);
    },

    async use(id, owner, at) {
      const used = await db
        .updateTable('digest_drafts')
        .set({ used_at: at })
        .where('id', '=', id)
        .where('owner', '=', owner)
        .where('used_at', 'is', null)
        .executeTakeFirst();
      return used.numUpdatedRows > 0n;
    },

    deleteBefore: expiryOf(db, 'digest_drafts'),
  };
}

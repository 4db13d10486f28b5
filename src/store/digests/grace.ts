import type { Kysely } from 'kysely';
import type { DigestGrace } from '../../digests/store-ports.js';
import type { Tables } from '../database.js';

export function digestGraceIn(db: Kysely<Tables>): DigestGrace {
  return {
    async begin(at) {
      await db.updateTable('digest_grace').set({ since: at }).where('since', 'is', null).execute();
    },

    async listPending(limit, after = '') {
      const rows = db
        .selectFrom('digest_grace')
        .select('digest')
        .where('effect', 'is', null)
        .where('digest', '>', after);
      return (await rows.orderBy('digest').limit(limit).execute()).map(({ digest }) => digest);
    },

    async recordEffect(digest, level, effect) {
      await db.updateTable('digest_grace').set({ level, effect }).where('digest', '=', digest).execute();
    },

    async end(digest) {
      await endGrace(db, digest);
    },

    async find(digest) {
      const row = db.selectFrom('digest_grace').select(['since', 'level']).where('digest', '=', digest);
      const found = await row.executeTakeFirst();
      return found && { since: found.since ?? undefined, level: found.level ?? undefined };
    },

    async narrowed() {
      const rows = await db.selectFrom('digest_grace').select(['digest', 'since', 'effect']).execute();
      return rows.flatMap(({ digest, since, effect }) =>
        since === null || effect === null ? [] : [{ digest, since, effect }],
      );
    },

    async deleteBefore(time, limit) {
      const old = db.selectFrom('digest_grace').select('digest').where('since', '<', time).limit(limit);
      const { numDeletedRows } = await db
        .deleteFrom('digest_grace')
        .where('digest', 'in', old)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

/** From now on, levels of access apply to the digest. */
export async function endGrace(db: Kysely<Tables>, digest: string): Promise<void> {
  await db.deleteFrom('digest_grace').where('digest', '=', digest).execute();
}

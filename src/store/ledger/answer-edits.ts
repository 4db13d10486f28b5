import { type Kysely, sql } from 'kysely';
import type { AnswerEdits } from '../../posts/answer-edits.js';
import type { Tables } from '../database.js';
import { heldBy } from './posts.js';

const givenUp = { edit_state: 'given-up', edit_facts: null } as const;

/** @param process the process that has the answers in hand */
export function answerEditsIn(db: Kysely<Tables>, process: string): AnswerEdits {
  return {
    async dueEdits() {
      const due = await dueEditsIn(db)
        .select(['id', 'process', 'attempts', 'made_at', 'finished_at'])
        .orderBy('made_at')
        .execute();
      return due.map(({ id, process: holder, attempts, made_at, finished_at, edit_facts }) => ({
        id,
        process: holder ?? undefined,
        // The first attempt is that of the answer itself.
        takeovers: attempts - 1,
        postedAt: finished_at ?? made_at,
        facts: JSON.parse(edit_facts),
      }));
    },

    async isEditDue(id) {
      const held = dueEditsIn(db).where('id', '=', id).where('process', '=', process);
      return (await held.executeTakeFirst()) !== undefined;
    },

    async mayBeEdited(id) {
      const open = db
        .selectFrom('posts')
        .select('id')
        .where('id', '=', id)
        .where(({ eb, or }) => or([eb('state', '=', 'posting'), eb('edit_state', '=', 'due')]));
      return (await open.executeTakeFirst()) !== undefined;
    },

    async takeEdit({ id, process: holder = null }) {
      const taken = await db
        .updateTable('posts')
        .set((eb) => ({ process, attempts: eb('attempts', '+', 1) }))
        .where('id', '=', id)
        .where('edit_state', '=', 'due')
        .where(heldBy('process', holder))
        .executeTakeFirst();
      return taken.numUpdatedRows > 0n;
    },

    async endEdit(id, end) {
      await db
        .updateTable('posts')
        .set({ edit_state: end, edit_facts: null })
        .where('id', '=', id)
        .where('edit_state', '=', 'due')
        .execute();
    },
  };
}

export function dueEditsIn(db: Kysely<Tables>) {
  return (
    db
      .selectFrom('posts')
      .select('edit_facts')
      .$narrowType<{ edit_facts: string }>()
      // SQLite uses the partial index only for the literal condition, not for bound values.
      .where(sql<boolean>`edit_state = 'due'`)
  );
}

/** Gives up the edits of answers whose request was erased. */
export async function giveUpEdits(trx: Kysely<Tables>, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await trx
      .updateTable('posts')
      .set(givenUp)
      .where('id', '=', id)
      .where('edit_state', '=', 'due')
      .execute();
  }
}

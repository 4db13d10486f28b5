import type { Kysely } from 'kysely';
import type { Tables } from '../tables.js';
import type { NoticeKind } from './notifications.js';

/** Who has to hear of what became of a run. */
export interface Told {
  readonly kind: NoticeKind;
  /** Slack user IDs. */
  readonly recipients: readonly string[];
}

/** Enters what has to be told of a run. What was told before is not told again. */
export async function enterNotices(
  db: Kysely<Tables>,
  run: string,
  { kind, recipients }: Told,
  at: number,
  newId: () => string,
): Promise<void> {
  for (const recipient of new Set(recipients)) {
    await db
      .insertInto('digest_notices')
      .values({ id: newId(), recipient, kind, subject: run, made_at: at, ready_at: at, sent_at: null })
      .onConflict((conflict) => conflict.columns(['recipient', 'kind', 'subject']).doNothing())
      .execute();
  }
}

/** There is nothing left to tell of a run. */
export async function settleNotices(db: Kysely<Tables>, run: string): Promise<void> {
  await db.updateTable('digest_notices').set({ ready_at: null }).where('subject', '=', run).execute();
}

/** What may happen to a run from now on is news, even if the same was told before. */
export async function forgetNotices(db: Kysely<Tables>, run: string): Promise<void> {
  await db.deleteFrom('digest_notices').where('subject', '=', run).execute();
}

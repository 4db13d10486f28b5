import type { Kysely, Transaction } from 'kysely';
import { isMentionedIn } from '../../requests/erased-people.js';
import { mayMention } from '../erase-mentions.js';
import type { RecordKey } from '../record-key.js';
import type { Tables } from '../schema.js';
import { appendEvent, normalized } from './append-event.js';
import { rangesOf } from './event-chain.js';

/**
 * Erases people from the record: their tokens lose their meaning, and the details of their events are deleted. The
 * chain stays, and says which details were erased.
 *
 * The event `erased` is there even if none of them is: a bot that runs then drops the answers that it keeps in memory.
 *
 * @param people Slack user IDs and e-mail addresses, and names and learner IDs that only details quote
 * @returns how many events named them, or quoted them in their details
 */
export async function eraseFromEvents(
  trx: Transaction<Tables>,
  key: RecordKey,
  people: readonly string[],
  at: number,
): Promise<number> {
  const tokens = (await tokensOf(trx, people)).map(({ token }) => token);
  const named = tokens.length === 0 ? [] : await eventsNaming(trx, tokens).execute();
  const found = [...named, ...(await eventsQuoting(trx, people))];
  const seqs = [...new Set(found.map(({ seq }) => seq))].sort((a, b) => a - b);
  for (const [from, to] of rangesOf(seqs)) {
    await trx
      .updateTable('event_details')
      .set({ salt: null, details: null })
      .where('seq', '>=', from)
      .where('seq', '<=', to)
      .execute();
  }
  if (tokens.length > 0) await trx.deleteFrom('person_tokens').where('token', 'in', tokens).execute();
  await appendEvent(trx, key, { kind: 'erased', at, details: { events: rangesOf(seqs) } });
  return seqs.length;
}

/** The positions of the events that people did or that are about them. Some come twice: UNION would scan all events. */
export function eventsNaming(db: Kysely<Tables>, tokens: readonly string[]) {
  const about = db.selectFrom('event_subjects').select('seq').where('token', 'in', tokens);
  return db.selectFrom('event_chain').select('seq').where('person', 'in', tokens).unionAll(about);
}

/** The positions of the events whose details quote people. */
async function eventsQuoting(db: Kysely<Tables>, people: readonly string[]) {
  const quoting: { readonly seq: number }[] = [];
  for (const person of people) {
    const rows = await db
      .selectFrom('event_details')
      .select(['seq', 'details'])
      .where(mayMention(db, 'details', person))
      .execute();
    quoting.push(...rows.filter(({ details }) => details !== null && isMentionedIn(details, person)));
  }
  return quoting;
}

export async function tokensOf(db: Kysely<Tables>, people: readonly string[]) {
  if (people.length === 0) return [];
  const known = db.selectFrom('person_tokens').select(['token', 'person']);
  return known.where('person', 'in', people.map(normalized)).execute();
}

/** Nobody needs the token of a person whom no event names any more. */
export async function deleteUnusedTokens(trx: Transaction<Tables>): Promise<void> {
  await trx
    .deleteFrom('person_tokens')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('event_chain').select('seq').whereRef('event_chain.person', '=', 'person_tokens.token'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('event_subjects')
            .select('seq')
            .whereRef('event_subjects.token', '=', 'person_tokens.token'),
        ),
      ),
    )
    .execute();
}

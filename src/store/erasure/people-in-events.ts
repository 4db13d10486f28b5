import { isMentionedIn } from '../../requests/erased-people.js';
import { appendEvent, normalized, type RecordKey } from '../access/event-chain.js';
import { deleteRows, rowsOf } from '../database/rows.js';
import type { Db, Trx } from '../database/schema.js';
import { mayMention } from './erase-mentions.js';

/**
 * Erases people from the record: their tokens lose their meaning, and the details of their events are deleted. The
 * chain stays, and says which details were erased.
 *
 * The event `erased` is there even if none of them is: a bot that runs then drops the answers that it has in memory.
 *
 * @param people Slack user IDs and e-mail addresses, and names and learner IDs that only details quote
 * @returns how many events named them, or quoted them in their details
 */
export async function eraseFromEvents(
  trx: Trx,
  key: RecordKey,
  people: readonly string[],
  at: number,
): Promise<number> {
  const tokens = await tokensOf(trx, people);
  const named = await eventsNaming(trx, tokens).execute();
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
  await deleteRows(trx, 'person_tokens', { token: tokens });
  await appendEvent(trx, key, { kind: 'erased', at, details: { events: rangesOf(seqs) } });
  return seqs.length;
}

/** The positions of the events that people did or that are about them. Some come twice: UNION would scan all events. */
export function eventsNaming(db: Db, tokens: readonly string[]) {
  const about = rowsOf(db, 'event_subjects', { token: tokens }).select('seq');
  return rowsOf(db, 'event_chain', { person: tokens }).select('seq').unionAll(about);
}

async function eventsQuoting(db: Db, people: readonly string[]) {
  const quoting: { readonly seq: number }[] = [];
  for (const person of people) {
    const rows = await db
      .selectFrom('event_details')
      .select(['seq', 'details'])
      .where(mayMention(db, 'details', person))
      // Its position and hash can look like the ID of a learner, and name nobody.
      .where('seq', 'not in', rowsOf(db, 'event_chain', { kind: 'evidence-zipped' }).select('seq'))
      .execute();
    quoting.push(...rows.filter(({ details }) => details !== null && isMentionedIn(details, person)));
  }
  return quoting;
}

export async function tokensOf(db: Db, people: readonly string[]): Promise<readonly string[]> {
  const named = rowsOf(db, 'person_tokens', { person: people.map(normalized) }).select('token');
  return (await named.execute()).map(({ token }) => token);
}

/** The token of a person whom no event names any more has no use. */
export async function deleteUnusedTokens(trx: Trx): Promise<void> {
  await trx
    .deleteFrom('person_tokens')
    .where(({ not, exists, selectFrom }) => {
      const done = selectFrom('event_chain').whereRef('event_chain.person', '=', 'person_tokens.token');
      const about = selectFrom('event_subjects').whereRef('event_subjects.token', '=', 'person_tokens.token');
      return not(exists(done.select('seq').unionAll(about.select('seq'))));
    })
    .execute();
}

/** Joins sorted positions into ranges. */
function rangesOf(seqs: readonly number[]): [from: number, to: number][] {
  const ranges: [number, number][] = [];
  for (const seq of seqs) {
    const last = ranges.at(-1);
    if (last && seq === last[1] + 1) last[1] = seq;
    else ranges.push([seq, seq]);
  }
  return ranges;
}

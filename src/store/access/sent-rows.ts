import { setImmediate as nextTurn } from 'node:timers/promises';
import { membersOf, peopleSetOf } from '../../access/people-set.js';
import type { NewSentRows } from '../../access/record.js';
import { randomId } from '../../logging/log-id.js';
import type { PostState } from '../../posts/states.js';
import { putRow } from '../database/rows.js';
import type { Db } from '../database/schema.js';
import { namesOf, type PersonNumbers, type RowNames, type Wanted } from './person-numbers.js';

/** What was sent with rows of a person. */
export interface SentRows extends Omit<NewSentRows, 'people'> {
  readonly post: string;
  /** False where there were too many people to tell who they were. */
  readonly isCertain: boolean;
}

/** Slack did not take the post, or has it not yet. */
const unsent: readonly PostState[] = ['queued', 'running', 'failed', 'skipped', 'cancelled'];

/** So many are looked through at once: a bitmap of a million people can take 125 KB. */
const pageSize = 40;

/** Files and rows that were sent. They are not in the chain of events, so that people can be taken out of them. */
export function sentRowsIn(db: Db, numbers: PersonNumbers) {
  const save = (rows: NewSentRows) => saveSentRows(db, rows);

  return {
    save,

    /** Says that rows of these people are being sent. Call it before they are. */
    async saveOf(sent: Omit<NewSentRows, 'people'>, people: readonly RowNames[]): Promise<void> {
      await save({ ...sent, people: peopleSetOf(await numbers.numbersOf(namesOf(people))) });
    },

    /**
     * What was sent with rows of a person, newest first: at most `limit`, without what they got themselves.
     *
     * @param before the last one that was read
     */
    async findOf(
      wanted: readonly Wanted[],
      reader: string | undefined,
      limit: number,
      before?: Pick<SentRows, 'at' | 'post'>,
    ): Promise<readonly SentRows[]> {
      const found: SentRows[] = [];
      if (wanted.length === 0) return found;
      for (let edge = before; ; ) {
        const page = await pageOf(wanted, edge);
        for (const row of page) {
          edge = row;
          const { people, first_number: first, last_number: last, recipient, ...sent } = row;
          if (reader !== undefined && recipient === reader) continue;
          const bits = people === null ? undefined : Buffer.from(people, 'base64');
          const has = membersOf({ first, last, bits });
          if (!wanted.some(({ number, from, until }) => sent.at >= from && sent.at < until && has(number)))
            continue;
          found.push({ ...sent, recipient: recipient ?? undefined, isCertain: bits !== undefined });
          if (found.length === limit) return found;
        }
        if (page.length < pageSize) return found;
        await nextTurn();
      }
    },
  };

  /** The next ones that may hold one of these numbers. */
  function pageOf(wanted: readonly Wanted[], before: Pick<SentRows, 'at' | 'post'> | undefined) {
    const numbers = wanted.map(({ number }) => number);
    const page = db
      .selectFrom('sent_rows')
      .leftJoin('posts', 'posts.id', 'sent_rows.post')
      .select(['sent_rows.post', 'at', 'recipient', 'report', 'what', 'place'])
      .select(['first_number', 'last_number', 'people'])
      .where('at', '>=', Math.min(...wanted.map(({ from }) => from)))
      .where('first_number', '<=', Math.max(...numbers))
      .where('last_number', '>=', Math.min(...numbers))
      .where(({ eb, or }) => or([eb('posts.state', 'is', null), eb('posts.state', 'not in', unsent)]))
      .$if(before !== undefined, (query) =>
        query.where(({ eb, or, and }) =>
          or([
            eb('at', '<', before?.at ?? 0),
            and([eb('at', '=', before?.at ?? 0), eb('sent_rows.post', '<', before?.post ?? '')]),
          ]),
        ),
      );
    return page.orderBy('at', 'desc').orderBy('sent_rows.post', 'desc').limit(pageSize).execute();
  }
}

/** The same post sends them once: what an earlier try was about to send is replaced. */
export async function saveSentRows(
  db: Db,
  { post = randomId(), at, recipient, report, what, place, people }: NewSentRows,
): Promise<void> {
  const { first, last, bits } = people;
  if (last < first) return;
  await putRow(db, 'sent_rows', {
    post,
    at,
    recipient: recipient ?? null,
    report,
    what,
    place,
    first_number: first,
    last_number: last,
    people: bits ? Buffer.from(bits).toString('base64') : null,
  });
}

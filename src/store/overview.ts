import { sql } from 'kysely';
import type { AskedDetails } from '../access/record.js';
import { ownerFailures } from '../digests/failure.js';
import { jsonMember } from './database/dialect.js';
import { rowsOf } from './database/rows.js';
import type { Db } from './database/schema.js';
import { isListed, readableDigests, unreadable } from './digests/digests.js';
import { outageOf } from './digests/outages.js';

/** In the order of the list: what needs attention first. No list shows unreadable ones. */
const healths = ['without-owner', 'failing', 'fine', 'unreadable'] as const;

/** Counts over the whole workspace, for admins. They do not say who requested what. */
export function overviewIn(db: Db) {
  /** A digest that a person paused, or that has never run, needs no attention. */
  const ranked = () =>
    rowsOf(db, 'digests', { deleted_at: null }).select(({ eb, or, selectFrom }) => {
      const newestState = selectFrom('posts')
        .select('posts.state')
        .whereRef('posts.digest', '=', 'digests.id')
        .orderBy('posts.due_at', 'desc')
        .limit(1);
      return eb
        .case()
        .when('paused_why', '=', unreadable)
        .then(healths.indexOf('unreadable'))
        .when('paused_why', '=', 'by-hand')
        .then(healths.indexOf('fine'))
        .when('paused_why', 'in', [...ownerFailures])
        .then(healths.indexOf('without-owner'))
        .when(
          or([
            eb('paused_why', 'is not', null),
            eb('failures', '>', 0),
            eb(newestState, 'in', ['failed', 'unknown']),
          ]),
        )
        .then(healths.indexOf('failing'))
        .else(healths.indexOf('fine'))
        .end()
        .as('rank');
    });

  return {
    /**
     * How often each report was asked, with its level (absent where a person of the requests was erased, or may not ask at
     * all), origin and refusal.
     *
     * @param maxRequests only the newest ones are counted
     */
    async countRequests(from: number, maxRequests: number) {
      const first = db
        .selectFrom('event_chain')
        .select(({ fn }) => fn.min('seq').as('seq'))
        .where('at', '>=', from);
      const newest = db
        .selectFrom('event_chain')
        .select(['seq', 'report'])
        .where('kind', '=', 'asked')
        .where('seq', '>=', first)
        .orderBy('seq', 'desc')
        .limit(maxRequests);
      const rows = await db
        .selectFrom(newest.as('newest'))
        .leftJoin('event_details', 'event_details.seq', 'newest.seq')
        .select(({ fn }) => [
          'newest.report',
          detail(db, 'origin').as('origin'),
          detail(db, 'level').as('level'),
          detail(db, 'refused').as('refused'),
          fn.countAll<number>().as('count'),
        ])
        .groupBy(['newest.report', detail(db, 'origin'), detail(db, 'level'), detail(db, 'refused')])
        .execute();
      return rows.map(({ origin, level, refused, ...counted }) => ({
        ...counted,
        origin: (origin ?? undefined) as AskedDetails['origin'] | undefined,
        level: (level ?? undefined) as AskedDetails['level'] | undefined,
        refused: refused ?? undefined,
      }));
    },

    /** How many digests there are of each health. `without-owner`: with one who may not run them. */
    async countDigests() {
      const rows = await db
        .selectFrom(ranked().as('ranked'))
        .select(['rank', ({ fn }) => fn.countAll<number>().as('count')])
        .groupBy('rank')
        .orderBy('rank')
        .execute();
      return rows.map(({ rank, count }) => ({ health: healths[rank] ?? 'fine', count }));
    },

    /** Digests without a valid owner first, then failing ones, then those of the person `first`, each oldest first. */
    async findDigests(first: string, limit: number, from: number) {
      const page = ranked()
        .selectAll('digests')
        .where(isListed)
        .orderBy('rank')
        .orderBy(({ eb }) => eb.case().when('owner', '=', first).then(0).else(1).end())
        .orderBy('created_at')
        .orderBy('id');
      return readableDigests(await page.limit(limit).offset(from).execute());
    },

    /** How many people own at least `count` digests. */
    async countOwnersOf(count: number) {
      const owners = rowsOf(db, 'digests', { deleted_at: null }).where(isListed).select('owner');
      return (await owners.groupBy('owner').having(sql`count(*)`, '>=', count).execute()).length;
    },

    /** How many conversations have at least `count` saved reports. */
    async countConversationsWith(count: number) {
      const channels = rowsOf(db, 'saved_reports', { deleted_at: null }).select('channel');
      return (await channels.groupBy('channel').having(sql`count(*)`, '>=', count).execute()).length;
    },

    /** Outages that last (without `endedAt`), or ended after `from`; newest first. */
    async recentOutages(from: number, limit: number) {
      const rows = await db
        .selectFrom('digest_outages')
        .selectAll()
        .where(({ eb, or }) => or([eb('ended_at', 'is', null), eb('ended_at', '>=', from)]))
        .orderBy('since', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row) => ({ ...outageOf(row), endedAt: row.ended_at ?? undefined }));
    },
  };
}

/** A member of an event's details. They are null for erased people, and no JSON where they were changed by hand. */
function detail(db: Db, member: keyof AskedDetails) {
  return jsonMember(db, 'event_details.details', member);
}

import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { reportNamed } from '../../catalogue/index.js';
import { refersToAsker } from '../../requests/request.js';
import { rangesOf } from '../../requests/request-defaults.js';
import type { LastFigures, LastFiguresKey } from '../../runner/ports.js';
import type { Tables } from '../database.js';
import { hashOfPerson, peopleIn } from './people-in-requests.js';

export function lastFiguresIn(db: Kysely<Tables>): LastFigures {
  return {
    async find(of) {
      const row = await db
        .selectFrom('last_figures')
        .select(['figures', 'taken_at'])
        .where('figures_of', '=', hashOf(of))
        .executeTakeFirst();
      return row && { figures: JSON.parse(row.figures), takenAt: row.taken_at, of: of.run.kind };
    },

    async save(of, figures, takenAt) {
      const kept = {
        figures: JSON.stringify(figures),
        taken_at: takenAt,
        people: peopleIn(of.request, [of.asker, of.scope.address ?? '']),
      };
      await db
        .insertInto('last_figures')
        .values({ figures_of: hashOf(of), ...kept })
        .onConflict((conflict) => conflict.column('figures_of').doUpdateSet(kept))
        .execute();
    },

    async deleteBefore(time, limit) {
      const old = db
        .selectFrom('last_figures')
        .select('figures_of')
        .where('taken_at', '<', time)
        .limit(limit);
      const { numDeletedRows } = await db
        .deleteFrom('last_figures')
        .where('figures_of', 'in', old)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

/** Ignores what does not change the figures: columns, sorting, rows, the file and where the answer goes. */
function hashOf({ run, asker, request, scope }: LastFiguresKey): string {
  const { view, filters, states, titles, assigned } = request;
  const report = reportNamed(request.report);
  // Requests without views, states and titles keep the hash of earlier versions, so that their last figures are found.
  const asked = Object.entries({
    dateField: request.dateField ?? report.dateField?.defaultFlag,
    filters,
    overdueOnly: view === 'overdue',
    range: rangesOf(request).shown?.words,
    report: request.report,
  });
  const newer = {
    view: view === 'due' ? view : undefined,
    states,
    titles: titles?.map(({ option, id }) => [option, id]),
    assigned,
  };
  const more = Object.values(newer).some((value) => value !== undefined) ? [newer] : [];
  const limits = [scope.rows, scope.address, scope.smallestGroup];
  const whose = run.kind === 'asker' || refersToAsker(request) ? asker : null;
  return createHash('sha256')
    .update(
      JSON.stringify([run.kind, run.kind === 'asker' ? run.channel : run.id, whose, asked, limits, ...more]),
    )
    .digest('hex');
}

/**
 * Deletes the figures of a person and about them. Figures of earlier versions do not tell whose they are, so they go too.
 *
 * @param person a Slack user ID or an e-mail address
 * @returns how many
 */
export async function eraseFromFigures(trx: Kysely<Tables>, person: string): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('last_figures')
    .where(({ eb, or }) =>
      or([eb('people', 'is', null), sql<boolean>`people LIKE ${`%${hashOfPerson(person)}%`}`]),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

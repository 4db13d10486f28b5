import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { FiguresResult } from '../figures/plan.js';
import { meansTheAsker } from '../reports/question.js';
import type { ReportRequest } from '../reports/request.js';
import type { Tables } from './tables.js';

/** Whose figures: a request as it was asked in a channel. */
export interface FiguresOf {
  readonly channel: string;
  readonly asker: string;
  readonly request: ReportRequest;
}

/** The figures that a channel last got for a request, to show a change where a report has no period before. */
export interface LastFigures {
  find(of: FiguresOf): Promise<{ readonly figures: FiguresResult; readonly takenAt: number } | undefined>;
  /** Keeps figures in place of those from before. */
  keep(of: FiguresOf, figures: FiguresResult, takenAt: number): Promise<void>;
  /** Deletes at most `limit` of those taken before a time. Returns how many. */
  forgetBefore(time: number, limit: number): Promise<number>;
}

export function lastFiguresIn(db: Kysely<Tables>): LastFigures {
  return {
    async find(of) {
      const row = await db
        .selectFrom('last_figures')
        .select(['figures', 'taken_at'])
        .where('figures_of', '=', hashOf(of))
        .executeTakeFirst();
      return row && { figures: JSON.parse(row.figures), takenAt: row.taken_at };
    },

    async keep(of, figures, takenAt) {
      const kept = { figures: JSON.stringify(figures), taken_at: takenAt };
      await db
        .insertInto('last_figures')
        .values({ figures_of: hashOf(of), ...kept })
        .onConflict((conflict) => conflict.column('figures_of').doUpdateSet(kept))
        .execute();
    },

    async forgetBefore(time, limit) {
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

/** Equal for requests that ask for the same figures, whatever file they want and wherever the answer goes. */
function hashOf({ channel, asker, request }: FiguresOf): string {
  const { report, overdueOnly, by, filters } = request;
  const whose = meansTheAsker(request) ? asker : null;
  return createHash('sha256')
    .update(JSON.stringify([channel, report, overdueOnly, by ?? null, filters, whose]))
    .digest('hex');
}

import type { FigureNumbers, LastRun } from '../../figures/changes.js';
import { refersToAsker } from '../../requests/request.js';
import { asksForOpen, hasDueRange, queriedDate, rangesOf } from '../../requests/request-defaults.js';
import type { LastFiguresKey } from '../../runner/ports.js';
import type { RecordKey } from '../record-key.js';
import { deleteRows, putRow, rowsOf } from '../rows.js';
import type { Db } from '../schema.js';
import { peopleIn } from './people-in-requests.js';

export function lastFiguresIn(db: Db, key: RecordKey) {
  return {
    async find(of: LastFiguresKey): Promise<LastRun | undefined> {
      const kept = rowsOf(db, 'last_figures', { figures_of: hashOf(key, of) });
      const row = await kept.select(['figures', 'taken_at']).executeTakeFirst();
      return row && { figures: JSON.parse(row.figures), takenAt: row.taken_at, of: of.run.kind };
    },

    save: (of: LastFiguresKey, figures: FigureNumbers, takenAt: number) =>
      putRow(db, 'last_figures', {
        figures_of: hashOf(key, of),
        figures: JSON.stringify(figures),
        taken_at: takenAt,
        kept_with: of.run.kind === 'asker' ? null : of.run.id,
        people: peopleIn(key, of.request, [of.asker, of.scope.address ?? '']),
      }),

    /**
     * Deletes at most `limit` figures: those of requests by hand that were taken before a time, and those whose digest or
     * saved report is gone. Returns how many.
     */
    deleteBefore(time: number, limit: number) {
      const digests = db.selectFrom('digests').select('id');
      const saved = db.selectFrom('saved_reports').select('id');
      const old = db
        .selectFrom('last_figures')
        .select('figures_of')
        .where(({ eb, or, and }) =>
          or([
            and([eb('kept_with', 'is', null), eb('taken_at', '<', time)]),
            and([eb('kept_with', 'not in', digests), eb('kept_with', 'not in', saved)]),
          ]),
        )
        .limit(limit);
      return deleteRows(db, 'last_figures', { figures_of: old });
    },
  };
}

/** Ignores what does not change the figures: columns, sorting, rows, the file and where the answer goes. */
function hashOf(key: RecordKey, { run, asker, request, scope }: LastFiguresKey): string {
  const { view, filters, states, titles, assigned } = request;
  // Requests without views, states and titles have the hash of earlier versions, so that their last figures are found.
  const asked = Object.entries({
    dateField: queriedDate(request),
    filters,
    overdueOnly: view === 'overdue',
    range: rangesOf(request).shown?.words,
    report: request.report,
  });
  const newer = {
    view: hasDueRange(request) ? view : undefined,
    leavesOutSuspended: view === undefined && asksForOpen(request) ? true : undefined,
    states,
    titles: titles?.map(({ option, id }) => [option, id]),
    assigned,
  };
  const more = Object.values(newer).some((value) => value !== undefined) ? [newer] : [];
  const limits = [scope.rows, scope.address, scope.smallestGroup];
  const whose = run.kind === 'asker' || refersToAsker(request) ? asker : null;
  const of = run.kind === 'asker' ? run.channel : run.id;
  return key.hash('figures', JSON.stringify([run.kind, of, whose, asked, limits, ...more]));
}

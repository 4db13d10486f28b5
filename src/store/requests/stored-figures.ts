import type { ScopeLimits } from '../../access/scope.js';
import { isPersonLevelFilter, reportNamed } from '../../catalogue/index.js';
import type { FigureNumbers, LastRun } from '../../figures/summary/changes.js';
import {
  asksForOpen,
  hasDueRange,
  queriedDate,
  type ReportRequest,
  rangesOf,
  refersToAsker,
  requestsIn,
} from '../../requests/request.js';
import { conditionIsPersonLevel } from '../../requests/row-conditions.js';
import type { AnswerForButtons, KeptAnswer } from '../../runner/answer-parts.js';
import type { LastFiguresKey } from '../../runner/ports.js';
import type { RecordKey } from '../access/event-chain.js';
import { changeRows, deleteRows, inTransaction, putRow, rowsOf } from '../database/rows.js';
import type { Db, Trx } from '../database/schema.js';
import { preparedQuery } from '../database/workspace.js';
import { wasErased } from '../posts/posts.js';

/* The figures of answers: the last ones of each request, for its changes, and totals for the buttons of an answer. */

const figuresOf = preparedQuery((db, which: { readonly figures_of: string }) =>
  rowsOf(db, 'last_figures', which).select(['figures', 'taken_at']),
);

export function lastFiguresIn(db: Db, key: RecordKey) {
  return {
    async find(of: LastFiguresKey): Promise<LastRun | undefined> {
      const [row] = (await figuresOf(db, { figures_of: hashOfFigures(key, of) })).rows;
      return row && { figures: JSON.parse(row.figures), takenAt: row.taken_at, of: of.run.kind };
    },

    save: (of: LastFiguresKey, figures: FigureNumbers, takenAt: number) =>
      putRow(db, 'last_figures', {
        figures_of: hashOfFigures(key, of),
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
export function hashOfFigures(key: RecordKey, { run, asker, request, scope }: LastFiguresKey): string {
  const limits = [scope.rows, scope.address, scope.smallestGroup];
  const whose = run.kind === 'asker' || refersToAsker(request) ? asker : null;
  const of = run.kind === 'asker' ? run.channel : run.id;
  return key.hash('figures', JSON.stringify([run.kind, of, whose, countedBy(request), limits]));
}

/** The parts of a request that change its figures. */
export function countedBy(request: ReportRequest) {
  const { view, filters, conditions, states, titles, assigned } = request;
  return {
    dateField: queriedDate(request),
    filters,
    conditions,
    overdueOnly: view === 'overdue',
    range: rangesOf(request).shown?.words,
    over: request.over,
    report: request.report,
    view: hasDueRange(request) ? view : undefined,
    leavesOutSuspended: view === undefined && asksForOpen(request),
    states,
    titles: titles?.map(({ option, id }) => [option, id]),
    assigned,
  };
}

export function answerTotalsIn(db: Db, key: RecordKey) {
  return {
    /**
     * Stores an answer, unless an erasure ended its post.
     *
     * @param id of the request
     * @param post of the answer, or of the digest's run
     */
    keep: (id: string, post: string, kept: KeptAnswer, at: number) =>
      inTransaction(db, async (trx) => {
        if (await wasErased(trx, post)) return;
        await saveForButtons(trx, key, id, { range: undefined, kept, at });
      }),

    /**
     * Replaces the totals of an answer once its changes are known. Returns false once an erasure has ended the request.
     *
     * @param totals absent where none are stored
     */
    addChanges: (id: string, totals: KeptAnswer['totals']) =>
      inTransaction(db, async (trx) => {
        if (await wasErased(trx, id)) return false;
        // Where an erasure has deleted the totals, none are stored again.
        if (totals)
          await changeRows(trx, 'answer_totals', { request: id }, { totals: JSON.stringify(totals) });
        return true;
      }),

    async find(id: string): Promise<StoredTotals | undefined> {
      const row = await db
        .selectFrom('requests')
        .leftJoin('answer_totals', 'answer_totals.request', 'requests.id')
        .select(['requests.scope', 'answer_totals.totals'])
        .where('requests.id', '=', id)
        .executeTakeFirst();
      if (!row) return undefined;
      const totals = parsed(row.totals);
      const isScorecard = totals !== undefined && 'lines' in totals;
      return { scope: parsed(row.scope), ...(isScorecard ? { scorecard: totals } : { totals }) };
    },
  };
}

interface StoredTotals extends Partial<Pick<KeptAnswer, 'totals' | 'scorecard'>> {
  readonly scope?: ScopeLimits;
}

/** @param id of the request, in a transaction that an erasure of its post has not preceded */
export async function saveForButtons(
  trx: Trx,
  key: RecordKey,
  id: string,
  { range, kept, at }: AnswerForButtons,
): Promise<void> {
  const { address, ...limits } = kept?.scope ?? {};
  const columns = {
    range: range && JSON.stringify(range),
    scope: kept && JSON.stringify(limits),
  };
  if (range || kept) await changeRows(trx, 'requests', { id }, columns);
  const totals = kept?.totals ?? kept?.scorecard;
  if (!kept || !totals) return;
  const people = peopleIn(key, kept.request, [kept.asker, address ?? '']);
  await putRow(trx, 'answer_totals', {
    request: id,
    totals: JSON.stringify(totals),
    people,
    kept_at: at,
  });
}

function parsed(text: string | null) {
  return text === null ? undefined : JSON.parse(text);
}

/**
 * Whom a request names in its filters, and whose it is: hashes with the key of the record, so that no
 * address is stored or can be guessed, and a person's rows are found.
 *
 * @param owners Slack user IDs and e-mail addresses
 */
function peopleIn(key: RecordKey, request: ReportRequest, owners: readonly string[]): string {
  const people = new Set<string>();
  for (const owner of owners) people.add(hashOfPerson(key, owner));
  for (const { report: name, filters, conditions = [] } of requestsIn(request)) {
    const report = reportNamed(name);
    for (const filter of filters) {
      if (!isPersonLevelFilter(report, filter)) continue;
      for (const entry of filter.entries) people.add(hashOfPerson(key, entry));
    }
    for (const condition of conditions) {
      if (!conditionIsPersonLevel(report, condition)) continue;
      for (const value of condition.values) people.add(hashOfPerson(key, value));
    }
  }
  return [...people].join(' ');
}

/** @param person a Slack user ID or an e-mail address */
export function hashOfPerson(key: RecordKey, person: string): string {
  return key.hash('person', person.trim().toLowerCase()).slice(0, 16);
}

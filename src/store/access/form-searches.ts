import { type Clock, repeatedBy } from '../../time/clock.js';
import { deleteRows, inTransaction, is, putRow, rowsOf } from '../database/rows.js';
import type { Db, Tables, Trx } from '../database/schema.js';
import { appendEvent, type RecordKey } from './event-chain.js';

/** What a person typed into a field of an open form that suggests titles or names. */
type FormSearch = Omit<Tables['form_searches'], 'typed_at'>;

const maxTextLength = 500;

/** Searches that one transaction appends, so that others need not wait long. */
const batchSize = 50;

/**
 * Searches in open forms. Each key asks for suggestions, and the record gets one event for each form and field, with the
 * last text. Until then, the text waits here.
 */
export function formSearchesIn(db: Db, now: () => number, key: RecordKey) {
  async function recordSome(
    trx: Trx,
    which: { readonly form: string } | { readonly before: number },
  ): Promise<boolean> {
    const found = rowsOf(trx, 'form_searches', 'form' in which ? which : { typed_at: is('<', which.before) });
    const due = await found.selectAll().orderBy('typed_at').orderBy('field').limit(batchSize).execute();
    for (const { form, field, person, place, report, content } of due) {
      await deleteRows(trx, 'form_searches', { form, field });
      const details = { field, text: content };
      await appendEvent(trx, key, { kind: 'searched', at: now(), person, place, report, details });
    }
    return due.length === batchSize;
  }

  return {
    /** Takes the place of what was typed into the field before. */
    note: (search: FormSearch, at: number) =>
      putRow(db, 'form_searches', {
        ...search,
        content: search.content.slice(0, maxTextLength),
        // The ID of direct messages would tell whose they are.
        place: search.place.startsWith('D') ? 'direct' : search.place,
        typed_at: at,
      }),

    /** Appends those of a form, or those typed before a time, to the record. Each is appended once. */
    async record(which: { readonly form: string } | { readonly before: number }) {
      // Usually there are none, and a transaction would be in the way of others.
      const any = await db.selectFrom('form_searches').select('form').limit(1).executeTakeFirst();
      if (!any) return;
      while (await inTransaction(db, (trx) => recordSome(trx, which)));
    },
  };
}

/** A field in which no one has typed for this long has its last text. */
const quietMs = 60_000;
const checkEveryMs = 15_000;

/** Records searches whose form was left open or closed. Returns a function that stops it. */
export function startRecordingSearches(
  { formSearches }: { readonly formSearches: ReturnType<typeof formSearchesIn> },
  clock: Clock,
  log: { warn(details: object, message: string): void },
): () => Promise<void> {
  const record = () => formSearches.record({ before: clock.now() - quietMs });
  return repeatedBy(clock, checkEveryMs, record, (err) =>
    log.warn({ err }, 'Searches in forms could not be recorded yet'),
  );
}

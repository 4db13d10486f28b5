import { checkSavedName } from '../../requests/saved-names.js';
import { quotable } from '../../requests/problem.js';
import { sayProblem } from '../../requests/problem-messages.js';
import { sayRangeRefusal } from '../../requests/words-for-ranges.js';
import { isRefused, resolveRange } from '../../requests/date-range.js';
import { reportFor } from '../../requests/report-for.js';
import type { ReportRequest } from '../../requests/request.js';
import type { SavedReport } from '../../store/saved-reports/saved-reports.js';
import type { ListenerParts } from '../listeners/context.js';

type KeepParts = Pick<ListenerParts, 'store' | 'clock'>;

/** A name as it is kept, or one sentence on why it cannot be one. */
export function nameTyped(typed: string): { readonly name: string } | { readonly refused: string } {
  const checked = checkSavedName(typed);
  if ('name' in checked) return checked;
  const word = quotable(typed.trim());
  return { refused: sayProblem({ kind: 'saved-name', word, refused: checked.refused }) };
}

/**
 * Why no run of a request could have its range, as things are; undefined where one can.
 *
 * @param zone the IANA zone of whoever saves it
 */
export function whyNoSuchRange(
  request: ReportRequest,
  zone: string,
  { clock, weekStart }: Pick<ListenerParts, 'clock' | 'weekStart'>,
): string | undefined {
  if (request.range === undefined) return undefined;
  const report = reportFor(request);
  const range = resolveRange(request.range, report, clock.now(), zone, weekStart);
  // A range that is empty at this moment, such as this week at its first second, has something in it later.
  if (!isRefused(range) || range.refused === 'empty') return undefined;
  return `I can't use “${request.range}”. ${sayRangeRefusal(range.refused, report.name)}`;
}

/** Keeps a request under a name, or says why it cannot. */
export async function keepReport(
  kept: { readonly channel: string; readonly name: string; readonly request: ReportRequest },
  user: string,
  { store, clock }: KeepParts,
): Promise<{ readonly saved: SavedReport } | { readonly refused: string }> {
  const made = await store.savedReports.save({ ...kept, madeBy: user }, clock.now());
  const saved = made === 'taken' ? undefined : await store.savedReports.find(made.id);
  return saved ? { saved } : { refused: nameTaken(kept.name) };
}

export function nameTaken(name: string): string {
  return `There is a saved report “${name}” there already. Choose another name, or delete or rename that one first.`;
}

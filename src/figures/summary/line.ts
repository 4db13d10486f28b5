import { compact } from '../../requests/text.js';
import { changesById, formatChange, fromYearBefore } from './changes.js';
import { formatFinding } from './finding.js';
import { formatFilters, formatLimit, type Reader, type ResultWithFigures } from './request.js';
import { withComparable } from './summary.js';
import { formatShortTarget } from './target.js';

/** An answer as one line of a scorecard, in parts without full stops. */
export interface FormattedLine {
  /** `Engagement last week, Departments: Sales` */
  readonly subject: string;
  /** `41% active (165 of 400)` */
  readonly finding: string;
  /** `▲ 11 points`, `▲ 11 points from a year before`, `track enrolments: ▼ 24%`; absent: there is none. */
  readonly change?: string | undefined;
  /** `13 points to 95% by 31 Dec 2026`; absent: it has no target. */
  readonly target?: string | undefined;
}

export function formatLine(given: ResultWithFigures, reader: Reader): FormattedLine {
  const result = withComparable(given);
  const { figures, before, lastRun } = result;
  const changes = changesById(figures, {
    periodBefore: typeof before === 'object' ? before.figures : undefined,
    lastRun: lastRun?.figures,
  });
  // The change has a place of its own.
  const { subject, claim, says } = formatFinding(result, reader, new Map());
  // Where it is not that of the first number, it is named: a rate without a change may have one of its rows.
  const changed = figures.figures.find(({ id }) => id === says.find((one) => changes.has(one)));
  const label = changed && changed.id !== says[0] && changed.label.toLowerCase();
  const change = changes.get(changed?.id ?? '');
  const short = change && formatChange(change).short;
  const isOfYear = result.request.against && changed?.compared !== 'last-run';
  const limit = formatLimit(result.scope, reader.isOwner ? 'owner' : 'you');
  return {
    subject: compact(subject, limit, formatFilters(result, reader)).join(', '),
    finding: claim,
    change: short && compact(label, isOfYear ? fromYearBefore(short) : short).join(': '),
    target: formatShortTarget(result),
  };
}

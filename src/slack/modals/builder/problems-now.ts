import { reportNamed } from '../../../catalogue/index.js';
import { sayRangeRefusal } from '../../../requests/words-for-ranges.js';
import { isRefused, resolveRange } from '../../../requests/date-range.js';
import { reportFor } from '../../../requests/report-for.js';
import type { Asker, ReportRequest, WeekStart } from '../../../requests/request.js';
import { entryMeansAsker } from '../../../runner/query.js';
import { inputNames } from './input-names.js';
import type { Problem } from './problem.js';
import { rangeInput } from './ranges.js';
import { type BuilderState, entriesOf } from './state.js';

/**
 * What stands in the way of running the request for this person at this moment: a range that is empty or has not begun,
 * or a `me` of whom Slack gives no address.
 *
 * @param now milliseconds since the epoch
 */
export function problemsNow(
  state: BuilderState,
  request: ReportRequest,
  asker: Asker,
  now: number,
  weekStart: WeekStart,
): readonly Problem[] {
  const report = reportFor(request);
  const words = request.range ?? report.range?.byDefault;
  const range = words === undefined ? undefined : resolveRange(words, report, now, asker.zone, weekStart);
  const refused =
    range && isRefused(range)
      ? [{ input: rangeInput(state.range, report), sentence: sayRangeRefusal(range.refused, report.name) }]
      : [];
  return [...refused, ...(asker.email ? [] : nameless(state, request))];
}

function nameless(state: BuilderState, request: ReportRequest): readonly Problem[] {
  const report = reportNamed(request.report);
  return request.filters.flatMap(({ object, member, entries }) => {
    const prefix = report.filters.find(({ name }) => name === object)?.prefix;
    if (!entries.some((entry) => entryMeansAsker(member, entry))) return [];
    const name = `${prefix}.${member}`;
    const chosen = entriesOf(state, name).entries.some((entry) => entryMeansAsker(member, entry));
    const input = chosen ? inputNames.entries(name) : inputNames.list(name);
    const sentence = 'Slack does not tell me your e-mail address, so “me” means nobody. Write the address.';
    return [{ input, sentence }];
  });
}

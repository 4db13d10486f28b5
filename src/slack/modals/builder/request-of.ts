import type { Report } from '../../../catalogue/index.js';
import { checkEntry } from '../../../requests/quote-entry.js';
import { quotable } from '../../../requests/problem.js';
import { anyEntry } from '../../../requests/report-for.js';
import type { FilterChoice, ReportRequest } from '../../../requests/request.js';
import { type BuilderFilter, filtersOfReport } from './filters.js';
import { inputNames } from './input-names.js';
import type { Problem } from './problem.js';
import { rangeIn } from './ranges.js';
import { type BuilderState, entriesOf, ofReport, reportInForm } from './state.js';

/** The request that the builder asks for, or what stands in its way, by input. */
export function requestOf(
  state: BuilderState,
): { readonly request: ReportRequest } | { readonly problems: readonly Problem[] } {
  const report = reportInForm(state);
  const range = rangeIn(state.range, report);
  const filters = filtersIn(state, report);
  const problems = [...('problems' in range ? range.problems : []), ...filters.problems];
  if (problems.length > 0) return { problems };
  const { dateField, sort, by, columns } = ofReport(state);
  return {
    request: {
      report: state.report,
      overdueOnly: state.overdueOnly,
      ...range,
      ...(dateField === undefined ? {} : { dateField }),
      ...(sort === undefined ? {} : { sort }),
      ...(columns === undefined || columns.length === 0 ? {} : { columns }),
      filters: filters.choices,
      ...(by === undefined ? {} : { by }),
      csv: state.csv,
      toMe: state.where === 'me',
    },
  };
}

function filtersIn(state: BuilderState, report: Report) {
  const choices: FilterChoice[] = [];
  const problems: Problem[] = [];
  for (const filter of filtersOfReport(report)) {
    const read = readEntries(filter, state);
    problems.push(...read.problems);
    if (read.entries.length === 0) continue;
    // Chosen while the form was about overdue assignments, and nothing elsewhere.
    if (!state.overdueOnly && filter.member.kind === 'yes-no' && read.entries.includes(anyEntry)) continue;
    choices.push({ object: filter.object.name, member: filter.member.name, entries: read.entries });
  }
  return { choices, problems };
}

/** The chosen entries and then those of the list, each once. */
function readEntries({ name }: BuilderFilter, state: BuilderState) {
  const { entries: chosen, text } = entriesOf(state, name);
  const written = state.lists.includes(name) ? text.split(/\r?\n/) : [];
  const entries = new Set<string>();
  const problems: Problem[] = [];
  const take = (typed: string, input: string) => {
    const checked = checkEntry(typed);
    if ('entry' in checked) entries.add(checked.entry);
    else if (checked.refused === 'comma') problems.push({ input, sentence: sayComma(typed) });
  };
  for (const entry of chosen) take(entry, inputNames.entries(name));
  for (const line of written) take(line, inputNames.list(name));
  return { entries: [...entries], problems: problems.slice(0, 1) };
}

function sayComma(typed: string): string {
  return `“${quotable(typed)}” has a comma in it, and the service would read two entries. Leave it out, or write two entries.`;
}

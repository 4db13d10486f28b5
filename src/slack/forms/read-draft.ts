import { allReports, fieldOf, type Report, reportNamed } from '../../catalogue/index.js';
import { ok, type Result, refused } from '../../errors/failure.js';
import { resolveRange } from '../../requests/date-range.js';
import { joinWords } from '../../requests/join-words.js';
import { quoteTypedWord } from '../../requests/problem.js';
import { emptyViewSentence, rangeRefusalText } from '../../requests/problem-messages.js';
import {
  type Asker,
  anyEntry,
  asksForOpen,
  emptyView,
  entryRefersToAsker,
  evidenceRefusal,
  type FilterChoice,
  fileFormats,
  ownRangeOfEvidence,
  type RangeOfRequest,
  type ReportRequest,
  rangesOf,
  reportForRequest,
} from '../../requests/request.js';
import { formatTarget } from '../../requests/target.js';
import { compact } from '../../requests/text.js';
import { validateEntry } from '../../requests/tokens.js';
import type { WeekStart } from '../../time/calendar.js';
import { columnsBlock, columnsIn, pickedColumns } from './columns.js';
import { conditionsIn, conditionValues } from './conditions.js';
import {
  type BuilderDraft,
  choiceIn,
  type InputProblems,
  inputNames,
  inputProblem,
  orAbsent,
  reportChoices,
  reportInForm,
  viewChoices,
} from './draft.js';
import {
  type BuilderFilter,
  entriesFromChips,
  entriesInRequest,
  entriesName,
  entriesOf,
  filtersOfReport,
  hasList,
  pickedLists,
} from './filters.js';
import { validPurpose } from './forms.js';
import { type FormValues, type InputProblem, type InputValue, listIn, readInputs, textIn } from './inputs.js';
import { overTimeIn, overTimeValues } from './over-time.js';
import {
  parseRange,
  type Refuse,
  rangeIn,
  rangeInput,
  rangeMenu,
  rangeValues,
  takesAssigned,
} from './ranges.js';
import { targetIn, targetProblems } from './target.js';
import { pickedTitles, titleOptionOf, titlesIn, titleValue } from './which-rows.js';

/** The values of a form that describes this request. The catalogue must have all its fields. */
export function valuesOf(request: ReportRequest): FormValues {
  const { report: name, titles = [] } = request;
  const report = reportNamed(name);
  const entries = filtersOfReport(report).map(
    (filter) => [entriesName(filter), entriesInRequest(filter, request)] as const,
  );
  const titleInputs = report.titleFilters.map(({ option }) => {
    const chosen = titles.filter((title) => title.option === option);
    return [inputNames.titles(option, name), chosen.map(titleValue)] as const;
  });
  return {
    [inputNames.report]: request.view ?? name,
    ...rangeValues(request.range, reportForRequest(request)),
    ...overTimeValues(request),
    [inputNames.assigned]: request.assigned,
    [inputNames.dateField(name)]: request.dateField,
    [inputNames.sort(name)]: request.sort,
    [inputNames.by(name)]: request.by,
    [inputNames.columns(name)]: request.columns,
    [inputNames.states(name)]: request.states,
    ...Object.fromEntries([...entries, ...titleInputs]),
    [inputNames.target]: request.target && formatTarget(request.target),
    ...conditionValues(report, request.conditions),
    [inputNames.rows]: request.showRows && 'yes',
    [inputNames.file]: request.file,
    [inputNames.fileFor]: request.purpose,
    [inputNames.where]: request.toMe ? 'me' : 'here',
  };
}

/** The values of a builder in Slack. Titles come with their text, since only the options of the form have it. */
export function readFormValues(values: Parameters<typeof readInputs>[0]): FormValues {
  return readInputs(values, (block, { selected_options: chosen }) =>
    titleOptionOf(block)
      ? (chosen ?? []).flatMap(({ value: id, text: { text } }) => (id ? titleValue({ id, text }) : []))
      : undefined,
  );
}

/** The draft with the current values of the form. Blocks that the form has replaced since are left out. */
export function withFormValues(draft: BuilderDraft, form: FormValues): BuilderDraft {
  const read = Object.entries(form).flatMap(([block, value]) => readInput(block, value ?? null, draft));
  return { ...draft, values: { ...draft.values, ...Object.fromEntries(read) } };
}

/** The name of an input, and its value where the draft is needed to understand it. */
function readInput(
  block: string,
  value: InputValue,
  draft: BuilderDraft,
): readonly (readonly [string, InputValue | undefined])[] {
  const [kind = '', about = ''] = block.split(':');
  const several = [value ?? []].flat();
  const before = listIn(draft.values, block);
  switch (kind) {
    case inputNames.report:
      return [...viewChoices, ...allReports.map(({ name }) => name)].some((name) => name === value)
        ? [[block, value]]
        : [];
    case inputNames.range:
      return block === rangeMenu(reportInForm(draft)) ? [[kind, value]] : [];
    case inputNames.lists: {
      const lists = listIn(draft.values, kind);
      return [[kind, pickedLists(several, lists, reportNamed(reportChoices(draft).report))]];
    }
    case 'entries':
      return [[block, entriesFromChips(several, before, draft.offered?.[about] ?? [])]];
    case 'columns':
      return allReports.flatMap((report) => {
        const name = inputNames.columns(report.name);
        const isCurrent = block === columnsBlock(report.name, draft);
        return isCurrent ? [[name, pickedColumns(several, columnsIn(draft, report), report)]] : [];
      });
    default:
      return [[block, titleOptionOf(block) ? pickedTitles(several, before) : value]];
  }
}

/**
 * The draft with the values that the form had at a time, unless the draft already has later ones. Actions arrive over
 * several connections, so a later one can arrive first. Each action carries the whole form.
 *
 * @param at Slack's time of the action, in seconds
 */
export function withFormValuesAt(at: number, draft: BuilderDraft, form: FormValues): BuilderDraft {
  return at < (draft.knownAt ?? 0) ? draft : { ...withFormValues(draft, form), knownAt: at };
}

export function requestIn(draft: BuilderDraft): Result<ReportRequest, InputProblems> {
  const { values } = draft;
  const choices = reportChoices(draft);
  const report = reportNamed(choices.report);
  const columns = columnsIn(draft, report) ?? [];
  const problems: InputProblem[] = [];
  const refuse: Refuse = (input, sentence) => void problems.push({ input, sentence });
  const overTime = overTimeIn(draft, refuse);
  const hasRows = overTime.over === undefined;
  const request: ReportRequest = {
    ...choices,
    range: rangeIn(draft, refuse),
    ...overTime,
    assigned: assignedIn(draft, refuse),
    titles: titlesIn(draft, report),
    // The range of `due` is about due dates, whatever the report's own range was about before.
    dateField: choices.view === 'due' ? undefined : choices.dateField,
    sort: report.sorts.find((sort) => sort === choiceIn(draft, inputNames.sort(report.name))),
    columns: hasRows ? orAbsent(columns.filter((flag) => fieldOf(report, flag))) : undefined,
    filters: filtersIn(draft, report, refuse),
    conditions: orAbsent(conditionsIn(draft, report, refuse)),
    by: hasRows ? fieldOf(report, choiceIn(draft, inputNames.by(report.name)))?.flag : undefined,
    target: hasRows ? targetIn(draft, refuse) : undefined,
    showRows: (hasRows && textIn(values, inputNames.rows) === 'yes') || undefined,
    file: fileFormats.find((format) => format === textIn(values, inputNames.file)),
    purpose: purposeIn(draft, refuse),
    toMe: textIn(values, inputNames.where) === 'me',
  };
  const empty = emptyView(request);
  if (empty && request.view) {
    const chosen = report.states.filter(({ name }) => request.states?.includes(name));
    const quoted = joinWords(chosen.map(({ label }) => `“${label}”`));
    refuse(inputNames.states(report.name), emptyViewSentence({ reason: empty, view: request.view }, quoted));
  }
  const withRange = withRangeForEvidence(request, draft, refuse);
  return problems.length > 0 ? refused(problems) : ok(withRange);
}

/** Evidence names its range: also the one that the form has by default, if it has a name. */
function withRangeForEvidence(request: ReportRequest, draft: BuilderDraft, refuse: Refuse): ReportRequest {
  const own = ownRangeOfEvidence(request);
  if (own !== undefined) return { ...request, range: own };
  const why = evidenceRefusal(request);
  if (why === 'no-range') refuse(inputNames.file, 'Evidence is about a range, and this report has none.');
  if (why === 'range-missing') refuse(rangeInput(draft), 'Evidence needs a range. Choose one.');
  return request;
}

/** What the file is for. Whether one is needed is decided when the form is submitted. */
function purposeIn({ values }: BuilderDraft, refuse: Refuse): string | undefined {
  const typed = textIn(values, inputNames.fileFor);
  if (typed.trim() === '') return undefined;
  const purpose = validPurpose(typed);
  return purpose.ok ? purpose.value : refuse(inputNames.fileFor, purpose.refusal);
}

/** The range of the assigned date, where that of the request is about due dates. */
function assignedIn(draft: BuilderDraft, refuse: Refuse): string | undefined {
  const typed = textIn(draft.values, inputNames.assigned).trim();
  if (!takesAssigned(draft) || typed === '') return undefined;
  const report = reportForRequest({ report: 'assignments', view: 'overdue' });
  return parseRange(typed, report, inputNames.assigned, refuse);
}

function filtersIn(draft: BuilderDraft, report: Report, refuse: Refuse): FilterChoice[] {
  const isOpen = asksForOpen(reportChoices(draft));
  return filtersOfReport(report).flatMap((filter) => {
    const { object, member } = filter;
    const entries = readEntries(filter, draft, refuse);
    // "Either" is a choice for open assignments only. For other requests it is the default.
    const isDefault = !isOpen && member.kind === 'yes-no' && entries.includes(anyEntry);
    return entries.length === 0 || isDefault ? [] : { object: object.name, member: member.name, entries };
  });
}

/** The chosen entries, then those of the list, without duplicates. */
function readEntries(filter: BuilderFilter, draft: BuilderDraft, refuse: Refuse) {
  const list = inputNames.list(filter.name);
  const chosen = entriesOf(filter, draft);
  const listed = hasList(filter.name, draft) ? textIn(draft.values, list).split(/\r?\n/) : [];
  const entries = new Set<string>();
  let isRefused = false;
  for (const [index, text] of [...chosen, ...listed].entries()) {
    const valid = validateEntry(text);
    if (valid.ok) entries.add(valid.value);
    else if (valid.refusal === 'comma' && !isRefused) {
      isRefused = true;
      refuse(index < chosen.length ? entriesName(filter) : list, commaProblem(text));
    }
  }
  return [...entries];
}

function commaProblem(entry: string): string {
  return `“${quoteTypedWord(entry)}” contains a comma, which separates entries. Remove the comma, or enter two entries.`;
}

/**
 * Why this person cannot run the request now: the range is empty or in the future, or a filter contains `me` and Slack
 * does not share the person's email address.
 *
 * @param now milliseconds since the epoch
 */
export function runProblems(
  draft: BuilderDraft,
  request: ReportRequest,
  asker: Asker,
  now: number,
  weekStart: WeekStart,
): InputProblems {
  const { shown, queried } = rangesOf(request);
  const problemOf = (range: RangeOfRequest | undefined, input: string): InputProblems => {
    const resolved = range && resolveRange(range.words, range.report, now, asker.zone, weekStart);
    if (!resolved || resolved.ok) return [];
    return inputProblem(input, rangeRefusalText(resolved.refusal.reason, request.report));
  };
  const isAssigned = queried === shown && request.assigned !== undefined;
  return compact(
    !isAssigned && problemOf(shown, rangeInput(draft)),
    (queried !== shown || isAssigned) && problemOf(queried, inputNames.assigned),
    targetProblems(request, asker.zone, now),
    !asker.email && problemsWithoutEmail(draft, request),
  );
}

function problemsWithoutEmail(draft: BuilderDraft, request: ReportRequest): InputProblems {
  return filtersOfReport(reportNamed(request.report)).flatMap((filter) => {
    const isMe = (entry: string) => entryRefersToAsker(filter.member.name, entry);
    if (!entriesInRequest(filter, request)?.some(isMe)) return [];
    const isChosen = entriesOf(filter, draft).some(isMe);
    return inputProblem(
      isChosen ? entriesName(filter) : inputNames.list(filter.name),
      'Slack does not share your email address, so “me” matches no person. Enter the address instead.',
    );
  });
}

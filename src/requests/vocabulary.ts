import {
  type ConditionField,
  conditionField,
  conditionFieldByName,
  conditionFieldOfMember,
  conditionFields,
  releasedField,
  titleFieldId,
} from '../catalogue/conditions.js';
import {
  allReports,
  type FilterMember,
  type FilterObject,
  type Report,
  type ReportName,
  type TitleOption,
} from '../catalogue/index.js';
import { type OverOption, overOptions } from './over-time.js';
import type { RequestView } from './request.js';

/** The subcommands, each with its syntax and its description in help. */
export const subcommands = [
  { word: 'help', syntax: 'help [report]', description: 'What can be asked, with examples' },
  {
    word: 'overdue',
    syntax: 'overdue [range] [option…]',
    description: 'Assignments that are past due and not completed, most overdue first',
  },
  {
    word: 'due',
    syntax: 'due [range] [option…]',
    description: 'Assignments that are due in the range and not completed, the soonest first',
  },
  { word: 'list', syntax: 'list', description: 'The saved reports and digests of this channel' },
  {
    word: 'save',
    syntax: 'save <name>: <report> [range] [option…]',
    description: 'Save a report without running it; <a>; <b>; <c> saves a scorecard, all in one message',
  },
  {
    word: 'schedule',
    syntax: 'schedule <report or saved name> [range] [option…] [when <condition>] <cadence> [zone]',
    description: 'Post a report here regularly; with when, only once its condition becomes true',
  },
  {
    word: 'record',
    syntax: 'record',
    description: 'In a direct message: what was asked about you, and a copy of all that I keep about you',
  },
  { word: 'access', syntax: 'access', description: 'What you may ask, and whom to ask for more' },
  {
    word: 'audit',
    syntax: 'audit [@person, #channel or report] [range]',
    description: 'The record of who asked and exported what (admins)',
  },
] as const;

export type Subcommand = (typeof subcommands)[number]['word'];

/** The subcommand that a word is, in any case. */
export function commandWord(word: string): Subcommand | undefined {
  const lower = word.toLowerCase();
  return subcommands.find((subcommand) => subcommand.word === lower)?.word;
}

/** The report that a word names, by its short name or the service's own, in any case. */
export function reportWord(word: string): ReportName | undefined {
  return reportsByWord.get(word.toLowerCase());
}

const reportsByWord: ReadonlyMap<string, ReportName> = new Map(
  allReports.flatMap(({ name, operation }) => [[name, name] as const, [operation, name] as const]),
);

/** The view that a word names, in any case. */
export function viewWord(word: string): RequestView | undefined {
  const lower = word.toLowerCase();
  return lower === 'overdue' || lower === 'due' ? lower : undefined;
}

export interface FilterOption {
  readonly kind: 'filter';
  readonly object: FilterObject;
  readonly member: FilterMember;
}

/** The meaning of an option, by the name before its colon. */
export type OptionMeaning =
  | FilterOption
  | { readonly kind: 'title'; readonly option: TitleOption }
  | {
      readonly kind:
        | 'fields'
        | 'only'
        | 'on'
        | 'sort'
        | 'by'
        | 'to'
        | 'since'
        | 'assigned'
        | 'purpose'
        | 'target';
    }
  | { readonly kind: OverOption };

/** Every option of a report, by its name in lower case, without the colon. */
export function optionsOf(report: Report): ReadonlyMap<string, OptionMeaning> {
  const known = optionsByReport.get(report.name);
  if (!known) throw new Error(`There is no report named ${report.name}`);
  return known;
}

export function reportsWithOption(name: string): readonly ReportName[] {
  return allReports.filter((report) => optionsOf(report).has(name)).map((report) => report.name);
}

/** The option of a member: its name, with the prefix of its object if a filter on learners has that name too. */
export function memberName(report: Report, object: FilterObject, member: FilterMember): string {
  const bare = optionsOf(report).get(member.name);
  return bare?.kind === 'filter' && bare.object.name === object.name
    ? member.name
    : qualifiedName(object, member);
}

const optionsByReport: ReadonlyMap<ReportName, ReadonlyMap<string, OptionMeaning>> = new Map(
  allReports.map((report) => [report.name, everyOption(report)]),
);

function everyOption(report: Report): ReadonlyMap<string, OptionMeaning> {
  const options = new Map<string, OptionMeaning>();
  if (report.range) options.set('since', { kind: 'since' });
  if (report.dateField) options.set('on', { kind: 'on' });
  if (report.dateField?.defaultFlag === 'assigned_date') options.set('assigned', { kind: 'assigned' });
  if (report.sorts.length > 0) options.set('sort', { kind: 'sort' });
  options.set('fields', { kind: 'fields' }).set('by', { kind: 'by' }).set('to', { kind: 'to' });
  options.set('purpose', { kind: 'purpose' });
  if (report.mainRate !== undefined) options.set('target', { kind: 'target' });
  if (report.range) for (const kind of overOptions) options.set(kind, { kind });
  if (report.states.length > 0) options.set('only', { kind: 'only' });
  for (const { option } of report.titleFilters) options.set(option, { kind: 'title', option });
  for (const object of report.filters) {
    for (const member of object.members) {
      const meaning: OptionMeaning = { kind: 'filter', object, member };
      // The catalogue lists the learner's filter first, so a bare name that two objects share is the learner's.
      if (!options.has(member.name)) options.set(member.name, meaning);
      options.set(qualifiedName(object, member), meaning);
    }
  }
  return options;
}

/** The field that a typed name before a colon means in a condition on rows. */
export function conditionFieldNamed(report: Report, typed: string): ConditionField | undefined {
  const name = typed.toLowerCase();
  const meaning = optionsOf(report).get(name);
  if (meaning?.kind === 'title') return conditionField(report, titleFieldId(report, meaning.option) ?? '');
  if (meaning?.kind === 'filter')
    return conditionFieldOfMember(report, meaning.object.name, meaning.member.name);
  if (meaning) return undefined;
  const [, flag = '', key = ''] = /^([a-z_]+)\.(.+)$/is.exec(typed) ?? [];
  return (
    conditionFieldByName(report, name) ??
    releasedField(report, flag.toLowerCase(), key.replace(/["“”„‟]/g, ''))
  );
}

/** Every name that means a field in a condition, in lower case. */
export function namesOfConditionField(report: Report, id: string): readonly string[] {
  const names = [...optionsOf(report).keys(), ...conditionFields(report).map(({ name }) => name), id];
  return names.filter((name) => conditionFieldNamed(report, name)?.id === id);
}

/** The reports with a field of this name, which their conditions can be about. */
export function reportsWithConditionField(name: string): readonly ReportName[] {
  return allReports.filter((report) => conditionFieldByName(report, name)).map((report) => report.name);
}

export const viewWords: readonly RequestView[] = ['overdue', 'due'];

/** The names of all reports, short and the service's own. */
export function reportWords(reports: readonly Report[] = allReports): readonly string[] {
  return [...reports.map(({ name }) => name), ...reports.map(({ operation }) => operation)];
}

/** The filters of a report, in the order of the catalogue, with their names in full, such as `user.departments`. */
export function qualifiedFilters({ name }: Report) {
  return filtersByReport.get(name) ?? [];
}

/** Made once: a report has dozens, and every command is acknowledged only after it was parsed. */
const filtersByReport = new Map(
  allReports.map((report) => [
    report.name,
    report.filters.flatMap((object) =>
      object.members.map((member) => ({ name: qualifiedName(object, member), object, member })),
    ),
  ]),
);

export function qualifiedName(object: FilterObject, member: FilterMember): string {
  return `${object.prefix}.${member.name}`;
}

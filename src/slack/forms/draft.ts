import { allReports, type ReportName, reportNamed, type TitleOption } from '../../catalogue/index.js';
import { type ReportRequest, type RequestView, reportForRequest } from '../../requests/request.js';
import type { Conversation } from '../context/request-context.js';
import type { ItemKind } from '../limits.js';
import { type FormValues, type InputProblem, listIn, textIn } from './inputs.js';

/** Actions of the builder. Each input is in a block with the same name. */
export const builderActions = {
  input: 'builder_input',
  /** The entries of a filter. Slack requests suggestions for them. */
  entries: 'builder_entries',
  /** Titles of content, tracks and the like. Slack requests suggestions for them. */
  titles: 'builder_titles',
  /** Prefix of the buttons that choose columns. */
  preset: 'builder_preset_',
  /** Shows the common filters, or all. Its value is `open` or `more`. Older forms hide them with `fewer`. */
  moreFilters: 'builder_filters',
  /** Hides the filters that are not in use. */
  fewerFilters: 'builder_fewer_filters',
  /** Adds the inputs of a condition on rows. */
  addCondition: 'builder_add_condition',
} as const;

/**
 * A builder that a person has open. Plain data that outlives a restart, and updates of Rollcall: names of inputs and
 * values must stay readable.
 */
export interface BuilderDraft {
  /** By input name, valid or not. Hidden inputs keep their values, so that switching reports loses nothing. */
  readonly values: FormValues;
  /** The filters on the form: the common ones, or all. Absent: those in use. */
  readonly filtersShown?: 'common' | 'all';
  /** How many conditions have inputs on the form, filled or not. Absent: those in use. */
  readonly conditionsShown?: number;
  /** By filter: the latest suggested entries that are too long for the value of an option. Their options hold a hash. */
  readonly offered?: Readonly<Record<string, readonly string[]>>;
  /** How often a preset has overwritten the columns in the form. */
  readonly presetsTaken?: number;
  /** What it edits, at the revision that the person saw. */
  readonly edits?: EditedItem;
  /** The preview of a digest that it edits. */
  readonly preview?: string;
  /** Sentences above the form, such as which fields of a saved request no longer exist. */
  readonly remarks?: readonly string[];
  /** Slack's time of the latest action whose values it has, in seconds. */
  readonly knownAt?: number;
  /** Absent if it was opened outside a conversation. */
  readonly here?: BuilderConversation;
}

interface EditedItem {
  readonly kind: ItemKind;
  readonly id: string;
  readonly revision: number;
}

/** The conversation of a builder, as it was when the builder was opened. */
export interface BuilderConversation extends Pick<Conversation, 'channel' | 'thread' | 'kind'> {
  /** True if answers that name people may be posted there. */
  readonly mayNamePeople: boolean;
  /** The response URL, for conversations that Rollcall is not in. */
  readonly answerUrl?: string;
  readonly at: number;
}

/**
 * The names of the builder's inputs. Slack keeps the value of an input with the same name when the form is updated. So
 * the name of an input contains the report if its choices depend on the report.
 */
export const inputNames = {
  purpose: 'purpose',
  report: 'report',
  /** The value of the menu of ranges: `usual`, `dates`, `words`, or a range. */
  range: 'range',
  firstDay: 'first-day',
  lastDay: 'last-day',
  rangeWords: 'range-words',
  over: 'over',
  figure: named('figure'),
  against: 'against',
  dateField: named('on'),
  sort: named('sort'),
  by: named('by'),
  columns: named('columns'),
  states: named('states'),
  titles: (option: TitleOption, report: ReportName) => `titles-${option}:${report}`,
  assigned: 'assigned',
  target: 'target',
  rows: 'rows',
  file: 'file',
  fileFor: 'file-for',
  where: 'where',
  channel: 'channel',
  /** Which filters have an input for a list. */
  lists: 'lists',
  entries: named('entries'),
  /** Its entries as a list, one per line. */
  list: named('list'),
  yesNo: named('yes-no'),
  condition: named('condition'),
  savedName: 'own:name',
  answersTo: 'own:answers-to',
} as const;

/** The names of an input that each report or filter has for itself. */
function named(kind: string) {
  return (reportOrFilter: string) => `${kind}:${reportOrFilter}`;
}

/** The option for "nothing chosen". Not every Slack client can clear a menu. */
export const noChoice = 'none';

export function choiceIn({ values }: BuilderDraft, name: string): string {
  return textIn(values, name) || noChoice;
}

/** The options for views of the assignments in the menu of reports. */
export const viewChoices: readonly RequestView[] = ['overdue', 'due'];

type ReportChoices = Pick<ReportRequest, 'report' | 'view' | 'dateField' | 'states'>;

/** The report, and what decides which ranges and filters it has. */
export function reportChoices(draft: BuilderDraft): ReportChoices {
  const chosen = textIn(draft.values, inputNames.report);
  const report = allReports.find(({ name }) => name === chosen) ?? reportNamed('assignments');
  const { name, dateField } = report;
  const picked = listIn(draft.values, inputNames.states(name));
  const states = report.states.map((known) => known.name).filter((known) => picked.includes(known));
  return {
    report: name,
    view: viewChoices.find((view) => view === chosen),
    dateField: dateField?.choices.find(({ flag }) => flag === choiceIn(draft, inputNames.dateField(name)))
      ?.flag,
    states: orAbsent(states),
  };
}

/** The current report, with the range that it has for the current choices. */
export const reportInForm = (draft: BuilderDraft) => reportForRequest(reportChoices(draft));

export function orAbsent<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length > 0 ? items : undefined;
}

export type InputProblems = readonly InputProblem[];

export function inputProblem(input: string, sentence: string): InputProblems {
  return [{ input, sentence }];
}

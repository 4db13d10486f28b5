import { allReports, type Report, type ReportName, reportNamed } from '../catalogue/index.js';
import { cadences } from './cadence-words.js';
import type { RequestView } from './request.js';
import { rowsOf } from './text-tables.js';
import { memberName, subcommands } from './vocabulary.js';

/** The help as data. The message in Slack and the command line render it. */
export interface Help {
  readonly title: string;
  readonly sections: readonly HelpSection[];
  /** Where the rest is, if it is not in help on one report. */
  readonly rest?: string;
}

export interface HelpSection {
  readonly title: string;
  readonly lines: readonly HelpLine[];
}

export interface HelpLine {
  /** A full command, or the part of one that the section describes. */
  readonly syntax: string;
  /** A few words on what it does; empty for examples. */
  readonly description: string;
}

function line(syntax: string, description: string): HelpLine {
  return { syntax, description };
}

function linesIn(table: string) {
  return rowsOf(table).map(([syntax = '', description = '']) => line(syntax, description));
}

/** Help on everything, on one report or on a view. Reports, fields, filters and examples come from the catalogue. */
export function helpFor(name?: ReportName, view?: RequestView): Help {
  if (view) return helpOnView(view);
  return name === undefined ? helpOnEverything : helpOnReport(reportNamed(name));
}

/** Help for a person without a team. */
export function withoutTeam(help: Help): Help {
  return {
    ...help,
    sections: help.sections.map(({ title, lines }) => ({ title, lines: lines.filter(isForAll) })),
  };
}

/** False for a line about the asker's own team. */
export function isForAll({ syntax }: HelpLine): boolean {
  return !syntax.includes('manager_email:me');
}

/** Examples that help begins with: complete after `/report `, with what they answer. */
export const firstExamples = linesIn(`
  engagement last-week | How much people learned last week
  overdue | What is overdue, the longest first
  due next-week manager_email:me | What my team has to finish next week
  assignments only:not-completed email:me | What I still have to do
  completions last-month by:departments | What each department completed last month
  workshops next-month | How full the workshops of next month are`);

/** The ranges that help shows, each with what it means. */
export const rangeLines = linesIn(`
  today | Since midnight
  yesterday | The whole day
  this-week | Up to now; also this-month, this-quarter, this-year
  last-week | The whole week; also last-month, last-quarter, last-year
  last-30-days | Whole days up to midnight; also weeks, months, quarters, years
  last-4w | In short; also 30d, 3m
  2026-03-05 | One day; also 2026-03, 2026-Q1, 2026
  2026-03-01..2026-03-31 | From one to the other, both included; months, quarters and years too
  since:2026-03-01 | From that day up to now; a month, quarter or year counts from its first day`);

/** The ranges of reports that have a future. */
export const futureRangeLines = linesIn(`
  tomorrow | The whole day; also next-week, next-month
  next-14-days | From tomorrow on`);

/** What `overdue`, `due` and open states look at where no `assigned:` is typed. */
const assignedByDefault = 'since 1 January of last year';

const optionLines = linesIn(`
  departments:Sales,"Field Operations" | Only these; so with every filter of the report
  manager_email:me | Your own people
  departments:!Sales | A condition on rows: leave these out; so with every field
  score:<60 | Also >, >=, <=, =; a date takes a range, as in hired_on:this-year
  last_login:none | Rows where a field is empty; any: where it is not
  only:not-completed | Only rows in this state; several with commas
  content:"GDPR basics" | By title or a part of it; also track:, assessment:, workshop:
  rows | Show the rows themselves as a table
  fields:email,views | The columns of the rows and the file, in this order
  by:departments | Break the summary down by one field
  over:12w | The last 12 ended weeks one by one, in place of a range; also d, m, q
  over:12w figure:sessions | With the line of this figure
  against:last-year | Compare with the same time a year before
  on:due_date | Filter dates by this one
  sort:updated_date | The order of the rows
  assigned:2025 | After overdue, due and open states: assigned then; not typed: ${assignedByDefault}
  suspended:any | After overdue, due and open states: suspended people too, who are left out otherwise
  target:95%@2026-12-31 | How far the main rate is from that; without a date too
  csv | Attach the rows as a file; xlsx for Excel
  last-month evidence | In direct messages: a ZIP with the rows and what proves them
  purpose:"Audit of Q3" | What the file is for; the record keeps it
  to:me | Answer in a direct message`);

/** The conditions of alerts, which come before how often. */
export const conditionLines = linesIn(`
  when overdue > 50 | A figure of the report; also >=, <, <= and 80%
  when changed | A figure differs from the last run; also when new-rows`);

/** How often a digest can come; a time zone can follow. */
export const cadenceLines = [
  ...cadences.map(([, example, description]) => line(example, description)),
  ...linesIn(`
    daily 9am Europe/Berlin | In that time zone; when none is typed, in yours
    skip-empty | Among the options: skip when there are no results
    replace | Among the options: delete the last message when the next is posted
    keep:7d | Among the options: delete its messages and files after 7 days
    to:managers | Among the options: each manager gets their own team's, in a direct message`),
];

/** The commands that take future ranges: `workshops`, `assignments on:due_date`, `due`. */
function futureOf({ name, range, dateField }: Report): readonly string[] {
  if (range?.hasFuture) return [name];
  const ahead = (dateField?.choices ?? []).filter(({ canBeFuture }) => canBeFuture);
  return ahead.length === 0 ? [] : [...ahead.map(({ flag }) => `${name} on:${flag}`), 'due'];
}

const helpOnEverything: Help = {
  title: 'What you can ask',
  sections: [
    {
      title: 'Commands',
      lines: [
        ...linesIn(`
          /report | Open the builder
          /report <report> [range] [option…] | Run a report now, here
          /report <saved name> [range] [option…] | Run a saved report, with changes if you like`),
        ...subcommands.map(({ syntax, description }) => line(`/report ${syntax}`, description)),
      ],
    },
    {
      title: 'Reports',
      lines: allReports.map(({ name, operation, description }) =>
        line(name, `${description} (also ${operation})`),
      ),
    },
    { title: 'Ranges', lines: rangeLines },
    {
      title: `Ranges for ${allReports.flatMap(futureOf).join(', ')}`,
      lines: futureRangeLines,
    },
    { title: 'Options', lines: optionLines },
    { title: 'How often, for schedule', lines: cadenceLines },
    { title: 'Only when, for schedule', lines: conditionLines },
    { title: 'Examples', lines: allReports.flatMap(exampleLines) },
  ],
};

function helpOnReport(report: Report): Help {
  const { range, dateField, sorts, filters, title, description, states, titleFilters } = report;
  const defaultDate = dateField?.defaultFlag === undefined ? '' : ` (default: ${dateField.defaultFlag})`;
  const ownRanges = range?.hasFuture ? [...rangeLines, ...futureRangeLines] : rangeLines;
  const future = range && !range.hasFuture ? futureOf(report) : [];
  const sections: readonly HelpSection[] = [
    { title: 'Examples', lines: exampleLines(report) },
    { title: `Ranges (default: ${range?.defaultWords})`, lines: range ? ownRanges : [] },
    { title: `Ranges for ${future.join(', ')}`, lines: future.length > 0 ? futureRangeLines : [] },
    ...filters.map((object) => ({
      title: `Filters: ${object.label.toLowerCase()}`,
      lines: object.members.map((member) =>
        line(
          `${memberName(report, object, member)}:`,
          member.kind === 'yes-no' ? `${member.label}, yes or no` : member.label,
        ),
      ),
    })),
    { title: 'States, for only:', lines: states.map(({ name, label }) => line(name, label)) },
    {
      title: 'Titles',
      lines: titleFilters.map(({ option }) => line(`${option}:`, 'A title or a part of it')),
    },
    {
      title: 'Fields, for fields: and by:',
      lines: report.fields.map(({ flag, label }) => line(flag, label)),
    },
    {
      title: `Dates, for on:${defaultDate}`,
      lines: (dateField?.choices ?? []).map(({ flag, words }) => line(flag, words)),
    },
    { title: 'Orders, for sort:', lines: sorts.map((flag) => line(flag, '')) },
  ];
  return { title: `${title}: ${description}`, sections: sections.filter(({ lines }) => lines.length > 0) };
}

const viewExamples: Readonly<Record<RequestView, readonly HelpLine[]>> = {
  overdue: linesIn(`
    /report overdue | What is overdue now
    /report overdue last-week | What fell due last week and is still open
    /report overdue manager_email:me rows | My team, row by row
    /report overdue by:departments | Each department
    /report overdue content:"GDPR basics" csv | One training, as a file`),
  due: linesIn(`
    /report due | From now to the end of the seventh day
    /report due next-month | In another range
    /report due this-week manager_email:me rows | My team, row by row
    /report due next-week by:departments | Each department`),
};

/** A screenful: the rest is as for the report. */
function helpOnView(view: RequestView): Help {
  const about = subcommands.find(({ word }) => word === view);
  return {
    title: about?.description ?? view,
    sections: [
      { title: 'Examples', lines: viewExamples[view] },
      {
        title: 'Options',
        lines: linesIn(`
          assigned:2025 | What was assigned then; default: ${assignedByDefault}
          suspended:any | Suspended people too; default: without them`),
      },
    ],
    rest: 'All filters, fields and dates are those of assignments: /report help assignments.',
  };
}

function exampleLines({ examples }: Report): readonly HelpLine[] {
  return examples.map((example) => line(`/report ${example}`, ''));
}

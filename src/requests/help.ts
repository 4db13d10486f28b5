import { allReports, type Report, type ReportName, reportNamed } from '../catalogue/index.js';
import { cadences } from './cadence-words.js';
import type { RequestView } from './request.js';
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

/** Help on everything, on one report or on a view. Reports, fields, filters and examples come from the catalogue. */
export function helpFor(name?: ReportName, view?: RequestView): Help {
  if (view) return helpOnView(view);
  return name === undefined ? helpOnEverything : helpOnReport(reportNamed(name));
}

/** Help for somebody to whom nobody reports. */
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
export const firstExamples: readonly HelpLine[] = [
  { syntax: 'engagement last-week', description: 'How much people learned last week' },
  { syntax: 'overdue', description: 'What is overdue, the longest first' },
  { syntax: 'due next-week manager_email:me', description: 'What my team has to finish next week' },
  { syntax: 'assignments only:not-completed email:me', description: 'What I still have to do' },
  {
    syntax: 'completions last-month by:departments',
    description: 'What each department completed last month',
  },
  { syntax: 'workshops next-month', description: 'How full the workshops of next month are' },
];

/** The ranges that help shows, each with what it means. */
export const rangeLines: readonly HelpLine[] = [
  { syntax: 'today', description: 'Since midnight' },
  { syntax: 'yesterday', description: 'The whole day' },
  { syntax: 'this-week', description: 'Up to now; also this-month, this-quarter, this-year' },
  { syntax: 'last-week', description: 'The whole week; also last-month, last-quarter, last-year' },
  { syntax: 'last-30-days', description: 'Whole days up to midnight; also weeks, months, quarters, years' },
  { syntax: 'last-4w', description: 'In short; also 30d, 3m' },
  { syntax: '2026-03-05', description: 'One day; also 2026-03, 2026-Q1, 2026' },
  {
    syntax: '2026-03-01..2026-03-31',
    description: 'From one to the other, both included; months, quarters and years too',
  },
  {
    syntax: 'since:2026-03-01',
    description: 'From that day up to now; a month, quarter or year counts from its first day',
  },
];

/** The ranges of reports that have a future. */
export const futureRangeLines: readonly HelpLine[] = [
  { syntax: 'tomorrow', description: 'The whole day; also next-week, next-month' },
  { syntax: 'next-14-days', description: 'From tomorrow on' },
];

/** What `overdue`, `due` and open states look at where no `assigned:` is typed. */
const assignedByDefault = 'since 1 January of last year';

const optionLines: readonly HelpLine[] = [
  {
    syntax: 'departments:Sales,"Field Operations"',
    description: 'Only these; so with every filter of the report',
  },
  { syntax: 'manager_email:me', description: 'Your own people' },
  { syntax: 'only:not-completed', description: 'Only rows in this state; several with commas' },
  {
    syntax: 'content:"GDPR basics"',
    description: 'By title or a part of it; also track:, assessment:, workshop:',
  },
  { syntax: 'rows', description: 'Show the rows themselves as a table' },
  { syntax: 'fields:email,views', description: 'The columns of the rows and the file, in this order' },
  { syntax: 'by:departments', description: 'Break the summary down by one field' },
  { syntax: 'on:due_date', description: 'Filter dates by this one' },
  { syntax: 'sort:updated_date', description: 'The order of the rows' },
  {
    syntax: 'assigned:2025',
    description: `After overdue, due and open states: assigned then; not typed: ${assignedByDefault}`,
  },
  {
    syntax: 'suspended:any',
    description: 'After overdue, due and open states: suspended people too, who are left out otherwise',
  },
  { syntax: 'csv', description: 'Attach the rows as a file; xlsx for Excel' },
  { syntax: 'purpose:"Audit of Q3"', description: 'What the file is for; the record keeps it' },
  { syntax: 'to:me', description: 'Answer in a direct message' },
];

/** How often a digest can come; a time zone can follow. */
export const cadenceLines: readonly HelpLine[] = [
  ...cadences.map(({ example, description }) => ({ syntax: example, description })),
  { syntax: 'daily 9am Europe/Berlin', description: 'In that time zone; when none is typed, in yours' },
  { syntax: 'skip-empty', description: 'Among the options: skip when there are no results' },
  { syntax: 'replace', description: 'Among the options: delete the last message when the next is posted' },
  { syntax: 'keep:7d', description: 'Among the options: delete its messages and files after 7 days' },
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
        { syntax: '/report', description: 'Open the builder' },
        { syntax: '/report <report> [range] [option…]', description: 'Run a report now, here' },
        {
          syntax: '/report <saved name> [range] [option…]',
          description: 'Run a saved report, with changes if you like',
        },
        ...subcommands.map(({ syntax, description }) => ({ syntax: `/report ${syntax}`, description })),
      ],
    },
    {
      title: 'Reports',
      lines: allReports.map(({ name, operation, description }) => ({
        syntax: name,
        description: `${description} (also ${operation})`,
      })),
    },
    { title: 'Ranges', lines: rangeLines },
    {
      title: `Ranges for ${allReports.flatMap(futureOf).join(', ')}`,
      lines: futureRangeLines,
    },
    { title: 'Options', lines: optionLines },
    { title: 'How often, for schedule', lines: cadenceLines },
    { title: 'Examples', lines: allReports.flatMap(exampleLines) },
  ],
};

function helpOnReport(report: Report): Help {
  const { range, dateField, sorts, filters, title, description } = report;
  return {
    title: `${title}: ${description}`,
    sections: [
      { title: 'Examples', lines: exampleLines(report) },
      ...(range
        ? [
            {
              title: `Ranges (default: ${range.defaultWords})`,
              lines: range.hasFuture ? [...rangeLines, ...futureRangeLines] : rangeLines,
            },
          ]
        : []),
      ...(range && !range.hasFuture
        ? futureOf(report)
            .slice(0, 1)
            .map(() => ({ title: `Ranges for ${futureOf(report).join(', ')}`, lines: futureRangeLines }))
        : []),
      ...filters.map((object) => ({
        title: `Filters: ${object.label.toLowerCase()}`,
        lines: object.members.map((member) => ({
          syntax: `${memberName(report, object, member)}:`,
          description: member.kind === 'yes-no' ? `${member.label}, yes or no` : member.label,
        })),
      })),
      ...(report.states.length > 0
        ? [
            {
              title: 'States, for only:',
              lines: report.states.map(({ name, label }) => ({ syntax: name, description: label })),
            },
          ]
        : []),
      ...(report.titleFilters.length > 0
        ? [
            {
              title: 'Titles',
              lines: report.titleFilters.map(({ option }) => ({
                syntax: `${option}:`,
                description: 'A title or a part of it',
              })),
            },
          ]
        : []),
      {
        title: 'Fields, for fields: and by:',
        lines: report.fields.map(({ flag, label }) => ({ syntax: flag, description: label })),
      },
      ...(dateField
        ? [
            {
              title: `Dates, for on:${dateField.defaultFlag === undefined ? '' : ` (default: ${dateField.defaultFlag})`}`,
              lines: dateField.choices.map(({ flag, words }) => ({ syntax: flag, description: words })),
            },
          ]
        : []),
      ...(sorts.length > 0
        ? [{ title: 'Orders, for sort:', lines: sorts.map((flag) => ({ syntax: flag, description: '' })) }]
        : []),
    ],
  };
}

/** The examples of each view, with what they answer. */
const viewExamples: Readonly<Record<RequestView, readonly HelpLine[]>> = {
  overdue: [
    { syntax: '/report overdue', description: 'What is overdue now' },
    { syntax: '/report overdue last-week', description: 'What fell due last week and is still open' },
    { syntax: '/report overdue manager_email:me rows', description: 'My team, row by row' },
    { syntax: '/report overdue by:departments', description: 'Each department' },
    { syntax: '/report overdue content:"GDPR basics" csv', description: 'One training, as a file' },
  ],
  due: [
    { syntax: '/report due', description: 'From now to the end of the seventh day' },
    { syntax: '/report due next-month', description: 'In another range' },
    { syntax: '/report due this-week manager_email:me rows', description: 'My team, row by row' },
    { syntax: '/report due next-week by:departments', description: 'Each department' },
  ],
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
        lines: [
          { syntax: 'assigned:2025', description: `What was assigned then; default: ${assignedByDefault}` },
          { syntax: 'suspended:any', description: 'Suspended people too; default: without them' },
        ],
      },
    ],
    rest: 'All filters, fields and dates are those of assignments: /report help assignments.',
  };
}

function exampleLines({ examples }: Report): readonly HelpLine[] {
  return examples.map((example) => ({ syntax: `/report ${example}`, description: '' }));
}

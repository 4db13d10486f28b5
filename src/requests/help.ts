import { allReports, type Report, type ReportName, reportNamed } from '../catalogue/index.js';
import { cadences } from './cadence-words.js';
import { memberName, subcommands } from './vocabulary.js';

/** The help as data. The message in Slack and the command line render it. */
export interface Help {
  readonly title: string;
  readonly sections: readonly HelpSection[];
}

export interface HelpSection {
  readonly title: string;
  readonly lines: readonly HelpLine[];
}

export interface HelpLine {
  /** A full command, or the part of one that the section describes. */
  readonly typed: string;
  /** What it does, in a few words; empty where it speaks for itself. */
  readonly words: string;
}

/** Help on everything, or on one report. Reports, fields, filters and examples come from the catalogue. */
export function helpFor(name?: ReportName): Help {
  return name === undefined ? helpOnEverything : helpOnReport(reportNamed(name));
}

/** Examples that help begins with: complete after `/report `, with what they answer. */
export const firstExamples: readonly HelpLine[] = [
  { typed: 'engagement last-week', words: 'How much people learned last week' },
  { typed: 'overdue', words: 'What is overdue, the longest first' },
  { typed: 'due next-week manager_email:me', words: 'What my team has to finish next week' },
  { typed: 'assignments only:not-completed email:me', words: 'What I still have to do' },
  { typed: 'completions last-month by:departments', words: 'What each department completed last month' },
  { typed: 'workshops next-month', words: 'How full the workshops of next month are' },
];

/** The ranges that help shows, each with what it means. */
export const rangeLines: readonly HelpLine[] = [
  { typed: 'today', words: 'Since midnight' },
  { typed: 'yesterday', words: 'The whole day' },
  { typed: 'this-week', words: 'Up to now; also this-month, this-quarter, this-year' },
  { typed: 'last-week', words: 'The whole week; also last-month, last-quarter, last-year' },
  { typed: 'last-30-days', words: 'Whole days up to midnight; also weeks, months, quarters, years' },
  { typed: 'last-4w', words: 'In short; also 30d, 3m' },
  { typed: '2026-03-05', words: 'One day; also 2026-03, 2026-Q1, 2026' },
  {
    typed: '2026-03-01..2026-03-31',
    words: 'From one to the other, both included; months, quarters and years too',
  },
  {
    typed: 'since:2026-03-01',
    words: 'From that day up to now; a month, quarter or year counts from its first day',
  },
];

/** The ranges of reports that have a future. */
export const futureRangeLines: readonly HelpLine[] = [
  { typed: 'tomorrow', words: 'The whole day; also next-week, next-month' },
  { typed: 'next-14-days', words: 'From tomorrow on' },
];

const optionLines: readonly HelpLine[] = [
  { typed: 'departments:Sales,"Field Operations"', words: 'Only these; so with every filter of the report' },
  { typed: 'manager_email:me', words: 'Your own people' },
  { typed: 'only:not-completed', words: 'Only rows in this state; several with commas' },
  { typed: 'content:"GDPR basics"', words: 'By title or a part of it; also track:, assessment:, workshop:' },
  { typed: 'rows', words: 'Show the rows themselves as a table' },
  { typed: 'fields:email,views', words: 'The columns of the rows and the file, in this order' },
  { typed: 'by:departments', words: 'Break the summary down by one field' },
  { typed: 'on:due_date', words: 'Filter dates by this one' },
  { typed: 'sort:updated_date', words: 'The order of the rows' },
  {
    typed: 'assigned:2025',
    words: 'After overdue and due: what was assigned then; not typed: in the 365 days up to now',
  },
  {
    typed: 'suspended:any',
    words: 'After overdue and due: suspended people too, who are left out otherwise',
  },
  { typed: 'csv', words: 'Attach the rows as a file; xlsx for Excel' },
  { typed: 'to:me', words: 'Answer in a direct message' },
];

/** How often a digest can come; a time zone can follow. */
export const cadenceLines: readonly HelpLine[] = [
  ...cadences.map(({ example, words }) => ({ typed: example, words })),
  { typed: 'daily 9am Europe/Berlin', words: 'In that time zone; when none is typed, in yours' },
  { typed: 'skip-empty', words: 'Among the options: skip when there are no results' },
  { typed: 'replace', words: 'Among the options: delete the last message when the next is posted' },
  { typed: 'keep:7d', words: 'Among the options: delete its messages and files after 7 days' },
];

/** `workshops`, `assignments on:due_date`, `due`: what has a future, as it is typed. */
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
        { typed: '/report', words: 'Open the builder' },
        { typed: '/report <report> [range] [option…]', words: 'Run a report now, here' },
        {
          typed: '/report <saved name> [range] [option…]',
          words: 'Run a saved report, with changes if you like',
        },
        ...subcommands.map(({ form, words }) => ({ typed: `/report ${form}`, words })),
      ],
    },
    {
      title: 'Reports',
      lines: allReports.map(({ name, operation, answers }) => ({
        typed: name,
        words: `${answers} (also ${operation})`,
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
  const { range, dateField, sorts, filters, title, answers } = report;
  return {
    title: `${title}: ${answers}`,
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
          typed: `${memberName(report, object, member)}:`,
          words: member.kind === 'yes-no' ? `${member.label}, yes or no` : member.label,
        })),
      })),
      ...(report.states.length > 0
        ? [
            {
              title: 'States, for only:',
              lines: report.states.map(({ name, label }) => ({ typed: name, words: label })),
            },
          ]
        : []),
      ...(report.titleFilters.length > 0
        ? [
            {
              title: 'Titles',
              lines: report.titleFilters.map(({ option }) => ({
                typed: `${option}:`,
                words: 'A title or a part of it',
              })),
            },
          ]
        : []),
      {
        title: 'Fields, for fields: and by:',
        lines: report.fields.map(({ flag, label }) => ({ typed: flag, words: label })),
      },
      ...(dateField
        ? [
            {
              title: `Dates, for on:${dateField.defaultFlag === undefined ? '' : ` (default: ${dateField.defaultFlag})`}`,
              lines: dateField.choices.map(({ flag, words }) => ({ typed: flag, words })),
            },
          ]
        : []),
      ...(sorts.length > 0
        ? [{ title: 'Orders, for sort:', lines: sorts.map((typed) => ({ typed, words: '' })) }]
        : []),
    ],
  };
}

function exampleLines({ examples }: Report): readonly HelpLine[] {
  return examples.map((example) => ({ typed: `/report ${example}`, words: '' }));
}

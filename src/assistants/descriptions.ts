import { allReports, type Report, type ReportName, reportNamed } from '../catalogue/index.js';
import { meanings } from '../figures/format/meanings.js';
import { figuresOfRequest, type NamedFigure } from '../figures/summary/named-figures.js';
import { type HelpLine, helpFor } from '../requests/help.js';
import { memberName, subcommands } from '../requests/vocabulary.js';
import type { ReportsData, ToolReply } from './replies.js';

interface ExplainedFigure {
  readonly id: string;
  readonly label: string;
  readonly unit: string;
  readonly meaning: string;
}

const views = [undefined, 'overdue', 'due'] as const;

/** The figures of a report and of its views, with what they mean. */
function figuresOf({ name }: Report): readonly ExplainedFigure[] {
  const byId = new Map<string, NamedFigure>();
  for (const view of name === 'assignments' ? views : [undefined])
    for (const figure of figuresOfRequest({ report: name, view }))
      if (!byId.has(figure.id)) byId.set(figure.id, figure);
  return [...byId.values()].map(({ id, label, unit }) => ({
    id,
    label,
    unit,
    meaning: meanings[name].find(({ term }) => term === label)?.sentence ?? label,
  }));
}

/** What the figures of a report mean, or one of them. */
export function describeFigures(report: ReportName, id?: string): ToolReply {
  const all = figuresOf(reportNamed(report));
  const figures = id === undefined ? all : all.filter((figure) => figure.id === id.trim().toLowerCase());
  if (figures.length === 0) {
    const known = all.map((figure) => figure.id).join(', ');
    return { text: `${report} has no such figure. It has: ${known}.`, isError: true, outcome: 'refused' };
  }
  return { text: figures.map(figureLine).join('\n'), data: { report, figures }, outcome: 'answered' };
}

const figureLine = ({ id, label, unit, meaning }: ExplainedFigure) => `${label} (${id}, ${unit}): ${meaning}`;

/** Sections of help on everything that are about more than asking. */
const otherSections = /^(?:Commands|Reports|How often|Only when|Examples)/;

const asRecord = (lines: readonly HelpLine[]) =>
  Object.fromEntries(lines.map(({ syntax, description }) => [syntax, description]));

/** What can be asked, of all reports or of one, as help says it. */
export function describeReports(name?: ReportName): Omit<ToolReply, 'outcome'> {
  const sections = helpFor().sections.filter(({ title }) => !otherSections.test(title));
  const ranges = sections.filter(({ title }) => title.startsWith('Ranges')).flatMap(({ lines }) => lines);
  const others = sections.filter(({ title }) => !title.startsWith('Ranges')).flatMap(({ lines }) => lines);
  const reports = name === undefined ? allReports : [reportNamed(name)];
  const viewLines = subcommands.flatMap(({ word, description }) =>
    word === 'overdue' || word === 'due' ? [[word, description] as const] : [],
  );
  const data: ReportsData = {
    reports: reports.map(dataOf),
    views: Object.fromEntries(viewLines),
    ranges: asRecord(ranges),
    options: asRecord(others),
  };
  const lines = [
    'A command is <report> [range] [option…], such as: completions last-month by:departments',
    ...viewLines.map(([word, description]) => `${word}: ${description}`),
    ...data.reports.flatMap((report) => linesOf(report, name !== undefined)),
    'Ranges:',
    ...ranges.map(helpLine),
    'Options:',
    ...others.map(helpLine),
  ];
  return { text: lines.join('\n'), data };
}

const helpLine = ({ syntax, description }: HelpLine) => `- ${syntax}: ${description}`;

function dataOf(report: Report): ReportsData['reports'][number] {
  const { name, description, range, states, fields, filters, titleFilters, dateField, examples } = report;
  const members = filters.flatMap((object) =>
    object.members.map((member) => ({ ...member, typed: memberName(report, object, member) })),
  );
  return {
    name,
    answers: description,
    default_range: range?.defaultWords,
    states: Object.fromEntries(states.map((state) => [state.name, state.label])),
    fields: Object.fromEntries(fields.map(({ flag, label }) => [flag, label])),
    fields_about_people: fields.flatMap(({ flag, personLevel }) => (personLevel ? flag : [])),
    filters: Object.fromEntries(members.map(({ typed, label }) => [typed, label])),
    filters_about_people: members.flatMap(({ typed, personLevel }) => (personLevel ? typed : [])),
    titles: titleFilters.map(({ option }) => option),
    dates: Object.fromEntries((dateField?.choices ?? []).map(({ flag, words }) => [flag, words])),
    figures: [...figuresOf(report)],
    examples: [...examples],
  };
}

function linesOf(report: ReportsData['reports'][number], isAlone: boolean): readonly string[] {
  const { name, answers, default_range: range, states, fields, filters, titles, dates, figures } = report;
  const listed = (of: Readonly<Record<string, string>>) =>
    Object.entries(of)
      .map(([word, meaning]) => `${word} (${meaning})`)
      .join(', ');
  const given = [
    ['States, for only:', listed(states)],
    ['Titles:', titles.map((option) => `${option}:`).join(', ')],
    ['Dates, for on:', listed(dates)],
    ['Fields, for by: (about people only with send_rows)', listed(fields)],
    ['Filters:', isAlone ? listed(filters) : Object.keys(filters).join(', ')],
    ['Figures:', isAlone ? figures.map(figureLine).join('\n  ') : figures.map(({ id }) => id).join(', ')],
  ] as const;
  return [
    `${name}: ${answers}${range === undefined ? '' : ` Default range: ${range}.`}`,
    ...given.flatMap(([title, words]) => (words === '' ? [] : `  ${title} ${words}`)),
  ];
}

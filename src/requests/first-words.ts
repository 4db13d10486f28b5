import { type Report, type ReportName, sixReports } from '../catalogue/index.js';

/** What can come first in a command besides a report: each with how it goes on and its line in help. */
export const subcommands = [
  { word: 'help', form: 'help [report]', words: 'What can be asked, with examples' },
  {
    word: 'overdue',
    form: 'overdue [option…]',
    words: 'Assignments that are past due and not completed, most overdue first',
  },
  { word: 'list', form: 'list', words: 'The saved reports and digests of this channel' },
  {
    word: 'save',
    form: 'save <name>: <report> [range] [option…]',
    words: 'Save a report without running it',
  },
  {
    word: 'schedule',
    form: 'schedule <report or saved name> [range] [option…] <cadence> [zone]',
    words: 'Post a report here regularly',
  },
  { word: 'access', form: 'access', words: 'The rules on who sees what (admins)' },
  { word: 'audit', form: 'audit', words: 'Who asked what (admins)' },
] as const;

export type Subcommand = (typeof subcommands)[number]['word'];

/** The subcommand that a word is, in any case. */
export function commandWord(word: string): Subcommand | undefined {
  const lower = word.toLowerCase();
  return subcommands.find((subcommand) => subcommand.word === lower)?.word;
}

/** The report that a word names, by its short name or the service's own, in any case. */
export function reportWord(word: string): ReportName | undefined {
  const lower = word.toLowerCase();
  return sixReports.find((report) => report.name === lower || report.operation === lower)?.name;
}

/** The names of all reports, short and the service's own. */
export function everyReportWord(reports: readonly Report[] = sixReports): readonly string[] {
  return [...reports.map(({ name }) => name), ...reports.map(({ operation }) => operation)];
}

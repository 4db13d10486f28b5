import { type ReportName, reportNamed, sixReports } from '../catalogue/index.js';
import { cadences } from './cadence-words.js';
import type { Problem } from './problem.js';
import { LONGEST_SAVED_NAME, type SavedNameRefusal } from './saved-names.js';
import { sayCadenceRefusal } from './words-for-cadences.js';
import { sayRangeRefusal } from './words-for-ranges.js';

/** What was not understood, and the way out, in plain text. Quotes the typed word, so it is for its typer alone. */
export function sayProblem(problem: Problem): string {
  const said = `“${problem.word}”`;
  const meant = problem.nearest === undefined ? undefined : `Did you mean “${problem.nearest}”?`;
  switch (problem.kind) {
    case 'unknown-report':
      return `I don't know ${said}. ${meant ?? `The reports are ${listOf(reportNames)}; /report help shows everything.`}`;
    case 'report-missing':
      return `${said} came first, and I need the report before it, as in engagement last-week.`;
    case 'unknown-word':
      return `I don't understand ${said} here. ${meant ?? seeHelp(problem.report)}`;
    case 'unknown-option':
      return `There is no option ${said} for ${problem.report}. ${meant ?? seeHelp(problem.report)}`;
    case 'not-for-report':
      return `${said} is for ${listOf(problem.reports)}, not for ${problem.report}. Leave it out here.`;
    case 'only-for-overdue':
      return `${said} is for overdue, not for ${problem.report}. ${reportNamed(problem.report).range ? 'Type the range alone.' : 'Leave it out here.'}`;
    case 'two-dates':
      return `${said} and assigned: name two dates for the range. Keep one of them.`;
    case 'colon-missing':
      return `${said} needs a colon and a value after it, as in ${problem.nearest}…`;
    case 'unknown-field':
      return `${said} is no field of ${problem.report}, so ${problem.option} can't take it. ${meant ?? seeHelp(problem.report)}`;
    case 'unknown-choice':
      return `${problem.option} can't be ${said}. ${meant ?? sayChoices(problem.choices, problem.report)}`;
    case 'value-missing':
      return `${said} needs a value right after the colon, as in departments:Sales.`;
    case 'one-value':
      return `${problem.option} takes one value, once, so I don't know what to do with ${said}. Leave one out.`;
    case 'comma-in-entry':
      return `${said} has a comma in it, and ${problem.option} can't take that: a comma always separates two entries, also in quotes.`;
    case 'option-after-comma':
      return `${said} comes after a comma, so ${problem.option} would take it as one more entry. Leave the comma out, or put the entry in quotes.`;
    case 'quotes-missing':
      return `I don't understand ${said} here. If it belongs to the entry before it, put all of it in quotes: ${problem.option}${problem.nearest}`;
    case 'quote-not-closed':
      return `The quote in ${said} is never closed. Add the closing quote, or leave the first one out.`;
    case 'two-ranges':
      return `There are two ranges, “${problem.other}” and ${said}. Keep one of them.`;
    case 'range':
      return [`I can't use ${said}.`, sayRangeRefusal(problem.refused, problem.report), meant]
        .filter((sentence) => sentence !== undefined)
        .join(' ');
    case 'only-when-scheduled':
      return `${said} only means something in /report schedule. Leave it out here.`;
    case 'words-too-many':
      return `Nothing can follow /report ${problem.after}, so I don't know what ${said} is for.`;
    case 'save-form':
      return 'After save comes a name, a colon and what to ask, as in “save Weekly views: engagement last-week”.';
    case 'saved-name':
      return `${said} can't be the name of a saved report: ${whyNoName[problem.refused]}.`;
    case 'schedule-form':
      return `After schedule comes a report and how often to post it, as in “schedule engagement last-week ${cadences[1].example}”.`;
    case 'cadence-missing':
      return `How often? Add it at the end, as in ${listOf(
        cadences.slice(1, 6).map(({ example }) => `“${example}”`),
        'or',
      )}.`;
    case 'cadence':
      return [`I can't use ${said}.`, sayCadenceRefusal(problem.refused, problem.begins), meant]
        .filter((sentence) => sentence !== undefined)
        .join(' ');
  }
}

const whyNoName: Readonly<Record<SavedNameRefusal, string>> = {
  empty: 'it needs at least one character',
  'too-long': `it may have ${LONGEST_SAVED_NAME} characters at most`,
  colon: 'it may not hold a colon',
  'begins-with-report': "it begins with a report's name, so nobody could tell the two apart",
  'begins-with-command': 'it begins with a word that is a command of its own',
  'begins-with-range': 'it begins with a range, so nobody could tell the two apart',
};

const reportNames = sixReports.map(({ name }) => name);

/** Choices that a sentence can hold; more are left to help. */
const FEW = 8;

function sayChoices(choices: readonly string[], report: ReportName): string {
  return choices.length > FEW ? seeHelp(report) : `It takes ${listOf(choices, 'or')}.`;
}

function seeHelp(report: ReportName): string {
  return `/report help ${report} shows what it takes.`;
}

/** `a, b and c` */
function listOf(words: readonly string[], last = 'and'): string {
  const final = words.at(-1) ?? '';
  return words.length < 2 ? final : `${words.slice(0, -1).join(', ')} ${last} ${final}`;
}

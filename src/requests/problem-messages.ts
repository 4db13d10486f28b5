import { allReports, type ReportName, reportNamed } from '../catalogue/index.js';
import type { ConditionRefusal } from './alert-condition.js';
import { cadenceRefusals, cadences } from './cadence-words.js';
import type { RangeRefusal } from './date-range.js';
import { joinWords } from './join-words.js';
import { maxUnits, minUnits } from './over-time.js';
import { isOfKnownWord, type Problem, type ProblemCause, type ScorecardRefusal } from './problem.js';
import { maxPurposeLength } from './purpose.js';
import { maxScorecardLines } from './request.js';
import { rowConditionSentence } from './row-condition-words.js';
import { savedNameReasons } from './saved-names.js';
import type { TargetRefusal } from './target.js';
import { managersRefusals } from './to-managers.js';

/** A problem and its fix, in plain text. It quotes typed words, so show it only to the person who typed them. */
export function problemMessageText(problem: Problem): string {
  const { otherWords = [], corrected, word } = problem;
  if (otherWords.length === 0) return sentenceFor(problem);
  const others = otherWords.map((other) => `“${other}”`);
  if (corrected === undefined || isOfKnownWord(problem))
    return `${sentenceFor(problem)} Check ${joinWords(shortened(others))} too.`;
  return `I don't understand ${joinWords(shortened([`“${word}”`, ...others]))}. Did you mean this?`;
}

const maxListedWords = 5;

function shortened(words: readonly string[]) {
  const more = words.length - maxListedWords;
  return more > 1 ? [...words.slice(0, maxListedWords), `${more} more`] : words;
}

function sentenceFor(problem: Problem): string {
  const quoted = `“${problem.word}”`;
  const suggestion = problem.nearest === undefined ? undefined : `Did you mean “${problem.nearest}”?`;
  const withHint = (text: string) => (suggestion === undefined ? text : `${text} ${suggestion}`);
  switch (problem.kind) {
    case 'unknown-report':
      return `I don't know ${quoted}. ${suggestion ?? `The reports are ${joinWords(reportNames)}; /report help shows everything.`}`;
    case 'filler':
      return `A command does not need ${quoted}. Did you mean this?`;
    case 'report-missing':
      return `${quoted} came first, and I need the report before it, as in engagement last-week.`;
    case 'unknown-word':
      return `I don't understand ${quoted} here. ${suggestion ?? seeHelp(problem.report)}`;
    case 'unknown-option':
      return `There is no option ${quoted} for ${problem.report}. ${suggestion ?? seeHelp(problem.report)}`;
    case 'not-for-report':
      return `${quoted} is for ${joinWords(problem.reports)}, not for ${problem.report}. ${suggestion ?? 'Leave it out here.'}`;
    case 'unknown-state':
      return withHint(
        `There is no state ${quoted} in ${problem.report}: only: takes ${statesOf(problem.report)}.`,
      );
    case 'two-files':
      return `An answer has one file, and you typed ${problem.other} and ${quoted}. Keep one of them.${[problem.other, problem.word].includes('evidence') ? ' Evidence has its rows as CSV.' : ''}`;
    case 'evidence-no-range':
      return 'Evidence is about a range, and this report has none: it shows how things are now. Ask for csv instead.';
    case 'evidence-range-missing':
      return `Evidence says which range it is about, so type one, such as ${problem.nearest}.`;
    case 'only-for-open':
      return `${quoted} is for overdue, due and open assignments, such as only:not-started. ${reportNamed(problem.report).range ? 'Type the range alone.' : 'Leave it out here.'}`;
    case 'two-dates':
      return `${quoted} and assigned: name two dates for the range. Keep one of them.`;
    case 'colon-missing':
      return `${quoted} needs a colon and a value after it, as in ${problem.nearest}…`;
    case 'unknown-field':
      return `${quoted} is no field of ${problem.report}, so ${problem.option} can't take it. ${suggestion ?? seeHelp(problem.report)}`;
    case 'unknown-choice':
      return `${problem.option} can't be ${quoted}. ${suggestion ?? formatChoices(problem.choices, problem.report)}`;
    case 'value-missing':
      return `${quoted} needs a value right after the colon, as in departments:Sales.`;
    case 'one-value':
      return `${problem.option} takes one value, once, so I don't know what to do with ${quoted}. Leave one out.`;
    case 'comma-in-entry':
      return `${quoted} has a comma in it, and ${problem.option} can't take that: a comma always separates two entries, also in quotes.`;
    case 'condition':
      return withHint(rowConditionSentence(problem, quoted));
    case 'empty-view':
      return `${emptyViewSentence(problem, quoted)} ${suggestion ?? 'Leave it out here.'}`;
    case 'option-after-comma':
      return `${quoted} comes after a comma, so ${problem.option} would take it as one more entry. Leave the comma out, or put the entry in quotes.`;
    case 'quotes-missing':
      return `I don't understand ${quoted} here. If it belongs to the entry before it, put all of it in quotes: ${problem.option}${problem.nearest}`;
    case 'quote-not-closed':
      return `The quote in ${quoted} is never closed. Add the closing quote, or leave the first one out.`;
    case 'other-signs':
      return `The signs in ${quoted} are not those of a command. Did you mean this?`;
    case 'two-ranges':
      return `There are two ranges, “${problem.other}” and ${quoted}. Keep one of them.`;
    case 'range':
      // `due` is the correction of a range of `overdue` that is still to come.
      if (problem.reason === 'future' && suggestion !== undefined)
        return `Nothing in ${quoted} is overdue yet. ${suggestion}`;
      return withHint(`I can't use ${quoted}. ${rangeRefusalText(problem.reason, problem.report)}`);
    case 'only-when-scheduled':
      return `${quoted} only means something in /report schedule. Leave it out here.`;
    case 'managers':
      return managersRefusals[problem.reason];
    case 'keep-days':
      return `${quoted} isn't a number of days. Type 1 to 365 days, as in keep:7d.`;
    case 'over':
      return withHint(
        problem.reason === 'count'
          ? `over: takes ${minUnits} to ${maxUnits} units, and ${quoted} is not among them.`
          : `${quoted} is no number of days, weeks, months or quarters. Type over:14d, over:12w, over:6m or over:8q.`,
      );
    case 'beside-over':
      return besideOverSentence(problem, quoted);
    case 'no-past':
      return `What is open now has no past, so ${quoted} means nothing here. Leave it out, or ask for assignments without an open state.`;
    case 'figure-alone':
      return `${quoted} chooses the line of an answer over time. Add over:, as in over:12w, or leave it out.`;
    case 'scorecard':
      return scorecardSentence(problem.reason, quoted);
    case 'target':
      return withHint(targetSentence(problem.reason, quoted));
    case 'purpose-too-long':
      return `${quoted} is too long. purpose: takes at most ${maxPurposeLength} characters.`;
    case 'words-too-many':
      return `Nothing can follow /report ${problem.after}, so I don't know what ${quoted} is for.`;
    case 'save-form':
      return 'After save comes a name, a colon and what to ask, as in “save Weekly views: engagement last-week”.';
    case 'saved-name':
      return withHint(`${quoted} can't be the name of a saved report: ${savedNameReasons[problem.reason]}.`);
    case 'schedule-form':
      return `After schedule comes a report and how often to post it, as in “schedule engagement last-week ${cadences[1][1]}”.`;
    case 'schedule-missing':
      return `${quoted} says how often it comes, so the command needs the word schedule before it.`;
    case 'when':
      return withHint(conditionSentence(problem.reason, quoted));
    case 'audit-form':
      return `I don't understand ${quoted} here. After audit comes one person, channel or report, and a range, as in “audit @ada last-week”.`;
    case 'cadence-missing':
      return `How often? Add it at the end, as in ${joinWords(
        cadences.slice(1, 6).map(([, example]) => `“${example}”`),
        'or',
      )}.`;
    case 'cadence':
      return withHint(`I can't use ${quoted}. ${cadenceRefusals(problem.begins)[problem.reason]}`);
  }
}

/** Why a view has no rows in these states. */
export function emptyViewSentence({ reason, view }: EmptyViewCause, quoted: string): string {
  const what = {
    completed: `What is ${view} is not completed`,
    'past-due': 'What is overdue is not due soon any more',
    'still-ahead': 'What is due from now on is not overdue',
  }[reason];
  return `${what}, so nothing is left of it in ${quoted}.`;
}

function besideOverSentence(
  { over, what }: Extract<Problem, { kind: 'beside-over' }>,
  quoted: string,
): string {
  if (what === 'a range')
    return `${over} takes the place of a range, and you typed ${quoted}. Keep one of them.`;
  const shows =
    {
      'by:': 'no breakdown',
      rows: 'no rows',
      'fields:': 'no columns of rows',
      'target:': 'no target',
      evidence: 'no evidence',
    }[what] ?? 'nothing else';
  return `An answer over time has one line for each unit and ${shows}. Leave out ${quoted}.`;
}

/** Why the words after `when` are refused, and what to type. */
function conditionSentence(reason: ConditionRefusal, quoted: string): string {
  const value = 'a number such as 50, or a percentage such as 80%';
  switch (reason) {
    case 'condition-missing':
      return 'After when comes a condition, as in “when overdue > 50”, “when changed” or “when new-rows”.';
    case 'figure-missing':
      return `${quoted} names no figure. Type one before it, as in when overdue > 50; /report help and a report lists its figures.`;
    case 'comparison-missing':
      return `${quoted} compares nothing. Type a figure, >, >=, < or <=, and ${value}.`;
    case 'not-a-condition':
      return `${quoted} is not a condition.`;
    case 'not-a-comparison':
      return `${quoted} can't compare a figure. Use >, >=, < or <=, as in when overdue > 50.`;
    case 'value-missing':
      return `${quoted} needs a value after it: ${value}.`;
    case 'not-a-value':
      return `${quoted} is not a value. Type ${value}.`;
    case 'one-condition':
      return `An alert has one condition, so ${quoted} is too much. For two conditions, schedule it twice.`;
    case 'options-after':
      return `Ranges and options come before when, so move ${quoted} there.`;
    case 'unit':
      return `A condition ends with its number, so it does not need ${quoted}. Leave it out.`;
    case 'words-after':
      return `I don't understand ${quoted} after the condition. How often comes next, as in ${cadences[1][1]}.`;
    case 'skip-empty':
      return `An alert posts only when its condition becomes true, so ${quoted} means nothing beside when. Leave it out.`;
  }
}

/** Why a line of a scorecard is refused, and what to do. */
function scorecardSentence(reason: ScorecardRefusal, quoted: string): string {
  switch (reason) {
    case 'too-many-lines':
      return `A scorecard has ${maxScorecardLines} lines at most, and ${quoted} is one more. Leave it out, or save a second scorecard.`;
    case 'words-after-name':
      return `A saved report stands in a scorecard as it is, so ${quoted} can't follow its name. Leave that out, or save it with these words under another name.`;
    case 'not-in-a-line':
      return `${quoted} is more than one line shows: rows, files, units and to:me are for answers of their own. Did you mean this?`;
    case 'words-on-top':
      return `A scorecard runs as it is saved, so ${quoted} can't change it. Only to:me can follow its name.`;
  }
}

/** Why a target is refused, and what to type. */
function targetSentence(reason: TargetRefusal | 'no-rate', quoted: string): string {
  switch (reason) {
    case 'no-rate':
      return `Overdue, due and only: count rows and have no rate, so a target means nothing there. Leave out ${quoted}.`;
    case 'not-a-percentage':
      return `${quoted} is not a target. Type a percentage, and a date if there is one, as in target:95%@2026-12-31.`;
    case 'out-of-reach':
      return `${quoted} can't be a target: it has to be above 0% and at most 100%.`;
    case 'fraction':
      return `${quoted} is less than one percent.`;
    case 'not-a-date':
      return `${quoted} needs a day, month, quarter or year after the @, as in target:95%@2026-12-31 or target:95%@2026-Q4.`;
    case 'no-such-date':
      return `${quoted} has a date that is not in the calendar. Dates go like 2026-12-31, 2026-12, 2026-Q4 or 2026.`;
  }
}

type EmptyViewCause = Pick<Extract<ProblemCause, { kind: 'empty-view' }>, 'reason' | 'view'>;

const reportNames = allReports.map(({ name }) => name);

/** Choices that a sentence can hold; more are left to help. */
const maxListedChoices = 8;

function formatChoices(choices: readonly string[], report: ReportName): string {
  return choices.length > maxListedChoices ? seeHelp(report) : `It takes ${joinWords(choices, 'or')}.`;
}

function statesOf(report: ReportName): string {
  return joinWords(
    reportNamed(report).states.map(({ name }) => name),
    'or',
  );
}

function seeHelp(report: ReportName): string {
  return `/report help ${report} shows what it takes.`;
}

/**
 * Why a range was refused, and what to do. Fits alone, and after a sentence that quotes the range.
 *
 * @param title what looks back, where it is not the report
 */
export function rangeRefusalText(
  reason: RangeRefusal['reason'],
  reportName: ReportName,
  title = reportNamed(reportName).title,
): string {
  const { range } = reportNamed(reportName);
  const instead = range ? `Try ${range.defaultWords}, for example.` : 'Leave the range out.';
  const texts: Readonly<Record<RangeRefusal['reason'], string>> = {
    'no-range': `${title} show how things are now and have no range. ${instead}`,
    'not-a-range': `That is not a range. ${instead}`,
    'no-such-date': `There is no such date in the calendar. Dates go like 2026-03-05, 2026-03, 2026-Q1 or 2026.`,
    count: 'The number has to be from 1 to 99999, as in last-30-days.',
    backwards: 'The range ends before it begins. Put the earlier date first.',
    'before-1970': 'The range begins before 1970, and nothing is older than that. Choose a later start.',
    future: `The range begins in the future, and ${title.toLowerCase()} can only look back from now. ${reportName === 'assignments' ? 'What is still to come is in due.' : instead}`,
    'since-ahead': `The range begins in the future, and since: ends now. Type both ends, as in 2027-01-01..2027-03-31.`,
    empty: `The range is empty: not one second of it has passed in your time zone. ${instead}`,
  };
  return texts[reason];
}

/**
 * Why the range of a digest is refused at one of its due times, and what to do.
 *
 * @param moment the due time in words
 * @param said the range as typed; default: its canonical words
 */
export function dueRangeRefusalText(
  { reason, words }: RangeRefusal,
  reportName: ReportName,
  moment: string,
  said = words,
): string {
  const { title, range } = reportNamed(reportName);
  if (reason === 'empty') {
    const before = /^this-/.test(words) ? words.replace('this-', 'last-') : range?.defaultWords;
    const instead = words === 'today' ? 'yesterday' : (before ?? 'another range');
    return `On ${moment}, ${said} would be empty: nothing of it has passed by then. Choose a later time, or ${instead}.`;
  }
  if (reason === 'since-ahead') {
    return `On ${moment}, ${said} would not have begun, and since: ends at that time. Type both ends, as in 2027-01-01..2027-03-31.`;
  }
  if (reason === 'future') {
    return `On ${moment}, ${said} would not have begun, and ${title.toLowerCase()} can only look back. Choose a range that has begun by then, such as ${range?.defaultWords ?? 'last-week'}.`;
  }
  return `I can't use “${said}”. ${rangeRefusalText(reason, reportName)}`;
}

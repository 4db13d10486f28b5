import { fieldOf, type Report, reportNamed } from '../../catalogue/index.js';
import { formatCondition } from '../alert-condition.js';
import { describeCadence } from '../cadence-words.js';
import { monthNames } from '../calendar-words.js';
import type { Command } from '../parse-command.js';
import { formatRequest } from '../parse-request.js';
import { sinceLastYear, weekFromNow } from '../range-words.js';
import { type FilterChoice, type ReportRequest, reportForRequest, type TitleChoice } from '../request.js';
import { formatConditionOption } from '../row-conditions.js';
import { formatTarget } from '../target.js';
import { compact } from '../text.js';
import { quoteEntry } from '../tokens.js';
import { breakdownNoun, memberNoun } from './lexicon.js';

/** A request as a person would say it, rare options as typed. `readSentence` reads it back as the same request. */
export function describeRequest(request: ReportRequest): string {
  if (request.scorecard) return formatRequest(request);
  const { view, range, assigned, titles = [], filters, by, columns, dateField, sort, target } = request;
  const { showRows, file, toMe } = request;
  const report = reportNamed(request.report);
  // “Overdue today” means overdue now.
  const ofView =
    view === 'overdue' && range === 'today' ? 'assignments that fell due' : `${view} assignments`;
  const subject = compact(
    view ? ofView : request.report,
    range && rangeInWords(range),
    assigned && `assigned ${rangeInWords(assigned)}`,
  );
  return compact(
    subject.join(' '),
    describeStates(request),
    describeTitles(titles),
    filters.map((choice) => describeFilter(choice, request)),
    request.conditions?.map((condition) => formatConditionOption(report, condition)),
    by && describeBreakdown(by, report),
    columns && `fields:${columns.join(',')}`,
    dateField && `on:${dateField}`,
    sort && `sort:${sort}`,
    target && `target:${formatTarget(target)}`,
    showRows && 'with rows',
    file && fileWords[file],
    toMe && 'in a direct message',
  ).join(' · ');
}

const fileWords = { csv: 'as csv', xlsx: 'as excel', evidence: 'as evidence' };

function describeStates({ view, states = [] }: ReportRequest): readonly string[] {
  if (states.length === 0) return [];
  // In a sentence, “completed late” is one state, and what is overdue is not completed.
  const hasCompleted = states.includes('completed');
  const isRare = view
    ? states.some((name) => /^(?:not-completed|completed|late)$/.test(name))
    : hasCompleted && states.includes('late');
  if (isRare) return [`only:${states.join(',')}`];
  const words = states.map((name) => stateWords[name] ?? name.replaceAll('-', ' ')).join(' or ');
  // `overdue` alone is read as the command of that name.
  return [states.includes('overdue') ? `state ${words}` : words];
}

/** States whose names alone can mean something else. */
const stateWords: Readonly<Record<string, string>> = {
  late: 'completed late',
  waiting: 'waiting for grading',
};

/** A command in words: that of its request, and how often it comes. Undefined for commands without a request. */
export function describeCommand(command: Command): string | undefined {
  if (command.kind === 'run') return describeRequest(command.request);
  if (command.kind !== 'schedule') return undefined;
  const { what, when, cadence, zone } = command;
  if (!('request' in what)) return undefined;
  const often = cadence.kind === 'cron' ? `cron "${cadence.expression}"` : describeCadence(cadence);
  return compact(
    describeRequest(what.request),
    what.skipEmpty && 'unless empty',
    what.replace && 'replacing the last message',
    what.keepDays !== undefined && `keep:${what.keepDays}d`,
    when && `when ${formatCondition(when)}`,
    zone === undefined ? often : `${often} ${zone}`,
  ).join(' · ');
}

/** The range that a request takes without one: `last week`. Undefined where there is none, or where it says nothing. */
export function describeDefaultRange(request: ReportRequest): string | undefined {
  const words = reportForRequest(request).range?.defaultWords;
  // What is overdue is overdue now, whenever it was assigned.
  if (request.range !== undefined || words === undefined || request.view === 'overdue') return undefined;
  if (words === sinceLastYear.words) return 'assigned since 1 January of last year';
  return words === weekFromNow.words ? 'next 7 days' : rangeInWords(words);
}

/** `last week`, `since March 2026`, `from 1 March 2026 to 31 March 2026` */
function rangeInWords(words: string): string {
  if (words.startsWith('since:')) return `since ${datesInWords(words.slice('since:'.length))}`;
  const [first = '', last] = words.split('..');
  if (last !== undefined) return `from ${datesInWords(first)} to ${datesInWords(last)}`;
  return /^\d/.test(words) ? datesInWords(words) : words.replaceAll('-', ' ');
}

/** `5 March 2026`, `March 2026`, `Q1 2026`, `2026` */
function datesInWords(iso: string): string {
  const [year, unit, day] = iso.split('-');
  if (unit === undefined) return iso;
  if (/^q/i.test(unit)) return `${unit} ${year}`;
  const month = `${monthNames[Number(unit) - 1]} ${year}`;
  return day === undefined ? month : `${Number(day)} ${month}`;
}

/** Titles keep their order, so one that has to be typed in pieces makes options of all. */
function describeTitles(titles: readonly TitleChoice[]) {
  const quoted = titles.map(({ text }) => inQuotes(text));
  return titles.map(({ option, text }, index) =>
    quoted.includes(undefined) ? `${option}:${quoteEntry(text)}` : `${option} ${quoted[index]}`,
  );
}

/** Undefined for a text with both kinds of quotes, which can only be typed in pieces. */
function inQuotes(text: string): string | undefined {
  if (text.length > 250 || /\s{2,}|[\n\t]/.test(text) || text !== text.trim()) return undefined;
  if (!text.includes('"')) return `"${text}"`;
  return /[“”„‟]/.test(text) ? undefined : `“${text}”`;
}

function describeFilter(choice: FilterChoice, request: ReportRequest): string {
  const { object, member, entries } = choice;
  const [entry, another] = entries;
  if (object === 'user_filter' && another === undefined) {
    if (member === 'manager_email' && entry?.toLowerCase() === 'me') return 'your team';
    // “My team and me” is the team, without the asker.
    const isOfTeam = request.filters.some((other) => other.member === 'manager_email');
    if (member === 'email' && entry?.toLowerCase() === 'me' && !isOfTeam) return 'yourself';
    if (member === 'suspended') return suspendedWords[entry ?? ''] ?? optionOf(choice, request);
  }
  const noun = isBare(object) ? memberNoun(member) : undefined;
  const quoted = entries.map(inQuotes);
  if (noun === undefined || quoted.includes(undefined)) return optionOf(choice, request);
  return `${noun} ${quoted.join(' or ')}`;
}

const suspendedWords: Readonly<Record<string, string>> = {
  any: 'including suspended people',
  true: 'only suspended people',
  false: 'without suspended people',
};

/** Objects whose members are typed by their bare name. */
function isBare(object: string): boolean {
  return object === 'user_filter' || object === 'entity_filter';
}

function optionOf(choice: FilterChoice, request: ReportRequest): string {
  const plain: ReportRequest = { report: request.report, view: request.view, filters: [choice], toMe: false };
  return formatRequest(plain).slice((request.view ?? request.report).length + 1);
}

function describeBreakdown(by: string, report: Report): string {
  const noun = breakdownNoun(by, (flag) => fieldOf(report, flag) !== undefined);
  return noun === undefined ? `by:${by}` : `by ${noun}`;
}

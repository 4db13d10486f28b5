import type { ReportName } from '../../catalogue/index.js';
import { addUnits, dayAt, formatIsoDay } from '../../time/calendar.js';
import { monthNames, monthNumber } from '../calendar-words.js';
import { parseCommand } from '../parse-command.js';
import { formatRequest } from '../parse-request.js';
import { hasPace } from '../target.js';
import type { Moment } from './words.js';

/** A sentence about a rate to reach, without the words that say so. */
export interface SpokenTarget {
  /** How the rest reads, for each report that can be meant: a report, and what narrows it. */
  readonly sentences: readonly string[];
  /** `target:95%@2026-12-31` */
  readonly option: string;
}

const percent = '(?<percent>\\d{1,3}(?:\\.\\d{1,2})?)\\s*(?:%|percent\\b|per\\s+cent\\b)';
const goal = '(?:(?:the|our|a)\\s+)?(?:(?:target|goal)\\s+(?:of\\s+)?)?';
const rate =
  '(?:\\s+(?:of\\s+)?(?:an?\\s+|the\\s+)?(?<rate>complet(?:ion|ed|e)(?:\\s+rate)?|pass(?:ed)?(?:\\s+rate)?|attendance)(?![\\w-]))?';
const doing = '(?:reach|hit|meet|make|achieve|get\\s+to|complete|finish)';
const who = '(?<who>(?:we|[\\p{L}\\p{N} ]{1,60}?))';

/** Only questions whose verb is asked for: “will we miss 95%” is the other way round. */
const questions = [
  `(?:will|can|could|do)\\s+${who}\\s+(?:still\\s+)?(?<verb>${doing})\\s+${goal}${percent}${rate}`,
  `are\\s+we\\s+(?:still\\s+)?(?:on\\s+(?:track|course)\\s+(?:for|to\\s+(?<verb>${doing}))|going\\s+to\\s+${doing})\\s+${goal}${percent}${rate}`,
  `how\\s+(?:far|close)\\s+are\\s+we\\s+(?:away\\s+)?(?:from|to)\\s+${goal}${percent}${rate}`,
].map((form) => new RegExp(`^(?:please\\s+)?${form}(?![\\w%-])`, 'iu'));

const month = `(?<month>${monthNames.map((name) => `${name}|${name.slice(0, 3)}`).join('|')}|Sept)`;
const year = '(?:,?\\s+(?<year>20\\d\\d))?';
const endOf = '(?:the\\s+)?(?:end\\s+(?:of\\s+)?)?(?:the\\s+)?';

/** What can be the day to reach it by, the most telling first. */
const dates = [
  '(?<iso>20\\d\\d-\\d\\d-\\d\\d)',
  `(?:the\\s+)?(?<day>\\d{1,2})(?:st|nd|rd|th)?\\s+(?:of\\s+)?${month}${year}`,
  `${month}\\s+(?<day>\\d{1,2})(?:st|nd|rd|th)?${year}`,
  `${endOf}${month}${year}`,
  `${endOf}Q(?<quarter>[1-4])${year}`,
  `${endOf}(?<year>20\\d\\d)`,
  `${endOf}(?<which>this|next)?\\s*(?<unit>month|quarter|year)(?:\\s*end)?`,
].map((form) => new RegExp(`(?<![\\w-])by\\s+${form}(?![\\w-]|[.,/]\\d)`, 'iu'));

type Groups = Readonly<Record<string, string | undefined>>;

/** What a sentence says about a rate to reach; undefined: nothing, or nothing that is clear. */
export function targetIn(text: string, moment: Moment): SpokenTarget | undefined {
  // A name in quotes may hold any word, and an option says itself what it means.
  if (/["“”„‟]|\S:\S/.test(text)) return undefined;
  const asked = firstOf(questions, text);
  if (!asked) return undefined;
  const rest = text.slice(asked[0].length);
  const found = firstOf(dates, rest);
  const by = found?.groups && dateOf(found.groups, moment);
  if (found && by === undefined) return undefined;
  const left = found ? `${rest.slice(0, found.index)} ${rest.slice(found.index + found[0].length)}` : rest;
  const { who: people = '', percent: number, rate: named = '', verb = '' } = asked.groups ?? {};
  // A second day, or another number, would be left out.
  if (/(?<![\w-])(?:by|before|until)(?![\w-])|%/i.test(left)) return undefined;
  const narrowed = `${/^we$/i.test(people.trim()) ? '' : people} ${left}`
    .replace(/(?<![\w-])(?:of|in|for|with)\s*(?=$|[?!.])/giu, ' ')
    .replace(/\s+/g, ' ');
  const sentences = reportsIn(narrowed, named || (/^(?:complete|finish)/i.test(verb) ? 'completion' : ''));
  return {
    sentences: sentences.map((report) => `${report} ${narrowed}`.trim()),
    option: `target:${number}%${by === undefined ? '' : `@${by}`}`,
  };
}

function firstOf(forms: readonly RegExp[], text: string): RegExpExecArray | undefined {
  for (const form of forms) {
    const found = form.exec(text);
    if (found) return found;
  }
  return undefined;
}

const reportNames =
  /(?<![\w-])(?:assignments?|overdue|due|tracks?|assessments?|quiz(?:zes)?|tests?|engagement|completions|workshops?)(?![\w-])/i;

/** The reports that a rate can be of; an empty one where the sentence names its own. */
function reportsIn(text: string, named: string): readonly (ReportName | '')[] {
  if (reportNames.test(text)) return [''];
  if (/^pass/i.test(named)) return ['assessments'];
  // Attendance is not the rate that a target of workshops is about.
  if (/^attendance/i.test(named)) return [];
  return named ? ['assignments', 'tracks'] : ['assignments', 'tracks', 'assessments'];
}

/** `2026-12-31`, `2027-Q1`: the next one that is not over where no year is said. */
function dateOf({ iso, day, month: name, year: said, quarter, which, unit }: Groups, moment: Moment) {
  if (iso) return iso;
  const today = dayAt(Math.floor(moment.now / 1000), moment.zone);
  const now = formatIsoDay(today);
  const thisYear = Number(now.slice(0, 4));
  if (unit) {
    const isNext = which?.toLowerCase() === 'next';
    const kind = unit.toLowerCase() as 'month' | 'quarter' | 'year';
    const then = formatIsoDay(isNext ? addUnits(today, kind, 1) : today);
    if (kind === 'year') return then.slice(0, 4);
    return kind === 'month' ? then.slice(0, 7) : quarterOf(then.slice(0, 4), Number(then.slice(5, 7)));
  }
  if (quarter) {
    const current = Math.ceil(Number(now.slice(5, 7)) / 3);
    return `${said ?? (Number(quarter) < current ? thisYear + 1 : thisYear)}-Q${quarter}`;
  }
  const number = name === undefined ? undefined : monthNumber(name.toLowerCase());
  if (number === undefined) return said;
  const rest = `${String(number).padStart(2, '0')}${day === undefined ? '' : `-${day.padStart(2, '0')}`}`;
  const isOver = rest < now.slice(5, 5 + rest.length);
  return `${said ?? (isOver ? thisYear + 1 : thisYear)}-${rest}`;
}

const quarterOf = (inYear: string, ofMonth: number) => `${inYear}-Q${Math.ceil(ofMonth / 3)}`;

/**
 * The commands of the rest with the target. A question about a date is about a pace, which needs a range that stays the
 * same: where none is said, it begins with this year.
 */
export function withTarget(
  commands: readonly string[],
  { option }: SpokenTarget,
  { now, zone }: Moment,
): readonly string[] {
  return commands.flatMap((command) => {
    const parsed = parseCommand(`${command} ${option}`, { savedNames: [] });
    if (!parsed.ok || parsed.value.kind !== 'run') return [];
    const { request } = parsed.value;
    // A list, or one part of the rows, is no rate.
    if (request.showRows || request.by || request.states || request.view || request.over) return [];
    const since = `since:${formatIsoDay(dayAt(Math.floor(now / 1000), zone)).slice(0, 4)}`;
    const withRange = { ...request, range: request.range ?? since };
    return [formatRequest(hasPace(withRange) ? withRange : request)];
  });
}

const numbers =
  '(?:(?:(?:the|our|all|those|these|\\d|two|three|four|five|six|seven|eight|several|key)\\s+){1,3}(?:numbers|figures|kpis|metrics|reports))';

/** “One message with the four numbers we look at”, which a scorecard is. */
export function asksForScorecard(text: string): boolean {
  const form = `(?<![\\w-])(?:(?:one|a|single)\\s+(?:single\\s+)?(?:message|post|digest|summary)\\s+(?:with|of|for)\\s+${numbers}|${numbers}\\s+(?:in|as|on)\\s+(?:one|a\\s+single)\\s+(?:message|post|digest|page)|scorecards?)(?![\\w-])`;
  return new RegExp(form, 'iu').test(text);
}

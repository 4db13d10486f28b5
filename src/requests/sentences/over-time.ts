import type { ReportName } from '../../catalogue/index.js';
import { countOf } from '../calendar-words.js';
import { formatOver, maxUnits, minUnits, type OverUnit } from '../over-time.js';
import { parseCommand } from '../parse-command.js';
import { formatRequest } from '../parse-request.js';
import { rowsOf } from '../text-tables.js';

/** A sentence about several units, or about the year before, without the words that say so. */
export interface SpokenTime {
  /** How the rest reads: a report, and what narrows it. */
  readonly sentence: string;
  /** The options that the words mean. */
  readonly options: readonly string[];
  /** True where the words can also say how often something comes: `weekly`, `each month`. */
  readonly isCadence?: boolean;
}

const count = '(?<count>\\d{1,3}|[a-z]+(?:-[a-z]+)?)';
const unit = '(?<unit>days?|weeks?|months?|quarters?)';
const last = `(?:the\\s+)?(?:last|past|previous)\\s+${count}\\s+${unit}`;
const each =
  '(?:day\\s+by\\s+day|week\\s+(?:by|on|after)\\s+week|month\\s+(?:by|on|after)\\s+month|quarter\\s+(?:by|on|after)\\s+quarter)';
const by =
  '(?:(?:by|per|each|for\\s+each|in\\s+each)\\s+(?:day|week|month|quarter)|daily|weekly|monthly|quarterly)';
const asLine =
  '(?:(?:shown\\s+)?as\\s+a\\s+(?:line|line\\s+chart|trend|curve)|one\\s+by\\s+one|over\\s+time|as\\s+a\\s+chart\\s+by\\s+(?:day|week|month|quarter))';
const joint = '(?:(?:for|in|of|over|during|across)\\s+)?';

/** The words for several units, the most telling first. All of them are one place of the sentence. */
const unitForms = [
  `${joint}each\\s+(?:one\\s+)?of\\s+${last}`,
  `(?:${by}|${each}|trend)\\s*,?\\s*${joint}${last}(?:\\s+${asLine})?`,
  `${joint}${last}\\s*,?\\s*(?:${each}|${by}|${asLine})`,
].map((form) => new RegExp(`(?<![\\w-])${form}(?![\\w-])`, 'iu'));

/** “Each of the last thirty days”, also where they are no units of a line. */
export function saysEachOf(text: string): boolean {
  return /(?<![\w-])(?:each|every)\s+(?:one\s+)?of\s+the\s+(?:last|past|previous)(?![\w-])/i.test(text);
}

/** The same without a number, which is then the usual one. */
const usualForm = new RegExp(
  `(?<![\\w-])(?:trend\\s+(?<trendBy>${by})|(?<by>by\\s+(?:day|week|month|quarter)|${each})|(?:the\\s+)?trend(?:s)?(?:\\s+(?:of|in|for)(?=\\s))?|over\\s+time)(?![\\w-])`,
  'iu',
);

const usualCounts: Readonly<Record<OverUnit, number>> = { day: 14, week: 12, month: 12, quarter: 8 };

const sameTime =
  '(?:the\\s+)?same\\s+(?:time|period|day|week|month|quarter)(?:\\s+(?:of\\s+)?(?:last\\s+year|a\\s+year\\s+(?:ago|before|earlier)|the\\s+year\\s+before))';
const yearForm = new RegExp(
  `(?<![\\w-])(?:(?:as\\s+)?(?:compared|compare|against|versus|vs\\.?|compares)(?:\\s+(?:to|with))?\\s+(?:${sameTime}|last\\s+year|a\\s+year\\s+(?:ago|before|earlier)|the\\s+year\\s+before)|year\\s+(?:on|over)\\s+year|yoy)(?![\\w-])`,
  'iu',
);

interface SpokenFigure {
  readonly form: RegExp;
  readonly report: ReportName;
  readonly id: string;
}

/** What a line over time can be of, besides a report by its name: words, the report, and the figure. */
const figures: readonly SpokenFigure[] = rowsOf(`
  completion rates?, rate of completion | assignments | completion-rate
  on[- ]time rate, share on time | assignments | on-time
  (?:share active, active share, share of active people, activity rate) | engagement | active-share
  active (?:people, users, learners) | engagement | active-people
  learning (?:time, hours), hours of learning, time spent learning | engagement | time
  (?:sign[- ]?ins, log[- ]?ins) | engagement | sessions
  average rating | engagement | average-rating
  attendance(?: rate)? | workshops | attendance
  no[- ]shows?(?: rate)? | workshops | no-shows
  seats filled | workshops | seats-filled`).map(([words = '', report, id = '']) => ({
  form: new RegExp(`(?<![\\w-])(?:the\\s+|our\\s+)?(?:${words.replaceAll(', ', '|')})(?![\\w-])`, 'iu'),
  report: report as ReportName,
  id,
}));

/** The reports whose own name says what their first figure counts. */
const reportNames =
  /(?<![\w-])(?:engagement|completions?|assignments|workshops|tracks?|(?:track )?enrolments)(?![\w-])/i;

/** What a sentence says about several units, or about the year before; undefined: nothing, or nothing that is clear. */
export function timeIn(text: string): SpokenTime | undefined {
  // A name in quotes may hold any word, and an option says itself what it means. A time of day is no option.
  if (/["“”„‟]|[^\s\d]:\S/.test(text)) return undefined;
  const year = yearForm.exec(text);
  const left = year ? without(text, year) : text;
  const against = year ? ['against:last-year'] : [];
  const units = unitsIn(left);
  if (!units) return year ? { sentence: left, options: against } : undefined;
  const spoken = figureIn(units.rest);
  if (!spoken) return undefined;
  const options = [`over:${units.over}`, ...spoken.options, ...against];
  return { sentence: spoken.sentence, options, isCadence: cadenceForm.test(units.said) };
}

const cadenceForm = /\b(?:dai|week|month|quarter)ly\b|\beach\s+(?:day|week|month|quarter)\b/i;

interface SpokenUnits {
  readonly over: string;
  readonly said: string;
  readonly rest: string;
}

function unitsIn(text: string): SpokenUnits | undefined {
  for (const form of unitForms) {
    const found = form.exec(text);
    if (!found?.groups) continue;
    const many = countOf((found.groups.count ?? '').toLowerCase());
    const named = unitNamed(found.groups.unit ?? '');
    const others = unitsNamed(found[0]);
    // “The last six months by week” has other units than months.
    const isOne = others.every((other) => other === named);
    if (many === undefined || !isOne || many < minUnits || many > maxUnits) return undefined;
    const over = formatOver({ unit: named, count: many });
    return { over, said: found[0], rest: without(text, found) };
  }
  const usual = usualForm.exec(text);
  if (!usual) return undefined;
  const [named = 'week'] = unitsNamed(usual[0]);
  const over = formatOver({ unit: named, count: usualCounts[named] });
  return { over, said: usual[0], rest: without(text, usual) };
}

const adverbs: Readonly<Record<string, OverUnit>> = {
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
  quarterly: 'quarter',
};

function unitsNamed(text: string): readonly OverUnit[] {
  return [...text.matchAll(/\b(daily|weekly|monthly|quarterly|(?:day|week|month|quarter)s?)\b/gi)].map(
    ([word]) => unitNamed(word),
  );
}

function unitNamed(word: string): OverUnit {
  const lower = word.toLowerCase();
  return adverbs[lower] ?? (lower.replace(/s$/, '') as OverUnit);
}

/** The figure of the line, and the sentence with the report in its place; undefined: it is unclear what the line is of. */
function figureIn(text: string): SpokenTime | undefined {
  const [figure, another] = figures.filter(({ form }) => form.test(text));
  if (another) return undefined;
  if (!figure) return reportNames.test(text) ? { sentence: text, options: [] } : undefined;
  const rest = text.replace(
    figure.form,
    reportNames.test(text.replace(figure.form, ' ')) ? ' ' : ` ${figure.report} `,
  );
  // “Completion rate of assignments”
  return { sentence: tidied(rest), options: [`figure:${figure.id}`] };
}

function without(text: string, { index, 0: found }: RegExpExecArray): string {
  return tidied(`${text.slice(0, index)} ${text.slice(index + found.length)}`);
}

/** Without words that introduced what was taken out. */
function tidied(text: string): string {
  return text
    .replace(/\s+(?:of|for|in|over|during|as|,)\s*(?=$|[?!.])/giu, ' ')
    .replace(/^\s*(?:of|for|in)\s+/iu, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The commands of the rest with these options; none: one of them is no report, or does not take them. */
export function withTime(commands: readonly string[], { options, isCadence }: SpokenTime): readonly string[] {
  const made = commands.flatMap((command) => {
    const without = parseCommand(command, { savedNames: [] });
    const isSchedule = without.ok && without.value.kind === 'schedule';
    // “Completions of the last four weeks, weekly on mondays” comes weekly, and is not counted by week.
    if (isSchedule && isCadence) return [];
    const cadence = isSchedule ? without.value.cadenceTyped : '';
    const words = command.slice(0, command.length - cadence.length).trimEnd();
    const parsed = parseCommand([words, ...options, cadence].join(' ').trim(), { savedNames: [] });
    if (!parsed.ok) return [];
    const { value } = parsed;
    if (value.kind === 'run') return [formatRequest(value.request)];
    return value.kind === 'schedule' ? [[words, ...options, cadence].join(' ')] : [];
  });
  return made.length === commands.length ? made : [];
}

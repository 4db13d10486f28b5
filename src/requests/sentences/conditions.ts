import type { ReportName } from '../../catalogue/index.js';
import { addUnits, type CalendarDay, dayAt } from '../../time/calendar.js';
import { parseRangeWords } from '../range-words.js';
import { quoteEntry } from '../tokens.js';
import { type Fact, filler } from './facts.js';
import { canBe, factOf, type Item } from './items.js';
import { isOneOf, type Moment, type Sentence } from './words.js';

/** A sentence whose conditions on rows are options, as they are typed. */
export interface SpokenConditions {
  readonly text: string;
  /** The report that they are about, where the sentence names none. */
  readonly report: ReportName | undefined;
}

const signs: Readonly<Record<string, string>> = {
  'more than': '>',
  over: '>',
  above: '>',
  'greater than': '>',
  'higher than': '>',
  'longer than': '>',
  'better than': '>',
  'at least': '>=',
  'less than': '<',
  'fewer than': '<',
  under: '<',
  below: '<',
  'lower than': '<',
  'worse than': '<',
  'at most': '<=',
  'up to': '<=',
  exactly: '=',
};
/** The words for signs that stand before a number, outside options. */
const wordsOfSigns: Readonly<Record<string, string>> = {
  '>': 'more than',
  '>=': 'at least',
  '≥': 'at least',
  '<': 'less than',
  '<=': 'at most',
  '≤': 'at most',
  '=': 'exactly',
};
const signBeforeNumber = /(?<![:,!=<>≤≥]\s*)(?:[<>]=?|[=≤≥])(?=\s*\d)/g;
const compared = `(?<compared>${Object.keys(signs).join('|').replaceAll(' ', '\\s+')})`;
const number = '(?<number>\\d{1,6}(?:\\.\\d{1,4})?)(?![\\d.,]*\\d)';
const days = `${number}\\s*\\+?\\s+(?<unit>days?|weeks?)`;
const late = '(?:overdue|late|past\\s+due)';
const points = '(?:\\s?(?:%|percent\\b|points\\b))?';
const orMore = '\\s+or\\s+(?<open>more|higher|better|longer|less|lower|worse|fewer)';
const hiring = '(?:(?:was|were|got|been)\\s+)?(?:hired|newly\\s+hired|joined(?:\\s+(?:us|the\\s+company))?)';

interface Form {
  readonly form: RegExp;
  /** The words that take its place; undefined: it says something else. */
  readonly option: (
    groups: Readonly<Record<string, string | undefined>>,
    moment: Moment,
  ) => string | undefined;
  readonly report?: ReportName;
}

const scoreWord =
  '(?<!\\b(?:average|mean|median)\\s)\\b(?:scor(?:ed|es|e|ing)|with\\s+(?:a\\s+)?scores?)(?:\\s+(?:of|is|was|are|were))?';
const progressWord = '(?<!\\b(?:average|mean|median)\\s)\\bprogress(?:\\s+(?:of|is|was|are|at))?';

/** Counts of a person, by what people call them. */
const counts: Readonly<Record<string, { readonly field: string; readonly report: ReportName }>> = {
  views: { field: 'views', report: 'engagement' },
  sessions: { field: 'sessions', report: 'engagement' },
  comments: { field: 'comments', report: 'engagement' },
  likes: { field: 'likes', report: 'engagement' },
  shares: { field: 'shares', report: 'engagement' },
  attempts: { field: 'assessment_attempts', report: 'assessments' },
};

const lacking: Readonly<Record<string, string>> = {
  manager: 'manager_email',
  department: 'departments',
  team: 'teams',
  location: 'locations',
  group: 'groups',
  'due date': 'due_date',
};

const forms: readonly Form[] = [
  { form: form(`\\b${compared}\\s+${days}\\s+${late}\\b`), option: daysOverdue },
  { form: form(`\\b${late}\\s+(?:(?:for|by|since)\\s+)?${compared}\\s+${days}\\b`), option: daysOverdue },
  { form: form(`\\b${late}\\s+(?:(?:for|by)\\s+)?${days}${orMore}\\b`), option: daysOverdue },
  { form: form(`\\b${days}${orMore}\\s+${late}\\b`), option: daysOverdue },
  ...[
    `${scoreWord}\\s+${compared}\\s+${number}${points}`,
    `${scoreWord}\\s+${number}${points}${orMore}\\b`,
  ].map((words): Form => ({ form: form(words), option: compare('score'), report: 'assessments' })),
  ...[
    `${progressWord}\\s+${compared}\\s+${number}${points}`,
    `${progressWord}\\s+${number}${points}${orMore}\\b`,
    `\\b${compared}\\s+${number}${points}\\s+progress\\b`,
  ].map((words): Form => ({ form: form(words), option: compare('progress'), report: 'tracks' })),
  ...Object.entries(counts).map(
    ([word, { field, report }]): Form => ({
      form: form(`\\b(?:with\\s+)?${compared}\\s+${number}\\s+${word}\\b`),
      option: compare(field),
      report,
    }),
  ),
  {
    form: form(
      "\\b(?:(?:has|have|had)\\s+)?(?:never|not\\s+yet|not\\s+ever|(?:has|have|had)n[’']?t\\s+ever)\\s+(?:ever\\s+)?(?:logged|signed)\\s+(?:in|on)(?:\\s+(?:yet|at\\s+all|so\\s+far))?\\b",
    ),
    option: () => 'last_login:none',
    report: 'engagement',
  },
  {
    form: form(
      `\\b(?:without|with\\s+no|(?:has|have)\\s+no)\\s+(?:an?\\s+|any\\s+)?(?<lacked>${Object.keys(lacking).join('|')})s?\\b(?!\\s+(?:of|called|named)\\b)`,
    ),
    option: ({ lacked = '' }) => `${lacking[lacked.toLowerCase().replace(/\s+/g, ' ')]}:none`,
    report: 'engagement',
  },
  {
    form: form(
      `\\b${hiring}\\s+(?<when>(?:(?:in|during|within|since|before|after|from|of)\\s+)?(?:the\\s+)?[a-z0-9.-]+(?:\\s+[a-z0-9]+){0,2})`,
    ),
    option: hired,
  },
];

function form(words: string): RegExp {
  return new RegExp(words, 'iu');
}

/** Both ways to say it: `more than 30`, `30 or more`. */
function signOf({ compared: before = '', open }: Readonly<Record<string, string | undefined>>) {
  if (open !== undefined) return /more|higher|better|longer/i.test(open) ? '>=' : '<=';
  return signs[before.toLowerCase().replace(/\s+/g, ' ')] ?? '=';
}

function compare(field: string): Form['option'] {
  return (groups) => `${field}:${signOf(groups)}${groups.number}`;
}

function daysOverdue(groups: Parameters<Form['option']>[0]): string {
  const { number: count = '', unit = '' } = groups;
  const isWeeks = /^week/i.test(unit);
  return `overdue days_overdue:${signOf(groups)}${Number(count) * (isWeeks ? 7 : 1)}`;
}

const monthNames =
  'january february march april may june july august september october november december'.split(' ');

/** “Hired this year”, “hired since March”, “joined before 2024”; with the words after it that it does not take. */
function hired({ when = '' }: Parameters<Form['option']>[0], moment: Moment): string | undefined {
  const words = when.trim().split(/\s+/);
  const [first = ''] = words;
  const relation = isOneOf(first.toLowerCase(), 'in during within since before after from of') ? first : '';
  const rest = words
    .slice(relation === '' ? 0 : 1)
    .filter((word, index) => index > 0 || !/^the$/i.test(word));
  for (let length = rest.length; length > 0; length -= 1) {
    const range = rangeOf(rest.slice(0, length).join(' ').toLowerCase(), moment);
    if (range === undefined) continue;
    const sign = { since: '>=', from: '>=', before: '<', after: '>' }[relation.toLowerCase()] ?? '';
    return [`hired_on:${sign}${range}`, ...rest.slice(length)].join(' ');
  }
  return undefined;
}

/** Range words; a month without a year is the latest one begun. */
function rangeOf(words: string, { now, zone }: Moment): string | undefined {
  const [name = '', year = ''] = words.split(' ');
  const month = monthNames.findIndex(
    (known) => known === name || (name.length === 3 && known.startsWith(name)),
  );
  if (month >= 0 && /^(?:|\d{4})$/.test(year)) {
    const today: CalendarDay = dayAt(Math.floor(now / 1000), zone);
    const ofYear = year || String(addUnits(today, 'month', -month).getFullYear());
    return `${ofYear}-${String(month + 1).padStart(2, '0')}`;
  }
  const parsed = parseRangeWords(words.replace(/^last (\d+)$/, ''));
  return parsed.ok ? parsed.value.words : undefined;
}

/** The sentence with its conditions as options; undefined: it says none that rows can meet. */
export function conditionsSpokenIn(typed: string, moment: Moment): SpokenConditions | undefined {
  const inWords = typed.replace(signBeforeNumber, (sign) => ` ${wordsOfSigns[sign]} `);
  let text = inWords;
  let report: ReportName | undefined;
  for (const { form: spoken, option, report: own } of forms) {
    const found = spoken.exec(text);
    // What is quoted is a name.
    if (!found || /["“”„‟]/.test(text.slice(0, found.index + found[0].length))) continue;
    const words = option(found.groups ?? {}, moment);
    if (words === undefined) continue;
    text = `${text.slice(0, found.index)} ${words} ${text.slice(found.index + found[0].length)}`.trim();
    report ??= own;
  }
  return text === inWords ? undefined : { text, report };
}

/** Words before a name that leave it out, whatever stands before them. */
const strongLeads = 'except excepting excluding exclude excludes excl omitting omit ignoring ignore minus';
/** Those that need these words after them: “apart from”. */
const longLeads: Readonly<Record<string, string>> = {
  apart: 'from',
  aside: 'from',
  leave: 'out',
  leaving: 'out',
};
const weakLeads = 'not arent isnt outside without sans no';

/**
 * The items with names that are left out as options: “except Sales” is `departments:!Sales`. Only where nothing else can be
 * meant: what stays is refused, and never turned round.
 */
export function withExclusions(items: readonly Item[], sentence: Sentence): readonly Item[] {
  const changed = [...items];
  for (let index = 0; index < changed.length; index += 1) {
    const lead = leadAt(changed, index);
    if (!lead) continue;
    const names = namesAfter(changed, lead.end, sentence);
    if (!names || !fits(changed, lead, names, sentence)) continue;
    for (let at = lead.start; at < names.end; at += 1) {
      const item = changed[at];
      if (item) changed[at] = { ...item, facts: names.at.includes(at) ? excludedFacts(item) : filler };
    }
  }
  return changed;
}

interface Lead {
  /** Indexes of items. */
  readonly start: number;
  readonly end: number;
  /** True for words that may say something else beside a title: “without GDPR basics” is what people lack. */
  readonly isWeak: boolean;
}

function leadAt(items: readonly Item[], index: number): Lead | undefined {
  const item = items[index];
  if (!item || !canBe(item, 'refused')) return undefined;
  const { keys } = item;
  const next = items[index + 1]?.keys ?? '';
  const before = items[index - 1];
  const noun = before && factOf(before, 'unknown')?.isNoun ? 1 : 0;
  // “All departments but Sales”: the noun is of the names.
  if (isOneOf(keys, strongLeads) || keys === 'other than' || keys === 'save for') {
    return { start: index - noun, end: index + 1, isWeak: false };
  }
  const after = longLeads[keys];
  if (after !== undefined && (next === after || next === `${after} of`)) {
    return { start: index - noun, end: index + 2, isWeak: false };
  }
  if (isOneOf(keys, 'but bar barring')) {
    if (next === 'not') return { start: index, end: index + 2, isWeak: true };
    const all = noun > 0 ? items[index - 2]?.keys : before?.keys;
    const isAll = isOneOf(all ?? '', 'all every everybody everyone everything anybody anyone anything any');
    return isAll ? { start: index - noun, end: index + 1, isWeak: true } : undefined;
  }
  if (keys === 'but not') return { start: index, end: index + 1, isWeak: true };
  const isDoubled = canBe(before, 'refused') || isOneOf(before?.keys ?? '', 'why if whether only just');
  if (!isOneOf(keys, weakLeads) || isDoubled || item.start === 0) return undefined;
  return { start: index - noun, end: index + 1, isWeak: true };
}

/** The names after a lead, joined by “and”, “or” or commas: indexes of items. */
function namesAfter(items: readonly Item[], from: number, { text, words }: Sentence) {
  let at = from;
  while (
    isOneOf(
      items[at]?.keys ?? '-',
      'in from at of for the any department departments team teams location locations',
    )
  )
    at += 1;
  const names: number[] = [];
  while (isName(items[at])) {
    names.push(at);
    let joiner = at + 1;
    while (isOneOf(items[joiner]?.keys ?? '-', ', and or nor')) joiner += 1;
    const [here, next] = [items[at], items[joiner]];
    const between = here && next ? text.slice(words[here.end - 1]?.end, words[next.start]?.start) : '';
    if (joiner === at + 1 && !between.includes(',')) break;
    at = joiner;
  }
  const last = names.at(-1);
  return last === undefined ? undefined : { at: names, end: last + 1 };
}

function isName(item: Item | undefined): boolean {
  return item !== undefined && excludedFacts(item).length > 0;
}

/** “Except Sales in Berlin” and “except Sales managers” may be some of them, and then nothing is sure. */
function fits(
  items: readonly Item[],
  { isWeak }: Lead,
  { at, end }: { readonly at: readonly number[]; readonly end: number },
  { text, words }: Sentence,
): boolean {
  const [last, next, second] = [items[end - 1], items[end], items[end + 1]];
  const gap = last && next ? text.slice(words[last.end - 1]?.end, words[next.start]?.start) : ',';
  if (!gap.includes(',') && next?.keys !== ',') {
    if (canBe(next, 'filter', 'value', 'title', 'state', 'quoted')) return false;
    const isPlaced = isOneOf(next?.keys ?? '-', 'in at from of with');
    if (isPlaced && !canBe(second, 'range', 'date-field')) return false;
  }
  const isTitle = at.some((index) => canBe(items[index], 'title'));
  if (!isTitle) return true;
  // “Everything except Fire Safety is done” is about people who lack it.
  return (
    !isWeak && !items.some((item) => canBe(item, 'state') || /^(?:all|everything|anything)$/.test(item.keys))
  );
}

function excludedFacts({ facts }: Item): readonly Fact[] {
  return facts.flatMap((fact): Fact[] => {
    if (fact.kind === 'value') return [{ kind: 'option', text: `${fact.member}:!${quoteEntry(fact.entry)}` }];
    const isTitle = fact.kind === 'title' && fact.option !== undefined;
    return isTitle ? [{ kind: 'option', text: `${fact.option}:!${quoteEntry(fact.text)}` }] : [];
  });
}

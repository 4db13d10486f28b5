import { conditionFields } from '../../catalogue/conditions.js';
import { allReports } from '../../catalogue/index.js';
import { findZone } from '../../schedule/time-zones.js';
import { type CalendarDay, dayAt, type WeekStart } from '../../time/calendar.js';
import { monthNames } from '../calendar-words.js';
import { withoutCommand } from '../parse-command.js';
import { type TextSpan, tokenAt } from '../tokens.js';
import { optionsOf } from '../vocabulary.js';

/** One word of a sentence, or something that is read as one. */
export interface Word extends TextSpan {
  readonly kind:
    | 'word'
    | 'quoted'
    | 'option'
    | 'email'
    | 'iso'
    | 'date'
    | 'time'
    | 'zone'
    | 'comma'
    | 'dash'
    /** After an `@`, which the text has too: the first word of a name, or a user ID. */
    | 'person';
  /** As typed; without its quotes for `quoted`. */
  readonly text: string;
  /** For comparing: lower case, without apostrophes. Two spellings of one word have the same. */
  readonly key: string;
  /** True for a word that a hyphen joins with the one before. */
  readonly isJoined?: true;
}

/** The moment and the zone of a sentence, which its ranges refer to. */
export interface Moment {
  /** Epoch milliseconds. */
  readonly now: number;
  /** IANA zone. */
  readonly zone: string;
  readonly weekStart: WeekStart;
}

/** A text with its words, read on a day. */
export class Sentence {
  readonly text: string;
  readonly words: readonly Word[];
  readonly today: CalendarDay;
  readonly weekStart: WeekStart;
  /** What `textFrom` made, by the index of the first word. */
  private readonly textsFrom = new Map<number, string>();

  constructor(typed: string, { now, zone, weekStart }: Moment) {
    this.text = withoutCommand(typed);
    this.words = readWords(this.text);
    this.today = dayAt(Math.floor(now / 1000), zone);
    this.weekStart = weekStart;
  }

  /** The key of the word at an index; empty where there is none. */
  key(at: number): string {
    return this.words[at]?.key ?? '';
  }

  /** True if the word at an index is one of these, which blanks separate. Names and texts in quotes are no words. */
  is(at: number, keys: string): boolean {
    const word = this.words[at];
    return word !== undefined && word.kind !== 'quoted' && word.kind !== 'person' && isOneOf(word.key, keys);
  }

  /** The index after the word at an index if that is one of these, else the index itself. */
  skip(at: number, keys: string): number {
    return this.is(at, keys) ? at + 1 : at;
  }

  /** True if some word is one of these. */
  has(keys: string): boolean {
    return this.words.some((_, at) => this.is(at, keys));
  }

  /** The keys of the words from an index on, for patterns: forty at most, and a sign for a text in quotes or a person. */
  textFrom(start: number): string {
    const known = this.textsFrom.get(start);
    if (known !== undefined) return known;
    const text = this.words
      .slice(start, start + maxWordsOfPattern)
      .map(({ kind, key }) => ({ quoted: '"', person: '@' })[kind as string] ?? key)
      .join(' ');
    this.textsFrom.set(start, text);
    return text;
  }

  /** True for a word that is written as a name. */
  isCapital(at: number): boolean {
    return /^\p{Lu}/u.test(this.words[at]?.text ?? '');
  }

  /** The text of some words, without signs that separate words. */
  textOf({ start, end }: TextSpan): string {
    const [first, last] = [this.words[start], this.words[end - 1]];
    if (!first || !last) return '';
    return this.text
      .slice(first.start, last.end)
      .replace(/["“”„‟,]/g, ' ')
      .replace(/\s+/g, ' ')
      .replace(/['’]s$/, '')
      .trim();
  }

  /** The keys of some words, with blanks between them. */
  keysOf({ start, end }: TextSpan): string {
    return this.words
      .slice(start, end)
      .map(({ key }) => key)
      .join(' ');
  }
}

const maxWordsOfPattern = 40;

/** The words of each list that was looked at. All lists are in the code. */
const listedWords = new Map<string, ReadonlySet<string>>();

/** True for one of some words, which blanks separate. */
export function isOneOf(key: string, keys: string): boolean {
  let words = listedWords.get(keys);
  if (!words) {
    words = new Set(keys.split(' '));
    listedWords.set(keys, words);
  }
  return words.has(key);
}

/** Longer sentences are read up to here. The rest counts as one unknown word. */
export const maxSentenceLength = 4_000;

/** Forms that a sentence can contain, in order of precedence. Each is tried once at each position, so reading is linear. */
const forms: readonly (readonly [kind: Word['kind'], form: RegExp])[] = [
  // `2026..` and `..2026-03`: a range needs both of its ends.
  [
    'word',
    /\.\.\d{4}(?:-q[1-4]|-\d{2}(?:-\d{2})?)?(?![\w.])|\d{4}(?:-q[1-4]|-\d{2}(?:-\d{2})?)?\.\.(?![\w.])/iy,
  ],
  ['email', /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,5}(?:['’]s(?!\p{L}))?/uy],
  [
    'iso',
    /\d{4}(?:-q[1-4]|-\d{2}(?:-\d{2})?)?\.\.\d{4}(?:-q[1-4]|-\d{2}(?:-\d{2})?)?(?![\w.])|\d{4}-(?:q[1-4]|\d{2}(?:-\d{2})?)(?!\w)/iy,
  ],
  [
    'date',
    /\d{4}([/.])\d{1,2}\1\d{1,2}(?!\w)|\d{1,2}([/.])\d{1,2}\2(?:\d{4}|\d{2})(?!\w)|\d{1,2}\.\d{1,2}\.(?!\w)|\d{1,2}\/(?:\d{4}|\d{1,2})(?![\w/])/y,
  ],
  [
    'time',
    /(?:[01]?\d|2[0-3])[:.][0-5]\d(?:\s?[ap]\.?m\b\.?)?(?![\w:])|\d{1,2}\s?[ap]\.?m\b\.?|:[0-5]\d\b/iy,
  ],
  ['zone', /[A-Za-z]+(?:\/[\w+-]+){1,2}/y],
  ['person', /@(?=[\p{L}\p{N}])[\p{L}\p{M}\p{N}_]+(?:['’ʼ`´][\p{L}\p{M}]+)*/uy],
  ['word', /[\p{L}\p{M}\p{N}+#&_]+(?:['’ʼ`´][\p{L}\p{M}]+)*/uy],
];

/** The year of `Nov '25` */
const shortYear = /['’]\d\d(?!\w)/y;
const blank = /\s+/y;
const quoted = /"([^"]{0,300})"|[“”„‟]([^“”„‟]{0,300})[“”„‟]|«([^«»]{0,300})»/y;
const optionName = /[a-z_]{1,30}(?:\.[a-z_]{1,30})?(?=:)/iy;
const emojiCode = /:[a-z0-9_+'-]{1,40}:/iy;
/** Signs that leave out what follows, as people type them elsewhere: `!Sales`, `!= Sales`, `-Sales`. */
const notSign = new RegExp(
  `!=|<>|≠|¬|!(?=[\\p{L}"“„«])|(?<=\\s)-(?=\\p{L})(?!(?:${monthNames.map((name) => name.slice(0, 3)).join('|')}))`,
  'iuy',
);
/** Signs that end or decorate a sentence and say nothing. */
const silent = /[.?!…:;()[\]'’‘"“”„‟*_~`|]|\p{Extended_Pictographic}|\p{Emoji_Modifier}|[\u200d\ufe0f]/uy;
const dash = /[-–—]+|\.\.+/y;
/** A run of other signs is unknown. */
const other = /[^\s\p{L}\p{N}"“”„‟]+/uy;

const optionNames: ReadonlySet<string> = new Set([
  ...allReports.flatMap((report) => [...optionsOf(report).keys()]),
  ...allReports.flatMap((report) => conditionFields(report).flatMap(({ id, name }) => [id, name])),
  'keep',
]);

/** Contractions that are not a possessive. */
const contractions = /^(?:what|who|how|where|when|that|let|it|there|here)s$/;

/** The words of a sentence, options such as `departments:Sales` among them. */
export function readWords(sentence: string): readonly Word[] {
  const text = sentence.slice(0, maxSentenceLength);
  const words: Word[] = [];
  for (let at = 0; at < text.length; ) {
    const word = wordFrom(text, at);
    if (word.kind !== 'nothing') {
      const isJoined = /[\p{L}\p{N}]-$/u.test(text.slice(Math.max(0, word.start - 3), word.start));
      words.push(isJoined ? { ...word, isJoined } : word);
    }
    at = word.end;
  }
  return words;
}

function wordFrom(text: string, start: number): Word | (TextSpan & { readonly kind: 'nothing' }) {
  const match = (form: RegExp) => {
    form.lastIndex = start;
    const found = form.exec(text);
    return found?.[0] ? { found, end: form.lastIndex } : undefined;
  };
  const nothing = (end: number) => ({ kind: 'nothing', start, end }) as const;
  const space = match(blank) ?? match(emojiCode);
  if (space) return nothing(space.end);
  const not = /[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, start - 2), start)) ? undefined : match(notSign);
  if (not) return { ...word('word', not.found[0], start, not.end), key: 'not' };
  const option = optionAt(text, match(optionName)?.found[0], start);
  if (option) return option;
  const quote = match(quoted);
  if (quote) {
    const inside = (quote.found.slice(1).find((text) => text !== undefined) ?? '').trim();
    return inside === '' ? nothing(quote.end) : word('quoted', inside, start, quote.end);
  }
  const year = match(shortYear);
  if (year) return word('word', `20${year.found[0].slice(1)}`, start, year.end);
  for (const [kind, form] of forms) {
    const formed = match(form);
    if (!formed) continue;
    const [text] = formed.found;
    const typed = kind === 'email' ? text.replace(/['’]s$/, '') : text;
    if (kind !== 'zone' || findZone(typed)) return word(kind, typed, start, formed.end);
  }
  if (/[,/·]/.test(text.charAt(start))) return word('comma', ',', start, start + 1);
  const line = match(dash);
  if (line) return isHyphen(text, start, line.end) ? nothing(line.end) : word('dash', '-', start, line.end);
  const decoration = match(silent);
  if (decoration) return nothing(decoration.end);
  const sign = match(other);
  return sign ? word('word', sign.found[0], start, sign.end) : nothing(start + 1);
}

function optionAt(text: string, name: string | undefined, start: number): Word | undefined {
  if (name === undefined || !optionNames.has(name.toLowerCase())) return undefined;
  const token = tokenAt(text, start);
  if (token?.kind !== 'option' || token.entries.length === 0) return undefined;
  return word('option', text.slice(token.start, token.end), token.start, token.end);
}

function word(kind: Word['kind'], text: string, start: number, end: number): Word {
  const isPlain = kind === 'word' || kind === 'person';
  return { kind, text, key: isPlain ? keyOfWord(text.replace(/^@/, '')) : text.toLowerCase(), start, end };
}

const shortMonths = monthNames.map((name) => name.slice(0, 3)).join('|');
const monthBefore = new RegExp(`(?:^|[^\\p{L}])(?:${shortMonths})[a-z]*$`, 'iu');
const monthAfter = new RegExp(`^(?:${shortMonths})`, 'i');

/** True inside `not-started` and `last-30-days`, but not in `1-10`. */
function isHyphen(text: string, start: number, end: number): boolean {
  const before = text[start - 1] ?? ' ';
  const after = text.slice(end, end + 9);
  // `Jan-Mar` is a range, and `in-progress` is one word.
  if (monthBefore.test(text.slice(Math.max(0, start - 12), start)) && monthAfter.test(text.slice(end)))
    return false;
  if (end - start > 1 || /\s/.test(before) || /^(?:\s|$)/.test(after)) return false;
  return !/\d/.test(before) || /^(?:day|week|month|quarter|year|[dwmqy](?!\p{L}))/iu.test(after);
}

/** The form in which words are compared. `team's` is `team`, and `hasn’t` is `hasnt`. */
function keyOfWord(text: string): string {
  const lower = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[’ʼ`´]/g, "'");
  if (lower === '&') return 'and';
  const joined = lower.replaceAll("'", '');
  if (lower.endsWith("'s") && !contractions.test(joined)) return lower.slice(0, -2).replaceAll("'", '');
  return joined;
}

/** The keys of a title or an entry, for comparing it with a sentence. */
export function keysOf(text: string): readonly string[] {
  return readWords(text.replace(/["“”„‟:]/g, ' '))
    .filter(({ kind }) => kind !== 'comma' && kind !== 'dash')
    .map(({ key }) => key);
}

/** Shortens text to so many UTF-16 units. Shortened text ends with `…`. Never cuts inside a character. */
export function truncateText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  let end = Math.max(0, maxLength - 1);
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end--;
  return `${text.slice(0, end).trimEnd()}…`;
}

/** Marks that turn or hide text: direction overrides and isolates, invisible spaces, tags. Joiners stay: scripts need them. */
const hidden =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

const loneSurrogates = /\p{Surrogate}/gu;

/** Control characters, line breaks and runs of spaces. */
const breaks = /[\p{Cc}\s]+/gu;

/**
 * Text of a person or the service as one visible line, without control characters and direction overrides.
 *
 * @param maxLength UTF-16 units
 */
export function displayText(text: string, maxLength: number): string {
  // Only the beginning of a long text is needed.
  const start = text.slice(0, 4 * maxLength + 100);
  const line = start.replace(loneSurrogates, '\ufffd').replace(hidden, '').replace(breaks, ' ').trim();
  return truncateText(line, maxLength) || '(blank)';
}

/**
 * Texts as `displayText` shows them, cut so that they still differ: those that begin alike lose words they share,
 * or else their middle. Only texts that are equal are numbered.
 */
export function distinctTexts(texts: readonly string[], maxLength: number): readonly string[] {
  const whole = texts.map((text) => displayText(text, maxWholeLength));
  let shown = whole.map((text) => truncateText(text, maxLength));
  for (const shorten of [withoutSharedWords, withoutMiddle]) {
    if (new Set(shown).size === shown.length) return shown;
    shown = shown.map((text, i, all) => {
      const alike = whole.filter((_, at) => all[at] === text);
      return alike.length < 2 ? text : shorten(whole[i] ?? '', alike, maxLength);
    });
  }
  return numbered(shown, maxLength);
}

/** Longer texts are not told apart by what follows. */
const maxWholeLength = 300;

/** `…Refresher 2026`, of `Annual fire safety Refresher 2026`. */
function withoutSharedWords(text: string, alike: readonly string[], maxLength: number): string {
  const words = alike.map((one) => one.split(' '));
  const [first = []] = words;
  let shared = 0;
  while (words.every((one) => one.length > shared + 1 && one[shared] === first[shared])) shared++;
  const ends = text.split(' ').map((_, from, all) => all.slice(from).join(' '));
  // The words before what differs stay as far as there is room.
  const end = ends.find((one, from) => from === shared || (from < shared && one.length < maxLength)) ?? text;
  return truncateText(shared > 0 ? `…${end}` : text, maxLength);
}

/** `Annual fir…sher 2026`. */
function withoutMiddle(text: string, _: readonly string[], maxLength: number): string {
  const characters = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].map(
    ({ segment }) => segment,
  );
  if (text.length <= maxLength) return text;
  let [start, end] = ['', ''];
  for (let i = 0; start.length + end.length + 1 <= maxLength; i++) {
    const [next = '', last = ''] = [characters[i], characters[characters.length - 1 - i]];
    if (start.length + end.length + last.length + 1 > maxLength) break;
    end = last + end;
    if (start.length + end.length + next.length + 1 > maxLength) break;
    start += next;
  }
  return `${start.trimEnd()}…${end.trimStart()}`;
}

function numbered(texts: readonly string[], maxLength: number): readonly string[] {
  const isAlone = (text: string, i: number) => texts.indexOf(text) === i && !texts.includes(text, i + 1);
  const taken = new Set(texts.filter(isAlone));
  return texts.map((text, i) => {
    if (isAlone(text, i)) return text;
    for (let number = 1; ; number++) {
      const ending = ` ${number}`;
      const one = `${truncateText(text, maxLength - ending.length)}${ending}`;
      if (taken.has(one)) continue;
      taken.add(one);
      return one;
    }
  });
}

const wide =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}|[\uff01-\uff60]/u;
const marks = /\p{Mark}|\u200d|\ufe0f/u;

/** Columns that text takes on a terminal: East Asian letters and emoji take two, marks none. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    if (!marks.test(character)) width += wide.test(character) ? 2 : 1;
  }
  return width;
}

/** Absent, or a condition that does not hold. */
type Nothing = false | undefined | null | '' | 0;

type ItemOf<Given> = Given extends readonly (infer Item)[] ? Item : Exclude<Given, Nothing>;

/** The items that are there, in one list. Lists among them are joined. */
export function compact<const Given extends readonly unknown[]>(...items: Given): ItemOf<Given[number]>[];
export function compact(...items: readonly unknown[]): unknown[] {
  return items.filter(Boolean).flat();
}

/**
 * A text for comparisons: case, the accents of Latin, Greek and Cyrillic letters, the shape of quotes and dashes, and
 * the width of blanks do not count. Other scripts keep their marks, which are letters there.
 */
export function foldText(text: string): string {
  // Most texts are plain, and nothing else of what follows changes those.
  if (plainText.test(text)) return text.toLowerCase().replaceAll('`', "'").replace(/ +/g, ' ').trim();
  return (
    text
      .normalize('NFC')
      // An iota below a Greek vowel is a mark in lower case, and a letter in capitals.
      .toUpperCase()
      .normalize('NFKD')
      .replace(/([\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}])\p{sc=Inherited}+/gu, '$1')
      .normalize('NFC')
      .toUpperCase()
      .toLowerCase()
      .replace(/[øłđæœðþ]/g, (letter) => plainLetters[letter] ?? letter)
      .replace(/[“”„‟«»″"]/g, '"')
      .replace(/[‘’‚‛′`´']/g, "'")
      .replace(/\p{Pd}/gu, '-')
      .replace(/\p{Cf}/gu, '')
      .replace(/\s+/g, ' ')
      .trim()
  );
}

/** Only letters, digits and signs of ASCII, and blanks. */
const plainText = /^[ -~]*$/;

/** Letters that Unicode does not take apart. */
const plainLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  ð: 'd',
  þ: 'th',
};

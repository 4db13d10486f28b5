import { Fragment, type ReactNode } from 'react';

// A computer without fonts for emoji or other scripts draws boxes. The page says instead what the characters are.

/** Not European letters, punctuation or common signs, which every text font has. */
const uncommon = /[\u0590-\u1dff\u2190-\u{10ffff}]/u;

const scripts: readonly (readonly [RegExp, string])[] = [
  [/\p{Extended_Pictographic}|\p{Regional_Indicator}/u, 'emoji'],
  [/\p{Script=Hiragana}|\p{Script=Katakana}/u, 'Japanese'],
  [/\p{Script=Han}/u, 'Chinese or Japanese'],
  [/\p{Script=Hangul}/u, 'Korean'],
  [/\p{Script=Devanagari}/u, 'Devanagari'],
  [/\p{Script=Arabic}/u, 'Arabic'],
  [/\p{Script=Hebrew}/u, 'Hebrew'],
  [/\p{Script=Thai}/u, 'Thai'],
];

/**
 * The text, with `[Chinese or Japanese]` in view in place of characters that would be boxes. Emoji are left out of
 * view. The characters stay in the document for screen readers and for copying.
 */
export function drawable(text: string): ReactNode {
  if (!uncommon.test(text)) return text;
  const runs = runsOf(text);
  if (runs.every(({ missing }) => missing === undefined)) return text;
  return runs.map(({ text: run, missing }, index) =>
    missing === undefined ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text is always replaced as a whole.
      <Fragment key={index}>{run}</Fragment>
    ) : (
      <span
        // biome-ignore lint/suspicious/noArrayIndexKey: a text is always replaced as a whole.
        key={index}
        className="undrawable"
        data-shown={missing === 'emoji' ? '' : `[${missing}]`}
        title={`This computer has no font for this: ${missing}`}
      >
        <span>{run}</span>
      </span>
    ),
  );
}

/** The same for places that take only text, such as charts. */
export function drawableText(text: string): string {
  if (!uncommon.test(text)) return text;
  return runsOf(text)
    .map(({ text: run, missing }) => {
      if (missing === undefined) return run;
      return missing === 'emoji' ? '' : `[${missing}]`;
    })
    .join('')
    .trim();
}

interface Run {
  readonly text: string;
  /** What the characters are, if there is no font for them. */
  readonly missing: string | undefined;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

function runsOf(text: string): readonly Run[] {
  const runs: { text: string; missing: string | undefined }[] = [];
  for (const { segment } of graphemes.segment(text)) {
    const missing = canDraw(segment) ? undefined : nameOf(segment);
    const last = runs.at(-1);
    if (last && last.missing === missing) last.text += segment;
    else runs.push({ text: segment, missing });
  }
  return runs;
}

function nameOf(segment: string): string {
  return scripts.find(([pattern]) => pattern.test(segment))?.[1] ?? 'other script';
}

/** Marks, joiners and selectors change the character before them, and are nothing to draw. */
const drawnAlone = /[^\p{M}\p{Cf}\p{Emoji_Modifier}]/u;

function canDraw(text: string): boolean {
  return [...text].every((character) => !drawnAlone.test(character) || hasGlyph(character));
}

const known = new Map<string, boolean>();

function hasGlyph(character: string): boolean {
  if (!uncommon.test(character)) return true;
  let found = known.get(character);
  if (found === undefined) {
    box ??= pixelsOf(noCharacter);
    found = pixelsOf(character) !== box;
    known.set(character, found);
  }
  return found;
}

/** No font has it, so it shows the box of missing characters. */
const noCharacter = '\u{10ffff}';
const side = 36;
const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
let box: string | undefined;

function pixelsOf(character: string): string {
  // Without a canvas, each character counts as drawable.
  if (!canvas) return character;
  canvas.canvas.width = side;
  canvas.canvas.height = side;
  canvas.font = `20px ${getComputedStyle(document.body).fontFamily}`;
  canvas.textBaseline = 'top';
  canvas.fillText(character, 2, 4);
  return canvas.getImageData(0, 0, side, side).data.join();
}

import fc from 'fast-check';
import { anyCharacter } from '../../any-character.js';

/** Difficult texts: quotes, escapes, formulas, characters of other planes, lone surrogates. */
const awkwardText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '=1+1',
    '+49 170',
    '-5',
    '+5.25e3',
    '-',
    '-1,5',
    '@here',
    '＝1+1',
    '＋49',
    '－5',
    '＠here',
    '５',
    'ｘ',
    '\n=1',
    '\n',
    'a;b',
    '=a;b',
    '\tx',
    '\r',
    'a,b',
    'say "hi"',
    'two\r\nlines',
    'é',
    '日本',
    '🙂',
    '\ud83d',
    '\ude42x',
    '\u0000',
    '\u2028',
    '\\',
    '\\u0041',
    "'quoted'",
    '2026-11-20',
    '2026-11-20T10:00:00+02:00',
    '1790000000',
    'TRUE',
    'no',
    '\u00a0 7 \u00a0',
    '\ufeff',
  ),
  fc.string({ unit: anyCharacter, maxLength: 12 }),
  fc.string({ maxLength: 120 }),
);

const numberText = fc.oneof(
  fc.constantFrom(
    '0',
    '-0',
    '1',
    '12345678901234567890',
    '1.50',
    '-3.25',
    '1e5',
    '2E-3',
    '1e999',
    '0.1',
    '1790000000',
    '1790000000123',
  ),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
);

/** White space where JSON allows it; usually none. */
const blanks = fc.oneof(
  { weight: 8, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom(' ', '\n', '\t \r\n') },
);

/** A text as one of the ways to write it in JSON. */
const textJson = fc
  .tuple(awkwardText, fc.constantFrom('plain', 'plain', 'escaped', 'slashes'))
  .map(([text, how]) => {
    const json = JSON.stringify(text);
    if (how === 'slashes') return json.replaceAll('/', '\\/');
    if (how === 'plain') return json;
    return json.replace(/[^\\"\x20-\x7e]|[a-f]/g, (found, at: number) =>
      json[at - 1] === '\\' || /\\u[0-9a-f]{0,3}$/.test(json.slice(0, at)) ? found : escaped(found),
    );
  });

function escaped(text: string): string {
  return [...Array(text.length).keys()]
    .map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0').toUpperCase()}`)
    .join('');
}

const memberNames = fc.constantFrom(
  'id',
  'name',
  'title',
  'group_id',
  'a',
  'b',
  'é',
  '=x',
  'say "hi"',
  'a,b',
  '',
  '\ud800',
  '__proto__',
  '7',
);

function several(open: string, close: string, one: fc.Arbitrary<string>, most: number): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(fc.tuple(blanks, one, blanks), { maxLength: most }), blanks)
    .map(
      ([all, last]) =>
        `${open}${all.length === 0 ? last : all.map((parts) => parts.join('')).join(',')}${close}`,
    );
}

function members(
  names: fc.Arbitrary<string>,
  value: fc.Arbitrary<string>,
  most: number,
): fc.Arbitrary<string> {
  const name = fc.oneof(
    { weight: 6, arbitrary: names.map((it) => JSON.stringify(it)) },
    { weight: 1, arbitrary: names.map(spelledOut) },
  );
  const one = fc
    .tuple(name, blanks, blanks, value)
    .map(([key, before, after, it]) => `${key}${before}:${after}${it}`);
  return several('{', '}', one, most);
}

/** A name with every character escaped. */
function spelledOut(name: string): string {
  return `"${escaped(name)}"`;
}

const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    textJson,
    numberText,
    fc.constantFrom('true', 'false', 'null'),
    several('[', ']', tie('value'), 4),
    members(memberNames, tie('value'), 4),
  ),
}));

/** The flags that random records use; the last one is not requested. */
export const flags = ['alpha', 'beta', 'gamma', 'delta', 'unasked'] as const;

/** The JSON text of a value of any type, nested at any depth. */
export const anyValue: fc.Arbitrary<string> = value;

/** JSON text of a record. */
export const anyRecord: fc.Arbitrary<string> = members(fc.constantFrom(...flags), anyValue, 6);

/** The JSON text of an array of records. */
export const anyAnswer: fc.Arbitrary<string> = several('[', ']', anyRecord, 8);

/** Lengths of chunks, used in turns. */
export const anyCuts: fc.Arbitrary<readonly number[]> = fc.oneof(
  fc.constant([1]),
  fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 }),
  fc.constant([1_000_000]),
);

export function cutInto(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0, piece = 0; at < bytes.length; piece += 1) {
    const length = lengths[piece % lengths.length] ?? bytes.length;
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}

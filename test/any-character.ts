import fc from 'fast-check';

const firstSurrogate = 0xd800;
const surrogates = 0x800;

/**
 * Any character, as a unit of `fc.string`: the same as `unit: 'binary'`, for which fast-check puts all of them, more than
 * a million, into a map in each process.
 */
export const anyCharacter = fc
  .nat({ max: 0x10ffff - surrogates })
  .map(
    (number) => String.fromCodePoint(number < firstSurrogate ? number : number + surrogates),
    numberOfCharacter,
  );

/** So that fast-check can also make strings that are known to cause trouble, such as `__proto__`. */
function numberOfCharacter(character: unknown): number {
  const code = typeof character === 'string' ? character.codePointAt(0) : undefined;
  if (code === undefined || String.fromCodePoint(code) !== character) throw new Error('Not one character');
  return code < firstSurrogate ? code : code - surrogates;
}

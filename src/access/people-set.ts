import { promisify } from 'node:util';
import { deflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib';

/**
 * The numbers of people, as a compressed bitmap: those of a million people in a row take 200 bytes, and any million of
 * them at most 125 KB. It does not say who they are.
 */
export interface PeopleSet {
  /** The lowest number; 0 where there is none. */
  readonly first: number;
  /** The highest number; -1 where there is none. */
  readonly last: number;
  /** Bits from `first` on, compressed; undefined: all of them. */
  readonly bits: Uint8Array | undefined;
}

/** Where there were too many people to tell who they are. */
export const anybody: PeopleSet = { first: 0, last: Number.MAX_SAFE_INTEGER, bits: undefined };

/** So many bits are looked at. A stored set that has more is damaged. */
const maxBytes = 2 ** 26;

/** So many numbers take less than a millisecond. */
const numbersPerStep = 50_000;

const level = { level: 1 } as const;
const deflated = promisify<Uint8Array, { readonly level: number }, Buffer>(deflateRaw);

/** @param numbers whole numbers from 0 on, in any order; those below 0 are none */
export function peopleSetOf(numbers: ArrayLike<number>): PeopleSet {
  const steps = stepsTo(numbers);
  let step = steps.next();
  while (!step.done) step = steps.next();
  const { bits, ...ends } = step.value;
  // Copied, because a small `Buffer` shares its bytes with others.
  return { ...ends, bits: bits && new Uint8Array(deflateRawSync(bits, level)) };
}

/** The same of very many numbers, in steps between which other work can run. */
export async function largePeopleSetOf(
  numbers: ArrayLike<number>,
  pause: () => Promise<unknown>,
): Promise<PeopleSet> {
  const steps = stepsTo(numbers);
  let step = steps.next();
  for (; !step.done; step = steps.next()) await pause();
  const { bits, ...ends } = step.value;
  return { ...ends, bits: bits && new Uint8Array(await deflated(bits, level)) };
}

/** @returns a set whose bits are not compressed */
function* stepsTo(numbers: ArrayLike<number>): Generator<undefined, PeopleSet> {
  let first = Number.POSITIVE_INFINITY;
  let last = -1;
  for (let index = 0; index < numbers.length; index += 1) {
    if (index % numbersPerStep === numbersPerStep - 1) yield;
    const number = numbers[index] as number;
    if (number < 0) continue;
    if (number < first) first = number;
    if (number > last) last = number;
  }
  if (last < 0) return { first: 0, last: -1, bits: undefined };
  const bits = new Uint8Array(((last - first) >> 3) + 1);
  for (let index = 0; index < numbers.length; index += 1) {
    if (index % numbersPerStep === numbersPerStep - 1) yield;
    const at = (numbers[index] as number) - first;
    if (at >= 0) bits[at >> 3] = (bits[at >> 3] as number) | (1 << (at & 7));
  }
  return { first, last, bits };
}

/** A test for numbers of a set. Damaged sets hold everybody, because nobody may be left out of the record. */
export function membersOf({ first, last, bits }: PeopleSet): (number: number) => boolean {
  const isBetween = (number: number) => number >= first && number <= last;
  if (bits === undefined) return isBetween;
  let unpacked: Uint8Array;
  try {
    unpacked = inflateRawSync(bits, { maxOutputLength: maxBytes });
  } catch {
    return isBetween;
  }
  return (number) => {
    if (!isBetween(number)) return false;
    const at = number - first;
    return ((unpacked[at >> 3] ?? 0) & (1 << (at & 7))) !== 0;
  };
}

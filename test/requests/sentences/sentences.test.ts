import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readSentence } from '../../../src/requests/sentences/read-sentence.js';
import { meaning, requestOf, world } from './world.js';

/** A sentence, and what it must become: one set of commands, or a refusal for one of some reasons. */
interface Example {
  readonly sentence: string;
  /** The command of the answer above. */
  readonly above?: string;
  readonly commands: readonly string[];
  /** `?`: refused for any reason. `unknown word`: the refusal names the word. */
  readonly reasons: readonly string[];
}

function examplesIn(name: string): readonly Example[] {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(exampleOf);
}

function exampleOf(line: string): Example {
  const [left = '', expected = ''] = line.split(' => ');
  const [, above, rest] = /^\[(.*?)\] (.*)$/.exec(left) ?? [];
  const example = { sentence: rest ?? left, above, commands: [], reasons: [] };
  if (expected.startsWith('? ')) return { ...example, reasons: [`unknown ${expected.slice(2)}`] };
  if (expected === '?') return { ...example, reasons: ['?'] };
  const outcomes = expected.split(' | ');
  const isRefusal = (outcome: string) => outcome.startsWith('! ');
  return {
    ...example,
    commands: outcomes.filter((outcome) => !isRefusal(outcome)),
    reasons: outcomes.filter(isRefusal).map((outcome) => outcome.slice(2)),
  };
}

/** What is wrong with the reading of an example; undefined: nothing. */
function wrongWith(example: Example) {
  const { sentence, above, commands, reasons } = example;
  const request = above === undefined ? undefined : requestOf(above);
  const read = readSentence(sentence, { ...world, request });
  const found = read.readings.join(' | ');
  const got = found || `! ${read.missing ?? ''} ${read.unknown.join(', ')} (${read.nearest.join(' / ')})`;
  const wanted = [...commands, ...reasons.map((reason) => `! ${reason}`)].join(' | ');
  const wrong = {
    text: `${above === undefined ? '' : `[${above}] `}${sentence} -> ${got}   (expected ${wanted})`,
    isRead: found !== '',
    mustBeRefused: commands.length === 0,
  };
  if (found === '') {
    const named = read.unknown.join(' ').toLowerCase();
    const isReason = (reason: string) =>
      reason === '?' ||
      reason === read.missing ||
      `${reason}-scheduled` === read.missing ||
      (reason.startsWith('unknown ') && named.includes(reason.slice('unknown '.length).toLowerCase()));
    return reasons.some(isReason) ? undefined : wrong;
  }
  const [expected, offered] = [commands, read.readings].map((all) => new Set(all.map(meaning)));
  const isSame =
    expected?.size === offered?.size && [...(offered ?? [])].every((each) => expected?.has(each));
  return isSame ? undefined : wrong;
}

type Part = 'all' | 'built on' | 'held out';

interface SentenceSet {
  readonly name: string;
  readonly min: number;
  readonly rates: Partial<Record<Part, number>>;
}

/** The shares that have been reached, for each part of a set. They only rise. */
const sets: readonly SentenceSet[] = [
  { name: 'sentences.txt', min: 300, rates: { 'built on': 1, 'held out': 0.987 } },
  { name: 'second-sentences.txt', min: 300, rates: { 'built on': 0.98, 'held out': 0.96 } },
  { name: 'third-sentences.txt', min: 150, rates: { 'built on': 1, 'held out': 0.965 } },
  { name: 'fourth-sentences.txt', min: 280, rates: { all: 1 } },
];

describe.each(sets)('$name', ({ name, min, rates }) => {
  const examples = examplesIn(name);
  const wrong = examples.map(wrongWith);

  test('has enough sentences, and each command that is expected is one', () => {
    expect(examples.length).toBeGreaterThanOrEqual(min);
    const commands = examples.flatMap((example) => example.commands);
    expect(commands.filter((command) => meaning(command).startsWith('not a command'))).toEqual([]);
  });

  const parts = Object.entries(rates) as [Part, number][];
  describe.each(parts)('the part that is %s', (part, minRate) => {
    const ofPart = wrong.filter((_, index) => part === 'all' || (index % 2 === 0) === (part === 'built on'));
    const failures = ofPart.filter((each) => each !== undefined);
    // People who change the grammar must not see the sentences that are held out.
    const shown = (list: typeof failures) =>
      part === 'held out' ? `${list.length} of ${ofPart.length}` : list.map(({ text }) => text).join('\n');

    test('is read right or refused for the right reason', () => {
      const rate = 1 - failures.length / ofPart.length;
      expect(rate, shown(failures)).toBeGreaterThanOrEqual(minRate);
    });

    test('has no sentence that must be refused and is read as a command', () => {
      const turned = failures.filter(({ isRead, mustBeRefused }) => isRead && mustBeRefused);
      expect(turned.length, shown(turned)).toBe(0);
    });
  });
});

/** The whole reading of a sentence in one line, also where nothing is understood. */
function readingOf({ sentence, above }: Example): string {
  const request = above === undefined ? undefined : requestOf(above);
  const { readings, missing, unknown, nearest, ...rest } = readSentence(sentence, { ...world, request });
  if (readings.length > 0) return readings.join(' | ');
  const flags = Object.entries(rest).flatMap(([name, value]) => (value ? [name] : []));
  const parts = [`! ${missing ?? 'unknown'}`, unknown.join(', '), nearest.join(' | '), flags.join(', ')];
  return parts.join('; ').replace(/[; ]+$/, '');
}

// A refactoring changes no line. After a change of the grammar, update the file with `vitest -u` and review it.
test('every sentence is read as in readings.txt', async () => {
  const others = ['misspelt-sentences.txt', 'quoted-sentences.txt'].map((name) => ({ name, rates: {} }));
  const lines = [...sets, ...others].flatMap(({ name, rates }) =>
    examplesIn(name).map((example, index) => {
      const isHeldOut = 'held out' in rates && index % 2 === 1;
      const read = readingOf(example);
      // A digest, because nobody may see how the held-out half is read.
      const shown = isHeldOut ? `#${createHash('sha256').update(read).digest('hex').slice(0, 12)}` : read;
      const above = example.above === undefined ? '' : `[${example.above}] `;
      return `${above}${example.sentence} => ${shown}`;
    }),
  );
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('readings.txt');
});

test('sentences that were read wrongly once are read right', () => {
  const wrong = examplesIn('misspelt-sentences.txt').map(wrongWith);
  expect(wrong.flatMap((each) => each?.text ?? [])).toEqual([]);
});

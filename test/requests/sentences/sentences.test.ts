import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSentence } from '../../../src/requests/sentences/read-sentence.js';
import { meaning, requestOf, world } from './world.js';

interface Example {
  readonly sentence: string;
  /** The command of the answer above. */
  readonly above?: string;
  /** Commands; none: a question is expected. */
  readonly commands: readonly string[];
  /** A word that the question has to name. */
  readonly names?: string;
}

const examples = examplesIn('sentences.txt');

function examplesIn(name: string): readonly Example[] {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(exampleOf);
}

function exampleOf(line: string): Example {
  const [left = '', expected = ''] = line.split(' => ');
  const [, above, rest] = /^\[(.*?)\] (.*)$/.exec(left) ?? [];
  const sentence = rest ?? left;
  if (expected.startsWith('?')) {
    return { sentence, above, commands: [], names: expected.slice(1).trim() || undefined };
  }
  return { sentence, above, commands: expected.split(' | ') };
}

/** What is wrong with the reading of an example; undefined: nothing. */
function wrongWith({ sentence, above, commands, names }: Example): string | undefined {
  const request = above === undefined ? undefined : requestOf(above);
  const read = readSentence(sentence, { ...world, request });
  const said = `${above === undefined ? '' : `[${above}] `}${sentence} -> ${read.readings.join(' | ') || `? ${read.missing ?? ''} ${read.unknown.join(', ')} (${read.nearest.join(' / ')})`}`;
  if (commands.length === 0) {
    const isAsked =
      read.readings.length === 0 && (names === undefined || read.unknown.join(' ').includes(names));
    return isAsked ? undefined : said;
  }
  const expected = new Set(commands.map(meaning));
  const found = new Set(read.readings.map(meaning));
  const isSame = expected.size === found.size && [...expected].every((each) => found.has(each));
  return isSame ? undefined : `${said}   (expected ${commands.join(' | ')})`;
}

const halves = {
  'built on': examples.filter((_, index) => index % 2 === 0),
  'held out': examples.filter((_, index) => index % 2 === 1),
};

test('there are 300 sentences, and each command that is expected is one', () => {
  expect(examples.length).toBeGreaterThanOrEqual(300);
  const commands = examples.flatMap((example) => example.commands);
  expect(commands.filter((command) => meaning(command).startsWith('not a command'))).toEqual([]);
});

test.each(['built on', 'held out'] as const)(
  'the half that is %s is read right, at least 95 of 100',
  (half) => {
    const sentences = halves[half];
    const wrong = sentences.map(wrongWith).filter((line) => line !== undefined);
    const rate = 1 - wrong.length / sentences.length;
    // People who change the grammar must not see the sentences that are held out.
    const shown = half === 'built on' ? wrong.join('\n') : `${wrong.length} of ${sentences.length}`;
    expect(rate, shown).toBeGreaterThanOrEqual(0.95);
  },
);

test('sentences that were read wrongly once are read right', () => {
  expect(examplesIn('misspelt-sentences.txt').map(wrongWith).filter(Boolean)).toEqual([]);
});

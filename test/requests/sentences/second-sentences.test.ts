import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSentence } from '../../../src/requests/sentences/read-sentence.js';
import { meaning, requestOf, world } from './world.js';

/** A sentence, and what it must become: one of some sets of commands, or a refusal for one of some reasons. */
interface Example {
  readonly sentence: string;
  /** The command of the answer above. */
  readonly above?: string;
  readonly commands: readonly string[];
  readonly reasons: readonly string[];
}

const examples = readFileSync(new URL('second-sentences.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line): Example => {
    const [left = '', expected = ''] = line.split(' => ');
    const [, above, rest] = /^\[(.*?)\] (.*)$/.exec(left) ?? [];
    const outcomes = expected.split(' | ');
    const isRefusal = (outcome: string) => outcome.startsWith('! ');
    return {
      sentence: rest ?? left,
      above,
      commands: outcomes.filter((outcome) => !isRefusal(outcome)),
      reasons: outcomes.filter(isRefusal).map((outcome) => outcome.slice(2)),
    };
  });

/** What is wrong with the reading of an example; undefined: nothing. */
function wrongWith({ sentence, above, commands, reasons }: Example): string | undefined {
  const request = above === undefined ? undefined : requestOf(above);
  const read = readSentence(sentence, { ...world, request });
  const said = `${above === undefined ? '' : `[${above}] `}${sentence} -> ${read.readings.join(' | ') || `! ${read.missing ?? ''} ${read.unknown.join(', ')} (${read.nearest.join(' / ')})`}   (expected ${[...commands, ...reasons.map((reason) => `! ${reason}`)].join(' | ')})`;
  if (read.readings.length === 0) {
    const named = read.unknown.join(' ').toLowerCase();
    const isReason = (reason: string) =>
      reason.startsWith('unknown ') ? named.includes(reason.slice(8)) : read.missing === reason;
    return reasons.some(isReason) ? undefined : said;
  }
  const expected = new Set(commands.map(meaning));
  const found = new Set(read.readings.map(meaning));
  // With a refusal beside them, one command is as good as the other.
  const isSame = found.size === expected.size && [...found].every((each) => expected.has(each));
  return isSame ? undefined : said;
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

/** The aim is 0.95. */
const minRates = { 'built on': 0.93, 'held out': 0.85 };

test.each(['built on', 'held out'] as const)(
  'the half that is %s is read right or refused for the right reason',
  (half) => {
    const sentences = halves[half];
    const wrong = sentences.map(wrongWith).filter((line) => line !== undefined);
    const rate = 1 - wrong.length / sentences.length;
    // People who change the grammar must not see the sentences that are held out.
    const shown = half === 'built on' ? wrong.join('\n') : `${wrong.length} of ${sentences.length}`;
    expect(rate, shown).toBeGreaterThanOrEqual(minRates[half]);
  },
);

test('a sentence that must be refused is never read as a command', () => {
  const refused = examples.filter(({ commands }) => commands.length === 0);
  const read = refused.flatMap(({ sentence, above }) => {
    const request = above === undefined ? undefined : requestOf(above);
    const { readings } = readSentence(sentence, { ...world, request });
    return readings.length > 0 ? [`${sentence} -> ${readings.join(' | ')}`] : [];
  });
  expect(read).toEqual([]);
});

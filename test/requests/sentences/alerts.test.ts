import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type AlertComparison, meets } from '../../../src/requests/alert-condition.js';
import { parseCommand } from '../../../src/requests/parse-command.js';
import { readSentence } from '../../../src/requests/sentences/read-sentence.js';
import { propertyRuns } from '../../property-runs.js';
import { world } from './world.js';

const comparisons: readonly (readonly [words: string, comparison: AlertComparison])[] = [
  ['more than', '>'],
  ['over', '>'],
  ['at least', '>='],
  ['less than', '<'],
  ['fewer than', '<'],
  ['under', '<'],
  ['at most', '<='],
];

const anyOpening = fc.constantFrom(
  'tell me when',
  'please let us know if',
  'alert me as soon as',
  'notify us once',
  'When',
);
const anyPlace = fc.constantFrom(
  ['', ''] as const,
  [' in Sales', ' departments:Sales'] as const,
  [' in my team', ' manager_email:me'] as const,
);
const anyCadence = fc.constantFrom(
  ['every day at 9', 'daily 9'] as const,
  ['weekdays at 8:30', 'weekdays 8:30'] as const,
  ['every Monday at 9', 'weekly mon 9'] as const,
);
const anyWords = fc.constantFrom(...comparisons);

it('a sentence that waits for a number is read with exactly that number', () => {
  const nouns = fc.constantFrom(['', 'overdue'], ['assignments ', 'overdue'], ['people ', 'people'] as const);
  fc.assert(
    fc.property(
      anyOpening,
      anyWords,
      fc.nat({ max: 999_999 }),
      nouns,
      anyPlace,
      anyCadence,
      (opening, [words, comparison], number, [noun, figure], [place, filter], [often, cadence]) => {
        const typed = `${opening} ${words} ${number} ${noun}are overdue${place}, ${often}`;
        expect([typed, readSentence(typed, world).readings]).toEqual([
          typed,
          [`schedule overdue${filter} when ${figure} ${comparison} ${number} ${cadence}`],
        ]);
      },
    ),
    { numRuns: propertyRuns(200) },
  );
});

it('a sentence that waits for a rate is read with its percentage', () => {
  const rates = fc.constantFrom(['completion', 'assignments'], ['pass', 'assessments'] as const);
  const verbs = fc.constantFrom('is', 'falls', 'drops', 'goes', 'rises');
  fc.assert(
    fc.property(
      anyOpening,
      rates,
      verbs,
      anyWords,
      fc.nat({ max: 100 }),
      anyPlace,
      anyCadence,
      (opening, [rate, report], verb, [words, comparison], number, [place, filter], [often, cadence]) => {
        const typed = `${opening} the ${rate} rate${place} ${verb} ${words} ${number}%, ${often}`;
        expect([typed, readSentence(typed, world).readings]).toEqual([
          typed,
          [`schedule ${report}${filter} when ${rate}-rate ${comparison} ${number}% ${cadence}`],
        ]);
      },
    ),
    { numRuns: propertyRuns(200) },
  );
});

it.each([
  ['tell me when overdue goes above 50 every day at 9', 'schedule overdue when overdue > 50 daily 9'],
  [
    'let us know if the number of overdue trainings is at least 5, weekdays at 8:30',
    'schedule overdue when overdue >= 5 weekdays 8:30',
  ],
  ['tell me when overdue goes above 50 people every day at 9', undefined],
  ['tell me when overdue goes above 50% every day at 9', undefined],
  ['how many are overdue when overdue goes above 50', undefined],
])('%s: %s', (typed, command) => {
  expect(readSentence(typed, world).readings).toEqual(command === undefined ? [] : [command]);
});

it('without how often, an alert every day comes near, and a question is none', () => {
  const read = readSentence('tell me when more than 50 assignments are overdue in Sales', world);
  expect(read).toMatchObject({
    readings: [],
    missing: 'time',
    nearest: ['schedule overdue departments:Sales when overdue > 50 daily 09:00'],
  });
  for (const other of ['who is overdue when more than 50 are overdue', 'when more than 50 are overdue'])
    expect(readSentence(other, world).nearest).toEqual([]);
  for (const word of ["don't", 'not', 'never'])
    expect(readSentence(`${word} tell me when more than 50 are overdue`, world).nearest).toEqual([]);
});

it('a word of negation makes it none', () => {
  const typed = 'tell me when more than 50 assignments are overdue in Sales every day at 9'.split(' ');
  let refused = 0;
  for (const word of ["don't", 'not', 'no', 'never', 'except', 'without'])
    for (let at = 0; at <= typed.length; at += 1) {
      const sentence = [...typed.slice(0, at), word, ...typed.slice(at)].join(' ');
      const { readings, nearest } = readSentence(sentence, world);
      if (readings.length === 0) refused += 1;
      // “Except Sales” is a condition on the rows.
      const left = readings.filter(
        (reading) => !reading.startsWith('schedule overdue departments:!Sales when '),
      );
      expect([sentence, left, nearest]).toEqual([sentence, [], []]);
    }
  expect(refused).toBeGreaterThan(50);
});

it('every comparison in words is that of the sign', () => {
  for (const [words, comparison] of comparisons) {
    const read = parseCommand(`schedule overdue when overdue ${words} 50 daily 9`, { savedNames: [] });
    const when = read.ok && read.value.kind === 'schedule' ? read.value.when : undefined;
    if (when?.kind !== 'threshold') throw new Error(`No threshold: ${words}`);
    expect(when.comparison).toBe(comparison);
    expect([49, 50, 51].map((value) => meets(when, value))).toEqual(
      {
        '>': [false, false, true],
        '>=': [false, true, true],
        '<': [true, false, false],
        '<=': [true, true, false],
      }[comparison],
    );
  }
});

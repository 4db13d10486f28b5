import { describe, expect, it } from 'vitest';
import { readSentence } from '../../../src/requests/sentences/read-sentence.js';
import { world } from './world.js';

const read = (sentence: string) => readSentence(sentence, world);

describe('signs in a sentence', () => {
  it.each([
    ['score < 60', 'assessments score:<60'],
    ['scores <60 in Sales', 'assessments departments:Sales score:<60'],
    ['score ≥ 80', 'assessments score:>=80'],
    ['progress >= 50%', 'tracks progress:>=50'],
    ['overdue > 30 days in Sales', 'overdue departments:Sales days_overdue:>30'],
    ['overdue !Sales', 'overdue departments:!Sales'],
    ['overdue != Sales', 'overdue departments:!Sales'],
    ['overdue in !Sales', 'overdue departments:!Sales'],
    ['overdue -Sales', 'overdue departments:!Sales'],
    ['tracks !completed', 'tracks only:not-completed'],
    ['tracks != completed', 'tracks only:not-completed'],
    ['overdue in Sales!', 'overdue departments:Sales'],
    ['hello!overdue in Sales', 'overdue departments:Sales'],
    ['completions 1 Nov -10 Nov', 'completions 2026-11-01..2026-11-10'],
    ['assessments score:<60 in Sales', 'assessments departments:Sales score:<60'],
  ])('are conditions and negations: %s', (sentence, command) =>
    expect(read(sentence).readings).toEqual([command]),
  );

  it.each(['overdue > 30', 'views > five', 'overdue ≠ 5 days', 'score ! 60'])(
    'are left out of nothing that is offered: %s',
    (sentence) => expect(read(sentence)).toMatchObject({ readings: [], nearest: [] }),
  );
});

describe('words of quantity and rate', () => {
  it.each([
    ['what share of Sales is active', 'engagement departments:Sales'],
    ['what percentage passed the Security Quiz', 'assessments assessment:"Security Quiz"'],
    ['what percentage of Sales completed GDPR basics', 'assignments content:"GDPR basics" departments:Sales'],
    ['average score of Sales', 'assessments departments:Sales'],
    ['everything overdue in Sales', 'overdue departments:Sales'],
  ])('ask for a figure that the answer has: %s', (sentence, command) =>
    expect(read(sentence).readings).toEqual([command]),
  );

  it.each([
    ['what share of Sales is overdue', 'rate'],
    ['what percentage of people were inactive last month', 'rate'],
    ['inactive rate', 'rate'],
    ['rate of failure', 'rate'],
    ['average completions per person last month', 'rate'],
    ['who completed everything', 'other'],
    ['who completed all their trainings', 'other'],
    ['who passed every test', 'other'],
    ['who rarely logs in', 'never'],
    ['overdue in departments different from Sales', 'excluding'],
  ])('are refused where it has none: %s', (sentence, missing) =>
    expect(read(sentence)).toMatchObject({ readings: [], nearest: [], missing }),
  );
});

it('offers no correction that leaves the word out beside one that has it', () => {
  const known = { values: [{ member: 'departments', entry: 'Sales' }], titles: [] };
  const { nearest, unknown } = readSentence('overdue in Sale', { ...world, known });
  expect(unknown).toEqual(['Sale']);
  expect(nearest).toContain('overdue departments:Sales');
  expect(nearest).not.toContain('overdue');
});

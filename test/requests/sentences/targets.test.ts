import { describe, expect, it } from 'vitest';
import { readSentence } from '../../../src/requests/sentences/read-sentence.js';
import { world } from './world.js';

const read = (sentence: string) => readSentence(sentence, world);

describe('a rate to reach', () => {
  it.each([
    [
      'will we reach 95 % by 31 December',
      [
        'assignments since:2026 target:95%@2026-12-31',
        'tracks since:2026 target:95%@2026-12-31',
        'assessments target:95%@2026-12-31',
      ],
    ],
    [
      'are we on track for 90% completion by end of Q1?',
      ['assignments since:2026 target:90%@2027-Q1', 'tracks since:2026 target:90%@2027-Q1'],
    ],
    [
      'Will we reach 95% completion of assignments in Sales by the end of the year?',
      ['assignments since:2026 departments:Sales target:95%@2026'],
    ],
    ['will we hit 80% pass rate by December 31st, 2026', ['assessments target:80%@2026-12-31']],
    [
      'can we still complete 95% of our tracks by the end of next month',
      ['tracks since:2026 target:95%@2026-12'],
    ],
    ['how far are we from 92.5 percent in assessments', ['assessments target:92.5%']],
    [
      'are we going to reach our goal of 90% for assignments by 2027-03-01',
      ['assignments since:2026 target:90%@2027-03-01'],
    ],
    ['will we reach 95% of assignments 2026 by March', ['assignments 2026 target:95%@2027-03']],
    [
      'will Sales reach 95% completion of assignments by year end',
      ['assignments since:2026 departments:Sales target:95%@2026'],
    ],
  ])('%s', (sentence, commands) => expect(read(sentence).readings).toEqual(commands));

  it.each([
    // The other way round.
    'will we miss 95% by 31 December',
    "won't we reach 95% by 31 December",
    'will we not reach 95% by 31 December',
    'will nobody reach 95% by 31 December',
    'will we drop to 95% by 31 December',
    // More than one rate.
    'which departments will reach 95% by 31 December',
    'will everybody but Sales reach 90% of assignments by Q4',
    'will every department reach 95% by 31 December',
    'will more departments reach 95% by 31 December',
    'will we reach more than 95% by 31 December',
    'will we reach 95% or 90% by 31 December',
    'will assignments and tracks reach 95% by 31 December',
    // Out of reach, or no rate of a target.
    'will we reach 120% by 31 December',
    'will we reach 95% completions by 31 December',
    'will we reach 95% attendance by 31 December',
    'will we reach 95% of overdue by 31 December',
    // Days that are unclear.
    'will we reach 95% by 31 February',
    'will we reach 95% by Christmas',
    'will we reach 95% by 31 December or by 31 January',
    'will we reach 95% before 31 December',
    'will we reach 95 by 31 December',
  ])('nothing is guessed away: %s', (sentence) => {
    const { readings, nearest } = read(sentence);
    expect({ readings, nearest }).toEqual({ readings: [], nearest: [] });
  });
});

it.each([
  'Mondays one message with the four numbers we look at',
  'send us a message with our key figures every monday at 9',
  'the four numbers in one message',
  'make a scorecard',
])('several figures in one message: %s', (sentence) => {
  expect(read(sentence)).toMatchObject({ readings: [], nearest: [], missing: 'scorecard' });
});

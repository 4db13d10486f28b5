import { describe, expect, it } from 'vitest';
import { readSentence } from '../../../src/requests/sentences/read-sentence.js';
import { world } from './world.js';

const read = (sentence: string) => readSentence(sentence, world);

describe('sentences over time', () => {
  it.each([
    ['engagement in each of the last ten weeks', 'engagement over:10w'],
    ['completions for each of the last 6 months in Sales', 'completions over:6m departments:Sales'],
    ['completions over the last 8 weeks, week by week', 'completions over:8w'],
    ['completions by week for the last 8 weeks', 'completions over:8w'],
    ['completions by month', 'completions over:12m'],
    ['engagement trend', 'engagement over:12w'],
    ['engagement month by month', 'engagement over:12m'],
    ['trend of the completion rate', 'assignments over:12w figure:completion-rate'],
    ['completion rate of the last twelve weeks as a line', 'assignments over:12w figure:completion-rate'],
    ['learning hours by month', 'engagement over:12m figure:time'],
    ['workshops by quarter', 'workshops over:8q'],
    ['engagement this week against the same week last year', 'engagement this-week against:last-year'],
    ['completions last month compared to last year', 'completions last-month against:last-year'],
    ['completions by month except Sales', 'completions over:12m departments:!Sales'],
    ['completions by month compared to last year', 'completions over:12m against:last-year'],
    ['How has engagement developed, year on year?', undefined],
    ['send completions week by week every monday at 9', 'schedule completions over:12w weekly mon 9'],
    ['every monday at 9am send the engagement trend', 'schedule engagement over:12w weekly mon 9am'],
    [
      'send the completion rate by month on the 1st of each month at 8:30',
      'schedule assignments over:12m figure:completion-rate monthly 1 8:30',
    ],
    [
      'every friday at 16:00 send engagement of last week compared to last year',
      'schedule engagement last-week against:last-year weekly fri 16:00',
    ],
    // How often it comes, and not how it is counted.
    [
      'send completions of the last 4 weeks weekly on mondays at 9',
      'schedule completions last-4-weeks weekly mon 9',
    ],
  ])('%s', (sentence, command) =>
    expect(read(sentence).readings).toEqual(command === undefined ? [] : [command]),
  );

  it.each([
    // Two ranges, or units that are no units of the range.
    'completions by month this year',
    'completions each week of this quarter',
    'completions of the last six months by week',
    'engagement for each of the last 30 days',
    'completions of the last week as a line',
    'overdue in each of the last ten weeks',
    // No report counts these in its first figure.
    'trend of views',
    'likes by month',
    // What is open now has no past.
    'trend of overdue in Sales',
    'overdue by month',
    // Words that mean more.
    'top 5 departments by month',
    'completions not by month',
    'completion rate and attendance by month',
  ])('nothing is guessed away: %s', (sentence) => expect(read(sentence).readings).toEqual([]));

  it.each([
    ['every monday send completions week by week', 'time', 'schedule completions over:12w weekly mon 09:00'],
    ['send engagement by month every friday', 'time', 'schedule engagement over:12m weekly fri 09:00'],
    ['send engagement by month weekly at 9', 'day', 'schedule engagement over:12m weekly mon 9'],
  ])('%s lacks its %s', (sentence, missing, command) =>
    expect(read(sentence)).toMatchObject({ readings: [], missing, nearest: [command] }),
  );
});

import { describe, expect, it } from 'vitest';
import { readSentence } from '../../src/requests/sentences/read-sentence.js';
import { world } from './sentences/world.js';

/*
 * Twenty questions that people have on day one hundred. Each is read as a command, or refused with the true reason.
 */

const answered: readonly (readonly [question: string, ...commands: string[]])[] = [
  ['everybody but Sales who is overdue', 'overdue departments:!Sales rows'],
  ['overdue except Sales and HR', 'overdue departments:!Sales,HR'],
  ['who is more than 30 days overdue', 'overdue days_overdue:>30 rows'],
  ['who scored below 60', 'assessments score:<60 rows'],
  ['who scored 80 or more in the Safety Quiz', 'assessments assessment:"Safety Quiz" score:>=80 rows'],
  ['tracks with progress under 50%', 'tracks progress:<50'],
  ['overdue people hired this year', 'overdue hired_on:this-year'],
  ['who has never logged in', 'engagement last_login:none rows'],
  ['engagement last month with more than 5 views', 'engagement last-month views:>5'],
  ['more than 30 days overdue', 'overdue days_overdue:>30'],
  ['completion rate of the last twelve weeks as a line', 'assignments over:12w figure:completion-rate'],
  ['completions this week against the same week last year', 'completions this-week against:last-year'],
  [
    'will we reach 95 % by 31 December',
    'assignments since:2026 target:95%@2026-12-31',
    'tracks since:2026 target:95%@2026-12-31',
    'assessments target:95%@2026-12-31',
  ],
];

const refused: readonly (readonly [question: string, reason: string])[] = [
  // It could be Sales alone in Berlin, or everything in Berlin but Sales.
  ['overdue except Sales in Berlin', 'excluding'],
  // No report is named, and none is guessed.
  ['everybody but Sales', 'report'],
  ['this week against the same week last year', 'against'],
  // The lines of a scorecard are typed.
  ['Mondays one message with the four numbers we look at', 'scorecard'],
  ['who has completed nothing this year', 'never'],
  ['send completions and workshops every monday at 9', 'two-scheduled'],
  ['departments with a completion rate below 80%', 'comparing'],
];

describe('the twenty questions of day one hundred', () => {
  it('are twenty', () => expect(answered.length + refused.length).toBe(20));

  it.each(answered)('“%s” is read as %s', (question, ...commands) => {
    expect(readSentence(question, world).readings).toEqual(commands);
  });

  it.each(refused)('“%s” is refused: %s', (question, reason) => {
    expect(readSentence(question, world)).toMatchObject({ readings: [], nearest: [], missing: reason });
  });
});

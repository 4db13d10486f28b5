import { describe, expect, it } from 'vitest';
import { readSentence } from '../../src/requests/sentences/read-sentence.js';
import { world } from './sentences/world.js';

/*
 * Twenty questions that people have on day one hundred. Each is read as a command, or refused with the true reason.
 */

const answered: readonly (readonly [question: string, command: string])[] = [
  ['everybody but Sales who is overdue', 'overdue departments:!Sales rows'],
  ['overdue except Sales and HR', 'overdue departments:!Sales,HR'],
  ['completions last month without Marketing', 'completions last-month departments:!Marketing'],
  ['who is more than 30 days overdue', 'overdue days_overdue:>30 rows'],
  ['overdue by at least 2 weeks', 'overdue days_overdue:>=14'],
  ['who scored below 60', 'assessments score:<60 rows'],
  ['who scored 80 or more in the Safety Quiz', 'assessments assessment:"Safety Quiz" score:>=80 rows'],
  ['tracks with progress under 50%', 'tracks progress:<50'],
  ['overdue people hired this year', 'overdue hired_on:this-year'],
  ['people who joined before 2024 and are overdue', 'overdue hired_on:<2024 rows'],
  ['who has never logged in', 'engagement last_login:none rows'],
  ['assignments without a due date', 'assignments due_date:none'],
  ['engagement last month with more than 5 views', 'engagement last-month views:>5'],
];

const refused: readonly (readonly [question: string, reason: string])[] = [
  // It could be Sales alone in Berlin, or everything in Berlin but Sales.
  ['overdue except Sales in Berlin', 'excluding'],
  ['who has completed nothing this year', 'never'],
  ['how am I doing compared with my team', 'against'],
  ['remind Sales about overdue', 'other'],
  ['completions and workshops', 'two'],
  ['send completions and workshops every monday at 9', 'two-scheduled'],
  ['departments with a completion rate below 80%', 'comparing'],
];

describe('the twenty questions of day one hundred', () => {
  it('are twenty', () => expect(answered.length + refused.length).toBe(20));

  it.each(answered)('“%s” is read as %s', (question, command) => {
    expect(readSentence(question, world).readings).toEqual([command]);
  });

  it.each(refused)('“%s” is refused: %s', (question, reason) => {
    expect(readSentence(question, world)).toMatchObject({ readings: [], nearest: [], missing: reason });
  });
});

import { describe, expect, it } from 'vitest';
import { unlimitedScope } from '../../../src/access/scope.js';
import { Failure } from '../../../src/errors/failure.js';
import type { AccessRefusal, PersonLevelPart } from '../../../src/errors/request-failures.js';
import { parseCommand } from '../../../src/requests/parse-command.js';
import { runReport } from '../../../src/runner/run-report.js';
import { describeAccessRefusal } from '../../../src/slack/messages/access-levels.js';
import { describeFailure } from '../../../src/slack/messages/failures.js';
import { accepted } from '../../results.js';

/** Monday, and midnight in Berlin. */
const monday = Date.parse('2026-11-15T23:00:00Z');

/** Runs a command until it asks the service: the failure before that, or the range that would be asked. */
async function runWords(typed: string, zone = 'Europe/Berlin') {
  const command = accepted(parseCommand(typed, { savedNames: [] }));
  if (command.kind !== 'run') throw new Error(`${typed} is no run`);
  const asked: { from: number; until: number }[] = [];
  const order = {
    asker: { id: 'U1', zone },
    requestedAt: monday,
    scope: { ...unlimitedScope, namesPeople: false },
    urgency: 'person',
    signal: new AbortController().signal,
  } as const;
  const source = {
    read: async (question: { range?: { from: number; until: number } }) => {
      if (question.range) asked.push(question.range);
      return { records: 0 };
    },
  };
  const failure = await runReport(command.request, order, { source, weekStart: 'monday' }).catch(
    (error: unknown) => error,
  );
  return { failure, asked };
}

describe('a range that is refused at run time is quoted as typed', () => {
  it.each([
    ['engagement since:2099-01-01', 'since:2099-01-01', 'begins in the future'],
    ['engagement since: 2099-Q1 csv', 'since: 2099-Q1', 'begins in the future'],
    ['engagement last-60-years', 'last-60-years', 'before 1970'],
    ['engagement Last 60 Years departments:2098', 'Last 60 Years', 'before 1970'],
    ['engagement last-60y', 'last-60y', 'before 1970'],
    ['engagement 2098', '2098', 'begins in the future'],
    ['engagement 2098-q1..2099', '2098-q1..2099', 'begins in the future'],
    ['overdue assigned:2098', 'assigned:2098', 'begins in the future'],
    ['overdue 2098', '2098', 'begins in the future'],
    ['assignments 2098', '2098', 'begins in the future'],
    ['assignments 2098 on:assigned_date', '2098', 'begins in the future'],
    ['assignments since:2098 on:due_date', 'since:2098', 'since: ends now'],
    ['workshops since:2098', 'since:2098', 'since: ends now'],
    ['engagement this week', 'this week', 'is empty'],
    ['engagement today', 'today', 'is empty'],
    ['engagement since:2026-11-16', 'since:2026-11-16', 'is empty'],
  ])('%s', async (typed, quoted, reason) => {
    const { failure, asked } = await runWords(typed);
    expect(failure).toMatchObject({ code: 'range-refused' });
    const { sentence } = describeFailure(failure, 'r1', { typed: typed });
    expect(sentence).toContain(`I can't use “${quoted}”.`);
    expect(sentence).toContain(reason);
    expect(asked).toEqual([]);
  });

  it('also a day that the time zone skipped', async () => {
    const { failure } = await runWords('engagement 2011-12-30', 'Pacific/Apia');
    expect(describeFailure(failure, 'r1', { typed: 'engagement 2011-12-30' }).sentence).toContain(
      '“2011-12-30”',
    );
  });

  it('in its canonical words if nobody typed it', async () => {
    const { failure } = await runWords('engagement last-60y');
    expect(describeFailure(failure, 'r1').sentence).toContain('“last-60-years”');
  });
});

describe('a range that ends in the future is sent whole, with a day more around due dates', () => {
  it.each([
    ['engagement 2026-11', '2026-10-31T23:00:00Z', '2026-11-30T23:00:00Z'],
    ['engagement 2026', '2025-12-31T23:00:00Z', '2026-12-31T23:00:00Z'],
    ['assignments 2026-Q4', '2026-09-30T22:00:00Z', '2026-12-31T23:00:00Z'],
    ['engagement 2026-11-16', '2026-11-15T23:00:00Z', '2026-11-16T23:00:00Z'],
    ['completions 2026-11-01..2099-01-01', '2026-10-31T23:00:00Z', '2099-01-01T23:00:00Z'],
    ['tracks this-month', '2026-10-31T23:00:00Z', '2026-11-15T23:00:00Z'],
    ['assignments this-month on:due_date', '2026-10-30T23:00:00Z', '2026-12-01T23:00:00Z'],
    ['assignments 2098 on:due_date', '2097-12-30T23:00:00Z', '2099-01-01T23:00:00Z'],
    ['assignments on:due_date next-week', '2026-11-21T23:00:00Z', '2026-11-30T23:00:00Z'],
  ])('%s', async (typed, from, until) => {
    const { failure, asked } = await runWords(typed);
    expect(failure).not.toBeInstanceOf(Error);
    expect(asked[0]).toEqual({ from: Date.parse(from) / 1000, until: Date.parse(until) / 1000 });
  });
});

function totalsOnly(wants: readonly PersonLevelPart[]): AccessRefusal & { kind: 'totals-only' } {
  return { kind: 'totals-only', wants, noAddress: false, mayAskForSelf: true };
}

describe('a refusal by the level of access', () => {
  const refused: readonly [AccessRefusal, string, string][] = [
    [{ kind: 'nothing' }, 'You may not ask for this report.', 'ask an owner of this Slack workspace.'],
    [{ kind: 'nothing', admins: ['Ada', '<@U1>'] }, 'You may not ask for this report.', 'ask Ada or <@U1>.'],
    [{ kind: 'other-team' }, 'You may ask about your own team only.', 'manager_email:me'],
    [totalsOnly(['file']), 'leave out the file.', 'add email:me'],
    [
      totalsOnly(['breakdown', 'columns', 'file']),
      'the breakdown by person, the columns and the file.',
      'add',
    ],
    [totalsOnly(['filter']), 'leave out any filter on people.', 'email:me as the only filter on people'],
    [{ ...totalsOnly(['file']), mayAskForSelf: false }, 'totals only', 'leave out the file.'],
    [{ ...totalsOnly(['file']), noAddress: true }, 'no confirmed email address', 'Confirm it'],
  ];

  it.each(refused)('%j says what may be asked, and what to do', (refusal, reason, fix) => {
    const {
      sentence,
      reason: forOthers,
      tryAgain,
    } = describeFailure(
      new Failure('access-refused', { refusal, sentence: describeAccessRefusal(refusal) }),
      'r1',
    );
    expect(sentence).toContain(reason);
    expect(sentence).toContain(fix);
    expect(tryAgain).toBe(false);
    // People who read it in the history learn nothing about the reader's level.
    expect(forOthers).toBe('The level of access does not allow this request.');
  });

  it('and one for records of other people, which nobody tries again', () => {
    const { sentence, tryAgain } = describeFailure(new Failure('rows-outside-scope'), 'r1');
    expect(sentence).toBe(
      'The Reporting Service returned records of other people, so nothing was shown. Your operator has been told.',
    );
    expect(tryAgain).toBe(false);
  });

  it('and one for a level that changed during a run, with a button', () => {
    const { sentence, tryAgain } = describeFailure(new Failure('access-changed'), 'r1');
    expect(sentence).toContain('nothing was posted. Try again.');
    expect(tryAgain).toBe(true);
  });
});

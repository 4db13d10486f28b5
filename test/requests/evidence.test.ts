import { describe, expect, it } from 'vitest';
import { parseCommand } from '../../src/requests/parse-command.js';
import { applyToSaved, formatRequest } from '../../src/requests/parse-request.js';
import { problemMessageText } from '../../src/requests/problem-messages.js';
import { plainRequest } from '../../src/requests/request.js';

const read = (typed: string) => parseCommand(typed, { savedNames: ['Audit'] });

describe('evidence', () => {
  it.each([
    'completions last-month evidence',
    'assignments 2026-Q3 by:departments rows evidence purpose:"Audit of Q3"',
    'overdue last-month evidence to:me',
    'overdue assigned:2025 evidence',
    'assignments last-month departments:!Sales evidence',
  ])('is the file of %s', (typed) => {
    const command = read(typed);
    expect(command).toMatchObject({ ok: true, value: { kind: 'run', request: { file: 'evidence' } } });
    if (!command.ok || command.value.kind !== 'run') return;
    expect(read(formatRequest(command.value.request))).toEqual(command);
  });

  it.each([
    ['completions evidence', 'type one', 'completions evidence last-week'],
    ['overdue evidence', 'type one', 'overdue evidence last-month'],
    ['due evidence', 'type one', 'due evidence this-month'],
    [
      'schedule completions evidence monthly 1 09:00',
      'type one',
      'schedule completions evidence last-week monthly 1 09:00',
    ],
    ['assessments evidence', 'this report has none', 'assessments csv'],
    ['completions over:6m evidence', 'one line for each unit', 'completions over:6m'],
    ['completions last-week evidence csv', 'one file', 'completions last-week evidence'],
    ['completions last-week xlsx evidence', 'one file', 'completions last-week xlsx'],
    ['completions last-week evidance', 'evidence', 'completions last-week evidence'],
  ])('%s is refused with a command that works', (typed, said, corrected) => {
    const command = read(typed);
    if (command.ok) throw new Error(`${typed} is a command`);
    expect(problemMessageText(command.refusal)).toContain(said);
    expect(command.refusal.corrected).toBe(corrected);
    expect(read(corrected)).toMatchObject({ ok: true });
  });

  it('takes the range of a saved report, and is on top of its file', () => {
    const onTop = (text: string) => ({ text, from: 0, until: text.length });
    const saved = { ...plainRequest('completions'), range: 'last-month', file: 'csv' } as const;
    expect(applyToSaved(saved, onTop('evidence'))).toMatchObject({
      ok: true,
      value: { request: { range: 'last-month', file: 'evidence' } },
    });
    expect(applyToSaved({ ...saved, range: undefined } as never, onTop('evidence'))).toMatchObject({
      ok: false,
    });
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allReports } from '../../src/catalogue/index.js';
import { formatCondition } from '../../src/requests/alert-condition.js';
import { formatCadence } from '../../src/requests/cadence-words.js';
import { parseCadence } from '../../src/requests/parse-cadence.js';
import { dependsOnSavedNames, parseCommand } from '../../src/requests/parse-command.js';
import { formatRequest } from '../../src/requests/parse-request.js';
import type { Problem } from '../../src/requests/problem.js';
import { problemMessageText } from '../../src/requests/problem-messages.js';
import { nextRuns, scheduleFrom } from '../../src/schedule/next-runs.js';
import { anyCharacter } from '../any-character.js';
import { accepted } from '../results.js';
import { anyRequest } from './random-request.js';

const context = { savedNames: ['Weekly sales'] };

const pieces = fc.constantFrom(
  ...allReports.map(({ name }) => name),
  ...[
    'help',
    'list',
    'save',
    'schedule',
    'overdue',
    'due',
    'Weekly sales',
    'daily',
    '9:00',
    'csv',
    'to:me',
    'xlsx',
    'rows',
    'only:',
    'only:not-completed',
    'not completed',
    'content:"GDPR basics"',
    'track:',
    'assigned:2025',
    'please',
    'in',
    'excel',
    'skip-empty',
    'replace',
    'keep:7d',
    'when overdue > 50',
    'when',
    'changed',
    'new-rows',
    '>=',
    '80%',
  ],
  ...['last-week', 'last', '30', 'days', '2026', '03', '..', 'since:', '2026-02-30', 'next-week', 'lst-week'],
  ...[
    'departments:',
    'departments',
    'track.teams:',
    'suspended:yes',
    'fields:email',
    'by:',
    'on:due_date',
    'sort:email',
  ],
  ...['weekly', 'mon,', 'every 2 weeks', 'monthly', 'last', 'fri', 'hourly', ':15', 'quarterly', '9am', '31'],
  ...['cron', '"0 9 * * 1-5"', '"* * * * *"', 'Europe/Berlin', 'europe/berln', 'UTC', '25:00'],
  ...['Sales', ',', '"', '“', '”', ':', ' ', ' ', '\u00a0', 'x', '\\', '<', '&amp;', '\u202e'],
);
const almostGrammar = fc
  .array(pieces, { maxLength: 14 })
  .chain((words) => fc.constantFrom(words.join(' '), words.join('')));

/** Whatever is suggested can be read, and so can what fills the form, but for how often. */
function expectOneThatRuns({ corrected, understood }: Problem): void {
  if (corrected !== undefined) expect(parseCommand(corrected, context).ok).toBe(true);
  const read = understood === undefined ? undefined : parseCommand(understood, context);
  if (read && !read.ok) expect(read.refusal.kind).toBe('cadence-missing');
}

/** It has a message, and what it suggests can be read. */
function expectHelpful(problem: Problem): void {
  expect(problemMessageText(problem)).toMatch(/\S{3}/);
  expectOneThatRuns(problem);
}

function kindOf(parsed: ReturnType<typeof parseCommand>): string {
  return parsed.ok ? parsed.value.kind : 'problem';
}

describe('any words at all', () => {
  it('are a command or a problem with a message; a request can be formatted and parsed again', () => {
    const kinds = new Set<string>();
    fc.assert(
      fc.property(fc.oneof(almostGrammar, fc.string({ unit: anyCharacter })), (text) => {
        const parsed = parseCommand(text, context);
        kinds.add(kindOf(parsed));
        if (!parsed.ok) expectHelpful(parsed.refusal);
        if (!parsed.ok || parsed.value.kind !== 'run') return;
        expect(parseCommand(formatRequest(parsed.value.request), context)).toEqual(parsed);
      }),
      { numRuns: 5000, examples: [[''], ['help']] },
    );
    expect([...kinds]).toEqual(expect.arrayContaining(['builder', 'run', 'problem', 'help']));
  });

  it('do not depend on saved names unless dependsOnSavedNames is true', () => {
    const found = { true: 0, false: 0 };
    fc.assert(
      fc.property(almostGrammar, (text) => {
        const depends = dependsOnSavedNames(text);
        found[`${depends}`] += 1;
        if (depends) return;
        const names = ['Weekly sales', 'x', 'last', 'list it', text.trim()];
        expect(parseCommand(text, { savedNames: names })).toEqual(parseCommand(text, { savedNames: [] }));
      }),
      { numRuns: 3000 },
    );
    expect(found.true).toBeGreaterThan(100);
    expect(found.false).toBeGreaterThan(100);
    expect(dependsOnSavedNames('Weekly sales csv')).toBe(true);
    expect(dependsOnSavedNames('/report engagement last-week')).toBe(false);
  });

  it('are a digest with runs, or a problem with a message', () => {
    const kinds = new Set<string>();
    fc.assert(
      fc.property(almostGrammar, (text) => {
        const parsed = parseCommand(`schedule engagement csv ${text}`, context);
        kinds.add(kindOf(parsed));
        if (!parsed.ok) expectHelpful(parsed.refusal);
        if (!parsed.ok || parsed.value.kind !== 'schedule') return;
        const { when, cadence, zone = 'UTC' } = parsed.value;
        if (when) {
          const again = `schedule engagement when ${formatCondition(when)} daily 9`;
          expect(parseCommand(again, context)).toMatchObject({ value: { when } });
        }
        expect(accepted(parseCadence(formatCadence(cadence)))).toEqual({ cadence });
        expect(nextRuns(scheduleFrom(cadence, zone, 0), 0, 3)).toHaveLength(3);
      }),
      { numRuns: 5000 },
    );
    expect(kinds).toEqual(new Set(['schedule', 'problem']));
  });

  it('with one letter left out are offered a correction that runs', () => {
    let misses = 0;
    fc.assert(
      fc.property(anyRequest, fc.nat(), (request, place) => {
        const said = formatRequest({ ...request, filters: [], file: 'csv' as const });
        const cut = place % said.length;
        const parsed = parseCommand(said.slice(0, cut) + said.slice(cut + 1), context);
        if (parsed.ok) return;
        misses += 1;
        expectOneThatRuns(parsed.refusal);
      }),
      { numRuns: 1000 },
    );
    expect(misses).toBeGreaterThan(500);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatCadence } from '../../../src/requests/cadence-words.js';
import { resolveRange } from '../../../src/requests/date-range.js';
import { parseCommand } from '../../../src/requests/parse-command.js';
import { formatRequest } from '../../../src/requests/parse-request.js';
import { type ReportRequest, reportForRequest } from '../../../src/requests/request.js';
import { describeCommand, describeRequest } from '../../../src/requests/sentences/describe.js';
import { noKnownNames } from '../../../src/requests/sentences/known-names.js';
import { readSentence, type SentenceContext } from '../../../src/requests/sentences/read-sentence.js';
import { propertyRuns } from '../../property-runs.js';
import { anyCadence } from '../random-cadence.js';
import { anyRequest } from '../random-request.js';
import { knownNames, world } from './world.js';

/** All ranges have begun by then. */
const late: SentenceContext = { ...world, zone: 'UTC', now: Date.parse('9999-12-31T23:59:59Z') };

/** False for a range that begins before 1970. */
function hasRange(request: ReportRequest): boolean {
  const { now, zone, weekStart } = late;
  const report = reportForRequest(request);
  const { range } = request;
  return range === undefined || resolveRange(range, report, now, zone, weekStart).ok;
}

function commandOf(text: string) {
  const parsed = parseCommand(text, { savedNames: [] });
  if (!parsed.ok) throw new Error(`Not a command: ${text}`);
  return parsed.value;
}

describe('a command in words is read back as that command', () => {
  test.each([noKnownNames, knownNames])('requests', (known) => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        fc.pre(hasRange(request));
        const text = formatRequest(request);
        const words = describeRequest(request);
        expect(commandOf(text)).toEqual({ kind: 'run', request });
        expect({ words, ...readSentence(words, { ...late, known }) }).toMatchObject({
          readings: [text],
          unknown: [],
        });
      }),
      { numRuns: propertyRuns(1_000) },
    );
  });

  test('schedules', () => {
    fc.assert(
      fc.property(anyRequest, anyCadence, fc.constantFrom('', ' Europe/Berlin'), (request, cadence, zone) => {
        fc.pre(hasRange(request));
        const command = commandOf(
          `schedule ${formatRequest(request)} skip-empty keep:7d ${formatCadence(cadence)}${zone}`,
        );
        const words = describeCommand(command) ?? '';
        const [reading = '', ...others] = readSentence(words, late).readings;
        expect({ words, reading, others }).toMatchObject({ others: [] });
        const typed = { cadenceTyped: '' };
        expect({ ...commandOf(reading), ...typed }).toEqual({ ...command, ...typed });
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});

test.each([
  ['overdue departments:Sales,HR', 'overdue assignments · department "Sales" or "HR"'],
  [
    'assignments only:not-completed content:"GDPR basics" manager_email:me rows',
    'assignments · not completed · content "GDPR basics" · your team · with rows',
  ],
  ['overdue today', 'assignments that fell due today'],
  ['engagement manager_email:me email:me', 'engagement · your team · email:me'],
  ['due next-week by:departments csv', 'due assignments next week · by department · as csv'],
  [
    'completions 2026-03-01..2026-03-31 email:me',
    'completions from 1 March 2026 to 31 March 2026 · yourself',
  ],
])('%s in words', (text, words) => {
  const command = commandOf(text);
  expect(describeCommand(command)).toBe(words);
  expect(readSentence(words, late).readings).toEqual([text]);
});

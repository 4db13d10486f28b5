import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allReports } from '../../src/catalogue/index.js';
import { parseCommand } from '../../src/requests/parse-command.js';
import { formatRequest } from '../../src/requests/parse-request.js';
import { asLine, linesIn, scorecardOf } from '../../src/requests/parse-scorecard.js';
import { problemMessageText } from '../../src/requests/problem-messages.js';
import type { ReportRequest, ScorecardLine } from '../../src/requests/request.js';
import { propertyRuns } from '../property-runs.js';
import { anyRequestFor } from './random-request.js';

const savedNames = ['Team pulse', 'Team', 'Sales overdue'];
const read = (text: string) => parseCommand(text, { savedNames });

function saved(text: string) {
  const parsed = read(text);
  if (!parsed.ok) throw new Error(problemMessageText(parsed.refusal));
  if (parsed.value.kind !== 'save') throw new Error(`It is read as ${parsed.value.kind}`);
  return parsed.value;
}

describe('a scorecard', () => {
  test.each([
    ['save Monday: overdue; team pulse; tracks last-month', 'overdue; Team pulse; tracks last-month'],
    ['save Monday: overdue ;tracks;', 'overdue; tracks'],
    ['save Monday: ;; overdue departments:"R&D; Labs" ; tracks', 'overdue departments:"R&D; Labs"; tracks'],
    ['save Monday overdue: Team; sales  OVERDUE', 'Team; Sales overdue'],
    [
      'save Monday: assignments target:95%@2026-12-31; engagement',
      'assignments target:95%@2026-12-31; engagement',
    ],
  ])('%s', (text, lines) => {
    const { request } = saved(text);
    expect(request.scorecard?.lines).toHaveLength(lines.replace(/"[^"]*"/g, '').split(';').length);
    expect(formatRequest(request)).toBe(lines);
  });

  test('of one line is a plain saved report', () => {
    expect(saved('save Monday: overdue;').request).not.toHaveProperty('scorecard');
  });

  test.each([
    ['save Monday: overdue; trakcs', '“trakcs”', 'save Monday: overdue; tracks'],
    [
      'save Monday: overdue; Team pulse last-week',
      "can't follow its name",
      'save Monday: overdue; Team pulse',
    ],
    ['save Monday: overdue csv; tracks', 'answers of their own', 'save Monday: overdue; tracks'],
    [
      'save Monday: overdue; tracks to:me rows last-week',
      'answers of their own',
      'save Monday: overdue; tracks last-week',
    ],
    ['save Monday: overdue; tracks target:101%', 'at most 100%', undefined],
    ['save Monday: overdue; tracks target:"95', 'never closed', 'save Monday: overdue; tracks target:"95"'],
    ['save A;B: overdue', 'semicolon', 'save A B: overdue'],
    [`save Monday: ${'overdue;'.repeat(9)}`, '8 lines at most', undefined],
  ])('refuses %s', (text, sentence, corrected) => {
    const parsed = read(text);
    expect(parsed.ok).toBe(false);
    if (parsed.ok) return;
    expect(problemMessageText(parsed.refusal)).toContain(sentence);
    expect(parsed.refusal.corrected).toBe(corrected);
    if (corrected !== undefined) expect(read(corrected).ok).toBe(true);
  });

  test('reads back to the same, whatever its lines hold', () => {
    const own: fc.Arbitrary<ScorecardLine> = fc
      .constantFrom(...allReports)
      .chain(anyRequestFor)
      .map((request) => {
        const { over: _over, figure: _figure, ...kept }: ReportRequest = asLine(request);
        return { request: kept };
      });
    const line = fc.oneof(
      { weight: 4, arbitrary: own },
      fc.constantFrom(...savedNames.map((name) => ({ name }))),
    );
    fc.assert(
      fc.property(fc.array(line, { minLength: 2, maxLength: 8 }), (lines) => {
        const request = scorecardOf('Monday', lines);
        const words = formatRequest(request);
        expect(linesIn(words)).toHaveLength(lines.length);
        const again = saved(`save Monday: ${words}`).request;
        expect(
          JSON.stringify(
            again.scorecard?.lines.map((one) => ('request' in one ? formatRequest(one.request) : one)),
          ),
        ).toBe(JSON.stringify(lines.map((one) => ('request' in one ? formatRequest(one.request) : one))));
      }),
      { numRuns: propertyRuns(150) },
    );
  });
});

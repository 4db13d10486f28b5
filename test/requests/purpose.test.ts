import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCommand } from '../../src/requests/parse-command.js';
import { formatRequest } from '../../src/requests/parse-request.js';
import { maxPurposeLength, parsePurpose } from '../../src/requests/purpose.js';
import { anyCharacter } from '../any-character.js';
import { propertyRuns } from '../property-runs.js';

function requestOf(words: string) {
  const command = parseCommand(words, { savedNames: [] });
  return command.ok && command.value.kind === 'run' ? command.value.request : undefined;
}

describe('purpose:', () => {
  it.each([
    ['engagement csv purpose:"Audit of Q3"', 'Audit of Q3'],
    ['engagement purpose:“Audit, Q3” csv', 'Audit, Q3'],
    ['engagement csv purpose:audit', 'audit'],
    ['engagement csv purpose:audit,review', 'audit, review'],
    ['overdue csv PURPOSE:"Works council, 12 Nov"', 'Works council, 12 Nov'],
    ['workshops csv purpose:"audit" purpose:"audit"', 'audit'],
  ])('is what the file is for: %s', (words, purpose) => {
    expect(requestOf(words)).toMatchObject({ file: 'csv', purpose });
  });

  it('is no filter, and changes nothing else of the request', () => {
    const { purpose, ...request } = requestOf('engagement csv by:teams purpose:"x"') ?? {};
    expect(purpose).toBe('x');
    expect({ ...request, purpose: undefined }).toEqual(requestOf('engagement csv by:teams'));
  });

  it.each([
    'engagement csv purpose:',
    'engagement csv purpose:""',
    'engagement csv purpose:"…"',
    `engagement csv purpose:"${'long '.repeat(60)}"`,
    'engagement csv purpose:"audit" purpose:"review"',
  ])('is refused where it says nothing, too much or two things: %s', (words) => {
    expect(parseCommand(words, { savedNames: [] }).ok).toBe(false);
  });

  it('is one line that the words of its request hold, whatever was typed into a form', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 2 * maxPurposeLength }), (typed) => {
        const purpose = parsePurpose(typed);
        if (!purpose.ok) return;
        expect(purpose.value).not.toMatch(/[\p{C}\n\r"]/u);
        const request = requestOf('engagement last-week csv');
        if (!request) throw new Error('no request');
        const with_ = { ...request, purpose: purpose.value };
        expect(requestOf(formatRequest(with_))).toEqual(with_);
      }),
      { numRuns: propertyRuns(2000) },
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ok } from '../../../../src/errors/result.js';
import { parseCommand } from '../../../../src/requests/parse-command.js';
import { formatRequest } from '../../../../src/requests/parse-request.js';
import { requestFromState, stateFromRequest } from '../../../../src/slack/modals/builder/read-state.js';
import { anyRequest } from '../../../requests/any-request.js';
import { accepted } from '../../../results.js';

describe('one request, two ways to say it', () => {
  it('is the same after the builder held it, also as JSON', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const state = JSON.parse(JSON.stringify(stateFromRequest(request)));
        expect(requestFromState(state)).toEqual(ok(request));
      }),
      { numRuns: 300 },
    );
  });

  it('is the same after it was said in words and read again', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const built = accepted(requestFromState(stateFromRequest(request)));
        expect(accepted(parseCommand(formatRequest(built), { savedNames: [] }))).toEqual({
          kind: 'run',
          request,
        });
      }),
      { numRuns: 300 },
    );
  });
});

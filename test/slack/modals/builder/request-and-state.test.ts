import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ok } from '../../../../src/errors/result.js';
import { parseCommand } from '../../../../src/requests/parse-command.js';
import { formatRequest } from '../../../../src/requests/parse-request.js';
import { requestFromState, stateFromRequest } from '../../../../src/slack/modals/builder/read-state.js';
import { propertyRuns } from '../../../property-runs.js';
import { anyRequest } from '../../../requests/random-request.js';
import { accepted } from '../../../results.js';

describe('a request', () => {
  it('is the same after a round trip through the builder and JSON', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const state = JSON.parse(JSON.stringify(stateFromRequest(request)));
        expect(requestFromState(state)).toEqual(ok(request));
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it('is the same after a round trip through a command', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const built = accepted(requestFromState(stateFromRequest(request)));
        expect(accepted(parseCommand(formatRequest(built), { savedNames: [] }))).toEqual({
          kind: 'run',
          request,
        });
      }),
      { numRuns: propertyRuns(300) },
    );
  });
});

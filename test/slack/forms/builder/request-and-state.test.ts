import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ok } from '../../../../src/errors/failure.js';
import { parseCommand } from '../../../../src/requests/parse-command.js';
import { formatRequest } from '../../../../src/requests/parse-request.js';
import { requestIn } from '../../../../src/slack/forms/read-draft.js';
import { propertyRuns } from '../../../property-runs.js';
import { anyRequest } from '../../../requests/random-request.js';
import { accepted } from '../../../results.js';
import { draftOf } from './rendered-builder.js';

describe('a request', () => {
  it('is the same after a round trip through the builder and JSON', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const draft = JSON.parse(JSON.stringify(draftOf(request)));
        expect(requestIn(draft)).toEqual(ok(request));
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it('is the same after a round trip through a command', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const built = accepted(requestIn(draftOf(request)));
        expect(accepted(parseCommand(formatRequest(built), { savedNames: [] }))).toEqual({
          kind: 'run',
          request,
        });
      }),
      { numRuns: propertyRuns(300) },
    );
  });
});

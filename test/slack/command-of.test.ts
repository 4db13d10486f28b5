import { expect, it } from 'vitest';
import { plainRequest } from '../../src/requests/request.js';
import { commandOf } from '../../src/slack/answers/answer-run.js';

it('names the command once, also where /report was copied with it', () => {
  const tracks = plainRequest('tracks');
  expect(commandOf('Tracks last-week', tracks)).toBe('/report Tracks last-week');
  expect(commandOf('/report  tracks last-week', tracks)).toBe('/report tracks last-week');
  expect(commandOf(undefined, tracks)).toBe('/report tracks');
});

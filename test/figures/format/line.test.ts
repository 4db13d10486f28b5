import { expect, it } from 'vitest';
import { formatLine } from '../../../src/figures/summary/line.js';
import { plainRequest } from '../../../src/requests/request.js';
import { resultOf } from '../fixed-answers.js';

const rows = (count: number, more: object) =>
  Array.from({ length: count }, (_, n) => ({ userid: `${n}`, ...more }));

it('says what a change is of, where it is not of the rate in the line', () => {
  const tracks = plainRequest('tracks');
  const done = { track_id: 't', track_status: 'completed' };
  const open = { track_id: 't', track_status: 'in_progress', track_progress: 20 };
  const result = resultOf(tracks, [...rows(10, done), ...rows(20, open)], {
    before: rows(20, done),
  });
  expect(formatLine(result, { withPeople: false })).toMatchObject({
    finding: '33% completed (10 of 30)',
    change: 'track enrolments: ▲\u00a050%',
  });
  const views = resultOf(plainRequest('completions'), rows(30, {}), { before: rows(20, {}) });
  expect(formatLine(views, { withPeople: false })).toMatchObject({ finding: '30', change: '▲\u00a050%' });
});

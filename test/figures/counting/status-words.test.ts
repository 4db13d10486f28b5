import { expect, test } from 'vitest';
import { meaningOf, plainStatus } from '../../../src/figures/counting/statuses.js';

test.each([
  ['Completed', 'completed'],
  ['COMPLETE', 'completed'],
  ['done', 'completed'],
  ['finished', 'completed'],
  ['completed_late', 'completed'],
  ['inProgress', 'in-progress'],
  ['IN-PROGRESS', 'in-progress'],
  ['In progress', 'in-progress'],
  ['NotStarted', 'not-started'],
  ['not_started', 'not-started'],
  ['Passed', 'passed'],
  ['failed', 'failed'],
  ['Not passed', 'failed'],
  ['waiting_for_grading', 'waiting'],
  ['Cancelled', 'cancelled'],
  ['canceled', 'cancelled'],
  ['incomplete', 'other'],
  ['uncompleted', 'other'],
  ['pending', 'other'],
  ['Abgeschlossen', 'other'],
  ['', 'other'],
])('%j means %s', (status, meaning) => {
  expect(meaningOf(plainStatus(status))).toBe(meaning);
});

import { expect, test } from 'vitest';
import { formatStatus, meaningOf, plainStatus } from '../../../src/figures/counting/statuses.js';

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

test.each([
  ['in_progress', 'In progress'],
  ['InProgress', 'In progress'],
  ['in-progress', 'In progress'],
  ['IN PROGRESS', 'In progress'],
  ['COMPLETED', 'Completed'],
  ['passed', 'Passed'],
  ['waiting_for_grading', 'Waiting for grading'],
  ['completed late', 'Completed late'],
  ['On hold by HR', 'On hold by HR'],
  ['abgeschlossen', 'Abgeschlossen'],
  ['état_final', 'État final'],
  [' held ', 'Held'],
  ['完了', '完了'],
  ['__', '__'],
])('people read %j as %s', (status, label) => {
  expect(formatStatus(status)).toBe(label);
});

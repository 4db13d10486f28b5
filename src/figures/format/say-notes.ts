import type { Note, NotedFact } from '../note.js';
import { sayCount, sayMany } from './values.js';

/** What a reader of the figures has to know, in a sentence. */
export function sayNote(note: Note): string {
  switch (note.kind) {
    case 'missing':
      return `${sayRows(note.rows, note.of)} had no ${note.field}.`;
    case 'unreadable':
      return `${sayRows(note.rows, note.of)} had ${withArticle(note.field)} that could not be read.`;
    case 'fact':
      return factSentences[note.fact](note.rows);
  }
}

const factSentences: Readonly<Record<NotedFact, (rows: number) => string>> = {
  'engagement-may-list-only-active': () =>
    'The service may leave out people who did nothing at all, and then the share active looks higher than it is.',
  'nobody-named': (rows) =>
    `${sayMany(rows, ['row', 'rows'])} named nobody, and no person is counted for them.`,
  'nobody-named-counts': (rows) =>
    `${sayMany(rows, ['row', 'rows'])} named nobody, and each counts as one person.`,
  'completed-without-date': (rows) =>
    `${sayMany(rows, ['completed row', 'completed rows'])} had no completed date, and ${rows === 1 ? 'counts' : 'count'} neither as on time nor as late.`,
  'completed-before-assigned': (rows) =>
    `${sayMany(rows, ['row was', 'rows were'])} completed before being assigned, and are left out of the median.`,
  'too-many-values-for-a-median': () => 'There were too many different values to find the middle one.',
  'progress-came-as-fractions': () => 'Progress came as fractions of 1 and is shown in percent.',
  'no-day-of-completion': (rows) =>
    `${sayMany(rows, ['row', 'rows'])} gave no readable day of completion, and no day in the chart.`,
  'attendance-may-come-late': (rows) =>
    rows > 0
      ? `${sayMany(rows, ['session has', 'sessions have'])} ended without any attendance so far. It can arrive late.`
      : 'Attendance can arrive late.',
};

/** `an assigned date`, `a due date`, `a user ID`. */
function withArticle(field: string): string {
  return `${/^(?!us)[aeiou]/i.test(field) ? 'an' : 'a'} ${field}`;
}

function sayRows(rows: number, of: number): string {
  return `${sayCount(rows)} of ${sayMany(of, ['row', 'rows'])}`;
}

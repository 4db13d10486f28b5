import type { Migration } from './index.js';

/** Where requests are stored as JSON. */
const columns = [
  ['asks', 'request'],
  ['saved_reports', 'request'],
  ['digests', 'request'],
  ['digest_drafts', 'content'],
] as const;

/**
 * The range of `overdue` is about due dates now. A stored one was about assigned dates, and keeps that meaning as
 * `assigned:`. Where `on:` named a date, nothing changes. Inside a JSON string each quote has a backslash, so that no text
 * that somebody typed looks like a member.
 */
export const dueRanges: Migration = {
  name: 'due-ranges',
  statements: columns.map(
    ([table, column]) => `UPDATE ${table} SET ${column} = replace(${column}, '"range":"', '"assigned":"')
      WHERE ${column} LIKE '%"view":"overdue"%' AND ${column} NOT LIKE '%"dateField":"%'`,
  ),
};

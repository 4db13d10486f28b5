import type { Migration } from './index.js';

/** Where requests are stored as JSON, and the open builders that describe one. */
const columns = [
  ['asks', 'request'],
  ['saved_reports', 'request'],
  ['digests', 'request'],
  ['digest_drafts', 'content'],
  ['builder_drafts', 'content'],
] as const;

/**
 * The members of before, and those of today. Inside a JSON string each quote has a backslash, so that no text that
 * somebody typed looks like a member.
 */
const changes = [
  ['"overdueOnly":true', '"view":"overdue"'],
  ['"overdueOnly":false,', ''],
  [',"overdueOnly":false', ''],
  ['"csv":true', '"file":"csv"'],
  ['"csv":false,', ''],
  [',"csv":false', ''],
] as const;

/** Requests name a view and a file instead of saying yes or no to one of each. */
export const requestFields: Migration = {
  name: 'request-fields',
  statements: columns.flatMap(([table, column]) =>
    changes.map(
      ([before, today]) => `UPDATE ${table} SET ${column} = replace(${column}, '${before}', '${today}')
        WHERE ${column} LIKE '%${before.replaceAll(',', '')}%'`,
    ),
  ),
};

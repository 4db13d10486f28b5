import type { Migration } from './index.js';

/** What people typed last into fields of open forms that suggest titles and names, until the record has it. */
export const formSearches: Migration = {
  name: 'form-searches',
  statements: [
    `CREATE TABLE form_searches (
      workspace TEXT NOT NULL,
      form TEXT NOT NULL,
      field TEXT NOT NULL,
      person TEXT NOT NULL,
      place TEXT NOT NULL,
      report TEXT NOT NULL,
      content TEXT NOT NULL,
      typed_at BIGINT NOT NULL,
      PRIMARY KEY (workspace, form, field)
    )`,
    'CREATE INDEX form_searches_by_time ON form_searches (workspace, typed_at)',
    'CREATE INDEX form_searches_by_person ON form_searches (workspace, person)',
  ],
};

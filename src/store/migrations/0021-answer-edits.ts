import type { Migration } from './index.js';

/** Answers that are posted before the period before is read, and edited when the changes are known. */
export const answerEdits: Migration = {
  name: 'answer-edits',
  statements: [
    // Null for posts that are not edited.
    `ALTER TABLE posts ADD COLUMN edit_state TEXT CHECK (edit_state IN ('due', 'done', 'given-up'))`,
    // What the edit needs besides the request, as JSON. Null once it is made or given up.
    'ALTER TABLE posts ADD COLUMN edit_facts TEXT',
    `CREATE INDEX posts_with_due_edit ON posts (workspace, made_at) WHERE edit_state = 'due'`,
  ],
};

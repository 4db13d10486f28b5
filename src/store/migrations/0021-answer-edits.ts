import type { Migration } from './index.js';

/** Added columns that nothing reads any more. */
export const answerEdits: Migration = { name: 'answer-edits', statements: [] };

import type { Migration } from './index.js';

/** What is not said in a thread is taken from the answer there, which is found by its message. */
export const answersInThreads: Migration = {
  name: 'answers-in-threads',
  statements: [
    `CREATE INDEX posts_by_message ON posts (workspace, message_channel, message_ts)
      WHERE message_ts IS NOT NULL`,
    'CREATE INDEX asks_by_post ON asks (workspace, post)',
  ],
};

import type { Migration } from './index.js';

/** Deliveries from Slack that start a run or a post, so that another process can go on with them. */
export const inbox: Migration = {
  name: 'inbox',
  statements: [
    // `payload`: null once its work has ended. The key stays, so that a repetition is recognized.
    // `process`: who has it in hand; null while nobody has. `request`: the ID of the request that it makes, if any.
    // `progress`: the message that shows how far the run is, as JSON. Times are milliseconds since the epoch.
    `CREATE TABLE inbox (
      workspace TEXT NOT NULL,
      delivery TEXT NOT NULL,
      person TEXT NOT NULL,
      payload TEXT,
      request TEXT NOT NULL,
      arrived_at BIGINT NOT NULL,
      process TEXT,
      attempts BIGINT NOT NULL,
      url_uses BIGINT NOT NULL,
      progress TEXT,
      PRIMARY KEY (workspace, delivery)
    )`,
    'CREATE INDEX inbox_open ON inbox (workspace, request) WHERE payload IS NOT NULL',
    'CREATE INDEX inbox_by_time ON inbox (workspace, arrived_at)',
    // The delivery that used a form. Only it may use the form again, in the hands of another process.
    'ALTER TABLE builder_drafts ADD COLUMN used_by TEXT',
  ],
};

import type { Migration } from './index.js';

export const digestReasons: Migration = {
  name: 'digest-reasons',
  statements: [
    // The failure in words for people, as written when it happened.
    'ALTER TABLE digest_runs ADD COLUMN reason TEXT',
    'ALTER TABLE digest_outages ADD COLUMN reason TEXT',
    // The sent message of a notification, for later edits.
    'ALTER TABLE digest_notices ADD COLUMN message_channel TEXT',
    'ALTER TABLE digest_notices ADD COLUMN message_ts TEXT',
  ],
};

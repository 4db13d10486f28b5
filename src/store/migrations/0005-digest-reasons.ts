import type { Migration } from './index.js';

export const digestReasons: Migration = {
  name: 'digest-reasons',
  statements: [
    // What people are told of a failure, as it was put into words when it happened.
    'ALTER TABLE digest_runs ADD COLUMN reason TEXT',
    'ALTER TABLE digest_outages ADD COLUMN reason TEXT',
    // Where a notice stands, so that what it says can be brought up to date.
    'ALTER TABLE digest_notices ADD COLUMN message_channel TEXT',
    'ALTER TABLE digest_notices ADD COLUMN message_ts TEXT',
  ],
};

import type { Migration } from './index.js';

export const digestTries: Migration = {
  name: 'digest-tries',
  statements: [
    // How often Slack asked to wait: that says nothing about the run, so that it does not count as one of its tries.
    'ALTER TABLE digest_runs ADD COLUMN limited BIGINT NOT NULL DEFAULT 0',
    // Why a run at work is left out rather than wait again, should it not be delivered in this try.
    'ALTER TABLE digest_runs ADD COLUMN unwanted TEXT',
  ],
};

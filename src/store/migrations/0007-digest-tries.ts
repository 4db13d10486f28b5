import type { Migration } from './index.js';

export const digestTries: Migration = {
  name: 'digest-tries',
  statements: [
    // How often Slack rate-limited the run. These do not count as attempts.
    'ALTER TABLE digest_runs ADD COLUMN limited BIGINT NOT NULL DEFAULT 0',
    // Why a claimed run is skipped instead of waiting again if this attempt does not deliver it.
    'ALTER TABLE digest_runs ADD COLUMN unwanted TEXT',
  ],
};

import type { Migration } from './index.js';

/** Claims look at the owners of the runs that wait, of which there may be many thousands. */
export const turnsOfOwners: Migration = {
  name: 'turns-of-owners',
  statements: [
    'DROP INDEX posts_ready',
    `CREATE INDEX posts_ready ON posts (workspace, ready_at, same_as, id, channel, digest)
      WHERE ready_at IS NOT NULL`,
  ],
};

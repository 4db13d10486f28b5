import type { Migration } from './index.js';

/** Digests from before there were levels of access. For a while, they may do what they could do before. */
export const digestGrace: Migration = {
  name: 'digest-grace',
  statements: [
    // `since` is set by the first start. `level` is that of the owner then, and `effect` what it will narrow.
    `CREATE TABLE digest_grace (
      workspace TEXT NOT NULL,
      digest TEXT NOT NULL,
      since BIGINT,
      level TEXT CHECK (level IN ('everything', 'team', 'totals', 'nothing')),
      effect TEXT CHECK (effect IN ('team', 'self', 'small-groups', 'stops')),
      PRIMARY KEY (workspace, digest)
    )`,
    `INSERT INTO digest_grace (workspace, digest)
      SELECT workspace, id FROM digests WHERE deleted_at IS NULL`,
  ],
};

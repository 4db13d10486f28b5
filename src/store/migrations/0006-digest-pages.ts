import type { Migration } from './index.js';

export const digestPages: Migration = {
  name: 'digest-pages',
  statements: [
    // The new indexes at the end give a page of digests in its order.
    'DROP INDEX digests_by_channel',
    'DROP INDEX digests_by_owner',
    // Partial indexes: almost all rows are null there, and SQLite would use a full index to find nulls.
    'DROP INDEX digests_deleted',
    'CREATE INDEX digests_deleted ON digests (deleted_at) WHERE deleted_at IS NOT NULL',
    'DROP INDEX digests_due',
    'CREATE INDEX digests_due ON digests (next_due) WHERE next_due IS NOT NULL',
    'DROP INDEX digest_runs_ready',
    'CREATE INDEX digest_runs_ready ON digest_runs (ready_at, same_as, id, channel) WHERE ready_at IS NOT NULL',
    'DROP INDEX digest_runs_leased',
    'CREATE INDEX digest_runs_leased ON digest_runs (lease_until) WHERE lease_until IS NOT NULL',
    'DROP INDEX digest_notices_ready',
    'CREATE INDEX digest_notices_ready ON digest_notices (ready_at) WHERE ready_at IS NOT NULL',
    'CREATE INDEX digests_of_channel ON digests (channel, made_at, id) WHERE deleted_at IS NULL',
    'CREATE INDEX digests_of_owner ON digests (owner, made_at, id) WHERE deleted_at IS NULL',
  ],
};

import type { Migration } from './index.js';

export const digestPages: Migration = {
  name: 'digest-pages',
  statements: [
    // A page of those that are kept is read from an index in its order, however many there are.
    'DROP INDEX digests_by_channel',
    'DROP INDEX digests_by_owner',
    // Over all of them it would be taken for those that are not deleted, which are almost all.
    'DROP INDEX digests_deleted',
    'CREATE INDEX digests_deleted ON digests (deleted_at) WHERE deleted_at IS NOT NULL',
    'CREATE INDEX digests_of_channel ON digests (channel, made_at, id) WHERE deleted_at IS NULL',
    'CREATE INDEX digests_of_owner ON digests (owner, made_at, id) WHERE deleted_at IS NULL',
  ],
};

import type { Migration } from './index.js';

export const erasure: Migration = {
  name: 'erasure',
  statements: [
    // Hashes of whose figures they are and of whom filters name, so that a person's figures can be deleted.
    'ALTER TABLE last_figures ADD COLUMN people TEXT',
    // When Slack told that the app was uninstalled, in milliseconds since the epoch; null while it is installed.
    'ALTER TABLE rollcall_workspace ADD COLUMN uninstalled_at BIGINT',
  ],
};

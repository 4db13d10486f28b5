import type { Migration } from './index.js';

export const lastFigures: Migration = {
  name: 'last-figures',
  // The old rows held whole answers under other keys. The next run of each request saves its figures again.
  statements: ['DELETE FROM last_figures'],
};

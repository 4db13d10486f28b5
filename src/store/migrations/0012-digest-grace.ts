import type { Migration } from './index.js';

/** Made a table that nothing reads any more. */
export const digestGrace: Migration = { name: 'digest-grace', statements: [] };

import type { TestProject } from 'vitest/node';
import { startPostgres } from '../../playground/processes/postgres.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of a PostgreSQL server; undefined if there is none. */
    postgresUrl: string | undefined;
  }
}

/** Tests make many small schemas, which are gone with the server. Less than half of the work of each is for later. */
const forTests = [
  'autovacuum=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'jit=off',
].flatMap((setting) => ['-c', setting]);

/** Starts one PostgreSQL for all tests that use it. TEST_POSTGRES_URL names another server. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env.TEST_POSTGRES_URL;
  if (given) {
    project.provide('postgresUrl', given);
    return undefined;
  }
  try {
    const started = await startPostgres(forTests);
    project.provide('postgresUrl', started.url);
    return started.stop;
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
    process.stdout.write(
      `PostgreSQL could not be started, so its tests are skipped (${why}). Set TEST_POSTGRES_URL.\n`,
    );
    project.provide('postgresUrl', undefined);
    return undefined;
  }
}

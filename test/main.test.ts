import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openFile } from '../src/store/database/database.js';
import { migrate, migrations } from '../src/store/database/migrate.js';
import { openStore } from '../src/store/store.js';
import { processes } from './process.js';
import { commandPayload, signedForm } from './slack/transport/stub-slack.js';
import { surroundings, until } from './slack/transport/transport-test-app.js';

const { start, folder } = processes();
const around = surroundings();

const environment = (apiUrl: string, more: Record<string, string> = {}) => ({
  SLACK_BOT_TOKEN: 'xoxb-1-secret',
  SLACK_APP_TOKEN: 'xapp-1-secret',
  SLACK_API_URL: apiUrl,
  REPORTING_BASE_URL: 'http://127.0.0.1:9',
  REPORTING_API_TOKEN: 'a-report-secret',
  OPERATIONS_PORT: '0',
  ...more,
});

/** A member of a JSON line of the log. */
function logged(stdout: string, message: string, member: string): unknown {
  const line = stdout.split('\n').find((each) => each.startsWith('{') && each.includes(message));
  return line === undefined ? undefined : JSON.parse(line)[member];
}

const root = fileURLToPath(new URL('..', import.meta.url));

/** The scripts that a process loaded, as V8 wrote them down at its end; paths from the root of the project. */
function loadedFiles(coverageFolder: string): string[] {
  return readdirSync(coverageFolder)
    .flatMap((name) => JSON.parse(readFileSync(join(coverageFolder, name), 'utf8')).result)
    .filter(({ url }) => url.startsWith('file:'))
    .map(({ url }) => relative(root, fileURLToPath(url)));
}

describe('the process', () => {
  it('loads few files until it is ready, and nothing that it may never need', async () => {
    const slack = await around.slack();
    const coverage = join(folder(), 'coverage');
    const rollcall = start(
      'dist/bot/main.js',
      [],
      environment(slack.apiUrl, { NODE_V8_COVERAGE: coverage, NAMES_DAILY: 'no' }),
    );
    await rollcall.waitFor(/^Rollcall ready$/m);
    rollcall.signal('SIGTERM');
    expect(await rollcall.ended).toBe(0);

    const files = loadedFiles(coverage);
    const built = files.filter((path) => path.startsWith('dist/bot/'));
    expect(built.length).toBeLessThanOrEqual(8);
    const packages = files
      .filter((path) => !built.includes(path))
      .map((path) => /^node_modules\/([^/]+)\//.exec(path)?.[1]);
    expect([...new Set(packages)].sort()).toEqual(['better-sqlite3', 'bindings', 'file-uri-to-path']);

    // The part that the others share has no sources.
    const withSources = built.filter((path) => existsSync(join(root, `${path}.map`)));
    const modules = withSources.flatMap(
      (path) => JSON.parse(readFileSync(join(root, `${path}.map`), 'utf8')).sources,
    );
    expect(modules).toContain('../../src/app.ts');
    const unneeded =
      /node_modules\/(?:cli-progress|commander|express|fastify|iconv-lite|mime-db|pg|yaml|yazl)\/|\/src\/(?:cli\/(?:program|run)|reporting-api\/(?:answer-worker|answer\/read-answer)|store\/postgres\/)/;
    expect(modules.filter((path) => unneeded.test(path))).toEqual([]);
  });

  it('reports when it is ready, serves health checks and metrics, and stops once after two signals', async () => {
    const slack = await around.slack();
    const rollcall = start(
      'dist/bot/main.js',
      [],
      environment(slack.apiUrl, { SLACK_SIGNING_SECRET: 'unused' }),
    );
    await rollcall.waitFor(/^Rollcall ready$/m);
    await until(() => slack.sockets.size === 2);
    expect(rollcall.stdout()).toContain('Socket Mode is used');

    const port = logged(rollcall.stdout(), '/healthz', 'port');
    const look = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    expect((await look('/healthz')).status).toBe(200);
    const ready = await look('/readyz');
    expect([ready.status, await ready.json()]).toMatchObject([
      200,
      { mode: 'socket', ready: true, connections: 2 },
    ]);
    const metrics = await (await look('/metrics')).text();
    expect(metrics).toContain('rollcall_ready 1');
    expect(metrics).toContain('nodejs_eventloop_lag_seconds');

    const id = slack.deliver('slash_commands', commandPayload('help'));
    await until(() => slack.acks.has(id));

    rollcall.signal('SIGTERM');
    rollcall.signal('SIGTERM');
    expect(await rollcall.ended).toBe(0);
    await until(() => slack.sockets.size === 0);
    expect(rollcall.stdout().match(/Rollcall is stopping/g)).toHaveLength(1);
    expect(rollcall.stdout() + rollcall.stderr()).not.toContain('secret');
  });

  it('listens over HTTP, and is no longer ready when it stops', async () => {
    const slack = await around.slack();
    const rollcall = start('dist/bot/main.js', [], {
      ...environment(slack.apiUrl, { SLACK_SIGNING_SECRET: 'signing', PORT: '0', OPERATIONS_PORT: '' }),
      SLACK_APP_TOKEN: '',
    });
    await rollcall.waitFor(/^Rollcall ready$/m);
    expect(rollcall.stdout()).not.toContain('/healthz');
    const port = logged(rollcall.stdout(), 'Slack can reach Rollcall', 'port');
    const address = `http://127.0.0.1:${port}/slack/events`;
    expect((await fetch(address, signedForm('signing', commandPayload('help')))).status).toBe(200);
    rollcall.signal('SIGINT');
    expect(await rollcall.ended).toBe(0);
  });

  it('lists every problem of its settings on stderr and ends with 78', async () => {
    const rollcall = start('dist/bot/main.js', [], { PORT: 'many', LOG_LEVEL: 'loud' });
    expect(await rollcall.ended).toBe(78);
    const lines = rollcall.stderr().trim().split('\n');
    expect(lines.map((line) => line.split(' ')[0])).toEqual([
      'SLACK_BOT_TOKEN',
      'PORT',
      'SLACK_APP_TOKEN',
      'REPORTING_BASE_URL',
      'REPORTING_API_TOKEN',
      'LOG_LEVEL',
    ]);
    expect(rollcall.stdout()).toBe('');
  });

  it('ends with 78 and a message for a token that Slack rejects', async () => {
    const slack = await around.slack();
    slack.answer('auth.test', () => ({ ok: false, error: 'invalid_auth' }));
    const rollcall = start('dist/bot/main.js', [], environment(slack.apiUrl));
    expect(await rollcall.ended).toBe(78);
    expect(rollcall.stderr()).toMatch(
      /^Slack does not accept SLACK_BOT_TOKEN \(invalid_auth\)\. Copy .*\.\n$/,
    );
  });

  it('waits while Slack cannot be reached, alive and not ready, and stops after a signal', async () => {
    const slack = await around.slack();
    slack.answer('auth.test', () => ({ status: 503 }));
    const rollcall = start('dist/bot/main.js', [], environment(slack.apiUrl));
    await rollcall.waitFor(/Slack cannot be reached; trying again/);
    const port = logged(rollcall.stdout(), '/healthz', 'port');
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(503);
    rollcall.signal('SIGINT');
    expect(await rollcall.ended).toBe(0);
    expect(rollcall.stderr()).toBe('');
    expect(rollcall.stdout()).not.toContain('Rollcall ready');
  });

  it('stops after a signal while its sockets cannot be opened', async () => {
    const slack = await around.slack();
    slack.answer('apps.connections.open', () => ({ ok: true, url: 'ws://127.0.0.1:9/link' }));
    const rollcall = start('dist/bot/main.js', [], environment(slack.apiUrl));
    await rollcall.waitFor(/A connection to Slack could not be opened/);
    // The stack names the sources, although the built bot is a few files.
    const { stack } = logged(rollcall.stdout(), 'A connection to Slack could not be opened', 'err') as Error;
    expect(stack).toContain(`(${root}src/slack/transport/socket.ts:`);
    expect(stack).not.toContain('/dist/');
    rollcall.signal('SIGTERM');
    expect(await rollcall.ended).toBe(0);
  });

  it('refuses the database of another workspace, and ends with 1', async () => {
    const slack = await around.slack();
    const path = join(folder(), 'rollcall.db');
    const store = await openStore(path, Date.now);
    await store.useWorkspace('T9');
    await store.close();
    const rollcall = start(
      'dist/bot/main.js',
      [],
      environment(slack.apiUrl, { DATABASE_URL: `sqlite:${path}` }),
    );
    expect(await rollcall.ended).toBe(1);
    expect(rollcall.stderr()).toContain(`${path} holds the data of another Slack workspace, T9.`);
    expect(rollcall.stdout()).not.toContain('Rollcall ready');
  });

  it.each<[string, (path: string) => void | Promise<void>, string]>([
    [
      'of a newer version',
      (path) => {
        const newer = openFile(path);
        migrate(newer, Date.now, [...migrations, { name: 'later', statements: [] }]);
        newer.close();
      },
      'was written by a newer version of Rollcall. Start that version, or restore a backup from before the upgrade.',
    ],
    [
      'that is damaged',
      async (path) => {
        await (await openStore(path, Date.now)).close();
        truncateSync(path, 8192);
      },
      'cannot be used: it is damaged. Restore an intact backup.',
    ],
    [
      'of another program',
      (path) => writeFileSync(path, 'notes '.repeat(2000)),
      'cannot be used: it is not a database. Check the path or DATABASE_URL.',
    ],
  ])('refuses a database %s with one sentence, and ends with 1', async (_what, prepare, sentence) => {
    const slack = await around.slack();
    const path = join(folder(), 'rollcall.db');
    await prepare(path);
    const settings = environment(slack.apiUrl, { DATABASE_URL: `sqlite:${path}` });
    const rollcall = start('dist/bot/main.js', [], settings);
    expect(await rollcall.ended).toBe(1);
    expect(rollcall.stderr().trim()).toBe(`${path} ${sentence}`);
    expect(rollcall.stdout()).not.toContain('Rollcall ready');
  });

  it('refuses to restore the backup of a newer version with one sentence, and ends with 1', async () => {
    const path = join(folder(), 'rollcall.db');
    const backup = join(folder(), 'newer.db');
    await (await openStore(path, Date.now)).close();
    const newer = openFile(backup);
    migrate(newer, Date.now, [...migrations, { name: 'later', statements: [] }]);
    newer.close();
    const before = readFileSync(path);
    const restore = start('bin/rollcall.js', ['restore', backup], { DATABASE_URL: `sqlite:${path}` });
    expect(await restore.ended).toBe(1);
    expect(restore.stderr()).toContain(`${backup} was written by a newer version of Rollcall.`);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('reports that its port is in use, and ends with 1', async () => {
    const slack = await around.slack();
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const rollcall = start(
      'dist/bot/main.js',
      [],
      environment(slack.apiUrl, { OPERATIONS_PORT: String(port) }),
    );
    expect(await rollcall.ended).toBe(1);
    expect(rollcall.stderr()).toContain(
      `Rollcall cannot listen on 127.0.0.1:${port}: another program uses that port.`,
    );
    taken.close();
  });
});

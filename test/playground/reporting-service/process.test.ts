import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endOf } from '../../../playground/processes/end-of.js';

/** What `npm run reporting-service` starts; `npm test` builds it first. */
const program = fileURLToPath(new URL('../../../dist/playground/reporting-service/main.js', import.meta.url));

let scratch: string;
let started: ChildProcessWithoutNullStreams[] = [];
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'rollcall-process-'));
});
afterEach(async () => {
  for (const child of started) child.kill('SIGKILL');
  started = [];
  await rm(scratch, { recursive: true, force: true });
});

function start(...words: readonly string[]) {
  // A separate folder, so that its temporary files can be counted.
  const child = spawn(process.execPath, [program, ...words], { env: { ...process.env, TMPDIR: scratch } });
  started.push(child);
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    said.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.err += chunk;
  });
  const ended = endOf(child, 'The Reporting Service');
  ended.catch(() => {});
  return {
    child,
    said,
    ended,
    async url(): Promise<string> {
      await vi.waitFor(() => expect(said.out).toContain('\n'), 15_000);
      return said.out.trim().replace('Reporting Service ready: ', '');
    },
  };
}

it('is built', () => {
  expect(existsSync(program)).toBe(true);
});

describe('the program', () => {
  it('prints its URL and the header for requests, and answers', async () => {
    const { url, said, child, ended } = start('--port', '0', '--learners', '9', '--token', 'secret');
    const at = await url();
    expect(said.out).toMatch(/^Reporting Service ready: http:\/\/127\.0\.0\.1:\d+\n$/);
    await vi.waitFor(() => expect(said.err).toContain('Authorization: secret'));
    const response = await fetch(`${at}/api/v1/reports/user-engagement/0/2000000000`, {
      method: 'POST',
      headers: { authorization: 'secret', 'content-type': 'application/json' },
      body: '{"email":true}',
    });
    expect(await response.json()).toHaveLength(9);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(await readdir(scratch)).toEqual([]);
  });

  it('stops once on two signals, also with an open connection', async () => {
    const { url, child, ended } = start('--port', '0', '--learners', '9', '--latency', '60000');
    const at = await url();
    const asking = fetch(`${at}/api/v1/reports/assessment-status`, {
      method: 'POST',
      headers: { authorization: 'rollcall-sandbox-token', 'content-type': 'application/json' },
      body: '{}',
    });
    asking.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 100));
    child.kill('SIGINT');
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(await readdir(scratch)).toEqual([]);
  });

  it('stops during generation, and leaves no files', async () => {
    const { child, ended, said } = start('--port', '0', '--learners', '200000');
    await vi.waitFor(async () => expect(await readdir(scratch)).toHaveLength(1), 15_000);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(said.out).toBe('');
    expect(await readdir(scratch)).toEqual([]);
  });

  it('reports a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const { said, ended } = start('--port', port);
    expect(await ended).toBe(1);
    expect(said.err).toBe(
      `Port ${port} is in use. Choose another one with --port, or a free one with --port 0.\n`,
    );
    other.close();
  });

  it('lists invalid options and missing data, and does not start', async () => {
    const wrong = start('--port', 'x', '--auth', 'y');
    expect(await wrong.ended).toBe(2);
    expect(wrong.said.err.trim().split('\n')).toHaveLength(2);
    const missing = start('--port', '0', '--data', join(scratch, 'nothing'));
    expect(await missing.ended).toBe(1);
    expect(missing.said.err).toContain('people.csv: it is missing');
    expect(wrong.said.out + missing.said.out).toBe('');
  });
});

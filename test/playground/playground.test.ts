import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { endOf } from '../../playground/processes/end-of.js';

const program = fileURLToPath(new URL('../../dist/playground-app/main.js', import.meta.url));

function start(
  port: number | string,
  ...words: readonly string[]
): ChildProcess & { lines: string[]; complaints: string[] } {
  const child = spawn(process.execPath, [program, ...words], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  const complaints: string[] = [];
  endOf(child, 'The playground').catch((error: Error) => complaints.push(error.message));
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  createInterface({ input: child.stderr }).on('line', (line) => complaints.push(line));
  return Object.assign(child, { lines, complaints });
}

async function ready(child: ReturnType<typeof start>): Promise<string> {
  const line = await expect
    .poll(() => child.lines.find((one) => one.startsWith('Playground ready')))
    .toBeDefined()
    .then(() => child.lines.find((one) => one.startsWith('Playground ready')));
  return /^Playground ready: (http:\/\/127\.0\.0\.1:\d+)$/.exec(line ?? '')?.[1] ?? '';
}

describe('npm run playground', () => {
  test('starts within ten seconds on loopback only, and stops once on repeated signals', async () => {
    const child = start(0);
    const url = await ready(child);
    expect(url).not.toBe('');
    expect((await fetch(url)).status).toBe(200);
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((one) => one && !one.internal && one.family === 'IPv4');
    if (outside)
      await expect(
        fetch(url.replace('127.0.0.1', outside.address), { signal: AbortSignal.timeout(2000) }),
      ).rejects.toThrow();
    const exit = once(child, 'exit');
    const before = performance.now();
    child.kill('SIGINT');
    child.kill('SIGINT');
    expect(await exit).toEqual([0, null]);
    expect(performance.now() - before).toBeLessThan(5000);
    expect(child.complaints).toEqual([]);
  });

  test('stops on a signal during the start', async () => {
    const child = start(0);
    await once(child, 'spawn');
    const exit = once(child, 'exit');
    // Whenever it comes: before Node has read the program, while it starts, or just after.
    await new Promise((resolve) => setTimeout(resolve, 400));
    child.kill('SIGTERM');
    const [code, signal] = await exit;
    expect([code, signal]).toEqual(code === null ? [null, 'SIGTERM'] : [0, null]);
    expect(child.complaints).toEqual([]);
  });

  test('names a free port when its port is in use', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as { port: number };
    const child = start(port);
    const [code] = await once(child, 'exit');
    expect(code).toBe(1);
    expect(child.complaints).toEqual([
      expect.stringMatching(new RegExp(`^Port ${port} is in use.* PORT=\\d+ npm run playground$`)),
    ]);
    expect(child.lines).toEqual([]);
  });

  test.each([
    ['a port', '70000', []],
    ['an option', '0', ['--people', 'many']],
  ])('refuses %s with one sentence', async (_what, port, words) => {
    const child = start(port, ...words);
    const [code] = await once(child, 'exit');
    expect([code, child.complaints, child.lines]).toEqual([1, [expect.stringContaining('must be')], []]);
  });

  test('is ready before it has made up many people, and a signal then stops it too', async () => {
    const child = start(0, '--people', '20000', '--slow');
    const url = await ready(child);
    expect((await fetch(url)).status).toBe(200);
    await expect.poll(() => child.lines).toContainEqual(expect.stringContaining('20,000 people'));
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    expect(child.complaints).toEqual([]);
  });
});

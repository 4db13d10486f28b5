import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { withTimeLimit } from '../../src/time/clock.js';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

describe('a time limit', () => {
  it('ends, also if only its listener is left of it', async () => {
    const stopped = new AbortController();
    const ended = new Promise<unknown>((resolve) => {
      const signal = withTimeLimit(300, stopped.signal);
      signal.addEventListener('abort', () => resolve(signal.reason));
    });
    const collecting = setInterval(collectGarbage, 20);
    expect(await ended).toMatchObject({ name: 'TimeoutError' });
    clearInterval(collecting);
  });

  it('ends with any of the signals, and tells its reason', () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const signal = withTimeLimit(60_000, one.signal, other.signal);
    expect(signal.aborted).toBe(false);
    other.abort('enough');
    expect(signal.reason).toBe('enough');
    expect(withTimeLimit(60_000, one.signal, other.signal).reason).toBe('enough');
  });

  it('is not made of AbortSignal.any and AbortSignal.timeout anywhere', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    expect(files.length).toBeGreaterThan(100);
    const isLost = (name: string) =>
      /AbortSignal\.any\([^;]*AbortSignal\.timeout/.test(readFileSync(join('src', name), 'utf8'));
    expect(files.filter(isLost)).toEqual([]);
  });
});

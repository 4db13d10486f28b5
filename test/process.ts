import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';

export interface StartedProcess {
  /** Resolves when the text has appeared on stdout; rejects when the process ends before. */
  says(text: string): Promise<void>;
  /** Everything on stdout so far. */
  stdout(): string;
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
  /** Resolves to the exit code, or to the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

/** Starts built programs of ours in a fresh folder, and ends those that a test leaves behind. */
export function processes() {
  const running = new Set<StartedProcess>();
  let folder: string | undefined;
  afterEach(async () => {
    for (const each of running) each.kill('SIGKILL');
    await Promise.all([...running].map(({ ended }) => ended));
    running.clear();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    folder = undefined;
  });

  function folderOfTest(): string {
    folder ??= mkdtempSync(join(tmpdir(), 'rollcall-process-'));
    return folder;
  }

  function start(
    program: 'dist/bot/main.js' | 'dist/playground-app/main.js' | 'bin/rollcall.js',
    words: readonly string[],
    environment: Record<string, string>,
  ): StartedProcess {
    const path = fileURLToPath(new URL(`../${program}`, import.meta.url));
    const child = spawn(process.execPath, [path, ...words], {
      cwd: folderOfTest(),
      env: { PATH: process.env.PATH ?? '', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const ended = once(child, 'close').then(([code, signal]) => {
      running.delete(started);
      return code ?? signal;
    });
    const started: StartedProcess = {
      stdout: () => stdout,
      stderr: () => stderr,
      kill: (signal) => {
        child.kill(signal);
      },
      ended,
      async says(text) {
        let over = false;
        ended.then(() => {
          over = true;
        });
        while (!stdout.includes(text)) {
          if (over) throw new Error(`It ended without saying “${text}”: ${stderr}${stdout}`);
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
      },
    };
    running.add(started);
    return started;
  }

  return { start, folder: folderOfTest };
}

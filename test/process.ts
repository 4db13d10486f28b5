import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';
import { endOf } from '../playground/processes/end-of.js';

/** Built by `npm test` first. */
type Program = 'dist/bot/main.js' | 'dist/playground-app/main.js' | 'bin/rollcall.js';

/** A program in its own process, configured only by its environment, as operators run it. */
export interface StartedProcess {
  readonly pid: number | undefined;
  /** Everything on stdout so far. */
  stdout(): string;
  stderr(): string;
  /** Waits for a text on stdout; rejects with all output if the process ends first. */
  waitFor(wanted: RegExp): Promise<RegExpExecArray>;
  signal(name: NodeJS.Signals): void;
  /** Resolves to the exit code, or to the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

const running = new Set<StartedProcess>();

/** What gives a program the time and the zone of the tests (`scripts/test-at-hours.js`). */
const ofTime = ['LD_PRELOAD', 'FAKETIME', 'FAKETIME_DONT_FAKE_MONOTONIC', 'FAKETIME_DISABLE_SHM', 'TZ'];

/** The environment of a started program: of this process's, only what every program needs. */
export function bareEnvironment(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    ['PATH', ...ofTime].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Starts a program with a bare environment and what is given. */
export function startProcess(
  program: Program,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  folder: string,
): StartedProcess {
  const path = fileURLToPath(new URL(`../${program}`, import.meta.url));
  const child = spawn(process.execPath, [path, ...words], {
    cwd: folder,
    env: { ...bareEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { hear, ...output } = outputUntil(endOf(child, program));
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => hear(stream, text));
  return whileRunning({
    ...output,
    pid: child.pid,
    signal: (name) => {
      child.kill(name);
    },
  });
}

type Output = Omit<StartedProcess, 'pid' | 'signal'>;

/** What a program writes until its end. `hear` takes each piece of it. */
export function outputUntil(
  ended: StartedProcess['ended'],
): Output & { hear(stream: 'stdout' | 'stderr', text: string): void } {
  const said = { stdout: '', stderr: '' };
  const heard = new EventEmitter();
  // Whoever waits for it reads why a program could not start. If nobody does, that fails no other test.
  ended.catch(() => {});
  return {
    hear(stream, text) {
      said[stream] += text;
      heard.emit(stream);
    },
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    ended,
    waitFor: (wanted) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = wanted.exec(said.stdout);
          if (!found) return;
          heard.off('stdout', look);
          resolve(found);
        };
        heard.on('stdout', look);
        const fail = (code: number | string) =>
          reject(new Error(`It ended with ${code}.\n${said.stdout}\n${said.stderr}`));
        ended.then(fail, reject);
        look();
      }),
  };
}

/** A program that `endEveryProcess` kills if it still runs then. */
export function whileRunning(started: StartedProcess): StartedProcess {
  running.add(started);
  const end = () => running.delete(started);
  started.ended.then(end, end);
  return started;
}

/**
 * Runs a command of the built `rollcall` to its end. `spawnSync` would stop a fake Slack in this process meanwhile, which
 * would lose its connections.
 *
 * @returns its exit code, or the signal that ended it, and what it printed
 */
export async function runBuiltRollcall(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  folder: string,
) {
  const run = startProcess('bin/rollcall.js', words, environment, folder);
  const status = await run.ended;
  return { status, stdout: run.stdout(), stderr: run.stderr() };
}

/** A Node.js process that runs the text of a script. */
export interface StartedScript {
  readonly child: ChildProcess;
  /** Resolves to its exit code, or to the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** Resolves once it has said something on stdout. Rejects if it ends before. */
  readonly spoke: Promise<void>;
  /** Everything on stdout, once it has ended. */
  readonly output: Promise<string>;
}

/** @param words its arguments. A script with `import` needs `--input-type=module` as its first */
export function startScript(script: string, ...words: readonly string[]): StartedScript {
  const isModule = words[0] === '--input-type=module';
  const flags = isModule ? words.slice(0, 1) : [];
  const child = spawn(process.execPath, [...flags, '-e', script, ...words.slice(flags.length)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = endOf(child, 'The script of a test');
  let output = '';
  const spoke = new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      resolve();
    });
    ended.then((code) => reject(new Error(`The script of a test ended with ${code}`)), reject);
  });
  for (const promise of [ended, spoke]) promise.catch(() => {});
  return { child, ended, spoke, output: ended.then(() => output) };
}

/** Kills the processes that a failed test left behind. */
export async function endEveryProcess(): Promise<void> {
  for (const each of running) each.signal('SIGKILL');
  await Promise.allSettled([...running].map(({ ended }) => ended));
}

/** Starts programs in a folder per test, and kills those that the test leaves behind. */
export function processes() {
  let folder: string | undefined;
  afterEach(async () => {
    await endEveryProcess();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    folder = undefined;
  });

  function folderOfTest(): string {
    folder ??= mkdtempSync(join(tmpdir(), 'rollcall-process-'));
    return folder;
  }

  return {
    start: (program: Program, words: readonly string[], environment: Readonly<Record<string, string>>) =>
      startProcess(program, words, environment, folderOfTest()),
    folder: folderOfTest,
  };
}

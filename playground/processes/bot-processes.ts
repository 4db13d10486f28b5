import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { MovableClock } from '../movable-clock.js';
import type { ProcessControl } from '../slack/server/page/page-actions.js';
import type { FromProcess, ToProcess } from './bot-process.js';
import { endOf } from './end-of.js';

/** Several processes of the bot on one database. */
export interface BotProcesses extends ProcessControl {
  stop(): Promise<void>;
}

/** So that one can watch another process take over. */
const restartDelayMs = 6_000;

interface Slot {
  child: ChildProcess;
  isRunning: boolean;
  leads: boolean;
}

/**
 * Starts processes of the bot. Resolves when all are ready.
 *
 * @param environment of each
 * @param onOutput called with what one writes: warnings and errors
 */
export async function startBotProcesses(
  count: number,
  environment: Readonly<Record<string, string>>,
  clock: MovableClock,
  onOutput: (text: string) => void,
): Promise<BotProcesses> {
  const listeners = new Set<() => void>();
  const slots: Slot[] = [];
  const restarts = new Set<NodeJS.Timeout>();
  let isStopping = false;
  const changed = () => {
    for (const listener of listeners) listener();
  };

  function start(index: number): Promise<void> {
    const child = fork(fileURLToPath(new URL('./bot-process.js', import.meta.url)), {
      env: { PATH: process.env.PATH ?? '', ...environment },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const slot: Slot = { child, isRunning: false, leads: false };
    slots[index] = slot;
    for (const output of [child.stdout, child.stderr]) output?.on('data', (data) => onOutput(String(data)));
    sendClock(child);
    const ended = endOf(child, 'A process of the bot');
    const restart = () => {
      slot.isRunning = false;
      slot.leads = false;
      changed();
      if (isStopping) return;
      const timer = setTimeout(() => {
        restarts.delete(timer);
        start(index).catch((error: Error) => onOutput(`${error.message}\n`));
      }, restartDelayMs);
      restarts.add(timer);
    };
    ended.then(restart, restart);
    changed();
    return new Promise((resolve, reject) => {
      ended.then((code) => reject(new Error(`A process of the bot ended with ${code}.`)), reject);
      child.on('message', ({ kind }: FromProcess) => {
        if (kind === 'leads') slot.leads = true;
        else {
          slot.isRunning = true;
          resolve();
        }
        changed();
      });
    });
  }

  function sendClock(child: ChildProcess) {
    const message: ToProcess = { offsetMs: clock.offsetMs() };
    if (child.connected) child.send(message);
  }

  const stopListening = clock.onJump(() => {
    for (const { child } of slots) sendClock(child);
  });
  const processes: BotProcesses = {
    all: () =>
      slots.map(({ isRunning, leads }, index) => ({
        number: index + 1,
        state: isRunning ? 'running' : 'starting',
        leads,
      })),
    killLeader() {
      slots.find(({ leads }) => leads)?.child.kill('SIGKILL');
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async stop() {
      isStopping = true;
      stopListening();
      for (const timer of restarts) clearTimeout(timer);
      const alive = slots.filter(({ child }) => child.exitCode === null && child.signalCode === null);
      for (const { child } of alive) child.kill('SIGTERM');
      await Promise.all(alive.map(({ child }) => once(child, 'exit')));
    },
  };
  try {
    // The first one leads, and makes the tables.
    for (let index = 0; index < count; index += 1) await start(index);
  } catch (error) {
    await processes.stop();
    throw error;
  }
  return processes;
}

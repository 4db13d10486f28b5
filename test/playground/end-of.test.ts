import { fork, spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { endOf } from '../../playground/processes/end-of.js';

it('is the exit code of a process, or the signal that ended it, also afterwards', async () => {
  const child = spawn('sh', ['-c', 'exit 7'], { stdio: 'ignore' });
  expect(await endOf(child, 'A shell')).toBe(7);
  expect(await endOf(child, 'A shell')).toBe(7);
  const killed = spawn('sleep', ['60'], { stdio: 'ignore' });
  const ended = endOf(killed, 'A sleep');
  killed.kill('SIGKILL');
  expect(await ended).toBe('SIGKILL');
});

it('is the exit code of a fork that is told to end by a disconnection', async () => {
  const child = fork('-e', ["process.on('disconnect', () => process.exit(3)); process.send('here')"], {
    execArgv: [],
  });
  const ended = endOf(child, 'A fork');
  child.once('message', () => child.disconnect());
  expect(await ended).toBe(3);
});

it('is an error with the name of a process that cannot start', async () => {
  await expect(endOf(spawn('/nowhere/program'), 'A program')).rejects.toThrow(/^A program: it cannot start/);
});

it('is an error with the name of a stream that breaks, once or more often', async () => {
  const child = spawn('sleep', ['60'], { stdio: 'pipe' });
  const ended = endOf(child, 'A sleep');
  child.stdin.emit('error', new Error('EPIPE'));
  child.stdout.destroy(new Error('EIO'));
  await expect(ended).rejects.toThrow('A sleep: its stdin broke (EPIPE)');
  child.kill('SIGKILL');
});

it('is an error of a process that no longer takes messages', async () => {
  const child = fork('-e', ['process.disconnect(); setTimeout(() => {}, 60_000)'], { execArgv: [] });
  const ended = endOf(child, 'A fork');
  child.disconnect();
  child.send('late');
  await expect(ended).rejects.toThrow(/^A fork: it cannot be reached/);
  child.kill('SIGKILL');
});

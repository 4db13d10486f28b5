import { runConfigFrom } from '../config/config.js';
import { loadConfig } from '../config/load.js';
import { realClock } from '../time/clock.js';
import { type RunCommandParts, type RunOptions, runCommand } from './run.js';

/** `rollcall run` with the settings of this machine, which need no Slack. */
export async function runFromSettings(
  words: readonly string[],
  options: RunOptions,
  surroundings: Omit<RunCommandParts, 'config' | 'clock'>,
): Promise<void> {
  await runCommand(words, options, {
    ...surroundings,
    config: loadConfig(runConfigFrom),
    clock: realClock,
  });
}

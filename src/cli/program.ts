import { Command } from 'commander';
import { realClock } from '../clock.js';
import { runConfigFrom } from '../config/config-from.js';
import { exitCodeForBadConfig, loadConfig } from '../config/load.js';
import { backUp, restore } from '../store/backup.js';
import { momentFrom, writeAudit } from './audit.js';
import { examine } from './doctor.js';
import { lineOf } from './finding.js';
import { forget } from './forget.js';
import { manifestText } from './manifest.js';
import { databasePath, withExistingStore } from './open-existing-store.js';
import { runCommand } from './run-command.js';

/** Where a command's words go, and what ends it. */
export interface Surroundings {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly signal: AbortSignal;
  /** Ends the program well, but not with 0. */
  readonly setExitCode: (code: number) => void;
}

/** The commands of `rollcall`. Each throws known errors for what goes wrong. */
export function rollcallProgram({ stdout, stderr, signal, setExitCode }: Surroundings): Command {
  const say = (text: string): void => {
    stdout.write(text.endsWith('\n') ? text : `${text}\n`);
  };
  const program = new Command('rollcall')
    .description('Answers questions about learning, and looks after the bot that does so in Slack.')
    .exitOverride()
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) });

  program
    .command('run')
    .description('ask for a report, in the words of /report, and print its summary')
    .argument('<words...>', 'a report, a range and options: engagement last-week departments:Sales')
    .option('--csv <file>', 'write the rows to a new file; - for standard output')
    .action((words: string[], options: { csv?: string }) =>
      runCommand(words, options, {
        config: loadConfig(runConfigFrom),
        clock: realClock,
        stdout,
        stderr,
        signal,
      }),
    );

  program
    .command('doctor')
    .description('look at settings, database, Slack and the Reporting Service, and say what to do')
    .action(async () => {
      const findings = await examine(signal);
      for (const finding of findings) say(lineOf(finding));
      const wrong = findings.filter(({ ok }) => !ok);
      if (wrong.some(({ of }) => of === 'Settings')) setExitCode(exitCodeForBadConfig);
      else if (wrong.length > 0) setExitCode(1);
    });

  program
    .command('backup')
    .description('write everything that is kept into a new file, also while the bot runs')
    .argument('<file>')
    .action((file: string) => {
      backUp(databasePath(), file);
      say(`The backup is in ${file}.`);
    });

  program
    .command('restore')
    .description('put a backup in the place of the database; the bot has to be stopped')
    .argument('<file>')
    .action((file: string) => {
      const path = databasePath();
      const kept = restore(file, path, new Date().toISOString().replace(/[-:]|\.\d+/g, ''));
      say(`${file} is in place${kept === undefined ? '' : `; what was there is kept as ${kept}`}.`);
    });

  program
    .command('audit')
    .description('print who asked what, as CSV; times are UTC')
    .requiredOption('--since <date>', 'a day, 2026-11-01, or a moment, 2026-11-01T09:00Z')
    .action(async ({ since }: { since: string }) => {
      const from = momentFrom(since);
      await withExistingStore(({ asks }) => writeAudit(asks, from, (text) => stdout.write(text)));
    });

  program
    .command('manifest')
    .description('print the manifest of the Slack app: for Socket Mode, or for HTTP with --url')
    .option('--url <address>', 'the https address at which Slack reaches the bot')
    .action(({ url }: { url?: string }) => say(manifestText(url)));

  program
    .command('forget')
    .description('take a Slack user out of everything that is kept')
    .argument('<user>', 'a Slack user ID, such as U024BE7LH')
    .action(async (user: string) => say(await forget(user)));

  return program;
}

import { Command } from 'commander';

/** Where a command's words go, and what ends it. */
export interface Surroundings {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly signal: AbortSignal;
  /** For a command that did its work, and found something wrong. */
  readonly setExitCode: (code: number) => void;
}

/**
 * The commands of `rollcall`. Each throws known errors for what goes wrong. What a command needs is loaded when it is
 * called: Slack's libraries alone take longer to load than a manifest takes to print.
 */
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
    .option('--csv <file>', 'write the rows to a file; - for standard output')
    .action(async (words: string[], options: { csv?: string }) => {
      const { runFromSettings } = await import('./run.js');
      await runFromSettings(words, options, { stdout, stderr, signal });
    });

  program
    .command('doctor')
    .description('look at settings, database, Slack and the Reporting Service, and say what to do')
    .action(async () => {
      const { examine, exitCodeFor, lineOf } = await import('./doctor.js');
      const findings = await examine(signal);
      for (const finding of findings) say(lineOf(finding));
      setExitCode(exitCodeFor(findings));
    });

  program
    .command('backup')
    .description('write everything that is kept into a new file, also while the bot runs')
    .argument('<file>')
    .action(async (file: string) => {
      const { backup } = await import('./backup.js');
      say(backup(file));
    });

  program
    .command('restore')
    .description('put a backup in the place of the database; the bot has to be stopped')
    .argument('<file>')
    .action(async (file: string) => {
      const { restoreFrom } = await import('./backup.js');
      say(restoreFrom(file, Date.now()));
    });

  program
    .command('audit')
    .description('print who asked what, as CSV; times are UTC')
    .requiredOption('--since <date>', 'a day, 2026-11-01, or a moment, 2026-11-01T09:00Z')
    .action(async ({ since }: { since: string }) => {
      const { audit } = await import('./audit.js');
      await audit(since, (text) => {
        signal.throwIfAborted();
        stdout.write(text);
      });
    });

  program
    .command('manifest')
    .description('print the manifest of the Slack app: for Socket Mode, or for HTTP with --url')
    .option('--url <address>', 'the https address at which Slack reaches the bot')
    .action(async ({ url }: { url?: string }) => {
      const { manifestText } = await import('./manifest.js');
      say(manifestText(url));
    });

  program
    .command('forget')
    .description('take a Slack user out of everything that is kept')
    .argument('<user>', 'a Slack user ID, such as U024BE7LH')
    .action(async (user: string) => {
      const { forget } = await import('./backup.js');
      say(await forget(user));
    });

  return program;
}

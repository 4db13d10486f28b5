import { Command, CommanderError } from 'commander';
import { exitCodeOf } from '../errors/failure.js';
import { exitCodes } from '../errors/operator-failures.js';
import type { AuditOptions } from './audit.js';
import type { ExportFlags } from './export.js';
import { describeForOperator } from './operator-messages.js';
import type { RunFlags } from './run.js';

export interface CliProcess {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly signal: AbortSignal;
  /** Called unless a command succeeds and finds no problems. */
  readonly setExitCode: (code: number) => void;
}

/** All values of an option that is repeated. */
function collected(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** Runs one command of `rollcall`. The code that aborts the signal also sets the exit code. */
export async function runRollcall(words: readonly string[], cli: CliProcess): Promise<void> {
  try {
    await rollcallProgram(cli).parseAsync(words, { from: 'user' });
  } catch (error) {
    // Commander has already printed the problem.
    if (error instanceof CommanderError) cli.setExitCode(error.exitCode === 0 ? 0 : exitCodes.usage);
    else if (!cli.signal.aborted) {
      cli.stderr.write(`${describeForOperator(error)}\n`);
      cli.setExitCode(exitCodeOf(error));
    }
  }
}

/**
 * The commands of `rollcall`. They throw known errors. Each loads its modules when it is called, because the libraries
 * of Slack alone take longer to load than a manifest takes to print.
 */
function rollcallProgram({ stdout, stderr, signal, setExitCode }: CliProcess): Command {
  const print = (text: string): void => {
    stdout.write(text.endsWith('\n') ? text : `${text}\n`);
  };
  const program = new Command('rollcall')
    .description('Run learning reports, and maintain the Rollcall bot for Slack.')
    .exitOverride()
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) });

  program
    .command('run')
    .description('run a report, in the words of /report, and print its summary')
    .argument('<words...>', 'a report, a range and options: engagement last-week departments:Sales')
    .option('--csv <file>', 'write the rows to a CSV file; - for standard output')
    .option('--xlsx <file>', 'write the rows to an Excel workbook; - for standard output')
    .option('--as-typed', 'do not compare the entries of filters with those of recent answers')
    .action(async (words: string[], options: RunFlags) => {
      const { runFromSettings } = await import('./run.js');
      await runFromSettings(words, options, { stdout, stderr, signal });
    });

  program
    .command('doctor')
    .description('check settings, database, Slack and the Reporting Service, and suggest fixes')
    .action(async () => {
      const { diagnose, exitCodeFor, lineOf } = await import('./doctor.js');
      const findings = await diagnose(signal);
      for (const finding of findings) print(lineOf(finding));
      setExitCode(exitCodeFor(findings));
    });

  program
    .command('backup')
    .description('back up the database to a new file; the bot may be running')
    .argument('<file>')
    .action(async (file: string) => {
      const { backup } = await import('./backup.js');
      print(backup(file));
    });

  program
    .command('restore')
    .description('replace the database with a backup; stop the bot first')
    .argument('<file>')
    .action(async (file: string) => {
      const { restoreFrom } = await import('./backup.js');
      print(await restoreFrom(file, Date.now()));
    });

  program
    .command('migrate')
    .description('copy a database into an empty one, and compare them; stop the bot first')
    .requiredOption('--from <url>', 'sqlite:PATH or postgres://…; it stays as it is')
    .requiredOption('--to <url>', 'sqlite:PATH or postgres://…; it must be empty')
    .action(async (options: { from: string; to: string }) => {
      const { migrateDatabase } = await import('./migrate.js');
      print(await migrateDatabase(options, print, signal));
    });

  program
    .command('audit')
    .description('print the record of who asked and exported what, or verify that nobody changed it')
    .option('--since <date>', 'print events as JSON lines: from a day such as 2026-11-01, or a time (UTC)')
    .option('--verify', 'check that no event was changed or removed')
    .option('--head <seq:hash>', 'with --verify: a head from the log of Rollcall')
    .action(async (options: AuditOptions) => {
      const { audit } = await import('./audit.js');
      const write = (text: string) => {
        signal.throwIfAborted();
        return new Promise<void>((resolve) => stdout.write(text, () => resolve()));
      };
      setExitCode(await audit(options, write));
    });

  program
    .command('verify')
    .description('check a file of evidence; with the database, also that its record holds it')
    .argument('<file>', 'the ZIP that Rollcall sent')
    .action(async (file: string) => {
      const { verify } = await import('./verify.js');
      setExitCode(await verify(file, print));
    });

  program
    .command('manifest')
    .description('print the manifest of the Slack app: for Socket Mode, or for HTTP with --url')
    .option('--url <address>', 'the https address at which Slack reaches the bot')
    .option('--mcp', 'with --url: let Slackbot use Rollcall as tools, under the rights of who asks')
    .action(async ({ url, mcp }: { url?: string; mcp?: boolean }) => {
      const { manifestText } = await import('./manifest.js');
      print(manifestText(url, mcp));
    });

  program
    .command('mcp')
    .description(
      'serve Rollcall as tools to an assistant or editor on this machine, over standard input and output',
    )
    .option('--files <folder>', 'the folder for files of rows; without it, none are written')
    .action(async ({ files }: { files?: string }) => {
      const { serveAssistant } = await import('./mcp.js');
      await serveAssistant(files, { stdin: process.stdin, stdout: process.stdout, stderr, signal });
    });

  program
    .command('forget')
    .description('erase a person from all stored data, or all data with --all; the bot may be running')
    .argument('[person]', 'a Slack user ID, such as U024BE7LH, or an email address')
    .option(
      '--also <name or ID>',
      'a name or learner ID of the person, too; repeat it for several',
      collected,
      [],
    )
    .option('--all', 'erase everything that the database holds of the workspace')
    .option('--yes', 'do not ask for confirmation')
    .action(async (person: string | undefined, options: { also: string[]; all?: boolean; yes?: boolean }) => {
      const { forget, forgetAll } = await import('./forget.js');
      const { also, all = false, yes: isConfirmed = false } = options;
      const message = await (all ? forgetAll : forget)({ person, also, isConfirmed, stderr, signal });
      if (message === undefined) setExitCode(1);
      else print(message);
    });

  program
    .command('export')
    .description('print all that the database has of a person, as JSON, without the names of others')
    .argument('<person>', 'a Slack user ID, such as U024BE7LH, or an email address')
    .option('--html <file>', 'write a page to read instead')
    .action(async (person: string, options: ExportFlags) => {
      const { exportPerson } = await import('./export.js');
      for (const note of await exportPerson(person, options, stdout)) stderr.write(`${note}\n`);
    });

  return program;
}

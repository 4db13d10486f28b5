import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { ok, type Result, refused } from './bot.js';

export interface PlaygroundCommandLine {
  /** 0: any free port. */
  readonly port: number;
  readonly people: number;
  readonly slow: boolean;
  /** Processes of the bot. */
  readonly processes: number;
}

const defaultPort = 3000;
const defaultPeople = 400;
const [minPeople, maxPeople] = [20, 100_000];

/**
 * Reads the options, or gives the help that they ask for. A refusal is one sentence about the first wrong word.
 *
 * @param port the variable `PORT`
 */
export function readCommandLine(
  args: readonly string[],
  port: string | undefined,
): Result<PlaygroundCommandLine | { readonly help: string }, string> {
  let help = '';
  const command = new Command('npm run playground --')
    .description(
      'Rollcall on one machine: a local Slack, a Reporting Service with made-up people, and the bot.',
    )
    .option('--people <number>', 'people in the made-up organization', peopleFrom, defaultPeople)
    .option('--slow', 'answers take their time, so that you see progress and Cancel')
    .option('--processes <number>', 'processes of the bot, on a PostgreSQL of their own', processesFrom, 1)
    .addHelpText('after', `\nPORT sets the port (default: ${defaultPort}; 0: any free one).`)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        help += text;
      },
      writeErr: () => {},
    });
  try {
    command.parse(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.helpDisplayed') return ok({ help });
    return refused(problemOf(error));
  }
  const usedPort = portFrom(port);
  if (usedPort === undefined) return refused(`PORT is "${port}". It must be a number from 0 to 65535.`);
  const options = command.opts<{ people: number; slow?: boolean; processes: number }>();
  const { people, slow = false, processes } = options;
  return ok({ port: usedPort, people, slow, processes });
}

function peopleFrom(text: string): number {
  const people = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (people >= minPeople && people <= maxPeople) return people;
  throw new InvalidArgumentError(
    `--people is "${text}". It must be a number from ${minPeople} to ${maxPeople}.`,
  );
}

function processesFrom(text: string): number {
  if (/^[1-4]$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`--processes is "${text}". It must be a number from 1 to 4.`);
}

/** Commander puts its own words before those of an invalid argument. */
function problemOf({ message }: CommanderError): string {
  const problem = message.replace(/^error: (?:option .*? is invalid\. )?/, '').replaceAll(/\s+/g, ' ');
  const sentence = `${problem.charAt(0).toUpperCase()}${problem.slice(1)}`.replace(
    /^--P(?=eople|rocesses)/,
    '--p',
  );
  return /[.)?]$/.test(sentence) ? sentence : `${sentence}.`;
}

function portFrom(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return defaultPort;
  return /^\d+$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined;
}

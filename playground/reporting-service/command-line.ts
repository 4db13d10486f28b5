import { Command, CommanderError } from 'commander';
import { type Faults, noFaults } from './faults.js';
import { defaultToken, type ReportingServiceOptions } from './reporting-service.js';
import type { AuthScheme } from './server.js';

/** Invalid options, with a message for each. */
export class InvalidOptions extends Error {
  constructor(readonly lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'InvalidOptions';
  }
}

/** The option `--help` was given. */
export class HelpRequested extends Error {
  constructor(readonly help: string) {
    super('Help requested');
    this.name = 'HelpRequested';
  }
}

/** Days that a kept world is reused without `--now`. Its events reach twice as far. */
const keepDays = 30;

/**
 * Parses the command line.
 * @throws InvalidOptions with all problems; HelpRequested
 */
export function readCommandLine(args: readonly string[]): ReportingServiceOptions {
  const given = parse(args);
  const problems: string[] = [];
  function option<T>(name: string, read: (text: string) => T | undefined, takes: string): T | undefined {
    const text = given[name];
    if (typeof text !== 'string') return undefined;
    const value = read(text);
    if (value === undefined) {
      problems.push(`--${name} is ${JSON.stringify(text)}: it takes ${takes}.`);
    }
    return value;
  }
  const count = (low: number, high: number) => (text: string) =>
    /^\d{1,15}$/.test(text) && Number(text) >= low && Number(text) <= high ? Number(text) : undefined;
  const path = (text: string) => (text.trim() === '' ? undefined : text);

  const fixed = option('now', instantOf, 'a moment such as 2026-11-20T09:30:00Z');
  const options = {
    port: option('port', count(0, 65_535), 'a number from 0 to 65535; 0 is any free port') ?? 4010,
    token: option('token', tokenOf, 'text without blanks') ?? defaultToken,
    auth: option('auth', schemeOf, 'raw or bearer') ?? 'raw',
    learners: option('learners', count(1, 1_000_000), 'a number from 1 to 1000000'),
    seed: option('seed', count(0, Number.MAX_SAFE_INTEGER), 'a whole number'),
    data: option('data', path, 'a folder'),
    exportTo: option('export', path, 'a folder'),
    keep: option('keep', path, 'a file'),
  };
  const faults: Faults = {
    latencyMs: option('latency', count(0, 600_000), 'milliseconds, at most 600000') ?? 0,
    recordsPerSecond: option('rate', count(1, 1_000_000), 'a number of records per second') ?? 0,
    errorEvery: option('errors', count(1, 1_000_000), 'a number: one request in so many fails') ?? 0,
    burstEvery: option('bursts', count(1, 1_000_000), 'a number: a burst begins every so many requests') ?? 0,
    burstLength:
      option('burst-length', count(1, 1_000_000), 'a number of requests') ?? noFaults().burstLength,
    retryAfterSeconds:
      option('retry-after', count(0, 3600), 'seconds, at most 3600') ?? noFaults().retryAfterSeconds,
    cutEvery: option('cut', count(1, 1_000_000), 'a number: one answer in so many is cut short') ?? 0,
    shapes: given.shapes === true,
  };
  if (options.data !== undefined) {
    for (const name of ['learners', 'seed', 'keep']) {
      if (given[name] !== undefined)
        problems.push(`--${name} cannot be combined with --data, which replaces the generated organization.`);
    }
  }
  if (problems.length > 0) throw new InvalidOptions(problems);
  return {
    ...options,
    now: fixed === undefined ? undefined : () => fixed,
    filterBy: given.ids === true ? 'identifiers' : 'names',
    keepDays: fixed === undefined ? keepDays : 0,
    faults,
  };
}

function parse(args: readonly string[]): Record<string, unknown> {
  let help = '';
  const problems: string[] = [];
  const command = new Command('npm run reporting-service --')
    .description(
      'The reference Reporting Service: six report operations over a made-up organization or your data.',
    )
    .option('--port <number>', 'port on loopback; 0: any free port (default: 4010)')
    .option('--token <text>', `token of the requests (default: ${defaultToken})`)
    .option(
      '--auth <scheme>',
      'raw: "Authorization: TOKEN"; bearer: "Authorization: Bearer TOKEN" (default: raw)',
    )
    .option('--learners <number>', 'people in the generated organization (default: 400)')
    .option('--seed <number>', 'another seed makes another organization (default: 1)')
    .option('--now <moment>', 'ISO 8601; the clock stands still there (default: the present, moving on)')
    .option('--data <folder>', 'load CSV files instead of generating')
    .option('--export <folder>', 'write the organization as CSV files into a new folder, then serve')
    .option('--ids', 'filters take identifiers instead of names')
    .option('--keep <file>', 'keep the generated organization in this file for the next start')
    .option('--latency <ms>', 'delay of every answer')
    .option('--rate <n>', 'maximum records per second of every answer')
    .option('--errors <n>', 'every n-th request fails with 503, 502, 504 or 500')
    .option('--bursts <n>', 'every n-th request starts a burst of 429')
    .option('--burst-length <n>', 'number of requests in a burst (default: 3)')
    .option('--retry-after <s>', 'Retry-After of a burst (default: 2)')
    .option('--cut <n>', 'every n-th answer ends early')
    .option('--shapes', 'values change their type from record to record')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        help += text;
      },
      writeErr: (text) => {
        problems.push(text.trim().replaceAll('\n', ' '));
      },
    });
  try {
    command.parse(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.helpDisplayed') throw new HelpRequested(help);
    throw new InvalidOptions(problems.length > 0 ? problems : [error.message]);
  }
  const options: Record<string, unknown> = command.opts();
  // Commander returns --burst-length as burstLength. Options are looked up by their typed names here.
  return { ...options, 'burst-length': options.burstLength, 'retry-after': options.retryAfter };
}

function schemeOf(text: string): AuthScheme | undefined {
  return text === 'raw' || text === 'bearer' ? text : undefined;
}

function tokenOf(text: string): string | undefined {
  return /^[\x21-\x7e]+$/.test(text) ? text : undefined;
}

/** Milliseconds since the epoch. Without an offset, the time is in UTC. */
function instantOf(text: string): number | undefined {
  const parts = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(text);
  if (!parts) return undefined;
  const [, day, time = '00:00', zone = 'Z'] = parts;
  const milliseconds = Date.parse(`${day}T${time}${zone}`);
  const earliest = Date.UTC(1980, 0, 1);
  const latest = Date.UTC(2200, 0, 1);
  return milliseconds >= earliest && milliseconds <= latest ? milliseconds : undefined;
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'dotenv';
import { KnownError } from '../errors/known-error.js';
import type { Checked } from './config.js';
import type { Environment, Problem, ReadFile } from './read-variables.js';

/** The exit code of a program that was given bad settings (EX_CONFIG of sysexits.h). */
export const exitCodeForBadConfig = 78;

/** Settings that are missing or wrong, all of them at once. */
export class BadConfig extends KnownError {
  readonly code = 'bad-config';
  constructor(readonly problems: readonly Problem[]) {
    super(problems.map(({ sentence }) => sentence).join('\n'));
  }
}

/** Which settings: `configFrom` for all of them, or one of its parts. */
type Check<Settings> = (environment: Environment, readFile: ReadFile) => Checked<Settings>;

/** Reads settings from the environment, and from the file `.env` of a folder what the environment does not set. */
export function checkConfig<Settings>(
  check: Check<Settings>,
  environment: Environment = process.env,
  folder: string = process.cwd(),
): Checked<Settings> {
  const dotenv = dotenvOf(folder);
  return dotenv.ok ? check(withDefaultsOf(dotenv.config, environment), readText) : dotenv;
}

/**
 * The same for those who cannot go on without.
 *
 * @throws BadConfig with everything that is wrong
 */
export function loadConfig<Settings>(
  check: Check<Settings>,
  environment?: Environment,
  folder?: string,
): Settings {
  const checked = checkConfig(check, environment, folder);
  if (!checked.ok) throw new BadConfig(checked.problems);
  return checked.config;
}

/** What both set, the environment decides, also where one gives a value and the other a file. */
function withDefaultsOf(dotenv: Environment, environment: Environment): Environment {
  const undecided = Object.entries(dotenv).filter(([name]) => {
    const plain = name.replace(/_FILE$/, '');
    return environment[plain] === undefined && environment[`${plain}_FILE`] === undefined;
  });
  return { ...Object.fromEntries(undecided), ...environment };
}

function dotenvOf(folder: string): Checked<Environment> {
  try {
    return { ok: true, config: parse(readText(join(folder, '.env'))) };
  } catch (error) {
    if (isMissing(error)) return { ok: true, config: {} };
    const sentence = '.env cannot be read: check its permissions, or remove it.';
    return { ok: false, problems: [{ variable: '.env', sentence }] };
  }
}

function readText(path: string): string {
  return readFileSync(path, 'utf8');
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

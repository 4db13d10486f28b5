import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'dotenv';
import { KnownError } from '../known-error.js';
import type { Checked } from './config-from.js';
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

/**
 * Reads settings from the environment, and from the file `.env` of a folder what the environment does not set.
 *
 * @param check which settings: `configFrom` for all of them, or one of its parts
 * @throws BadConfig with everything that is wrong
 */
export function loadConfig<Settings>(
  check: (environment: Environment, readFile: ReadFile) => Checked<Settings>,
  environment: Environment = process.env,
  folder: string = process.cwd(),
): Settings {
  const checked = check(withDefaultsOf(dotenvOf(folder), environment), readText);
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

function dotenvOf(folder: string): Environment {
  try {
    return parse(readText(join(folder, '.env')));
  } catch (error) {
    if (isMissing(error)) return {};
    throw new BadConfig([
      { variable: '.env', sentence: '.env cannot be read: check its permissions, or remove it.' },
    ]);
  }
}

function readText(path: string): string {
  return readFileSync(path, 'utf8');
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

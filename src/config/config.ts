import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'dotenv';
import { KnownError } from '../errors/known-error.js';
import { type MemberNames, parseNames } from '../reporting-api/names.js';
import {
  type Environment,
  isGiven,
  type Problem,
  problemWith,
  type ReadFile,
  readVariables,
} from './read-variables.js';
import type { Config, RunConfig, SlackConfig, StoreConfig, Transport } from './variables.js';

/** What came of reading settings: all of them, or everything that is wrong with them. */
export type Checked<Settings> =
  | { readonly ok: true; readonly config: Settings }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Everything that the bot is told. Pure, but for the files that variables name, which are read by `readFile`. */
export function configFrom(environment: Environment, readFile: ReadFile): Checked<Config> {
  const slack = slackConfigFrom(environment, readFile);
  const run = runConfigFrom(environment, readFile);
  const store = storeConfigFrom(environment, readFile);
  const { values: rest, problems } = readVariables(
    ['ROLLCALL_ADMINS', 'PERSON_LEVEL_CHANNELS', 'OPERATIONS_PORT', 'LOG_LEVEL'],
    environment,
    readFile,
  );
  if (!slack.ok || !run.ok || !store.ok || !rest) {
    return {
      ok: false,
      problems: [...problemsOf(slack), ...problemsOf(run), ...problemsOf(store), ...problems],
    };
  }
  const channels = rest.PERSON_LEVEL_CHANNELS;
  return settled({
    ...run.config,
    ...store.config,
    slack: slack.config,
    admins: rest.ROLLCALL_ADMINS,
    personLevelChannels: channels.includes('*') ? '*' : channels,
    operationsPort: rest.OPERATIONS_PORT,
    logLevel: rest.LOG_LEVEL,
  });
}

/** How to reach Slack, and be reached by it. */
export function slackConfigFrom(environment: Environment, readFile: ReadFile): Checked<SlackConfig> {
  const { values, problems } = readVariables(
    ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET', 'SLACK_API_URL', 'HOST', 'PORT'],
    environment,
    readFile,
  );
  if (!isGiven('SLACK_APP_TOKEN', environment) && !isGiven('SLACK_SIGNING_SECRET', environment)) {
    return { ok: false, problems: [...problems, neitherWayIn] };
  }
  if (!values) return { ok: false, problems };
  const { SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = values;
  const transport: Transport | undefined = appToken
    ? { mode: 'socket', appToken }
    : signingSecret
      ? { mode: 'http', signingSecret, host: values.HOST, port: values.PORT }
      : undefined;
  // A file that was named, and is empty.
  if (!transport) return { ok: false, problems: [neitherWayIn] };
  return settled({
    botToken: values.SLACK_BOT_TOKEN,
    apiUrl: values.SLACK_API_URL,
    transport,
    signingSecretUnused: appToken !== undefined && signingSecret !== undefined,
  });
}

/** What running a report needs. */
export function runConfigFrom(environment: Environment, readFile: ReadFile): Checked<RunConfig> {
  const { values, problems } = readVariables(
    [
      'REPORTING_BASE_URL',
      'REPORTING_API_TOKEN',
      'REPORTING_AUTH_SCHEME',
      'REPORTING_TIMEOUT_SECONDS',
      'REPORTING_REQUESTS_PER_MINUTE',
      'REPORTING_PARALLEL',
      'REPORTING_MAX_RANGE_DAYS',
      'DEFAULT_TIMEZONE',
      'WEEK_STARTS_ON',
    ],
    environment,
    readFile,
  );
  const names = namesFrom(environment, readFile);
  if (!values || !names.ok) return { ok: false, problems: [...problems, ...problemsOf(names)] };
  return settled({
    reporting: {
      baseUrl: values.REPORTING_BASE_URL,
      token: values.REPORTING_API_TOKEN,
      authScheme: values.REPORTING_AUTH_SCHEME,
      idleTimeoutMs: values.REPORTING_TIMEOUT_SECONDS,
      maxRequestsPerMinute: values.REPORTING_REQUESTS_PER_MINUTE,
      maxParallelRequests: values.REPORTING_PARALLEL,
      maxRangeDays: values.REPORTING_MAX_RANGE_DAYS,
      ...names.config,
    },
    defaultZone: values.DEFAULT_TIMEZONE,
    weekStart: values.WEEK_STARTS_ON,
  });
}

/** The list of names in the file that `REPORTING_NAMES` gives. */
function namesFrom(environment: Environment, readFile: ReadFile): Checked<{ readonly names?: MemberNames }> {
  const { values, problems } = readVariables(['REPORTING_NAMES'], environment, readFile);
  if (!values) return { ok: false, problems };
  const path = values.REPORTING_NAMES;
  if (path === undefined) return { ok: true, config: {} };
  let text: string;
  try {
    text = readFile(path);
  } catch {
    const whatIsWrong = 'names a file that cannot be read: check its path and its permissions';
    return { ok: false, problems: [problemWith('REPORTING_NAMES', whatIsWrong)] };
  }
  const parsed = parseNames(text);
  if (parsed.ok) return { ok: true, config: { names: parsed.names } };
  const lines = parsed.problems.slice(0, mostLinesToList);
  const more = parsed.problems.length - lines.length;
  const sentences = lines.map(
    ({ line, what }) => `names a file whose line ${line} ${what}: correct the line`,
  );
  if (more > 0) sentences.push(`names a file with ${more} more such lines: correct them too`);
  return { ok: false, problems: sentences.map((sentence) => problemWith('REPORTING_NAMES', sentence)) };
}

/** Where the database is. */
export function storeConfigFrom(environment: Environment, readFile: ReadFile): Checked<StoreConfig> {
  const { values, problems } = readVariables(['DATABASE_URL'], environment, readFile);
  return values ? settled({ databasePath: values.DATABASE_URL }) : { ok: false, problems };
}

const mostLinesToList = 10;

const neitherWayIn = problemWith(
  'SLACK_APP_TOKEN',
  'and SLACK_SIGNING_SECRET are both not set: set SLACK_APP_TOKEN for Socket Mode, or SLACK_SIGNING_SECRET for HTTP',
);

function problemsOf(checked: Checked<unknown>): readonly Problem[] {
  return checked.ok ? [] : checked.problems;
}

function settled<Settings extends object>(config: Settings): Checked<Settings> {
  return { ok: true, config: frozen(config) };
}

function frozen<Value extends object>(value: Value): Value {
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null) frozen(member);
  }
  return Object.freeze(value);
}

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

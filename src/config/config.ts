import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'dotenv';
import { parseLeftOut } from '../access/left-out.js';
import { Failure } from '../errors/failure.js';
import { ok, type Result, refused } from '../errors/result.js';
import { parseNames } from '../reporting-api/filter-names.js';
import type { LeftOutSettings } from '../reporting-api/left-out.js';
import type { Proxies } from '../reporting-api/settings.js';
import { isPostgresUrl } from '../store/location.js';
import {
  type Environment,
  isProvided,
  type Problem,
  problemWith,
  type ReadFile,
  readVariables,
} from './read-variables.js';
import type { Config, RunConfig, SlackConfig, StoreConfig, Transport } from './variables.js';

/** The settings, or every problem with them. */
export type Checked<Settings> = Result<Settings, readonly Problem[]>;

/** All settings of the bot. Reads files only through `readFile`. */
export function configFrom(environment: Environment, readFile: ReadFile): Checked<Config> {
  const slack = slackConfigFrom(environment, readFile);
  const run = runConfigFrom(environment, readFile);
  const store = storeConfigFrom(environment, readFile);
  const rest = readVariables(
    [
      'ROLLCALL_ADMINS',
      'PERSON_LEVEL_CHANNELS',
      'DEFAULT_ACCESS',
      'NAMES_DAILY',
      'KEEP_RECORD_DAYS',
      'LEARNING_LINK',
      'OPERATIONS_PORT',
      'LOG_LEVEL',
    ],
    environment,
    readFile,
  );
  if (!slack.ok || !run.ok || !store.ok || !rest.ok) {
    const problems = [slack, run, store, rest].flatMap(problemsOf);
    // Slack and the service have the same proxies.
    return refused([...new Map(problems.map((problem) => [problem.sentence, problem])).values()]);
  }
  const {
    ROLLCALL_ADMINS,
    PERSON_LEVEL_CHANNELS,
    DEFAULT_ACCESS,
    NAMES_DAILY,
    KEEP_RECORD_DAYS,
    LEARNING_LINK = {},
    OPERATIONS_PORT,
    LOG_LEVEL,
  } = rest.value;
  return ok(
    frozen({
      ...run.value,
      ...store.value,
      slack: slack.value,
      admins: ROLLCALL_ADMINS,
      personLevelChannels: PERSON_LEVEL_CHANNELS.includes('*') ? '*' : PERSON_LEVEL_CHANNELS,
      defaultAccess: DEFAULT_ACCESS,
      namesDaily: NAMES_DAILY === 'yes',
      keepRecordDays: KEEP_RECORD_DAYS,
      learningLinks: LEARNING_LINK,
      operationsPort: OPERATIONS_PORT,
      logLevel: LOG_LEVEL,
    }),
  );
}

/** The settings for Slack. */
export function slackConfigFrom(environment: Environment, readFile: ReadFile): Checked<SlackConfig> {
  const read = readVariables(
    [
      'SLACK_BOT_TOKEN',
      'SLACK_APP_TOKEN',
      'SLACK_SIGNING_SECRET',
      'SLACK_API_URL',
      'TRUST_SLACK_EMAIL',
      'HOST',
      'PORT',
    ],
    environment,
    readFile,
  );
  const proxies = proxiesFrom(environment);
  if (!isProvided('SLACK_APP_TOKEN', environment) && !isProvided('SLACK_SIGNING_SECRET', environment)) {
    return refused([...problemsOf(read), noTransport, ...problemsOf(proxies)]);
  }
  if (!read.ok || !proxies.ok) return refused([...problemsOf(read), ...problemsOf(proxies)]);
  const { SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret, HOST, PORT } = read.value;
  // The file of a variable may be empty.
  const http = signingSecret ? ({ mode: 'http', signingSecret, host: HOST, port: PORT } as const) : undefined;
  const transport: Transport | undefined = appToken ? { mode: 'socket', appToken } : http;
  if (!transport) return refused([noTransport]);
  return ok(
    frozen({
      botToken: read.value.SLACK_BOT_TOKEN,
      apiUrl: read.value.SLACK_API_URL,
      trustEmail: read.value.TRUST_SLACK_EMAIL === 'yes',
      transport,
      proxies: proxies.value,
      signingSecretUnused: appToken !== undefined && signingSecret !== undefined,
    }),
  );
}

/** The settings that a report needs. */
export function runConfigFrom(environment: Environment, readFile: ReadFile): Checked<RunConfig> {
  const read = readVariables(
    [
      'REPORTING_BASE_URL',
      'REPORTING_API_TOKEN',
      'REPORTING_AUTH_SCHEME',
      'REPORTING_TIMEOUT_SECONDS',
      'REPORTING_REQUESTS_PER_MINUTE',
      'REPORTING_PARALLEL',
      'REPORTING_MAX_RANGE_DAYS',
      'REPORTING_MAX_BYTES',
      'DEFAULT_TIMEZONE',
      'WEEK_STARTS_ON',
      'SMALLEST_GROUP',
      'ASK_PURPOSE',
    ],
    environment,
    readFile,
  );
  const names = listFrom('REPORTING_NAMES', parseNames, environment, readFile);
  const leftOut = leftOutFrom(environment, readFile);
  const proxies = proxiesFrom(environment);
  if (!read.ok || !names.ok || !leftOut.ok || !proxies.ok)
    return refused([read, names, leftOut, proxies].flatMap(problemsOf));
  const { value: values } = read;
  return ok(
    frozen({
      reporting: {
        baseUrl: values.REPORTING_BASE_URL,
        token: values.REPORTING_API_TOKEN,
        authScheme: values.REPORTING_AUTH_SCHEME,
        idleTimeoutMs: values.REPORTING_TIMEOUT_SECONDS,
        maxRequestsPerMinute: values.REPORTING_REQUESTS_PER_MINUTE,
        maxParallelRequests: values.REPORTING_PARALLEL,
        maxRangeDays: values.REPORTING_MAX_RANGE_DAYS,
        maxAnswerBytes: values.REPORTING_MAX_BYTES,
        names: names.value,
        proxies: proxies.value,
      },
      defaultZone: values.DEFAULT_TIMEZONE,
      weekStart: values.WEEK_STARTS_ON,
      leftOut: leftOut.value,
      smallestGroup: values.SMALLEST_GROUP,
      asksPurpose: values.ASK_PURPOSE === 'yes',
    }),
  );
}

function leftOutFrom(environment: Environment, readFile: ReadFile): Checked<LeftOutSettings | undefined> {
  const people = listFrom('LEFT_OUT', parseLeftOut, environment, readFile);
  const path = readVariables(['LEFT_OUT'], environment, readFile);
  if (!people.ok || !path.ok) return refused([people, path].flatMap(problemsOf));
  const { LEFT_OUT } = path.value;
  return ok(people.value && LEFT_OUT !== undefined ? { path: LEFT_OUT, people: people.value } : undefined);
}

/** What is in the file that a variable names; undefined if the variable is not set. */
function listFrom<List>(
  variable: 'REPORTING_NAMES' | 'LEFT_OUT',
  parseList: (text: string) => Result<List, readonly { readonly line: number; readonly what: string }[]>,
  environment: Environment,
  readFile: ReadFile,
): Checked<List | undefined> {
  const read = readVariables([variable], environment, readFile);
  if (!read.ok) return read;
  const path = read.value[variable];
  if (path === undefined) return ok(undefined);
  let text: string;
  try {
    text = readFile(path);
  } catch {
    const predicate = 'names a file that cannot be read: check its path and permissions';
    return refused([problemWith(variable, predicate)]);
  }
  const parsed = parseList(text);
  if (parsed.ok) return parsed;
  const lines = parsed.refusal.slice(0, maxListedLines);
  const more = parsed.refusal.length - lines.length;
  const predicates = lines.map(
    ({ line, what }) => `names a file whose line ${line} ${what}: correct the line`,
  );
  if (more > 0) predicates.push(`names a file with ${more} more invalid lines: correct them too`);
  return refused(predicates.map((predicate) => problemWith(variable, predicate)));
}

/** The proxies. Other programs read these variables too. So each may be in small letters, which go first. */
function proxiesFrom(environment: Environment): Checked<Proxies> {
  const nameOf = (name: string) =>
    environment[name.toLowerCase()] === undefined ? name : name.toLowerCase();
  const addressOf = (name: string) => environment[nameOf(name)]?.trim() || undefined;
  const problems = ['HTTPS_PROXY', 'HTTP_PROXY'].flatMap((name) => {
    const address = addressOf(name);
    return address === undefined || isProxyAddress(address) ? [] : [problemWith(nameOf(name), notProxy)];
  });
  if (problems.length > 0) return refused(problems);
  return ok({
    https: addressOf('HTTPS_PROXY'),
    http: addressOf('HTTP_PROXY'),
    except: addressOf('NO_PROXY'),
  });
}

const notProxy =
  'is not the address of a proxy: set one that begins with http:// or https://, such as http://proxy.example:3128';

/** True if undici takes the address, user name and password included. */
function isProxyAddress(text: string): boolean {
  if (!/^(https?|socks5?):\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  try {
    decodeURIComponent(`${username}:${password}`);
    return true;
  } catch {
    return false;
  }
}

/** The settings of the database. */
export function storeConfigFrom(environment: Environment, readFile: ReadFile): Checked<StoreConfig> {
  const read = readVariables(['DATABASE_URL', 'RECORD_KEY'], environment, readFile);
  if (!read.ok) return read;
  const { DATABASE_URL: database, RECORD_KEY: recordKey } = read.value;
  if (recordKey === undefined && isPostgresUrl(database)) return refused([noRecordKey]);
  return ok(frozen({ database, recordKey }));
}

/** The location of the database alone. */
export function databaseFrom(environment: Environment, readFile: ReadFile): Checked<string> {
  const read = readVariables(['DATABASE_URL'], environment, readFile);
  return read.ok ? ok(read.value.DATABASE_URL) : read;
}

const noRecordKey = problemWith(
  'RECORD_KEY',
  'is not set: with PostgreSQL, set it to 64 hexadecimal digits, such as openssl rand -hex 32 prints, the same for all processes',
);

const maxListedLines = 10;

const noTransport = problemWith(
  'SLACK_APP_TOKEN',
  'is not set, and neither is SLACK_SIGNING_SECRET: set the first for Socket Mode, or the second for HTTP',
);

function problemsOf(checked: Checked<unknown>): readonly Problem[] {
  return checked.ok ? [] : checked.refusal;
}

function frozen<Value extends object>(value: Value): Value {
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null) frozen(member);
  }
  return Object.freeze(value);
}

/** `configFrom`, or one of its parts. */
type Check<Settings> = (environment: Environment, readFile: ReadFile) => Checked<Settings>;

/** Reads settings from the environment and from the file `.env` of a folder. The environment wins. */
export function checkConfig<Settings>(
  check: Check<Settings>,
  environment: Environment = process.env,
  folder: string = process.cwd(),
): Checked<Settings> {
  const all = environmentWithDotenv(environment, folder);
  return all.ok ? check(all.value, readText) : all;
}

/** The environment with what `.env` adds to it. */
export function environmentWithDotenv(environment: Environment, folder: string): Checked<Environment> {
  const dotenv = dotenvOf(folder);
  return dotenv.ok ? ok(withDefaultsOf(dotenv.value, environment)) : dotenv;
}

/**
 * Reads settings, and throws if any is missing or invalid.
 *
 * @throws `bad-config` with all problems
 */
export function loadConfig<Settings>(
  check: Check<Settings>,
  environment?: Environment,
  folder?: string,
): Settings {
  const checked = checkConfig(check, environment, folder);
  if (!checked.ok) throw new Failure('bad-config', { problems: checked.refusal });
  return checked.value;
}

/** A variable of the environment also replaces its `_FILE` in `.env`, and the other way round. */
function withDefaultsOf(dotenv: Environment, environment: Environment): Environment {
  const undecided = Object.entries(dotenv).filter(([name]) => {
    const plain = name.replace(/_FILE$/, '');
    return environment[plain] === undefined && environment[`${plain}_FILE`] === undefined;
  });
  return { ...Object.fromEntries(undecided), ...environment };
}

function dotenvOf(folder: string): Checked<Environment> {
  try {
    return ok(parse(readText(join(folder, '.env'))));
  } catch (error) {
    if (isMissing(error)) return ok({});
    const sentence = '.env cannot be read: check its permissions, or remove it.';
    return refused([{ variable: '.env', sentence }]);
  }
}

function readText(path: string): string {
  return readFileSync(path, 'utf8');
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

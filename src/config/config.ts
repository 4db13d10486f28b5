import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'dotenv';
import { parseLeftOut } from '../access/left-out.js';
import { Failure, ok, type Result, refused, systemCodeOf } from '../errors/failure.js';
import { parseNames } from '../reporting-api/filter-names.js';
import type { Proxies } from '../reporting-api/settings.js';
import { isPostgresUrl } from '../store/database/location.js';
import {
  type Checked,
  type Environment,
  problemWith,
  readVariables,
  type Source,
  together,
} from './read-variables.js';
import {
  assistantVariables,
  botVariables,
  isDecodable,
  listVariables,
  runVariables,
  serviceVariables,
  slackVariables,
  storeVariables,
  type Variable,
} from './variables.js';

/** All settings of the bot. Frozen. */
export function configFrom(from: Source) {
  const parts = together({
    slack: slackConfigFrom(from),
    run: runConfigFrom(from),
    store: storeConfigFrom(from),
    bot: readVariables(botVariables, from),
    assistants: assistantsFrom(from),
  });
  if (!parts.ok) return parts;
  const { slack, run, store, bot, assistants } = parts.value;
  return ok(frozen({ ...run, ...store, ...bot, slack, assistants }));
}

export type Config = Settings<typeof configFrom>;

export type AccessSettings = Readonly<Record<keyof ReturnType<typeof accessSettings>, string>>;

/**
 * The settings that decide who sees what, by the name of their variable. Of lists, how many they have.
 *
 * @param servesAssistants true where assistants may ask
 */
export function accessSettings(config: Config, servesAssistants: boolean) {
  const { personLevelChannels: channels, admins } = config;
  const yesOrNo = (is: boolean) => (is ? 'yes' : 'no');
  return {
    DEFAULT_ACCESS: config.defaultAccess,
    SMALLEST_GROUP: String(config.smallestGroup),
    KEEP_RECORD_DAYS: String(config.keepRecordDays),
    ASK_PURPOSE: yesOrNo(config.asksPurpose),
    LEFT_OUT: yesOrNo(config.leftOut !== undefined),
    NAMES_DAILY: yesOrNo(config.namesDaily),
    PERSON_LEVEL_CHANNELS: channels === '*' ? 'all' : String(channels.length),
    ROLLCALL_ADMINS: String(admins.length),
    TRUST_SLACK_EMAIL: yesOrNo(config.slack.trustEmail),
    MCP: yesOrNo(servesAssistants),
  } as const;
}

export function slackConfigFrom(from: Source) {
  const { appToken: app, signingSecret: secret, ...others } = slackVariables;
  const tokens = readVariables({ appToken: app, signingSecret: secret }, from);
  const hasNone = tokens.ok && !tokens.value.appToken && !tokens.value.signingSecret;
  const parts = together({
    read: readVariables(others, from),
    tokens: hasNone ? refused([noTransport]) : tokens,
    proxies: proxiesFrom(from.environment),
  });
  if (!parts.ok) return parts;
  const { read, tokens: ways, proxies } = parts.value;
  const { host, port, ...settings } = read;
  const { appToken, signingSecret = '' } = ways;
  const transport = appToken
    ? ({ mode: 'socket', appToken } as const)
    : ({ mode: 'http', signingSecret, host, port } as const);
  const signingSecretUnused = appToken !== undefined && signingSecret !== '';
  return ok(frozen({ ...settings, transport, proxies, signingSecretUnused }));
}

export type SlackConfig = Settings<typeof slackConfigFrom>;

/** The settings that a report needs. */
export function runConfigFrom(from: Source) {
  const parts = together({
    service: readVariables(serviceVariables, from),
    run: readVariables(runVariables, from),
    names: listFrom(listVariables.names, parseNames, from),
    leftOut: listFrom(listVariables.leftOut, parseLeftOut, from),
    proxies: proxiesFrom(from.environment),
  });
  if (!parts.ok) return parts;
  const { service, run, names, leftOut, proxies } = parts.value;
  const reporting = { ...service, names: names?.list, proxies };
  return ok(frozen({ ...run, reporting, leftOut: leftOut && { path: leftOut.path, people: leftOut.list } }));
}

export type RunConfig = Settings<typeof runConfigFrom>;

/** A list, with the path of its file; undefined if the variable is not set. */
function listFrom<List>(
  variable: Variable<string | undefined>,
  parseList: (text: string) => Result<List, readonly { readonly line: number; readonly what: string }[]>,
  from: Source,
): Checked<{ readonly path: string; readonly list: List } | undefined> {
  const read = readVariables({ path: variable }, from);
  if (!read.ok) return read;
  const { path } = read.value;
  if (path === undefined) return ok(undefined);
  let text: string;
  try {
    text = from.readFile(path);
  } catch {
    const predicate = 'names a file that cannot be read: check its path and permissions';
    return refused([problemWith(variable.name, predicate)]);
  }
  const parsed = parseList(text);
  if (parsed.ok) return ok({ path, list: parsed.value });
  const lines = parsed.refusal.slice(0, maxListedLines);
  const more = parsed.refusal.length - lines.length;
  const predicates = lines.map(
    ({ line, what }) => `names a file whose line ${line} ${what}: correct the line`,
  );
  if (more > 0) predicates.push(`names a file with ${more} more invalid lines: correct them too`);
  return refused(predicates.map((predicate) => problemWith(variable.name, predicate)));
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
  return isDecodable(username + password);
}

export function storeConfigFrom(from: Source) {
  const read = readVariables(storeVariables, from);
  if (!read.ok) return read;
  const { database, recordKey } = read.value;
  if (recordKey === undefined && isPostgresUrl(database)) return refused([noRecordKey]);
  return ok(frozen({ database, recordKey }));
}

/** The location of the database alone. */
export function databaseFrom(from: Source) {
  const read = readVariables({ database: storeVariables.database }, from);
  return read.ok ? ok(read.value.database) : read;
}

const noRecordKey = problemWith(
  'RECORD_KEY',
  'is not set: with PostgreSQL, set it to 64 hexadecimal digits, such as openssl rand -hex 32 prints, the same for all processes',
);

const maxListedLines = 10;

/** Where Slackbot reaches the tools of assistants; undefined: they are not served. */
function assistantsFrom(from: Source): Checked<{ readonly publicUrl: string } | undefined> {
  const read = readVariables(assistantVariables, from);
  if (!read.ok) return read;
  const { servesAssistants, publicUrl } = read.value;
  if (!servesAssistants) return ok(undefined);
  const token = readVariables({ app: slackVariables.appToken }, from);
  const usesSockets = token.ok && token.value.app !== undefined;
  const problems = [...(usesSockets ? [notHttp] : []), ...(publicUrl === undefined ? [noPublicUrl] : [])];
  return problems.length === 0 && publicUrl !== undefined ? ok({ publicUrl }) : refused(problems);
}

const notHttp = problemWith(
  'MCP',
  'needs HTTP mode, because Slackbot sends requests to Rollcall: set SLACK_SIGNING_SECRET, and remove SLACK_APP_TOKEN',
);

const noPublicUrl = problemWith(
  'PUBLIC_URL',
  'is not set, and MCP=yes needs it: set it to the https address at which Slack reaches Rollcall, such as https://rollcall.example.com',
);

const noTransport = problemWith(
  'SLACK_APP_TOKEN',
  'is not set, and neither is SLACK_SIGNING_SECRET: set the first for Socket Mode, or the second for HTTP',
);

function frozen<Value extends object>(value: Value): Value {
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null) frozen(member);
  }
  return Object.freeze(value);
}

/** `configFrom`, or one of its parts. */
type Check<Value> = (from: Source) => Checked<Value>;

type Settings<Checking> = Checking extends Check<infer Value> ? Value : never;

/** Reads settings from the environment and from the file `.env` of a folder. The environment wins. */
export function checkConfig<Value>(
  check: Check<Value>,
  environment: Environment = process.env,
  folder: string = process.cwd(),
): Checked<Value> {
  const all = environmentWithDotenv(environment, folder);
  return all.ok ? check({ environment: all.value, readFile: readText }) : all;
}

/** The environment with what `.env` adds to it. */
export function environmentWithDotenv(environment: Environment, folder: string): Checked<Environment> {
  const dotenv = dotenvOf(folder);
  return dotenv.ok ? ok(withDefaultsOf(dotenv.value, environment)) : dotenv;
}

/** Reads settings. @throws `bad-config` with all problems if any is missing or invalid */
export function loadConfig<Value>(check: Check<Value>, environment?: Environment, folder?: string): Value {
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
    if (systemCodeOf(error) === 'ENOENT') return ok({});
    const sentence = '.env cannot be read: check its permissions, or remove it.';
    return refused([{ variable: '.env', sentence }]);
  }
}

function readText(path: string): string {
  return readFileSync(path, 'utf8');
}

import { z } from 'zod';
import { levels } from '../access/levels.js';
import { parseLearningLinks } from '../catalogue/learning-link.js';
import { recordKeyFormat } from '../store/database/location.js';
import { isZone } from '../time/calendar.js';

/* Every variable that Rollcall reads, once, below the name of its setting. */

/** A variable with its format, its default and the fix for a problem. */
export interface Variable<Value> {
  readonly name: string;
  readonly format: z.ZodType<Value>;
}

function variable<Value>(name: string, format: z.ZodType<Value>): Variable<Value> {
  return { name, format };
}

const ofYourApp = 'on your app’s page at api.slack.com/apps';

export const slackVariables = {
  botToken: variable(
    'SLACK_BOT_TOKEN',
    required(`copy the Bot User OAuth Token (xoxb-…) from “OAuth & Permissions” ${ofYourApp}`).regex(
      /^xoxb-\S+$/,
      `is not a bot token: copy the one that begins with xoxb- from “OAuth & Permissions” ${ofYourApp}`,
    ),
  ),
  appToken: variable(
    'SLACK_APP_TOKEN',
    z
      .string()
      .regex(
        /^xapp-\S+$/,
        `is not an app-level token: create one with the scope connections:write, which begins with xapp-, under “Basic Information” ${ofYourApp}`,
      )
      .optional(),
  ),
  signingSecret: variable(
    'SLACK_SIGNING_SECRET',
    z
      .string()
      .regex(
        /^\S+$/,
        `is not a signing secret: copy it from “App Credentials” under “Basic Information” ${ofYourApp}`,
      )
      .optional(),
  ),
  // Slack's client expects the slash.
  apiUrl: variable(
    'SLACK_API_URL',
    address(z.string())
      .transform((text) => `${text}/`)
      .prefault('https://slack.com/api/'),
  ),
  /** True: an address counts as confirmed if Slack does not say whether it is. */
  trustEmail: variable('TRUST_SLACK_EMAIL', yesOrNo('no')),
  host: variable('HOST', z.string().prefault('127.0.0.1')),
  port: variable('PORT', wholeNumber(0, 65_535).prefault('3000')),
};

export const assistantVariables = {
  /** The address at which HTTP mode is reached from outside. */
  publicUrl: variable(
    'PUBLIC_URL',
    address(z.string())
      .refine(
        (text) => text.startsWith('https://'),
        'is not an https address: set the one at which Slack reaches Rollcall, such as https://rollcall.example.com',
      )
      .optional(),
  ),
  /** True: Slackbot reaches the tools of assistants. */
  servesAssistants: variable('MCP', yesOrNo('no')),
};

/** Of the Reporting Service, as its client takes them. */
export const serviceVariables = {
  baseUrl: variable(
    'REPORTING_BASE_URL',
    address(required('set it to the address of your Reporting Service, without /api/v1')).refine(
      (text) => !text.endsWith('/api/v1'),
      'ends with /api/v1: remove that part, because Rollcall adds it to each request',
    ),
  ),
  token: variable(
    'REPORTING_API_TOKEN',
    required('set it to the token of your Reporting Service').regex(
      /^[\x20-\x7e]+$/,
      'contains characters that a header cannot hold: copy the token again, without line breaks',
    ),
  ),
  authScheme: variable('REPORTING_AUTH_SCHEME', oneOf(['raw', 'bearer']).prefault('raw')),
  idleTimeoutMs: variable('REPORTING_TIMEOUT_SECONDS', seconds(86_400).prefault('300')),
  maxRequestsPerMinute: variable('REPORTING_REQUESTS_PER_MINUTE', wholeNumber(1, 1_000_000).prefault('50')),
  maxParallelRequests: variable('REPORTING_PARALLEL', wholeNumber(1, 1000).prefault('1')),
  maxRangeDays: variable('REPORTING_MAX_RANGE_DAYS', wholeNumber(0, 36_600).prefault('0')),
  maxAnswerBytes: variable(
    'REPORTING_MAX_BYTES',
    wholeNumber(1, Number.MAX_SAFE_INTEGER).prefault('4294967296'),
  ),
};

export const listVariables = {
  names: variable('REPORTING_NAMES', z.string().optional()),
  leftOut: variable('LEFT_OUT', z.string().optional()),
};

/** What else a report needs, with or without Slack. */
export const runVariables = {
  defaultZone: variable('DEFAULT_TIMEZONE', zone().prefault('UTC')),
  weekStart: variable('WEEK_STARTS_ON', oneOf(['monday', 'sunday']).prefault('monday')),
  /** Where only totals may be seen, figures about fewer people are left out; 1: no limit. */
  smallestGroup: variable('SMALLEST_GROUP', wholeNumber(1, 100).prefault('5')),
  asksPurpose: variable('ASK_PURPOSE', yesOrNo('no')),
};

export const storeVariables = {
  /** The path of an SQLite file, relative to the working folder unless absolute; or the address of a PostgreSQL database. */
  database: variable(
    'DATABASE_URL',
    z
      .string()
      .refine(
        (text) => /^sqlite:(?!:memory:).*[^/]$/.test(text) || isPostgresAddress(text),
        'is invalid: set it to sqlite: and the path of a file, such as sqlite:data/rollcall.db, or to an address such as postgres://user:password@host:5432/rollcall',
      )
      .transform((text) => text.replace(/^sqlite:/, ''))
      .prefault('sqlite:data/rollcall.db'),
  ),
  /** Absent: the key is in the file beside the SQLite database. */
  recordKey: variable(
    'RECORD_KEY',
    z
      .string()
      .regex(
        recordKeyFormat,
        'is invalid: set it to 64 hexadecimal digits, such as openssl rand -hex 32 prints',
      )
      .optional(),
  ),
};

export const botVariables = {
  admins: variable(
    'ROLLCALL_ADMINS',
    list(
      /^[UW][A-Z0-9]+$/,
      'set it to Slack user IDs with commas between them, such as U024BE7LH (“Copy member ID” in a profile)',
    ).prefault(''),
  ),
  /** `*`: every channel that is not shared with another organization. */
  personLevelChannels: variable(
    'PERSON_LEVEL_CHANNELS',
    list(
      /^([CGD][A-Z0-9]+|\*)$/,
      'set it to channel IDs with commas between them, such as C024BE91L, or to * for every channel',
    )
      .transform((channels) => (channels.includes('*') ? ('*' as const) : channels))
      .prefault(''),
  ),
  defaultAccess: variable('DEFAULT_ACCESS', oneOf(levels).prefault('team')),
  namesDaily: variable('NAMES_DAILY', yesOrNo('yes')),
  keepRecordDays: variable('KEEP_RECORD_DAYS', wholeNumber(30, 1100).prefault('400')),
  learningLinks: variable(
    'LEARNING_LINK',
    z
      .string()
      .transform((text, { addIssue }) => {
        const links = parseLearningLinks(text);
        if (links.ok) return links.value;
        addIssue(links.refusal);
        return z.NEVER;
      })
      .optional()
      .transform((links) => links ?? {}),
  ),
  /** 0: any free port; undefined: no operations server. */
  operationsPort: variable(
    'OPERATIONS_PORT',
    z
      .union([z.literal('').transform(() => undefined), wholeNumber(0, 65_535)], {
        error:
          'is invalid: set it to a whole number from 0 to 65535, or leave it empty to turn the server off',
      })
      .prefault('9464'),
  ),
  logLevel: variable('LOG_LEVEL', oneOf(['debug', 'info', 'warn', 'error']).prefault('info')),
};

export const variables: ReadonlyMap<string, z.ZodType> = new Map(
  [
    slackVariables,
    assistantVariables,
    serviceVariables,
    listVariables,
    runVariables,
    storeVariables,
    botVariables,
  ].flatMap((group) =>
    Object.values<Variable<unknown>>(group).map(({ name, format }) => [name, format] as const),
  ),
);

/*
 * Formats of variables. Each message is the end of a sentence that begins with the name of the variable, and says how
 * to fix it. No message repeats the value, which may be a secret in the wrong variable.
 */

/** With a host and the name of a database. */
function isPostgresAddress(text: string): boolean {
  if (!/^postgres(?:ql)?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { hostname, pathname, username, password } = new URL(text);
  return hostname !== '' && pathname.length > 1 && isDecodable(username + password);
}

/** False where a `%` stands for itself: in an address it is written `%25`. */
export function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function required(remedy: string) {
  return z.string({ error: `is not set: ${remedy}` });
}

function wholeNumber(min: number, max: number) {
  return z
    .string()
    .refine(
      (text) => /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max,
      `is invalid: set it to a whole number from ${min} to ${max}`,
    )
    .transform(Number);
}

/** Seconds, with fractions. Becomes milliseconds. */
function seconds(max: number) {
  return z
    .string()
    .refine(
      (text) => /^\d{1,15}(\.\d{1,3})?$/.test(text) && Number(text) > 0 && Number(text) <= max,
      `is invalid: set it to a number of seconds above 0, up to ${max}`,
    )
    .transform((text) => Number(text) * 1000);
}

/** One of several words, in any case. */
function oneOf<Word extends string>(words: readonly [Word, ...Word[]]) {
  return z
    .string()
    .toLowerCase()
    .pipe(z.enum(words, `is invalid: set it to ${words.join(' or ')}`));
}

function yesOrNo(byDefault: 'yes' | 'no') {
  return oneOf(['yes', 'no'])
    .transform((word) => word === 'yes')
    .prefault(byDefault);
}

/** Entries separated by commas. */
function list(entry: RegExp, remedy: string) {
  return z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .refine((entries) => entries.every((part) => entry.test(part)), `is invalid: ${remedy}`);
}

/** An http or https address without user name, query or fragment. Loses its slash at the end. */
function address(schema: z.ZodString) {
  return schema
    .refine(isAddress, 'is not an address: set one that begins with https:// or http:// and has no ? or #')
    .transform((text) => text.replace(/\/+$/, ''));
}

function isAddress(text: string): boolean {
  if (!/^https?:\/\/[^\s?#]+$/.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

function zone() {
  return z
    .string()
    .refine(isZone, 'is not a time zone: set an IANA name such as Europe/Berlin, America/New_York or UTC');
}

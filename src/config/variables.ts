import { z } from 'zod';
import { type Level, levels } from '../access/levels.js';
import { type LearningLinks, parseLearningLinks } from '../catalogue/learning-link.js';
import type { LeftOutSettings } from '../reporting-api/left-out.js';
import type { Proxies, ReportingSettings } from '../reporting-api/settings.js';
import { recordKeyFormat } from '../store/record-key.js';

const ofYourApp = 'on your app’s page at api.slack.com/apps';

/** Every variable that Rollcall reads, with its format, its default and the fix for a problem. */
export const variables = z.object({
  SLACK_BOT_TOKEN: required(
    `copy the Bot User OAuth Token (xoxb-…) from “OAuth & Permissions” ${ofYourApp}`,
  ).refine(
    (text) => /^xoxb-\S+$/.test(text),
    `is not a bot token: copy the one that begins with xoxb- from “OAuth & Permissions” ${ofYourApp}`,
  ),
  SLACK_APP_TOKEN: z
    .string()
    .refine(
      (text) => /^xapp-\S+$/.test(text),
      `is not an app-level token: create one with the scope connections:write, which begins with xapp-, under “Basic Information” ${ofYourApp}`,
    )
    .optional(),
  SLACK_SIGNING_SECRET: z
    .string()
    .refine(
      (text) => /^\S+$/.test(text),
      `is not a signing secret: copy it from “App Credentials” under “Basic Information” ${ofYourApp}`,
    )
    .optional(),
  // Slack's client expects the slash.
  SLACK_API_URL: address(z.string())
    .transform((text) => `${text}/`)
    .prefault('https://slack.com/api/'),
  REPORTING_BASE_URL: address(
    required('set it to the address of your Reporting Service, without /api/v1'),
  ).refine(
    (text) => !text.endsWith('/api/v1'),
    'ends with /api/v1: remove that part, because Rollcall adds it to each request',
  ),
  REPORTING_API_TOKEN: required('set it to the token of your Reporting Service').refine(
    (text) => /^[\x20-\x7e]+$/.test(text),
    'contains characters that a header cannot hold: copy the token again, without line breaks',
  ),
  REPORTING_AUTH_SCHEME: oneOf(['raw', 'bearer']).prefault('raw'),
  REPORTING_TIMEOUT_SECONDS: seconds(86_400).prefault('300'),
  REPORTING_REQUESTS_PER_MINUTE: wholeNumber(1, 1_000_000).prefault('50'),
  REPORTING_PARALLEL: wholeNumber(1, 1000).prefault('1'),
  REPORTING_MAX_RANGE_DAYS: wholeNumber(0, 36_600).prefault('0'),
  REPORTING_NAMES: z.string().optional(),
  NAMES_DAILY: oneOf(['yes', 'no']).prefault('yes'),
  REPORTING_MAX_BYTES: wholeNumber(1024, Number.MAX_SAFE_INTEGER).prefault('4294967296'),
  DATABASE_URL: z
    .string()
    .refine(
      (text) => /^sqlite:(?!:memory:).*[^/]$/.test(text) || isPostgresAddress(text),
      'is invalid: set it to sqlite: and the path of a file, such as sqlite:data/rollcall.db, or to an address such as postgres://user:password@host:5432/rollcall',
    )
    .transform((text) => text.replace(/^sqlite:/, ''))
    .prefault('sqlite:data/rollcall.db'),
  RECORD_KEY: z
    .string()
    .refine(
      (text) => recordKeyFormat.test(text),
      'is invalid: set it to 64 hexadecimal digits, such as openssl rand -hex 32 prints',
    )
    .optional(),
  KEEP_RECORD_DAYS: wholeNumber(30, 1100).prefault('400'),
  DEFAULT_TIMEZONE: zone().prefault('UTC'),
  WEEK_STARTS_ON: oneOf(['monday', 'sunday']).prefault('monday'),
  ROLLCALL_ADMINS: list(
    /^[UW][A-Z0-9]+$/,
    'set it to Slack user IDs with commas between them, such as U024BE7LH (“Copy member ID” in a profile)',
  ).prefault(''),
  PERSON_LEVEL_CHANNELS: list(
    /^([CGD][A-Z0-9]+|\*)$/,
    'set it to channel IDs with commas between them, such as C024BE91L, or to * for every channel',
  ).prefault(''),
  DEFAULT_ACCESS: oneOf(levels).prefault('team'),
  SMALLEST_GROUP: wholeNumber(1, 100).prefault('5'),
  LEFT_OUT: z.string().optional(),
  TRUST_SLACK_EMAIL: oneOf(['yes', 'no']).prefault('no'),
  ASK_PURPOSE: oneOf(['yes', 'no']).prefault('no'),
  LEARNING_LINK: z
    .string()
    .transform((text, { addIssue }) => {
      const links = parseLearningLinks(text);
      if (links.ok) return links.value;
      addIssue(links.refusal);
      return z.NEVER;
    })
    .optional(),
  HOST: z.string().prefault('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).prefault('3000'),
  OPERATIONS_PORT: z
    .union([z.literal('').transform(() => undefined), wholeNumber(0, 65_535)], {
      error: 'is invalid: set it to a whole number from 0 to 65535, or leave it empty to turn the server off',
    })
    .prefault('9464'),
  LOG_LEVEL: oneOf(['debug', 'info', 'warn', 'error']).prefault('info'),
});

export type VariableName = keyof typeof variables.shape;
export type Values = z.output<typeof variables>;

/** How Slack reaches the bot. */
export type Transport =
  | { readonly mode: 'socket'; readonly appToken: string }
  | { readonly mode: 'http'; readonly signingSecret: string; readonly host: string; readonly port: number };

export interface SlackConfig {
  readonly botToken: string;
  /** Ends with a slash. */
  readonly apiUrl: string;
  /** True where an address counts as confirmed if Slack does not say whether it is. Absent: false. */
  readonly trustEmail?: boolean;
  readonly transport: Transport;
  /** Absent: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` of the environment. */
  readonly proxies?: Proxies;
  /** True if a signing secret is also set. Socket Mode ignores it. */
  readonly signingSecretUnused: boolean;
}

export interface StoreConfig {
  /** The path of an SQLite file, relative to the working folder unless absolute; or the address of a PostgreSQL database. */
  readonly database: string;
  /** The key of the record of access. Absent: the one in the file beside the SQLite database. */
  readonly recordKey: string | undefined;
}

/** The settings that a report needs, with or without Slack. */
export interface RunConfig {
  readonly reporting: ReportingSettings;
  /** IANA zone for people whose profile has none. */
  readonly defaultZone: string;
  readonly weekStart: 'monday' | 'sunday';
  /** The people whose rows are in nobody's answers but their own; absent: everybody is in them. */
  readonly leftOut?: LeftOutSettings | undefined;
  /** Where only totals may be seen, figures about fewer people are left out; 1: no limit. */
  readonly smallestGroup: number;
  /** True where files, approvals and rules need a purpose. */
  readonly asksPurpose: boolean;
}

/** All settings of the bot. Frozen. */
export interface Config extends RunConfig, StoreConfig {
  readonly slack: SlackConfig;
  /** Slack user IDs. */
  readonly admins: readonly string[];
  /** `*`: every channel that is not shared with another organization. */
  readonly personLevelChannels: '*' | readonly string[];
  /** The level of people without a rule. */
  readonly defaultAccess: Level;
  /** True if names are learned once a day; false: only from answers. */
  readonly namesDaily: boolean;
  /** How long requests, runs and the record of access are kept. */
  readonly keepRecordDays: number;
  /** The addresses that titles link to; empty: titles are no links. */
  readonly learningLinks: LearningLinks;
  /** 0: any free port; undefined: no operations server. */
  readonly operationsPort: number | undefined;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
}

/*
 * Formats of variables. Each message is the end of a sentence that begins with the name of the variable, and says how
 * to fix it. No message repeats the value, which may be a secret in the wrong variable.
 */

/** With a host and the name of a database. */
function isPostgresAddress(text: string): boolean {
  if (!/^postgres(?:ql)?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { hostname, pathname } = new URL(text);
  return hostname !== '' && pathname.length > 1;
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

/** The name of a time zone in the IANA database. */
function zone() {
  return z
    .string()
    .refine(isZone, 'is not a time zone: set an IANA name such as Europe/Berlin, America/New_York or UTC');
}

function isZone(text: string): boolean {
  // Some versions of Node also accept offsets, which ignore daylight saving time.
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

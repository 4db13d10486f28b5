import { z } from 'zod';
import type { ReportingSettings } from '../reporting-api/settings.js';

const ofYourApp = 'on your app’s page at api.slack.com/apps';

/** Every variable that Rollcall reads: its format, its default, and what to do where it is missing or wrong. */
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
      `is not an app-level token: make one that begins with xapp-, with the scope connections:write, under “Basic Information” ${ofYourApp}`,
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
  REPORTING_BASE_URL: address(required('give the address of your Reporting Service, without /api/v1')).refine(
    (text) => !text.endsWith('/api/v1'),
    'ends with /api/v1: leave that part out, since it is added to every request',
  ),
  REPORTING_API_TOKEN: required('give the token of your Reporting Service').refine(
    (text) => /^[\x20-\x7e]+$/.test(text),
    'cannot be sent in a header: copy the token again, without line breaks or special characters',
  ),
  REPORTING_AUTH_SCHEME: oneOf(['raw', 'bearer']).prefault('raw'),
  REPORTING_TIMEOUT_SECONDS: seconds(86_400).prefault('300'),
  REPORTING_REQUESTS_PER_MINUTE: wholeNumber(1, 1_000_000).prefault('50'),
  REPORTING_PARALLEL: wholeNumber(1, 1000).prefault('1'),
  REPORTING_MAX_RANGE_DAYS: wholeNumber(0, 36_600).prefault('0'),
  REPORTING_NAMES: z.string().optional(),
  DATABASE_URL: z
    .string()
    .refine(
      (text) => /^sqlite:(?!:memory:).*[^/]$/.test(text),
      'is not understood: give sqlite: and the path of a file, such as sqlite:data/rollcall.db',
    )
    .transform((text) => text.slice('sqlite:'.length))
    .prefault('sqlite:data/rollcall.db'),
  DEFAULT_TIMEZONE: zone().prefault('UTC'),
  WEEK_STARTS_ON: oneOf(['monday', 'sunday']).prefault('monday'),
  ROLLCALL_ADMINS: list(
    /^[UW][A-Z0-9]+$/,
    'give Slack user IDs such as U024BE7LH, with commas between them (“Copy member ID” in a profile)',
  ).prefault(''),
  PERSON_LEVEL_CHANNELS: list(
    /^([CGD][A-Z0-9]+|\*)$/,
    'give channel IDs such as C024BE91L with commas between them, or * for every channel',
  ).prefault(''),
  HOST: z.string().prefault('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).prefault('3000'),
  OPERATIONS_PORT: z
    .union([z.literal('').transform(() => undefined), wholeNumber(0, 65_535)], {
      error: 'is not understood: give a whole number from 0 to 65535, or leave it empty for none',
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
  /** With a slash at its end. */
  readonly apiUrl: string;
  readonly transport: Transport;
  /** A signing secret is set as well, and Socket Mode was chosen over it. */
  readonly signingSecretUnused: boolean;
}

export interface StoreConfig {
  /** The SQLite file, as given: relative to the working folder unless absolute. */
  readonly databasePath: string;
}

/** What running a report needs, with or without Slack. */
export interface RunConfig {
  readonly reporting: ReportingSettings;
  /** IANA zone for those whose profile gives none. */
  readonly defaultZone: string;
  readonly weekStart: 'monday' | 'sunday';
}

/** Everything `npm start` is told. Frozen. */
export interface Config extends RunConfig, StoreConfig {
  readonly slack: SlackConfig;
  /** Slack user IDs. */
  readonly admins: readonly string[];
  /** `*`: every channel that is not shared with another organization. */
  readonly personLevelChannels: '*' | readonly string[];
  /** 0: any free port; undefined: no operations server. */
  readonly operationsPort: number | undefined;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
}

/*
 * How a variable's text is read. Each refusal is the end of a sentence that begins with the variable's name, and says
 * what to do. None repeats the value, which may be a secret that was set in the wrong place.
 */

/** Text that has to be set. */
function required(remedy: string) {
  return z.string({ error: `is not set: ${remedy}` });
}

function wholeNumber(least: number, most: number) {
  return z
    .string()
    .refine(
      (text) => /^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most,
      `is not understood: give a whole number from ${least} to ${most}`,
    )
    .transform(Number);
}

/** Seconds, also parts of one; they leave as milliseconds. */
function seconds(most: number) {
  return z
    .string()
    .refine(
      (text) => /^\d{1,15}(\.\d{1,3})?$/.test(text) && Number(text) > 0 && Number(text) <= most,
      `is not understood: give a number of seconds above 0 and up to ${most}`,
    )
    .transform((text) => Number(text) * 1000);
}

/** One of a few words, in any case. */
function oneOf<Word extends string>(words: readonly [Word, ...Word[]]) {
  return z
    .string()
    .toLowerCase()
    .pipe(z.enum(words, `is not understood: give ${words.join(' or ')}`));
}

/** Entries with commas between them. */
function list(entry: RegExp, remedy: string) {
  return z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .refine((entries) => entries.every((part) => entry.test(part)), `is not understood: ${remedy}`);
}

/** An http or https address without user name, question mark or hash; it leaves without a slash at its end. */
function address(schema: z.ZodString) {
  return schema
    .refine(isAddress, 'is not an address: give one that begins with https:// or http:// and has no ? or #')
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
    .refine(isZone, 'is not a time zone: give an IANA name such as Europe/Berlin, America/New_York or UTC');
}

function isZone(text: string): boolean {
  // Some versions of Node also take offsets, which follow no daylight saving.
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

import { parse as parseForm } from 'node:querystring';
import type { InstalledApp } from '../app-manifest.js';
import type { RuleViolation } from '../page-shapes.js';
import type { SlackObject } from '../workspace/records.js';
import type { Uploads } from '../workspace/uploads.js';
import type { Triggers, Views } from '../workspace/views.js';
import type { Workspace } from '../workspace/workspace.js';

/** Slack's rate limit tiers, in calls per minute: `1: 1, 2: 20, 3: 50, 4: 100`. */
export type Tier = 1 | 2 | 3 | 4 | 'post' | 'special';

/** What the methods need. */
export interface Api {
  readonly workspace: Workspace;
  readonly views: Views;
  readonly uploads: Uploads;
  readonly triggers: Triggers;
  /** `http://127.0.0.1:4321`; available once the server listens. */
  origin(): string;
  /** A new URL for a Socket Mode connection. */
  newSocketUrl(debugReconnects: boolean): string;
  /** Scopes of the bot token. */
  readonly scopes: ReadonlySet<string>;
  readonly app: InstalledApp;
}

/** One method of the Web API. */
export interface Method {
  readonly token: 'bot' | 'app' | 'none';
  readonly tier: Tier;
  /** The scopes that it needs with these arguments. */
  readonly scopes?: readonly string[] | ((args: SlackObject, api: Api) => readonly string[]);
  /** Returns the members beside `ok: true`. Throws `ApiError`. */
  run(args: SlackObject, api: Api): SlackObject | Promise<SlackObject>;
}

export type Methods = Readonly<Record<string, Method>>;

export function isJsonObject(value: unknown): value is SlackObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The arguments of a call, from a form, a JSON body or the query. */
export function readArguments(contentType: string, body: string, query: SlackObject): SlackObject {
  if (contentType.startsWith('application/json')) return { ...query, ...readJsonBody(body) };
  return { ...query, ...parseForm(body) };
}

function readJsonBody(body: string): SlackObject {
  if (body === '') return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw new ApiError('invalid_json');
  }
  if (!isJsonObject(parsed)) throw new ApiError('json_not_object');
  return parsed;
}

/** A text argument. Numbers and booleans of a JSON body count as text. */
export function optionalText(args: SlackObject, name: string): string | undefined {
  const value = args[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') throw wrongTypeError(name, 'string');
  return value;
}

export function requiredText(args: SlackObject, name: string): string {
  const value = optionalText(args, name);
  if (value === undefined) throw missingArgumentError(name);
  return value;
}

export function optionalFlag(args: SlackObject, name: string): boolean | undefined {
  const value = optionalText(args, name)?.toLowerCase();
  if (value === undefined) return undefined;
  return value === 'true' || value === '1';
}

export function optionalNumber(args: SlackObject, name: string): number | undefined {
  const value = optionalText(args, name);
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!Number.isFinite(number)) throw wrongTypeError(name, 'number');
  return number;
}

/** A JSON argument, which forms carry as text. Throws `ApiError` with `errorCode` if it is not JSON. */
export function optionalJson(args: SlackObject, name: string, errorCode: string): unknown {
  const value = args[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    throw new ApiError(errorCode);
  }
}

/** A JSON list: blocks, attachments, files. */
export function optionalList(
  args: SlackObject,
  name: string,
  errorCode: string,
): readonly SlackObject[] | undefined {
  const value = optionalJson(args, name, errorCode);
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw new ApiError(errorCode);
  return value;
}

export function commaList(args: SlackObject, name: string): readonly string[] {
  const value = args[name];
  const entries = Array.isArray(value) ? value.map(String) : (optionalText(args, name) ?? '').split(',');
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}

function wrongTypeError(name: string, kind: string): ApiError {
  const message = `must provide a ${kind} [json-pointer:/${name}]`;
  return new ApiError('invalid_arguments', { response_metadata: { messages: [`[ERROR] ${message}`] } }, [
    { code: 'wrong_type', message: `must provide a ${kind}`, pointer: `/${name}` },
  ]);
}

/** A page of a list, with Slack's opaque cursors. */
export function paginate<Item>(
  args: SlackObject,
  items: readonly Item[],
  defaultLimit = 100,
): { items: readonly Item[]; nextCursor: string } {
  const limit = Math.min(Math.max(1, optionalNumber(args, 'limit') ?? defaultLimit), 1000);
  const cursor = optionalText(args, 'cursor');
  const start =
    cursor === undefined ? 0 : Number(Buffer.from(cursor, 'base64').toString().replace('from:', ''));
  if (!Number.isInteger(start) || start < 0 || start > items.length) throw new ApiError('invalid_cursor');
  const next = start + limit;
  return {
    items: items.slice(start, next),
    nextCursor: next < items.length ? Buffer.from(`from:${next}`).toString('base64') : '',
  };
}

/** An answer `{ok: false, error}` of the Web API, with its further members. */
export class ApiError extends Error {
  readonly error: string;
  readonly more: SlackObject;
  readonly rules: readonly RuleViolation[];

  constructor(error: string, more: SlackObject = {}, rules: readonly RuleViolation[] = []) {
    super(error);
    this.name = 'ApiError';
    this.error = error;
    this.more = more;
    this.rules = rules;
  }
}

/** The error for an invalid payload, in Slack's format. `within` is a prefix for each pointer. */
export function invalidPayloadError(error: string, rules: readonly RuleViolation[], within = ''): ApiError {
  const pointed = rules.map((rule) => ({ ...rule, pointer: `${within}${rule.pointer}` }));
  const errors = pointed.map((rule) => `${rule.message} [json-pointer:${rule.pointer}]`);
  return new ApiError(
    error,
    { errors, response_metadata: { messages: errors.map((text) => `[ERROR] ${text}`) } },
    pointed,
  );
}

export function missingArgumentError(name: string): ApiError {
  return invalidPayloadError('invalid_arguments', [
    { code: 'missing', message: `missing required field: ${name}`, pointer: '' },
  ]);
}

const sentences: Readonly<Record<string, string>> = {
  invalid_blocks: 'Slack would refuse the blocks of this message.',
  invalid_blocks_format: 'The blocks are not a JSON list.',
  invalid_attachments:
    'Slack would refuse the attachments of this message. A second table counts as an attachment.',
  msg_blocks_too_long: 'The blocks contain more text than Slack allows.',
  invalid_arguments: 'Slack would refuse these arguments.',
  view_too_large: 'The view is larger than Slack allows.',
  no_text: 'The message is empty.',
  not_in_channel: 'The bot is not a member of this channel.',
  channel_not_found: 'The channel does not exist, or the bot cannot see it.',
  is_archived: 'The channel is archived.',
  restricted_action_read_only_channel: 'The channel is read only.',
  trigger_expired: 'The trigger was older than three seconds.',
  trigger_exchanged: 'The trigger was already used.',
  invalid_trigger_id: 'The trigger does not exist.',
  hash_conflict: 'The view has changed since the bot read it.',
  push_limit_reached: 'Three views are already open.',
  not_found: 'The view no longer exists.',
  missing_scope: 'The bot lacks the scope for this method.',
  unknown_method: 'The local Slack does not have this method.',
  not_authed: 'The request has no token.',
  invalid_auth: 'The token is not valid in this workspace.',
  used_url: 'The response URL was already used five times.',
  expired_url: 'The response URL is older than 30 minutes.',
};

/** The error as a message for the page. */
export function describeApiError(refusal: ApiError): string {
  const sentence = sentences[refusal.error] ?? `Slack answered ${refusal.error}.`;
  const needed = typeof refusal.more.needed === 'string' ? ` It needs ${refusal.more.needed}.` : '';
  return `${sentence}${needed}`;
}

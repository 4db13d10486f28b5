import { parse as parseForm } from 'node:querystring';
import type { Thing } from '../workspace/records.js';
import { missingArgument, Refusal } from './refusal.js';

export function isThing(value: unknown): value is Thing {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The arguments of a call, from a form, a JSON body or the query. */
export function readArguments(contentType: string, body: string, query: Thing): Thing {
  if (contentType.startsWith('application/json')) return { ...query, ...readJsonBody(body) };
  return { ...query, ...parseForm(body) };
}

function readJsonBody(body: string): Thing {
  if (body === '') return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw new Refusal('invalid_json');
  }
  if (!isThing(parsed)) throw new Refusal('json_not_object');
  return parsed;
}

/** A text argument; numbers of a JSON body count as text, as `thread_ts` once did. */
export function optionalText(args: Thing, name: string): string | undefined {
  const value = args[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') throw wrongType(name, 'string');
  return value;
}

export function requiredText(args: Thing, name: string): string {
  const value = optionalText(args, name);
  if (value === undefined) throw missingArgument(name);
  return value;
}

export function optionalFlag(args: Thing, name: string): boolean | undefined {
  const value = optionalText(args, name)?.toLowerCase();
  if (value === undefined) return undefined;
  return value === 'true' || value === '1';
}

export function optionalNumber(args: Thing, name: string): number | undefined {
  const value = optionalText(args, name);
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!Number.isFinite(number)) throw wrongType(name, 'number');
  return number;
}

/** A JSON argument, which forms carry as text. `badly` is what Slack answers when it cannot be read. */
export function optionalJson(args: Thing, name: string, badly: string): unknown {
  const value = args[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    throw new Refusal(badly);
  }
}

/** A list of things in JSON: blocks, attachments, files. */
export function optionalList(args: Thing, name: string, badly: string): readonly Thing[] | undefined {
  const value = optionalJson(args, name, badly);
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw new Refusal(badly);
  return value;
}

export function commaList(args: Thing, name: string): readonly string[] {
  const value = args[name];
  const entries = Array.isArray(value) ? value.map(String) : (optionalText(args, name) ?? '').split(',');
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}

function wrongType(name: string, kind: string): Refusal {
  const message = `must provide a ${kind} [json-pointer:/${name}]`;
  return new Refusal('invalid_arguments', { response_metadata: { messages: [`[ERROR] ${message}`] } }, [
    { code: 'wrong_type', message: `must provide a ${kind}`, pointer: `/${name}` },
  ]);
}

/** A page of a list, by Slack's opaque cursors. */
export function page<Item>(
  args: Thing,
  items: readonly Item[],
  defaultLimit = 100,
): { items: readonly Item[]; nextCursor: string } {
  const limit = Math.min(Math.max(1, optionalNumber(args, 'limit') ?? defaultLimit), 1000);
  const cursor = optionalText(args, 'cursor');
  const start =
    cursor === undefined ? 0 : Number(Buffer.from(cursor, 'base64').toString().replace('from:', ''));
  if (!Number.isInteger(start) || start < 0 || start > items.length) throw new Refusal('invalid_cursor');
  const next = start + limit;
  return {
    items: items.slice(start, next),
    nextCursor: next < items.length ? Buffer.from(`from:${next}`).toString('base64') : '',
  };
}

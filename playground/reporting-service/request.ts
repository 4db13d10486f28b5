import type { IncomingMessage } from 'node:http';
import { allReports, type FilterMember, type FilterObject, fieldOf, type Report } from '../bot.js';

/** The report of a request, and its range in epoch seconds, `[from, until)`. */
export interface Route {
  readonly report: Report;
  readonly range?: { readonly from: number; readonly until: number };
}

const base = ['api', 'v1', 'reports'];

/** Numbers from here on are milliseconds. As seconds, they would be after the year 5138. */
const minMilliseconds = 100_000_000_000;

/**
 * Parses the method and the path of a request. Ignores the query string.
 * @throws RequestError 404 for an unknown path, 405 for the method, 400 for the range
 */
export function parseRoute(method: string, target: string): Route {
  const path = target.split('?')[0] ?? '';
  const [root, ...parts] = path.split('/');
  const [operation, ...range] = parts.slice(base.length);
  const report = allReports.find((each) => each.operation === operation);
  if (root !== '' || base.some((part, index) => parts[index] !== part) || !report) {
    throw new RequestError(
      404,
      'unknown_path',
      `${quote(path)} is not a path of this service. ${listPaths()}`,
    );
  }
  const wanted = report.range ? 2 : 0;
  if (range.length !== wanted) {
    throw new RequestError(
      404,
      'unknown_path',
      `The path of ${report.operation} is ${pathTemplate(report)}.`,
    );
  }
  if (method !== 'POST') {
    throw new RequestError(405, 'wrong_method', `${report.operation} accepts POST, not ${method}.`, {
      headers: { allow: 'POST' },
    });
  }
  if (!report.range) return { report };
  const from = parseEpoch('from', range[0] ?? '');
  const until = parseEpoch('until', range[1] ?? '');
  if (until < from) {
    throw new RequestError(400, 'reversed_range', `until (${until}) is before from (${from}).`, {
      member: 'until',
    });
  }
  return { report, range: { from, until } };
}

function parseEpoch(name: 'from' | 'until', text: string): number {
  const wrong = (code: string, what: string) =>
    new RequestError(400, code, `${name} is ${quote(text)}: ${what}.`, { member: name });
  if (!/^[0-9]+$/.test(text)) throw wrong('not_an_epoch', 'it takes epoch seconds, digits only');
  const seconds = Number(text);
  if (seconds >= minMilliseconds) throw wrong('milliseconds', 'it takes epoch seconds, not milliseconds');
  return seconds;
}

function pathTemplate(report: Report): string {
  return `/${base.join('/')}/${report.operation}${report.range ? '/{from}/{until}' : ''}`;
}

function listPaths(): string {
  return `The paths are ${allReports.map(pathTemplate).join(', ')}.`;
}

/** The entries of a filter member. A record must match every member, and any entry of each. */
export interface RequestFilter {
  readonly object: FilterObject;
  readonly member: FilterMember;
  /** Trimmed and not empty. An empty list matches nothing. Booleans for yes/no members. */
  readonly entries: readonly string[] | readonly boolean[];
}

/** A parsed body. */
export interface ReportRequest {
  /** In the order of the body, which is also the order of members in records. */
  readonly flags: readonly string[];
  readonly filters: readonly RequestFilter[];
  readonly rangeTarget?: string;
  readonly sortBy?: string;
}

/**
 * Validates a body against the catalogue. Unknown members and wrong types are errors.
 * @throws RequestError 400 that names the member
 */
export function parseRequest(report: Report, body: unknown): ReportRequest {
  if (!isObject(body)) {
    throw new RequestError(400, 'not_an_object', `The body must be a JSON object, not ${quote(body)}.`);
  }
  const flags: string[] = [];
  const filters: RequestFilter[] = [];
  let rangeTarget: string | undefined;
  let sortBy: string | undefined;
  for (const [name, value] of Object.entries(body)) {
    const object = report.filters.find((filter) => filter.name === name);
    if (fieldOf(report, name)) {
      if (typeof value !== 'boolean') throw wrongTypeError(name, 'true or false', value);
      if (value) flags.push(name);
    } else if (object) {
      filters.push(...readFilter(object, value));
    } else if (name === 'range_target' && report.dateField) {
      rangeTarget = readChoice(
        name,
        value,
        report.dateField.choices.map(({ flag }) => flag),
      );
    } else if (name === 'sort_by' && report.sorts.length > 0) {
      sortBy = readChoice(name, value, report.sorts);
    } else {
      throw unknownMemberError(name, `${report.operation} has no such flag or member`);
    }
  }
  return {
    flags,
    filters,
    rangeTarget,
    sortBy,
  };
}

function readFilter(object: FilterObject, value: unknown): RequestFilter[] {
  if (!isObject(value)) throw wrongTypeError(object.name, 'an object', value);
  return Object.entries(value).map(([name, said]) => {
    const path = `${object.name}.${name}`;
    const member = object.members.find((each) => each.name === name);
    if (!member) {
      const known = object.members.map((each) => each.name).join(', ');
      throw unknownMemberError(path, `${object.name} has ${known}`);
    }
    if (typeof said !== 'string')
      throw wrongTypeError(path, 'text, several entries with commas between', said);
    const entries = said
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '');
    return { object, member, entries: member.kind === 'yes-no' ? readYesNo(path, entries, said) : entries };
  });
}

function readYesNo(path: string, entries: readonly string[], text: string): boolean[] {
  const known = entries.map((entry) => ['false', 'true'].indexOf(entry.toLowerCase()));
  if (known.length === 0 || known.includes(-1))
    throw wrongTypeError(path, 'the text "true" or "false"', text);
  return known.map((index) => index === 1);
}

function readChoice(name: string, value: unknown, choices: readonly string[]): string {
  if (typeof value === 'string' && choices.includes(value)) return value;
  throw new RequestError(400, 'wrong_value', `${name} is ${quote(value)}: it takes ${choices.join(', ')}.`, {
    member: name,
  });
}

function wrongTypeError(member: string, takes: string, value: unknown): RequestError {
  return new RequestError(400, 'wrong_type', `${quote(member)} takes ${takes}, not ${quote(value)}.`, {
    member,
  });
}

function unknownMemberError(member: string, because: string): RequestError {
  return new RequestError(400, 'unknown_member', `${quote(member)} is unknown: ${because}.`, { member });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Larger filters would block the event loop for too long. */
const maxBodyBytes = 256 * 1024;

/**
 * Reads the JSON body of a request.
 * @throws RequestError 415 if it is not JSON in UTF-8, 413 over 256 KiB, 400 if it is empty or invalid
 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const tooLarge = new RequestError(413, 'too_large', `The body is larger than ${maxBodyBytes} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > maxBodyBytes) throw tooLarge;
    chunks.push(chunk);
  }
  if (size === 0)
    throw new RequestError(400, 'no_body', 'The body is empty. Send a JSON object, at least {}.');
  requireJson(request);
  const text = decode(Buffer.concat(chunks));
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestError(400, 'not_json', 'The body is not JSON.');
  }
}

function requireJson(request: IncomingMessage): void {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;\s*charset="?utf-?8"?\s*)?;?\s*$/i.test(type)) {
    throw new RequestError(
      415,
      'wrong_type',
      `Content-Type is ${quote(type)}. It must be application/json in UTF-8.`,
    );
  }
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new RequestError(
      415,
      'encoded',
      `Content-Encoding is ${quote(encoding)}. Send the body without encoding.`,
    );
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new RequestError(400, 'not_utf8', 'The body is not UTF-8.');
  }
}

/** A request that cannot be answered. The members are sent to the client. */
export class RequestError extends Error {
  constructor(
    /** HTTP status of the response. */
    readonly status: number,
    /** Stable code for programs: `unknown_member`. */
    readonly code: string,
    /** One sentence for people. */
    message: string,
    readonly details: {
      /** The invalid member of the body: `user_filter.departments`. */
      readonly member?: string;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(message);
    this.name = 'RequestError';
  }

  /** The body of the response. */
  get body(): Readonly<Record<string, unknown>> {
    const { member } = this.details;
    return {
      status: this.status,
      error: this.code,
      message: this.message,
      member,
    };
  }
}

/** A part of the request for messages: at most 60 characters, quoted as JSON. */
function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text);
}

import { createRequire } from 'node:module';
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { KnownError } from '../errors/known-error.js';

export type { Logger } from 'pino';

/** What the parts of the program write to. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

export interface LogChoices {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  /** Lines for people rather than JSON. */
  readonly forPeople: boolean;
  /** Where lines go; stdout unless given. */
  readonly destination?: DestinationStream;
}

/**
 * The program's logger. No line that leaves it holds a token, an e-mail address or a row, whoever put it there:
 * members with telling names are left out, errors keep only what is harmless, and the finished line is searched again.
 */
export function createLogger({ level, forPeople, destination }: LogChoices): Logger {
  const target = destination ?? pino.destination({ fd: 1, sync: true });
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label) => ({ level: label }),
      log: harmlessMembers,
    },
    // The error has become harmless by then; pino's own way would copy every member of it.
    serializers: { err: (error) => error },
    hooks: {
      logMethod(words, write) {
        const [first, ...rest] = words;
        if (first instanceof Error && rest.length === 0) {
          // Pino would take the error's message as it is for that of the line.
          return write.apply(this, [{ err: first }, harmlessMessage(first)]);
        }
        return write.apply(this, [first, ...rest.map(harmless)] as Parameters<typeof write>);
      },
      streamWrite: (line) => (holdsSecret(line) ? `${JSON.stringify(masked(JSON.parse(line)))}\n` : line),
    },
  };
  return pino(options, forPeople ? linesForPeople(target) : target);
}

/** Loaded only for a terminal: a process that writes JSON starts faster and stays smaller without it. */
function linesForPeople(destination: DestinationStream): DestinationStream {
  const pretty: typeof import('pino-pretty') = createRequire(import.meta.url)('pino-pretty');
  return pretty({ destination, sync: true, ignore: 'pid,hostname' });
}

/** What takes the place of something that nobody may read in a log, an error text or a metric. */
const hidden = '[hidden]';

/** Slack's tokens, anything after Bearer, and e-mail addresses in any script. */
const secrets =
  /\bx(?:ox[a-z]|app)-[\w-]+|\bBearer\s+[^\s"',;]+|(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu;

/** Members that may hold a token, a person or a part of an answer. */
const privateMember =
  /^(?:.*token|signing_?secret|authorization|e-?mail|user_?name|real_name|rows?|record|body|payload|text|blocks|response_?url|trigger_?id)$/i;

const deepest = 6;

function holdsSecret(text: string): boolean {
  return text.search(secrets) >= 0;
}

/** The same value without tokens and e-mail addresses in any of its texts. */
function masked<Value>(value: Value): Value;
function masked(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(secrets, hidden);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => masked(entry));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [masked(name), masked(member)]));
}

/**
 * A copy of what is to be logged: of members with telling names only numbers and booleans are left, and of errors only
 * what is known to be harmless.
 */
function harmless(value: unknown): unknown {
  return harmlessTo(deepest, value);
}

/** An error's words. A syntax error quotes what it could not read, which may be a part of an answer. */
export function harmlessMessage(error: Error): string {
  return error instanceof SyntaxError ? 'the text could not be read' : masked(error.message);
}

/** The same for the members of a line. */
function harmlessMembers(members: object): Record<string, unknown> {
  return membersTo(deepest, members);
}

function harmlessTo(depth: number, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return hidden;
  if (value instanceof Error) return harmlessError(depth, value);
  if (Array.isArray(value)) return value.map((entry) => harmlessTo(depth - 1, entry));
  return membersTo(depth, value);
}

function membersTo(depth: number, value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      privateMember.test(name) && isTelling(member) ? hidden : harmlessTo(depth - 1, member),
    ]),
  );
}

function harmlessError(depth: number, error: Error): Record<string, unknown> {
  const { code, statusCode, retryAfter, data, cause } = error as Error & Record<string, unknown>;
  return {
    // A known error's own fields are made for this.
    ...(error instanceof KnownError ? membersTo(depth, error) : {}),
    type: error.name,
    message: harmlessMessage(error),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof statusCode === 'number' ? { statusCode } : {}),
    ...(typeof retryAfter === 'number' ? { retryAfter } : {}),
    ...slackReason(data),
    ...(cause instanceof Error ? { cause: harmlessTo(depth - 1, cause) } : {}),
    stack: stackLines(error),
  };
}

/** The one word with which Slack refuses a call; the rest of its answer may quote what was sent. */
function slackReason(data: unknown): { slack?: string } {
  if (typeof data !== 'object' || data === null || !('error' in data)) return {};
  return typeof data.error === 'string' ? { slack: data.error } : {};
}

/** Where the error came from, without the message that the stack begins with. */
function stackLines(error: Error): string {
  const lines = error.stack?.split('\n') ?? [];
  return lines.filter((line) => /^\s+at /.test(line)).join('\n');
}

function isTelling(value: unknown): boolean {
  return typeof value !== 'number' && typeof value !== 'boolean' && value !== undefined && value !== null;
}

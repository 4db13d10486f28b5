import { createHash, randomInt } from 'node:crypto';
import { createRequire } from 'node:module';
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { isFailure } from '../errors/failure.js';
import { withSourceLocations } from './stacks.js';

export type { Logger } from 'pino';

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

/** A log, as far as a part of the program writes to it. */
export type LogOf<Level extends 'info' | 'warn' | 'error'> = Readonly<
  Record<Level, (details: object, message: string) => void>
>;

export interface LogChoices {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  /** Formatted lines instead of JSON. */
  readonly forPeople: boolean;
  /** The tokens of the settings, which no line may hold. Their form is not known. */
  readonly tokens?: readonly string[];
  /** Default: stdout. */
  readonly destination?: DestinationStream;
}

/**
 * The logger of the program. Its lines never hold a token, an email address or a row. It hides members with private
 * names, keeps only harmless members of errors, and masks the finished line.
 */
export function createLogger({ level, forPeople, tokens = [], destination }: LogChoices): Logger {
  const hiddenTexts = secretsAnd(tokens);
  const target = destination ?? pino.destination({ fd: 1, sync: true });
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label) => ({ level: label }),
      log: (members) => redactMembers(members),
    },
    // `log` has already made the error harmless. The serializer of pino would copy all its members.
    serializers: { err: (error) => error, id: supportId, requestId: supportId, run: supportId },
    hooks: {
      logMethod(words, write) {
        const [first, ...rest] = words;
        if (first instanceof Error && rest.length === 0) {
          // Pino would use the message of the error unmasked.
          return write.apply(this, [{ err: first }, redactedMessage(first)]);
        }
        return write.apply(this, [first, ...rest.map((word) => redactValue(word))] as Parameters<
          typeof write
        >);
      },
      streamWrite: (line) =>
        line.search(hiddenTexts) >= 0 ? `${JSON.stringify(masked(JSON.parse(line), hiddenTexts))}\n` : line,
    },
  };
  return pino(options, forPeople ? linesForPeople(target) : target);
}

type WorkLog = LogOf<'info' | 'warn' | 'error'>;

/**
 * The same parts for one piece of work: a delivery from Slack, with the request that it makes, or a run of a digest. All
 * lines of their log carry its ID. (`AsyncLocalStorage` would carry it everywhere by itself, and makes all that awaits
 * slower: a tenth of an answer on Node 20.)
 */
export function partsFor<Parts extends { readonly log: WorkLog }>(
  work: string,
  parts: Parts,
): Parts & { readonly work: string } {
  const { log } = parts;
  const lines =
    (level: keyof WorkLog): WorkLog[typeof level] =>
    (details, message) =>
      log[level]({ id: work, ...details }, message);
  return { ...parts, log: { info: lines('info'), warn: lines('warn'), error: lines('error') }, work };
}

/** The log shows IDs as people see them. An answer's own ID is in its buttons. */
function supportId(id: unknown): unknown {
  return typeof id === 'string' ? supportIdOf(id) : id;
}

/** Loaded only for a terminal, because it costs start time and memory. */
function linesForPeople(destination: DestinationStream): DestinationStream {
  const pretty: typeof import('pino-pretty') = createRequire(import.meta.url)('pino-pretty');
  return pretty({ destination, sync: true, ignore: 'pid,hostname' });
}

const hidden = '[hidden]';

/** Slack tokens, anything after Bearer, and email addresses in any script. */
const secrets =
  /\bx(?:ox[a-z]|app)-[\w-]+|\bBearer\s+[^\s"',;]+|(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu;

/** Names of members that may hold a token, a person or a part of an answer. */
const privateMember =
  /^(?:.*token|signing_?secret|authorization|e-?mail|user_?name|real_name|rows?|record|body|payload|admins|text|blocks|response_?url|trigger_?id)$/i;

const maxDepth = 6;

/** Shorter values are words, and would hide most of a line. */
const minTokenLength = 8;

/** `secrets`, and tokens as they are and as JSON writes them. */
function secretsAnd(tokens: readonly string[]): RegExp {
  const texts = tokens
    .filter(({ length }) => length >= minTokenLength)
    .flatMap((token) => [token, JSON.stringify(token).slice(1, -1)])
    .map((token) => token.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp([...texts, secrets.source].join('|'), secrets.flags);
}

/** Replaces tokens and email addresses in all texts of a value. */
function masked<Value>(value: Value, texts?: RegExp): Value;
function masked(value: unknown, texts: RegExp = secrets): unknown {
  if (typeof value === 'string') return value.replace(texts, hidden);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => masked(entry, texts));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [masked(name, texts), masked(member, texts)]),
  );
}

/**
 * The message of an error. A syntax error quotes the text, which may be a part of an answer, so it is replaced. Type and
 * range errors quote values and names of members, which may be a part of an answer too.
 */
export function redactedMessage(error: Error): string {
  if (error instanceof SyntaxError) return 'the text could not be read';
  const quotes = error instanceof TypeError || error instanceof RangeError;
  return masked(quotes ? error.message.replace(/'[^']*'|"[^"]*"|(?<=: ).+/gs, hidden) : error.message);
}

/** A copy for the log. Members with private names keep only numbers and booleans, errors only harmless members. */
function redactValue(value: unknown, depth = maxDepth): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return hidden;
  if (value instanceof Error) return redactError(value, depth);
  if (Array.isArray(value)) return value.map((entry) => redactValue(entry, depth - 1));
  return redactMembers(value, depth);
}

function redactMembers(value: object, depth = maxDepth): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      privateMember.test(name) && isRevealing(member) ? hidden : redactValue(member, depth - 1),
    ]),
  );
}

function redactError(error: Error, depth: number): Record<string, unknown> {
  const { code, statusCode, retryAfter, data, cause } = error as Error & Record<string, unknown>;
  return {
    // The fields of known errors are safe to log.
    ...(isFailure(error) ? redactMembers(error, depth) : {}),
    type: error.name,
    message: redactedMessage(error),
    code: typeof code === 'string' ? code : undefined,
    statusCode: typeof statusCode === 'number' ? statusCode : undefined,
    retryAfter: typeof retryAfter === 'number' ? retryAfter : undefined,
    slack: slackReason(data),
    cause: cause instanceof Error ? redactValue(cause, depth - 1) : undefined,
    stack: stackLines(error),
  };
}

/** The error code of Slack. The rest of its answer may quote what was sent. */
function slackReason(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('error' in data)) return undefined;
  return typeof data.error === 'string' ? data.error : undefined;
}

/** The stack without the message at its start. */
function stackLines(error: Error): string {
  const lines = error.stack?.split('\n') ?? [];
  return withSourceLocations(lines.filter((line) => /^\s+at /.test(line)).join('\n'));
}

function isRevealing(value: unknown): boolean {
  return typeof value !== 'number' && typeof value !== 'boolean' && value !== undefined && value !== null;
}

/** The characters of IDs: without letters and digits that people confuse. */
const idAlphabet = '23456789abcdefghjkmnpqrstuvwxyz';

/** A random ID that no one can guess: ten characters, about 49 bits. */
export function randomId(): string {
  let id = '';
  while (id.length < 10) id += idAlphabet[randomInt(idAlphabet.length)];
  return id;
}

/**
 * The ID of work as people see it, in messages about failures and in the log. It follows from the work's own ID, which
 * the buttons of an answer hold, and leads back to none: people pass it on.
 */
export function supportIdOf(id: string): string {
  const bytes = createHash('sha256').update(`support ${id}`).digest();
  // It begins with a digit, so that it is not taken for a word.
  const first = idAlphabet[(bytes[0] ?? 0) % 8];
  const rest = [...bytes.subarray(1, 10)].map((byte) => idAlphabet[byte % idAlphabet.length]);
  return [first, ...rest].join('');
}

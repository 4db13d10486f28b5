import { createRequire } from 'node:module';
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { harmless, harmlessMembers, harmlessMessage, holdsSecret, masked } from './masking.js';

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

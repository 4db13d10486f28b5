import { KnownError } from '../errors/known-error.js';
import type { Read, Reading } from '../runner/report-source.js';
import * as answerErrors from './answer/errors.js';
import * as ownErrors from './errors.js';
import type { WireRequest } from './http-request.js';
import type { Proxies } from './settings.js';

/** What the thread is started with. */
export interface ThreadSettings {
  readonly proxies?: Proxies | undefined;
}

/** To the thread. `id` is a reading's; each reading has at most one `add`, `finish` or `discard` at a time. */
export type ToThread =
  | { readonly kind: 'open'; readonly id: number; readonly reading: Reading }
  | { readonly kind: 'add'; readonly id: number; readonly wire: WireRequest }
  | { readonly kind: 'cancel' | 'finish' | 'discard'; readonly id: number };

/** From the thread. `done` and `failed` end the `add`, `finish` or `discard` of that reading. */
export type FromThread =
  | { readonly kind: 'begun'; readonly id: number }
  | { readonly kind: 'records'; readonly id: number; readonly records: number }
  | { readonly kind: 'done'; readonly id: number; readonly read?: Read | undefined }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: PlainFailure };

/** An error as plain data, since threads keep neither the class nor the fields of one. */
export interface PlainFailure {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  /** Own fields; hidden ones are not enumerable, so that loggers leave them out. */
  readonly fields: readonly { readonly name: string; readonly value: unknown; readonly hidden: boolean }[];
}

/** Takes an error apart. An unknown one loses its message: it may quote a row, as those of `JSON.parse` do. */
export function plainFailure(error: unknown): PlainFailure {
  if (!(error instanceof Error))
    return { name: 'Error', message: 'Something was thrown', stack: '', fields: [] };
  const stack = (error.stack ?? '').match(/^ +at .*$/gm)?.join('\n') ?? '';
  if (!(error instanceof KnownError)) {
    return { name: error.name, message: 'unexpected in the thread that reads answers', stack, fields: [] };
  }
  const fields = Object.entries(Object.getOwnPropertyDescriptors(error))
    .filter(([name]) => !['name', 'message', 'stack', 'cause'].includes(name))
    .map(([name, { value, enumerable }]) => ({ name, value, hidden: enumerable !== true }));
  return { name: error.name, message: error.message, stack, fields };
}

/** Puts the error together again, of its own class where it is a known one. */
export function failureFrom({ name, message, stack, fields }: PlainFailure): Error {
  const error = new Error(message);
  const prototype = prototypeOf.get(name);
  if (prototype) Object.setPrototypeOf(error, prototype);
  Object.defineProperty(error, 'name', { value: name, enumerable: true, writable: true, configurable: true });
  Object.defineProperty(error, 'stack', {
    value: `${name}: ${message}\n${stack}`,
    writable: true,
    configurable: true,
  });
  for (const { name: field, value, hidden } of fields) {
    Object.defineProperty(error, field, { value, enumerable: !hidden });
  }
  return error;
}

const prototypeOf: ReadonlyMap<string, object> = new Map(
  [...Object.values(answerErrors), ...Object.values(ownErrors)].map((known) => [known.name, known.prototype]),
);

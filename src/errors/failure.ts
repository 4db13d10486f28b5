import { type FailureEntry, type FailureReader, failures, otherEnds } from './failures.js';
import { KnownError } from './known-error.js';
import { slackErrors } from './slack-errors.js';

export type FailureCode = keyof typeof failures;

/** The details of a failure, as the table of failures types them. */
export type FailureDetails<Code extends FailureCode> = Code extends unknown
  ? (typeof failures)[Code] extends FailureEntry<infer Details>
    ? Details
    : never
  : never;

type WithCause<Code extends FailureCode> = FailureDetails<Code> & { readonly cause?: unknown };

/** A failure that the table of failures explains. */
export class Failure<Code extends FailureCode = FailureCode> extends KnownError {
  /** Not enumerable, so loggers leave them out. */
  declare readonly details: FailureDetails<Code>;
  override readonly scope;
  override readonly isRetryable;

  constructor(
    readonly code: Code,
    ...[given]: object extends FailureDetails<Code> ? [details?: WithCause<Code>] : [details: WithCause<Code>]
  ) {
    const { cause, ...details } = { cause: undefined, ...given };
    const entry = entryOf(code);
    super(textOf(entry.log, details) ?? othersText(entry) ?? code, cause === undefined ? {} : { cause });
    Object.defineProperty(this, 'details', { value: details });
    this.scope = entry.scope ?? 'ours';
    this.isRetryable = isTrue(entry.canRetry, details);
  }
}

/** True for a failure with one of these codes. No codes: any failure of the table. */
export function isFailure<Code extends FailureCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is Failure<Code> {
  return error instanceof Failure && (codes.length === 0 || codes.includes(error.code));
}

/** What the asker reads now, and the text for the history of a digest. */
export function textsOf(
  { code, details }: Failure,
  reader: FailureReader,
): { readonly sentence: string; readonly reason: string; readonly quotesFilters: boolean } | undefined {
  const { reason: reasonText, asker, advice, quotesFilters } = entryOf(code);
  const reason = textOf(reasonText, details, reader);
  if (reason === undefined) return undefined;
  const sentence =
    textOf(asker, details, reader) ?? `${reason} ${textOf(advice, details, reader) ?? ''}`.trimEnd();
  return { sentence, reason, quotesFilters: isTrue(quotesFilters, details) };
}

/**
 * A sentence on a code, also one of Slack, for people who did not make the request. The stored reason of a run may quote
 * names and the service; this never does. Undefined for unknown codes.
 */
export function describeFailureCode(code: string): string | undefined {
  if (Object.hasOwn(failures, code)) return othersText(entryOf(code as FailureCode));
  return Object.hasOwn(otherTexts, code) ? otherTexts[code] : undefined;
}

const otherTexts: Readonly<Record<string, string>> = { ...otherEnds, ...slackErrors };

function entryOf(code: FailureCode): FailureEntry<never> {
  return failures[code];
}

function othersText({ others, reason }: FailureEntry<never>): string | undefined {
  return others ?? (typeof reason === 'string' ? reason : undefined);
}

const asIs: FailureReader = { asTyped: (range) => range };

function textOf(
  text: FailureEntry<never>['log'],
  details: object,
  reader: FailureReader = asIs,
): string | undefined {
  return typeof text === 'function' ? text(details as never, reader) : text;
}

function isTrue(decision: FailureEntry<never>['canRetry'], details: object): boolean {
  return typeof decision === 'function' ? decision(details as never) : (decision ?? false);
}

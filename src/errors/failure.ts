import { deliveryFailures } from './delivery-failures.js';
import type { ErrorScope, FailureEntry, FailureReader } from './failure-entry.js';
import { operatorFailures } from './operator-failures.js';
import { requestFailures } from './request-failures.js';
import { serviceFailures } from './service-failures.js';
import { slackErrors } from './slack-errors.js';

/**
 * The value, or the reason for a refusal. Functions return it for input that people or services can get wrong. Failures
 * that the caller does not handle are thrown as errors.
 */
export type Result<Value, Refusal = string> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly refusal: Refusal };

export function ok<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

export function refused<const Refusal>(refusal: Refusal): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal };
}

/**
 * All failures that Rollcall knows about, by their codes. Codes are stable: they are in logs, metrics and the database.
 * Details are never logged, so they may quote people and the service.
 */
export const failures = {
  ...serviceFailures,
  ...requestFailures,
  ...deliveryFailures,
  ...operatorFailures,
} as const;

export type FailureCode = keyof typeof failures;

/** The details of a failure, as the table of failures types them. */
export type FailureDetails<Code extends FailureCode> = Code extends unknown
  ? (typeof failures)[Code] extends FailureEntry<infer Details>
    ? Details
    : never
  : never;

type WithCause<Code extends FailureCode> = FailureDetails<Code> & { readonly cause?: unknown };

/** A failure that the table of failures explains. */
export class Failure<Code extends FailureCode = FailureCode> extends Error {
  /** Not enumerable, so loggers leave them out. */
  declare readonly details: FailureDetails<Code>;
  readonly scope: ErrorScope;
  /** True where the same request may well work when a person tries again. */
  readonly isRetryable: boolean;

  constructor(
    readonly code: Code,
    ...[given]: object extends FailureDetails<Code> ? [details?: WithCause<Code>] : [details: WithCause<Code>]
  ) {
    const { cause, ...details } = { cause: undefined, ...given };
    const entry = entryOf(code);
    super(textOf(entry.log, details) ?? othersText(entry) ?? code, cause === undefined ? {} : { cause });
    this.name = 'Failure';
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

/** The failure of work that a signal has ended. */
export function cancelledBy(signal: AbortSignal): Failure {
  return new Failure('cancelled', { cause: signal.reason });
}

/** @throws `cancelled` if a signal has ended the work */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancelledBy(signal);
}

/** The code of a failure, for the ledger and the metrics. */
export function codeOf(error: unknown): string {
  return isFailure(error) ? error.code : 'unexpected';
}

/** The code of an error of the system, such as `ENOENT`. */
export function systemCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
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

/** The text for the terminal, where a failure has one of its own. */
export function operatorTextOf({ code, details }: Failure): string | undefined {
  return textOf(entryOf(code).operator, details);
}

/** True for failures of the owner's rights and of Slack: the message of a run was certainly not posted. */
export function isNotPosted(error: unknown): boolean {
  return isFailure(error) && entryOf(error.code).isNotPosted === true;
}

/** The exit code of a process that ends with an error. */
export function exitCodeOf(error: unknown): number {
  return (isFailure(error) ? entryOf(error.code).exitCode : undefined) ?? 1;
}

/**
 * A sentence on a code, also one of Slack, for people who did not make the request. The stored reason of a run may quote
 * names and the service; this never does. Undefined for unknown codes.
 */
export function describeFailureCode(code: string): string | undefined {
  if (Object.hasOwn(failures, code)) return othersText(entryOf(code as FailureCode));
  return Object.hasOwn(otherTexts, code) ? otherTexts[code] : undefined;
}

/** Texts for codes that no failure causes: why a run was skipped, or a digest is paused; and for those of Slack. */
const otherTexts: Readonly<Record<string, string>> = {
  superseded: 'A later run replaced it.',
  'alert-quiet': 'There was nothing to post.',
  'alert-baseline': 'It was the first run, so there was nothing to compare with.',
  'alert-met': 'It was the first run, so there was nothing to compare with.',
  'alert-drop': 'It found so few rows that its owner was asked whether that is true.',
  'by-hand': 'Someone paused it.',
  'no-next-time': "I can't work out when it runs next.",
  interrupted: 'I was stopped while it was running.',
  'owner-erased': 'Its owner’s data was erased.',
  uninstalled: 'Rollcall was uninstalled from this workspace.',
  unexpected: 'Something went wrong.',
  ...slackErrors,
};

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

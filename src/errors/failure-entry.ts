/**
 * The part that failed.
 * - `asker`: the request cannot be run as it is; the person who asked, or the owner of the digest, can change that.
 * - `service`: the Reporting Service cannot be used now, by any request.
 * - `answer`: the service answered this query with something that cannot be used.
 * - `slack`: Slack did not take what was sent.
 * - `ours`: this program, its settings or its machine.
 */
export type ErrorScope = 'asker' | 'service' | 'answer' | 'slack' | 'ours';

/** A text, or how it is made of the details of a failure. */
type Text<Details> = string | ((details: Details, reader: FailureReader) => string);

/** For whom a failure is described. */
export interface FailureReader {
  /** The words of a range as the reader typed them. */
  asTyped(range: string): string;
}

/** What is decided and said about a failure. */
export interface FailureEntry<Details> {
  /** Default: `ours`. */
  readonly scope?: ErrorScope;
  /** True where the same request may well work when a person tries again. Default: false. */
  readonly canRetry?: boolean | ((details: Details) => boolean);
  /** For the log; holds no token, address or row. Default: `others`. */
  readonly log?: Text<Details>;
  /** What happened, and how to fix it: for the asker, and later for the owner of a digest in its history. */
  readonly reason?: Text<Details>;
  /** What to do now, for the asker alone. */
  readonly advice?: Text<Details>;
  /** For the asker, in place of the reason and the advice. */
  readonly asker?: Text<Details>;
  /** True if the reason quotes filters of the request, or the service, which may quote them. */
  readonly quotesFilters?: boolean | ((details: Details) => boolean);
  /** True where the message of a digest's run was certainly not posted. Default: false. */
  readonly isNotPosted?: boolean;
  /** For people who did not make the request. It holds no details. Default: the reason. */
  readonly others?: string;
  /** For the terminal. Default: what the asker reads. */
  readonly operator?: Text<Details>;
  /** Of a process that ends with the failure. Default: 1. */
  readonly exitCode?: number;
}

/** A reason made of details needs a text for others. A failure without texts for people needs one for the log. */
export function failure<Details = object>(
  entry: FailureEntry<Details> &
    (
      | { readonly reason: string }
      | { readonly others: string }
      | { readonly reason?: undefined; readonly log: Text<Details> }
    ),
): FailureEntry<Details> {
  return entry;
}

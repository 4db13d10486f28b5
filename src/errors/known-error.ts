/**
 * A failure that Rollcall knows about and can explain. Each cause is a small class of its own with a `code` and the
 * fields its sentence needs; `src/words-for-failures.ts` is the one place that turns it into that sentence.
 */
export abstract class KnownError extends Error {
  /** Stable, for logs and metrics; holds no token, address or row. */
  abstract readonly code: string;

  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A request that cannot be answered: what the asker is told, and nothing about why it was asked. */
export class Refusal extends Error {
  constructor(
    /** The status of the response. */
    readonly status: number,
    /** Stable, for programs: `unknown_member`. */
    readonly code: string,
    /** One sentence for people that names what is wrong. */
    message: string,
    readonly details: {
      /** The member of the body at fault: `user_filter.departments`. */
      readonly member?: string;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(message);
    this.name = 'Refusal';
  }

  /** The body of the response. */
  get body(): Readonly<Record<string, unknown>> {
    const { member } = this.details;
    return {
      status: this.status,
      error: this.code,
      message: this.message,
      ...(member !== undefined ? { member } : {}),
    };
  }
}

/** A piece of the request as a message may repeat it: at most 60 characters, in JSON's quotes. */
export function quoted(said: unknown): string {
  const text = typeof said === 'string' ? said : (JSON.stringify(said) ?? 'undefined');
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text);
}

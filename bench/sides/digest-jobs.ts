/** A job: start a local Slack, do something as its first person, or report what was posted there. Plain data. */
export type WorkspaceJob =
  | { readonly channels: number; readonly owners?: number; readonly postsPerMinute: number }
  /** Types a command, and presses these buttons under its answer, one after the other. */
  | { readonly command: string; readonly press: readonly string[] }
  | 'posts'
  | 'files'
  | 'acknowledgements';

/** The addresses and tokens of the started Slack. */
export interface WorkspaceAddress {
  readonly apiUrl: string;
  readonly botToken: string;
  readonly appToken: string;
}

/** What the bot posted since the last press, without replies, in milliseconds of the machine's clock. */
export interface Posts {
  readonly count: number;
  readonly channels: number;
  readonly first: number;
  readonly last: number;
}

/** The files that the bot has posted, and the last of them, in bytes. */
export interface Files {
  readonly count: number;
  readonly lastName: string;
  readonly lastSize: number;
}

/**
 * How long it took until commands were acknowledged since the last look, in milliseconds. The first look finds none, and
 * begins to send them.
 */
export type Acknowledgements = readonly number[];

/** A job: start a whole bot, or report its state since the last report. Plain data. */
export type BotJob =
  | { readonly environment: Record<string, string>; readonly postsPerSecond: number }
  | 'how';

/** The state of a process since the last report. */
export interface BotState {
  /** Resident memory in megabytes. */
  readonly megabytes: number;
  /** The longest time between two turns of the event loop, in milliseconds. */
  readonly longestStall: number;
}

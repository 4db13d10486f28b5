import type { AnswerKind } from '../answers/answer-bytes.js';

/** The job of every side that reads an answer. Plain data. */
export interface AnswerJob {
  /** Where the answer server listens. */
  readonly address: string;
  readonly kind: AnswerKind;
  readonly records: number;
  /** The path of the CSV, if the side writes one. An old file is replaced. */
  readonly csvPath: string;
  /** Count the figures of the report as well. */
  readonly figures: boolean;
  /** Open this database, as the bot has one, and number the people of the file in it if `numbers`. Only Rollcall's side can. */
  readonly database?: { readonly path: string; readonly numbers: boolean };
  /** Let in rows by conditions that all of them meet. Only Rollcall's side can. */
  readonly conditions?: boolean;
}

/** The job of the side that breaks an answer down by overlapping groups, for a reader whose figures are protected. */
export interface BreakdownJob {
  readonly address: string;
  readonly people: number;
  /** Cancels after so many milliseconds. The outcome says how long that took. */
  readonly cancelAfterMs?: number;
  /** Asks for a small answer meanwhile. The outcome says how long that took. */
  readonly withAnother?: boolean;
}

/** The job of the side that answers over time. The outcome says how many queries it took. */
export interface OverTimeJob {
  readonly address: string;
  /** Of each unit. */
  readonly records: number;
  readonly weeks: number;
  /** Where figures of units are kept. Absent: the weeks are asked for one by one, each as an answer of its own. */
  readonly databasePath?: string;
}

export function urlOf({ address, kind, records }: AnswerJob): string {
  return `${address}/api/v1/reports/${kind}/${records}`;
}

/** Signs every command of the bench. */
export const signingSecret = 'the-secret-of-the-bench';

/** The job of a side that listens to Slack over HTTP. The outcome is `{ port }`. Plain data. */
export interface ListenJob {
  readonly apiUrl: string;
  readonly serviceUrl: string;
  readonly databasePath: string;
  /** Further environment variables of Rollcall. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The job of the bare listener. */
export interface BareListenJob extends ListenJob {
  /**
   * Writes each run down before its acknowledgement, marks it before and after its post, and asks for the period before,
   * too.
   */
  readonly keepsPromises: boolean;
  /** Answers each command with a message. */
  readonly answers: boolean;
}

/** The job of a side that uploads a file to Slack. The outcome is empty. Plain data. */
export interface UploadJob {
  readonly apiUrl: string;
  readonly path: string;
  readonly bytes: number;
}

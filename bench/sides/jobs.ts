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
}

export function urlOf({ address, kind, records }: AnswerJob): string {
  return `${address}/api/v1/reports/${kind}/${records}`;
}

/** The job of a side that listens to Slack over HTTP. The outcome is `{ port }`. Plain data. */
export interface ListenJob {
  readonly apiUrl: string;
  readonly signingSecret: string;
  readonly serviceUrl: string;
  readonly databasePath: string;
  /** Further environment variables of Rollcall. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The job of a side that uploads a file to Slack. The outcome is empty. Plain data. */
export interface UploadJob {
  readonly apiUrl: string;
  readonly path: string;
  readonly bytes: number;
}

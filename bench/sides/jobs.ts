import type { AnswerKind } from '../answers/answer-bytes.js';

/** What every side that reads an answer is told. Plain data. */
export interface AnswerJob {
  /** Where the answer server listens. */
  readonly address: string;
  readonly kind: AnswerKind;
  readonly records: number;
  /** Where the CSV goes, if the side writes one; it is written over. */
  readonly csvPath: string;
  /** Count the figures of the report too. */
  readonly figures: boolean;
}

export function urlOf({ address, kind, records }: AnswerJob): string {
  return `${address}/api/v1/reports/${kind}/${records}`;
}

/** What a side that listens to Slack over HTTP is told; the outcome is `{ port }`. Plain data. */
export interface ListenJob {
  readonly apiUrl: string;
  readonly signingSecret: string;
  readonly serviceUrl: string;
  readonly databasePath: string;
}

/** What a side that uploads a file to Slack is told; the outcome is empty. Plain data. */
export interface UploadJob {
  readonly apiUrl: string;
  readonly path: string;
  readonly bytes: number;
}

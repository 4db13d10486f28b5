import type { ReportName } from '../reports/catalogue/index.js';
import type { RecordView } from '../reports/record-view.js';

/** What figures to take from an answer. Plain data. */
export interface FiguresPlan {
  readonly report: ReportName;
  /** Count only what is overdue. */
  readonly overdueOnly: boolean;
  /** The field of the breakdown. */
  readonly by?: string;
  /** Milliseconds since the epoch: what "now" is for due dates. */
  readonly now: number;
  /** The asker's IANA zone: a due date without a time ends with its day there. */
  readonly zone: string;
}

/** Takes figures from records as they stream past, in constant memory. */
export interface FiguresReader {
  add(record: RecordView): void;
  /** An independent copy of everything counted so far, to go back to when an answer has to be read again. */
  copy(): FiguresReader;
  finish(): FiguresResult;
}

/** What was counted: plain data, bounded in size whatever the answer's. */
export interface FiguresResult {
  readonly records: number;
}

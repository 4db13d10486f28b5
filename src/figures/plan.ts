import type { ReportName } from '../catalogue/index.js';
import type { RecordView } from './record-view.js';
import type { FiguresResult } from './result.js';

export type { FiguresResult } from './result.js';

/** What figures to take from an answer. Plain data. */
export interface FiguresPlan {
  readonly report: ReportName;
  /** Count only what is overdue. */
  readonly overdueOnly: boolean;
  /** The field of the breakdown. */
  readonly by?: string;
  /** Keep a short list of the people to look at. Person-level: only for direct messages. */
  readonly people: boolean;
  /** The key figures alone, of the fewest fields: all that a later answer is compared with. */
  readonly figuresOnly?: boolean;
  /** True where the range selects rows by when they were assigned, so that a later period had less time. */
  readonly byAssignedDate?: boolean;
  /** Count completions as they stood at this instant, milliseconds since the epoch, by their dates. */
  readonly asOf?: number;
  /** Milliseconds since the epoch: what "now" is for due dates. */
  readonly now: number;
  /** The asker's IANA zone: a due date without a time ends with its day there. */
  readonly zone: string;
  /** The range that was asked, epoch seconds, `[from, until)`: for what is counted per day. */
  readonly range?: { readonly from: number; readonly until: number };
}

/** Takes figures from records as they stream past, in constant memory. */
export interface FiguresReader {
  add(record: RecordView): void;
  /**
   * Where the record that was added last stands among those that are counted: the lower, the nearer to the top; NaN
   * for one that is not counted. Only figures that are cut to a part of the answer have an order.
   */
  readonly lastRank: number;
  /** An independent copy of everything counted so far, to go back to when an answer has to be read again. */
  copy(): FiguresReader;
  finish(): FiguresResult;
}

import type { ReportResult } from '../../runner/run-report.js';
import type { FiguresResult } from '../result.js';

/** What a summary is made of, wherever it is shown. Plain data. */
export type SummaryFacts = Pick<
  ReportResult,
  'report' | 'request' | 'range' | 'before' | 'lastRun' | 'askedAt'
> & {
  readonly asker: Pick<ReportResult['asker'], 'zone'>;
  readonly figures: FiguresResult;
};

import type { Dispatcher } from 'undici';
import { startCounting } from '../../src/figures/reports/count-report.js';
import { AnswerStream } from '../../src/reporting-api/answer/read-answer.js';
import { createLocalReader } from '../../src/reporting-api/answer-reader.js';
import { openReportingApi, type ReportingApi } from '../../src/reporting-api/client.js';
import { openDispatcher } from '../../src/reporting-api/settings.js';

interface Options {
  readonly maxParallelRequests?: number;
  /** 0: ranges are not split. */
  readonly maxRangeDays?: number;
  readonly dispatcher?: Dispatcher;
}

/** A client of a running service that reads in this thread, with as many requests a minute as a test needs. */
export function apiOf(
  { url, token }: { readonly url: string; readonly token: string },
  { maxParallelRequests = 1, maxRangeDays = 0, dispatcher = openDispatcher(undefined) }: Options = {},
): ReportingApi {
  return openReportingApi(
    {
      baseUrl: url,
      token,
      authScheme: 'raw',
      idleTimeoutMs: 30_000,
      maxRequestsPerMinute: 100_000,
      maxParallelRequests,
      maxRangeDays,
    },
    {
      log: { info: () => {}, warn: () => {} },
      reader: createLocalReader((plan) => new AnswerStream(plan, startCounting), dispatcher),
    },
  );
}

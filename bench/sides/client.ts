import { createThreadReader } from '../../src/reporting-api/answer-reader.js';
import { openReportingApi, type ReportingApi } from '../../src/reporting-api/client.js';
import { skipWasmOptimization } from '../../src/reporting-api/wasm-tiers.js';

/** The bundled thread, which is the one that runs. It loads less than the files one by one. */
const thread = new URL('../../bot/answer-worker.js', import.meta.url);

// As the bot does when it starts.
skipWasmOptimization();
let api: ReportingApi | undefined;

/** The client of a service, with its reading thread as in the product. All jobs of a side have one. */
export function clientOf(baseUrl: string, maxParallelRequests = 1): ReportingApi {
  const settings = {
    baseUrl,
    token: 'bench',
    authScheme: 'raw' as const,
    idleTimeoutMs: 300_000,
    maxRequestsPerMinute: 1_000_000,
    maxParallelRequests,
    maxRangeDays: 0,
  };
  api ??= openReportingApi(settings, {
    log: { info: () => {}, warn: () => {} },
    reader: createThreadReader({}, thread),
  });
  return api;
}

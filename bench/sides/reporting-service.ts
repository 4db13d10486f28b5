import { monitorEventLoopDelay } from 'node:perf_hooks';
import {
  type RunningReportingService,
  startReportingService,
} from '../../playground/reporting-service/reporting-service.js';
import { serveSide } from '../harness/side.js';
import type { ServiceJob } from './service-jobs.js';

/*
 * The reporting service over a stored world, which it generates where there is none. The outcome is its address and
 * token. For stalls, the outcome is the event loop delays since the last such job.
 */

let running: RunningReportingService | undefined;
const delays = monitorEventLoopDelay({ resolution: 1 });
delays.enable();

serveSide<ServiceJob>(async (job) => {
  if (job === 'stalls') {
    const stalls = { usual: delays.percentile(99) / 1e6, longest: delays.max / 1e6 };
    delays.reset();
    return stalls;
  }
  await running?.stop();
  running = await startReportingService({
    keep: job.path,
    learners: job.learners,
    now: () => job.now * 1000,
  });
  return { url: running.url, token: running.token };
});

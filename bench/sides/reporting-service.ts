import { monitorEventLoopDelay } from 'node:perf_hooks';
import {
  type RunningReportingService,
  startReportingService,
} from '../../playground/reporting-service/reporting-service.js';
import { serveSide } from '../harness/side.js';
import type { ServiceJob } from './service-jobs.js';

/*
 * The reporting service over a kept world, which it makes where it is not there: the outcome is its address and token.
 * Asked for its stalls, the outcome is how long its event loop was held since it was asked the last time.
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
